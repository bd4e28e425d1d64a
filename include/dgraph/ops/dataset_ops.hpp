#pragma once
// Op structs of datasets and iterators. A dataset is a scalar of dtype variant, an iterator a resource; neither leaves its task.

#include <dgraph/graph/op_set.hpp>
#include <dgraph/graph/shape_context.hpp>

namespace dgraph {
namespace ops {

/// What all datasets have: one output, a scalar.
struct DatasetShape {
  static void shape(ShapeContext& c) { c.set_output(0, PartialShape::scalar()); }
};

/// One element: the components.
struct TensorDataset : DatasetShape {
  static constexpr auto signature =
      "TensorDataset(components: Toutput_types) -> (handle: variant); Toutput_types: list(type) >= 1; "
      "output_shapes: list(shape) >= 1; stateful";
};

/// The rows of the components, which have one first size.
struct TensorSliceDataset : DatasetShape {
  static constexpr auto signature =
      "TensorSliceDataset(components: Toutput_types) -> (handle: variant); Toutput_types: list(type) >= 1; "
      "output_shapes: list(shape) >= 1; stateful";
};

/// start, start + step, ... before stop. InvalidArgument where step is 0.
struct RangeDataset : DatasetShape {
  static constexpr auto signature =
      "RangeDataset(start: int64, stop: int64, step: int64) -> (handle: variant); output_types: list(type) >= 1; "
      "output_shapes: list(shape) >= 1; stateful";
};

/// The lines of text files, without their ends.
struct TextLineDataset : DatasetShape {
  static constexpr auto signature =
      "TextLineDataset(filenames: string, compression_type: string, buffer_size: int64) -> (handle: variant); stateful";
};

/// The records of TFRecord files. DataLoss where a file is cut short or a checksum is wrong.
struct TFRecordDataset : DatasetShape {
  static constexpr auto signature =
      "TFRecordDataset(filenames: string, compression_type: string, buffer_size: int64) -> (handle: variant); stateful";
};

/// Lines of comma-separated values (RFC 4180), a component for each column.
struct CSVDataset : DatasetShape {
  static constexpr auto signature =
      "CSVDataset(filenames: string, compression_type: string, buffer_size: int64, header: bool, field_delim: string, "
      "use_quote_delim: bool, na_value: string, select_cols: int64, record_defaults: output_types) -> (handle: variant); "
      "output_types: list({float32, float64, int32, int64, string}) >= 1; output_shapes: list(shape) >= 1; stateful";
};

/// What a function of the host gives; it runs in the client's process and nowhere else.
struct HostGeneratorDataset : DatasetShape {
  static constexpr auto signature =
      "HostGeneratorDataset() -> (handle: variant); f: tensor; output_types: list(type) >= 1; "
      "output_shapes: list(shape) >= 1; stateful";
};

/// f of each element.
struct MapDataset : DatasetShape {
  static constexpr auto signature =
      "MapDataset(input_dataset: variant, other_arguments: Targuments) -> (handle: variant); f: tensor; "
      "Targuments: list(type) >= 0; output_types: list(type) >= 1; output_shapes: list(shape) >= 1; "
      "use_inter_op_parallelism: bool = true; preserve_cardinality: bool = false; stateful";
};

/// The same, several elements at once; they come in order.
struct ParallelMapDataset : DatasetShape {
  static constexpr auto signature =
      "ParallelMapDataset(input_dataset: variant, other_arguments: Targuments, num_parallel_calls: int32) -> (handle: variant); "
      "f: tensor; Targuments: list(type) >= 0; output_types: list(type) >= 1; output_shapes: list(shape) >= 1; "
      "use_inter_op_parallelism: bool = true; sloppy: bool = false; preserve_cardinality: bool = false; stateful";
};

/// The elements of the datasets that f makes of the elements, one dataset after another.
struct FlatMapDataset : DatasetShape {
  static constexpr auto signature =
      "FlatMapDataset(input_dataset: variant, other_arguments: Targuments) -> (handle: variant); f: tensor; "
      "Targuments: list(type) >= 0; output_types: list(type) >= 1; output_shapes: list(shape) >= 1; stateful";
};

/// The same with cycle_length datasets in turn, block_length elements of each.
struct InterleaveDataset : DatasetShape {
  static constexpr auto signature =
      "InterleaveDataset(input_dataset: variant, other_arguments: Targuments, cycle_length: int64, block_length: int64) -> "
      "(handle: variant); f: tensor; Targuments: list(type) >= 0; output_types: list(type) >= 1; "
      "output_shapes: list(shape) >= 1; stateful";
};

/// The elements of which the predicate is true.
struct FilterDataset : DatasetShape {
  static constexpr auto signature =
      "FilterDataset(input_dataset: variant, other_arguments: Targuments) -> (handle: variant); predicate: tensor; "
      "Targuments: list(type) >= 0; output_types: list(type) >= 1; output_shapes: list(shape) >= 1; stateful";
};

/// batch_size elements side by side; the last batch may be smaller, or is left out.
struct BatchDatasetV2 : DatasetShape {
  static constexpr auto signature =
      "BatchDatasetV2(input_dataset: variant, batch_size: int64, drop_remainder: bool) -> (handle: variant); "
      "parallel_copy: bool = false; output_types: list(type) >= 1; output_shapes: list(shape) >= 1; stateful";
};

/// The same, each element padded to padded_shapes, -1 in which is the largest of the batch.
struct PaddedBatchDatasetV2 : DatasetShape {
  static constexpr auto signature =
      "PaddedBatchDatasetV2(input_dataset: variant, batch_size: int64, padded_shapes: N * int64, "
      "padding_values: Toutput_types, drop_remainder: bool) -> (handle: variant); parallel_copy: bool = false; "
      "Toutput_types: list(type) >= 1; output_shapes: list(shape) >= 1; N: int >= 1; stateful";
};

/// The elements in an order drawn by Philox: each next one out of buffer_size. Seeds of 0 and 0: drawn for each iterator.
struct ShuffleDataset : DatasetShape {
  static constexpr auto signature =
      "ShuffleDataset(input_dataset: variant, buffer_size: int64, seed: int64, seed2: int64) -> (handle: variant); "
      "reshuffle_each_iteration: bool = true; output_types: list(type) >= 1; output_shapes: list(shape) >= 1; stateful";
};

/// All elements count times, without end where count is below 0.
struct RepeatDataset : DatasetShape {
  static constexpr auto signature =
      "RepeatDataset(input_dataset: variant, count: int64) -> (handle: variant); output_types: list(type) >= 1; "
      "output_shapes: list(shape) >= 1; stateful";
};

/// The first count elements; all where count is below 0.
struct TakeDataset : DatasetShape {
  static constexpr auto signature =
      "TakeDataset(input_dataset: variant, count: int64) -> (handle: variant); output_types: list(type) >= 1; "
      "output_shapes: list(shape) >= 1; stateful";
};

/// All but the first count elements; none where count is below 0.
struct SkipDataset : DatasetShape {
  static constexpr auto signature =
      "SkipDataset(input_dataset: variant, count: int64) -> (handle: variant); output_types: list(type) >= 1; "
      "output_shapes: list(shape) >= 1; stateful";
};

/// Elements of the datasets side by side, as long as all have one.
struct ZipDataset : DatasetShape {
  static constexpr auto signature =
      "ZipDataset(input_datasets: N * variant) -> (handle: variant); output_types: list(type) >= 1; "
      "output_shapes: list(shape) >= 1; N: int >= 1; stateful";
};

/// One dataset after the other.
struct ConcatenateDataset : DatasetShape {
  static constexpr auto signature =
      "ConcatenateDataset(input_dataset: variant, another_dataset: variant) -> (handle: variant); "
      "output_types: list(type) >= 1; output_shapes: list(shape) >= 1; stateful";
};

/// Keeps the elements in memory once they have all been read. Unimplemented for a file name.
struct CacheDataset : DatasetShape {
  static constexpr auto signature =
      "CacheDataset(input_dataset: variant, filename: string) -> (handle: variant); output_types: list(type) >= 1; "
      "output_shapes: list(shape) >= 1; stateful";
};

/// Makes up to buffer_size elements ahead, on the pool.
struct PrefetchDataset : DatasetShape {
  static constexpr auto signature =
      "PrefetchDataset(input_dataset: variant, buffer_size: int64) -> (handle: variant); output_types: list(type) >= 1; "
      "output_shapes: list(shape) >= 1; slack_period: int = 0; legacy_autotune: bool = true; stateful";
};

/// Elements index, index + num_shards, ...
struct ShardDataset : DatasetShape {
  static constexpr auto signature =
      "ShardDataset(input_dataset: variant, num_shards: int64, index: int64) -> (handle: variant); "
      "require_non_empty: bool = false; output_types: list(type) >= 1; output_shapes: list(shape) >= 1; stateful";
};

/// The iterator of that name in its container, made where there is none.
struct Iterator : DatasetShape {
  static constexpr auto signature =
      "Iterator() -> (handle: resource); shared_name: string; container: string; output_types: list(type) >= 1; "
      "output_shapes: list(shape) >= 1; stateful";
};
struct IteratorV2 : DatasetShape {
  static constexpr auto signature =
      "IteratorV2() -> (handle: resource); shared_name: string; container: string; output_types: list(type) >= 1; "
      "output_shapes: list(shape) >= 1; stateful";
};

/// An iterator over the dataset that dataset_factory makes when it is first used.
struct OneShotIterator : DatasetShape {
  static constexpr auto signature =
      "OneShotIterator() -> (handle: resource); dataset_factory: tensor; output_types: list(type) >= 1; "
      "output_shapes: list(shape) >= 1; container: string = ''; shared_name: string = ''; stateful";
};

/// The iterator begins with the dataset's first element.
struct MakeIterator {
  static constexpr auto signature = "MakeIterator(dataset: variant, iterator: resource) -> (); stateful";
  static void shape(ShapeContext&) {}
};

/// The next element. OutOfRange at the end, FailedPrecondition before MakeIterator.
struct IteratorGetNext {
  static constexpr auto signature =
      "IteratorGetNext(iterator: resource) -> (components: output_types); output_types: list(type) >= 1; "
      "output_shapes: list(shape) >= 1; stateful";
  static void shape(ShapeContext& c);
};

/// Where the iterator is, to be given to DeserializeIterator of an iterator over the same dataset. A string, and not a variant as
/// in TensorFlow, so that it can be fetched and kept.
struct SerializeIterator {
  static constexpr auto signature = "SerializeIterator(resource_handle: resource) -> (serialized: string); stateful";
  static void shape(ShapeContext& c) { c.set_output(0, PartialShape::scalar()); }
};
struct DeserializeIterator {
  static constexpr auto signature = "DeserializeIterator(resource_handle: resource, serialized: string) -> (); stateful";
  static void shape(ShapeContext&) {}
};

}  // namespace ops

using DatasetOps =
    OpSet<ops::TensorDataset, ops::TensorSliceDataset, ops::RangeDataset, ops::TextLineDataset, ops::TFRecordDataset,
          ops::CSVDataset, ops::HostGeneratorDataset, ops::MapDataset, ops::ParallelMapDataset, ops::FlatMapDataset,
          ops::InterleaveDataset, ops::FilterDataset, ops::BatchDatasetV2, ops::PaddedBatchDatasetV2, ops::ShuffleDataset,
          ops::RepeatDataset, ops::TakeDataset, ops::SkipDataset, ops::ZipDataset, ops::ConcatenateDataset,
          ops::CacheDataset, ops::PrefetchDataset, ops::ShardDataset>;
using IteratorOps = OpSet<ops::Iterator, ops::IteratorV2, ops::OneShotIterator, ops::MakeIterator, ops::IteratorGetNext,
                          ops::SerializeIterator, ops::DeserializeIterator>;

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/dataset_ops.ipp>
#endif
