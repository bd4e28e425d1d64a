#pragma once
// Dataset<E> and DatasetIterator<E>: elements one after another, made in the graph while steps run.

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <dgraph/ops/dataset_ops.hpp>
#include <dgraph/ops/function.hpp>
#include <dgraph/ops/functional.hpp>
#include <dgraph/ops/value_arg.hpp>

namespace dgraph {

using Int64Arg = ValueArg<std::int64_t>;

struct ShuffleOptions {
  std::int64_t seed = 0, seed2 = 0;       ///< both 0: drawn anew for each iterator
  bool reshuffle_each_iteration = true;   ///< each repetition has an order of its own
};

struct PaddedBatchOptions {
  std::vector<PartialShape> padded_shapes = {};  ///< of each component; empty, or an unknown size: the largest of the batch
  std::vector<Tensor> padding_values = {};       ///< scalars; empty: 0, false, ""
  bool drop_remainder = false;
};

struct CsvOptions {
  bool header = false;                          ///< the first line of each file is left out
  std::string field_delim = ",";
  bool use_quote_delim = true;                  ///< fields may stand in quotes
  std::string na_value = "";                    ///< stands for an empty field
  std::vector<std::int64_t> select_cols = {};   ///< ascending; empty: all
};

namespace detail {

/// A dataset as its node, and what is known of its elements' components.
struct DatasetState {
  Output node;
  std::vector<DType> dtypes;
  std::vector<PartialShape> shapes;

  DatasetState counted(const char* op, const Int64Arg& count, const OpName& name) const;  ///< repeat, take, skip, prefetch
  DatasetState map(const TracedFunction& f, std::int32_t parallel_calls, const OpName& name) const;
  DatasetState filter(const TracedFunction& f, const OpName& name) const;
  /// f returns a dataset of elements like `inner`; cycle_length 0: a flat map.
  DatasetState flatten(const TracedFunction& f, const DatasetState& inner, const Int64Arg& cycle, const Int64Arg& block,
                       bool interleave, const OpName& name) const;
  DatasetState batch(const Int64Arg& size, bool drop_remainder, const OpName& name) const;
  DatasetState padded_batch(const Int64Arg& size, const PaddedBatchOptions& options, const OpName& name) const;
  DatasetState shuffle(const Int64Arg& buffer, const ShuffleOptions& options, const OpName& name) const;
  DatasetState shard(const Int64Arg& shards, const Int64Arg& index, const OpName& name) const;
  DatasetState cache(const OpName& name) const;
  DatasetState concatenate(const DatasetState& other, const OpName& name) const;
  static DatasetState zip(const std::vector<DatasetState>& all, const OpName& name);
  static DatasetState tensors(const std::vector<Output>& components, bool slices, const OpName& name);
  static DatasetState range(const Int64Arg& start, const Int64Arg& stop, const Int64Arg& step, const OpName& name);
  static DatasetState files(const char* op, const Output& filenames, const OpName& name);
  static DatasetState csv(const Output& filenames, std::vector<Tensor> defaults, const CsvOptions& options,
                          const OpName& name);
  static DatasetState generator(std::vector<DType> dtypes, std::function<FunctionBody::Produce()> produce,
                                const OpName& name);
};

/// The handle of an iterator over elements like those of the dataset.
Output iterator_handle(const DatasetState& like, const std::string& shared_name, const std::string& container,
                       const OpName& name);
Output one_shot_iterator(FunctionRef<DatasetState()> make, DatasetState& like, const OpName& name);
Output make_iterator(const DatasetState& dataset, const Output& iterator, const OpName& name);
std::vector<Output> iterator_next(const Output& iterator, const DatasetState& like, const OpName& name);
Output iterator_saved(const Output& iterator, const OpName& name);
Output iterator_restored(const Output& iterator, const Output& saved, const OpName& name);

}  // namespace detail

/// Takes the elements of a dataset one after another: state on the task where it is placed, under (container, shared_name). E is
/// a value of the graph or a tuple of values.
template <class E>
class DatasetIterator {
 public:
  DatasetIterator(Output handle, Output initializer, detail::DatasetState like)
      : handle_(handle), initializer_(initializer), like_(std::move(like)) {
    like_.node = Output();
  }
  /// The next element, once in each step that needs it. The step fails with OutOfRange "End of sequence" where there is none,
  /// with FailedPrecondition before the initializer has run.
  E get_next(OpName name = {}) const { return detail::unpacked(E{}, detail::iterator_next(handle_, like_, name)); }
  /// Begins with the first element; not of a one-shot iterator.
  Op<void> initializer() const { return Op<void>(initializer_); }
  /// Begins with the first element of a dataset of such elements.
  template <class Dataset>
  Op<void> make_initializer(const Dataset& dataset, OpName name = {}) const {
    return Op<void>(detail::make_iterator(dataset.state(), handle_, name));
  }
  /// Where the iterator is, as a string that `restore` takes. A dataset that is not the same each time does not go on where it
  /// was: seeds are kept, files and functions with state are not.
  Op<std::string> save(OpName name = {}) const { return Op<std::string>(detail::iterator_saved(handle_, name)); }
  /// Goes on from there, over the dataset that the iterator was initialised with.
  Op<void> restore(const ValueArg<std::string>& saved, OpName name = {}) const {
    return Op<void>(detail::iterator_restored(handle_, saved.node(name.location, handle_.core()), name));
  }
  const Output& handle() const noexcept { return handle_; }

