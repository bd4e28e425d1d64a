#pragma once
#include <dgraph/ops/dataset.hpp>

#include <algorithm>

#include <dgraph/ops/constant.hpp>
#include <dgraph/ops/shape_values.hpp>

namespace dgraph::detail {

DGRAPH_DECL Output dataset_integer(const Int64Arg& value, const Output& dataset, const OpName& name) {
  return value.node(name.location, dataset ? dataset.core() : nullptr);
}

// A constant size, -1 where it is not known before a step.
DGRAPH_DECL std::int64_t dataset_known_size(const Output& size) {
  return size.op_type() == "Const" ? size.node().attr<Tensor>("value").item<std::int64_t>() : -1;
}

DGRAPH_DECL PartialShape batched_shape(std::int64_t first, const PartialShape& rest) {
  if (!rest.has_rank()) return {};
  Dims dims(1, first);
  for (const std::int64_t d : rest.dims()) dims.push_back(d);
  return PartialShape(dims);
}

DGRAPH_DECL PartialShape row_shape(const PartialShape& shape) {
  if (!shape.has_rank()) return {};
  if (shape.dims().empty()) fail(Code::InvalidArgument, "a scalar has no rows to be the elements of a dataset");
  Dims dims;
  for (std::size_t i = 1; i < shape.dims().size(); ++i) dims.push_back(shape.dims()[i]);
  return PartialShape(dims);
}

// What both have in common.
DGRAPH_DECL PartialShape shape_of_both(const PartialShape& a, const PartialShape& b) {
  if (!a.has_rank() || !b.has_rank() || a.dims().size() != b.dims().size()) return {};
  Dims dims;
  for (std::size_t i = 0; i < a.dims().size(); ++i) dims.push_back(a.dims()[i] == b.dims()[i] ? a.dims()[i] : -1);
  return PartialShape(dims);
}

DGRAPH_DECL const OpDef& counted_op(std::string_view op) {
  if (op == "RepeatDataset") return definition<ops::RepeatDataset>();
  if (op == "TakeDataset") return definition<ops::TakeDataset>();
  if (op == "SkipDataset") return definition<ops::SkipDataset>();
  return definition<ops::PrefetchDataset>();
}

DGRAPH_DECL DatasetState add_dataset(NodeBuilder& builder, std::vector<DType> dtypes, std::vector<PartialShape> shapes,
                                     const char* dtypes_attr = "output_types") {
  if (dtypes_attr) {
    builder.attr(dtypes_attr, dtypes);
    builder.attr("output_shapes", shapes);
  }
  const Output node = builder.add();
  return {node, std::move(dtypes), std::move(shapes)};
}

DGRAPH_DECL void add_function(NodeBuilder& builder, const char* attr, const TracedFunction& f) {
  builder.attr(attr, f.value);
  std::vector<DType> dtypes;
  for (const Output& value : f.captured) dtypes.push_back(value.dtype());
  builder.attr("Targuments", dtypes);
}

DGRAPH_DECL DatasetState DatasetState::counted(const char* op, const Int64Arg& count, const OpName& name) const {
  const Output number = dataset_integer(count, node, name);
  NodeBuilder builder(counted_op(op), name);
  builder.input(node);
  builder.input(number);
  return add_dataset(builder, dtypes, shapes);
}

DGRAPH_DECL DatasetState DatasetState::map(const TracedFunction& f, std::int32_t parallel_calls, const OpName& name) const {
  const bool parallel = parallel_calls > 1;
  Output calls;
  if (parallel) calls = add_constant(Tensor::scalar(parallel_calls), OpName(name.location), node.core());
  NodeBuilder builder(parallel ? definition<ops::ParallelMapDataset>() : definition<ops::MapDataset>(), name);
  builder.input(node);
  builder.inputs(f.captured);
  if (parallel) builder.input(calls);
  add_function(builder, "f", f);
  return add_dataset(builder, f.result_dtypes, f.result_shapes);
}

DGRAPH_DECL DatasetState DatasetState::filter(const TracedFunction& f, const OpName& name) const {
  NodeBuilder builder(definition<ops::FilterDataset>(), name);
  builder.input(node);
  builder.inputs(f.captured);
  add_function(builder, "predicate", f);
  return add_dataset(builder, dtypes, shapes);
}

DGRAPH_DECL DatasetState DatasetState::flatten(const TracedFunction& f, const DatasetState& inner, const Int64Arg& cycle,
                                               const Int64Arg& block, bool interleave, const OpName& name) const {
  Output cycle_length, block_length;
  if (interleave) {
    cycle_length = dataset_integer(cycle, node, name);
    block_length = dataset_integer(block, node, name);
  }
  NodeBuilder builder(interleave ? definition<ops::InterleaveDataset>() : definition<ops::FlatMapDataset>(), name);
  builder.input(node);
  builder.inputs(f.captured);
  if (interleave) {
    builder.input(cycle_length);
    builder.input(block_length);
  }
  add_function(builder, "f", f);
  return add_dataset(builder, inner.dtypes, inner.shapes);
}

DGRAPH_DECL DatasetState DatasetState::batch(const Int64Arg& size, bool drop_remainder, const OpName& name) const {
  const Output count = dataset_integer(size, node, name);
  const Output drop = add_constant(Tensor::scalar(drop_remainder), OpName(name.location), node.core());
  NodeBuilder builder(definition<ops::BatchDatasetV2>(), name);
  builder.input(node);
  builder.input(count);
  builder.input(drop);
  std::vector<PartialShape> batched;
  for (const PartialShape& shape : shapes)
    batched.push_back(batched_shape(drop_remainder ? dataset_known_size(count) : -1, shape));
  return add_dataset(builder, dtypes, std::move(batched));
}

DGRAPH_DECL DatasetState DatasetState::padded_batch(const Int64Arg& size, const PaddedBatchOptions& options,
                                                    const OpName& name) const {
  const std::size_t n = dtypes.size();
  if ((!options.padded_shapes.empty() && options.padded_shapes.size() != n) ||
      (!options.padding_values.empty() && options.padding_values.size() != n))
    fail(Code::InvalidArgument, "padded_batch: elements have ", n, " components, but ", options.padded_shapes.size(),
         " padded shapes and ", options.padding_values.size(), " padding values are given");
  const Output count = dataset_integer(size, node, name);
  std::vector<Output> padded, values;
  std::vector<PartialShape> batched;
  for (std::size_t i = 0; i < n; ++i) {
    const PartialShape& shape = options.padded_shapes.empty() ? shapes[i] : options.padded_shapes[i];
    if (!shape.has_rank()) fail(Code::InvalidArgument, "padded_batch: the rank of component ", i, " must be known");
    Tensor dims(DType::Int64, Shape{static_cast<std::int64_t>(shape.dims().size())});
    std::copy(shape.dims().begin(), shape.dims().end(), dims.mutable_data<std::int64_t>());
    padded.push_back(add_constant(std::move(dims), OpName(name.location), node.core()));
    values.push_back(
        add_constant(options.padding_values.empty() ? Tensor::zeros(dtypes[i], Shape()) : options.padding_values[i],
                     OpName(name.location), node.core()));
    batched.push_back(batched_shape(options.drop_remainder ? dataset_known_size(count) : -1, shape));
  }
  const Output drop = add_constant(Tensor::scalar(options.drop_remainder), OpName(name.location), node.core());
  NodeBuilder builder(definition<ops::PaddedBatchDatasetV2>(), name);
  builder.input(node);
  builder.input(count);
  builder.inputs(padded);
  builder.inputs(values);
  builder.input(drop);
  builder.attr("N", n);
  return add_dataset(builder, dtypes, std::move(batched), "Toutput_types");
}

DGRAPH_DECL DatasetState DatasetState::shuffle(const Int64Arg& buffer, const ShuffleOptions& options,
                                               const OpName& name) const {
  const Output size = dataset_integer(buffer, node, name), seed = dataset_integer(options.seed, node, name),
               seed2 = dataset_integer(options.seed2, node, name);
  NodeBuilder builder(definition<ops::ShuffleDataset>(), name);
  for (const Output& input : {node, size, seed, seed2}) builder.input(input);
  builder.attr("reshuffle_each_iteration", options.reshuffle_each_iteration);
  return add_dataset(builder, dtypes, shapes);
}

DGRAPH_DECL DatasetState DatasetState::shard(const Int64Arg& shards, const Int64Arg& index, const OpName& name) const {
  const Output number = dataset_integer(shards, node, name), at = dataset_integer(index, node, name);
  NodeBuilder builder(definition<ops::ShardDataset>(), name);
  for (const Output& input : {node, number, at}) builder.input(input);
  return add_dataset(builder, dtypes, shapes);
}

DGRAPH_DECL DatasetState DatasetState::cache(const OpName& name) const {
  const Output file = add_constant(Tensor::scalar(std::string()), OpName(name.location), node.core());
  NodeBuilder builder(definition<ops::CacheDataset>(), name);
  builder.input(node);
  builder.input(file);
  return add_dataset(builder, dtypes, shapes);
}

DGRAPH_DECL DatasetState DatasetState::concatenate(const DatasetState& other, const OpName& name) const {
  if (dtypes != other.dtypes) fail(Code::InvalidArgument, "concatenate: the datasets have elements of different dtypes");
  NodeBuilder builder(definition<ops::ConcatenateDataset>(), name);
  builder.input(node);
  builder.input(other.node);
  std::vector<PartialShape> common;
  for (std::size_t i = 0; i < shapes.size(); ++i) common.push_back(shape_of_both(shapes[i], other.shapes[i]));
  return add_dataset(builder, dtypes, std::move(common));
}

DGRAPH_DECL DatasetState DatasetState::zip(const std::vector<DatasetState>& all, const OpName& name) {
  NodeBuilder builder(definition<ops::ZipDataset>(), name);
  std::vector<DType> types;
  std::vector<PartialShape> sizes;
  for (const DatasetState& one : all) {
    builder.input(one.node);
    types.insert(types.end(), one.dtypes.begin(), one.dtypes.end());
    sizes.insert(sizes.end(), one.shapes.begin(), one.shapes.end());
  }
  builder.attr("N", all.size());
  return add_dataset(builder, std::move(types), std::move(sizes));
}

DGRAPH_DECL DatasetState DatasetState::tensors(const std::vector<Output>& components, bool slices, const OpName& name) {
  NodeBuilder builder(slices ? definition<ops::TensorSliceDataset>() : definition<ops::TensorDataset>(), name);
  std::vector<DType> types;
  std::vector<PartialShape> sizes;
  for (const Output& value : components) {
    builder.input(value);
    types.push_back(value.dtype());
    sizes.push_back(slices ? row_shape(value.shape()) : value.shape());
  }
  return add_dataset(builder, std::move(types), std::move(sizes), "Toutput_types");
}

DGRAPH_DECL DatasetState DatasetState::range(const Int64Arg& start, const Int64Arg& stop, const Int64Arg& step,
                                             const OpName& name) {
  const Output none, first = dataset_integer(start, none, name), last = dataset_integer(stop, none, name),
                     by = dataset_integer(step, none, name);
  NodeBuilder builder(definition<ops::RangeDataset>(), name);
  for (const Output& input : {first, last, by}) builder.input(input);
  return add_dataset(builder, {DType::Int64}, {PartialShape::scalar()});
}

DGRAPH_DECL DatasetState DatasetState::files(const char* op, const Output& filenames, const OpName& name) {
  const Output compression = add_constant(Tensor::scalar(std::string()), OpName(name.location), filenames.core());
  const Output buffer = add_constant(Tensor::scalar(std::int64_t{262144}), OpName(name.location), filenames.core());
  NodeBuilder builder(
      std::string_view(op) == "TextLineDataset" ? definition<ops::TextLineDataset>() : definition<ops::TFRecordDataset>(),
      name);
  for (const Output& input : {filenames, compression, buffer}) builder.input(input);
  return add_dataset(builder, {DType::String}, {PartialShape::scalar()}, nullptr);
}

DGRAPH_DECL DatasetState DatasetState::csv(const Output& filenames, std::vector<Tensor> defaults, const CsvOptions& options,
                                           const OpName& name) {
  const auto constant_of = [&](Tensor value) {
    return add_constant(std::move(value), OpName(name.location), filenames.core());
  };
  std::vector<Output> inputs{filenames,
                             constant_of(Tensor::scalar(std::string())),
                             constant_of(Tensor::scalar(std::int64_t{262144})),
                             constant_of(Tensor::scalar(options.header)),
                             constant_of(Tensor::scalar(options.field_delim)),
                             constant_of(Tensor::scalar(options.use_quote_delim)),
                             constant_of(Tensor::scalar(options.na_value)),
                             constant_of(integers_tensor(Dims(std::span(options.select_cols)), DType::Int64))};
  std::vector<DType> types;
  for (Tensor& value : defaults) {
    types.push_back(value.dtype());
    if (value.rank() == 0) value = std::move(value).reshaped(Shape{1});
    inputs.push_back(constant_of(std::move(value)));
  }
  NodeBuilder builder(definition<ops::CSVDataset>(), name);
  builder.inputs(inputs);
  std::vector<PartialShape> sizes(types.size(), PartialShape::scalar());
  return add_dataset(builder, std::move(types), std::move(sizes));
}

DGRAPH_DECL DatasetState DatasetState::generator(std::vector<DType> types, std::function<FunctionBody::Produce()> produce,
                                                 const OpName& name) {
  auto body = std::make_shared<FunctionBody>();
  body->name = "generator";
  body->produce = std::move(produce);
  NodeBuilder builder(definition<ops::HostGeneratorDataset>(), name);
  builder.attr("f", function_value(std::move(body)));
  std::vector<PartialShape> sizes(types.size());
  return add_dataset(builder, std::move(types), std::move(sizes));
}

DGRAPH_DECL Output iterator_handle(const DatasetState& like, const std::string& shared_name, const std::string& container,
                                   const OpName& name) {
  NodeBuilder builder(definition<ops::IteratorV2>(), name);
  builder.attr("shared_name", shared_name);
  builder.attr("container", container);
  return add_dataset(builder, like.dtypes, like.shapes).node;
}

DGRAPH_DECL Output one_shot_iterator(FunctionRef<DatasetState()> make, DatasetState& like, const OpName& name) {
  const auto build = [&](const std::vector<Output>&) {
    like = make();
    return std::vector<Output>{like.node};
  };
  const TracedFunction factory = trace_function("dataset_factory", {}, {}, build, name.location);
  if (!factory.captured.empty())
    fail(Code::InvalidArgument, "the dataset of a one-shot iterator uses ", factory.captured[0].name(),
         " of the graph around it: make an initializable iterator");
  NodeBuilder builder(definition<ops::OneShotIterator>(), name);
  builder.attr("dataset_factory", factory.value);
  return add_dataset(builder, like.dtypes, like.shapes).node;
}

DGRAPH_DECL Output make_iterator(const DatasetState& dataset, const Output& iterator, const OpName& name) {
  return add_op<ops::MakeIterator>(name, dataset.node, iterator);
}

DGRAPH_DECL std::vector<Output> iterator_next(const Output& iterator, const DatasetState& like, const OpName& name) {
  NodeBuilder builder(definition<ops::IteratorGetNext>(), name);
  builder.input(iterator);
  const Output node = add_dataset(builder, like.dtypes, like.shapes).node;
  std::vector<Output> out;
  for (std::size_t i = 0; i < like.dtypes.size(); ++i) out.push_back(shapes::output(node, i));
  return out;
}

DGRAPH_DECL Output iterator_saved(const Output& iterator, const OpName& name) {
  return add_op<ops::SerializeIterator>(name, iterator);
}

DGRAPH_DECL Output iterator_restored(const Output& iterator, const Output& saved, const OpName& name) {
  return add_op<ops::DeserializeIterator>(name, iterator, saved);
}

}  // namespace dgraph::detail