 private:
  Output handle_, initializer_;
  detail::DatasetState like_;
};

/// Elements of type E: a value of the graph (Op<float>), or a tuple of values. Each member function returns a dataset made of this
/// one; errors of sizes below their least are InvalidArgument when an iterator begins.
template <class E>
class Dataset {
 public:
  using element = E;
  explicit Dataset(detail::DatasetState state) : state_(std::move(state)) {}
  const detail::DatasetState& state() const noexcept { return state_; }

  /// f of each element, as a function of its own that may use values of the graph around; a tuple's parts are arguments each.
  /// `parallel_calls` above 1: as many at once, in order all the same.
  template <class F>
  auto map(F&& f, std::int32_t parallel_calls = 1, OpName name = {}) const {
    using R = detail::flow_type<decltype(detail::call_on_element(f, std::declval<const E&>()))>;
    return Dataset<R>(state_.map(trace<R>(f, "map", name), parallel_calls, name));
  }
  /// The elements of which f, a bool scalar, is true.
  template <class F>
  Dataset filter(F&& f, OpName name = {}) const {
    return Dataset(state_.filter(trace<Op<bool>>(f, "filter", name), name));
  }
  /// The elements of the datasets f(element), one dataset after another.
  template <class F>
  auto flat_map(F&& f, OpName name = {}) const {
    return flattened(f, 1, 1, false, name);
  }
  /// The same with `cycle_length` datasets in turn, `block_length` elements of each.
  template <class F>
  auto interleave(F&& f, Int64Arg cycle_length, Int64Arg block_length = 1, OpName name = {}) const {
    return flattened(f, cycle_length, block_length, true, name);
  }
  /// `size` elements of one shape side by side; the last batch may be smaller.
  Dataset batch(Int64Arg size, bool drop_remainder = false, OpName name = {}) const {
    return Dataset(state_.batch(size, drop_remainder, name));
  }
  /// The same with elements of different sizes, padded at the ends.
  Dataset padded_batch(Int64Arg size, const PaddedBatchOptions& options = {}, OpName name = {}) const {
    return Dataset(state_.padded_batch(size, options, name));
  }
  /// Each next element is drawn out of `buffer_size`.
  Dataset shuffle(Int64Arg buffer_size, const ShuffleOptions& options = {}, OpName name = {}) const {
    return Dataset(state_.shuffle(buffer_size, options, name));
  }
  /// `count` times, without end where it is below 0.
  Dataset repeat(Int64Arg count = -1, OpName name = {}) const { return Dataset(state_.counted("RepeatDataset", count, name)); }
  Dataset take(Int64Arg count, OpName name = {}) const { return Dataset(state_.counted("TakeDataset", count, name)); }
  Dataset skip(Int64Arg count, OpName name = {}) const { return Dataset(state_.counted("SkipDataset", count, name)); }
  /// Up to `buffer_size` elements are made ahead on the pool, while steps run.
  Dataset prefetch(Int64Arg buffer_size, OpName name = {}) const {
    return Dataset(state_.counted("PrefetchDataset", buffer_size, name));
  }
  /// Every num_shards-th element, from `index` on.
  Dataset shard(Int64Arg num_shards, Int64Arg index, OpName name = {}) const {
    return Dataset(state_.shard(num_shards, index, name));
  }
  /// In memory once all were read.
  Dataset cache(OpName name = {}) const { return Dataset(state_.cache(name)); }
  Dataset concatenate(const Dataset& other, OpName name = {}) const {
    return Dataset(state_.concatenate(other.state_, name));
  }

  /// An iterator that begins when its initializer is run. Without a shared name it belongs to its node's name.
  DatasetIterator<E> make_initializable_iterator(const std::string& shared_name = "", OpName name = {}) const {
    const Output handle = detail::iterator_handle(state_, shared_name, "", name);
    return {handle, detail::make_iterator(state_, handle, OpName("MakeIterator", name.location)), state_};
  }

 private:
  template <class R, class F>
  detail::TracedFunction trace(F& f, const char* what, const OpName& name) const {
    const auto build = [&](const std::vector<Output>& values) {
      return detail::values_of(
          detail::packed<R>(detail::call_on_element(f, detail::unpacked(E{}, values)), name.location));
    };
    return detail::trace_function(what, state_.dtypes, state_.shapes, build, name.location);
  }
  template <class F>
  auto flattened(F& f, Int64Arg cycle, Int64Arg block, bool interleave, const OpName& name) const {
    using Inner = decltype(detail::call_on_element(f, std::declval<const E&>()));
    detail::DatasetState inner;
    const auto build = [&](const std::vector<Output>& values) {
      inner = detail::call_on_element(f, detail::unpacked(E{}, values)).state();
      return std::vector<Output>{inner.node};
    };
    const detail::TracedFunction function =
        detail::trace_function("flat_map", state_.dtypes, state_.shapes, build, name.location);
    return Inner(state_.flatten(function, inner, cycle, block, interleave, name));
  }
  detail::DatasetState state_;
};

/// The beginnings of datasets: `dataset::range(10).map(f).batch(32).make_initializable_iterator()`.
namespace dataset {

/// 0, 1, ... below `stop`.
inline Dataset<Op<std::int64_t>> range(Int64Arg stop, OpName name = {}) {
  return Dataset<Op<std::int64_t>>(dgraph::detail::DatasetState::range(0, stop, 1, name));
}
/// start, start + step, ... before `stop`.
inline Dataset<Op<std::int64_t>> range(Int64Arg start, Int64Arg stop, Int64Arg step = 1, OpName name = {}) {
  return Dataset<Op<std::int64_t>>(dgraph::detail::DatasetState::range(start, stop, step, name));
}
/// One element: a value or a tuple of values.
template <class X>
auto from_tensors(const X& components, OpName name = {}) {
  using E = dgraph::detail::flow_type<X>;
  const auto values = dgraph::detail::values_of(dgraph::detail::packed<E>(components, name.location));
  return Dataset<E>(dgraph::detail::DatasetState::tensors(values, false, name));
}
/// The rows of a value, or of a tuple of values of one first size.
template <class X>
auto from_tensor_slices(const X& components, OpName name = {}) {
  using E = dgraph::detail::flow_type<X>;
  const auto values = dgraph::detail::values_of(dgraph::detail::packed<E>(components, name.location));
  return Dataset<E>(dgraph::detail::DatasetState::tensors(values, true, name));
}
/// The lines of text files (a name or a vector of names), without their ends. NotFound for a file that is not there.
inline Dataset<Op<std::string>> text_lines(const ValueArg<std::string>& filenames, OpName name = {}) {
  return Dataset<Op<std::string>>(
      dgraph::detail::DatasetState::files("TextLineDataset", filenames.node(name.location, nullptr), name));
}
/// The records of TFRecord files. DataLoss for a checksum that is wrong and for a record that is cut short.
inline Dataset<Op<std::string>> tf_records(const ValueArg<std::string>& filenames, OpName name = {}) {
  return Dataset<Op<std::string>>(
      dgraph::detail::DatasetState::files("TFRecordDataset", filenames.node(name.location, nullptr), name));
}
/// The columns of CSV files as scalars of dtypes T: `csv<float, std::int32_t>("a.csv", {})`. `defaults` has for each column the
/// value of an empty field, or a tensor without elements where a field must not be empty; none: all columns must have values.
template <Element... T>
auto csv(const ValueArg<std::string>& filenames, const CsvOptions& options = {}, std::vector<Tensor> defaults = {},
         OpName name = {}) {
  if (defaults.empty()) defaults = {Tensor(dtype_of<T>, Shape{0})...};
  return Dataset<std::tuple<Op<T>...>>(
      dgraph::detail::DatasetState::csv(filenames.node(name.location, nullptr), std::move(defaults), options, name));
}
/// What a function of this process gives: `factory()` is called when an iterator begins, what it returns for each element: a
/// std::optional of a value, or of a tuple of values, of dtypes T; nothing at the end. For embedded sessions, and placed on the
/// client's own task, only: InvalidArgument elsewhere.
template <Element... T, class F>
auto from_generator(F factory, OpName name = {}) {
  using E = std::conditional_t<sizeof...(T) == 1, std::tuple_element_t<0, std::tuple<Op<T>...>>, std::tuple<Op<T>...>>;
  const auto produce = [factory = std::move(factory)]() -> FunctionBody::Produce {
    return [next = factory()](std::vector<Tensor>& out) mutable {
      auto element = next();
      if (!element) return false;
      if constexpr (sizeof...(T) == 1)
        (out.push_back(to_tensor<T>(*element)), ...);
      else
        std::apply([&](const auto&... part) { (out.push_back(to_tensor<T>(part)), ...); }, *element);
      return true;
    };
  };
  return Dataset<E>(dgraph::detail::DatasetState::generator({dtype_of<T>...}, produce, name));
}
/// Elements of the datasets side by side, as long as all have one.
template <class... E>
auto zip(const Dataset<E>&... datasets) {
  return Dataset<std::tuple<E...>>(dgraph::detail::DatasetState::zip({datasets.state()...}, OpName()));
}

}  // namespace dataset

/// An iterator over the dataset that `make` builds, which begins by itself when it is first used: `make` must not use values of the
/// graph around.
template <class F>
auto make_one_shot_iterator(F&& make, OpName name = {}) {
  using D = decltype(make());
  detail::DatasetState like;
  const auto build = [&] { return make().state(); };
  const Output handle = detail::one_shot_iterator(build, like, name);
  return DatasetIterator<typename D::element>(handle, Output(), like);
}

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/dataset.ipp>
#endif
