#pragma once
// Datasets and their iterators as kernels see them, and the kernels of ops/dataset_ops.hpp.

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include <dgraph/base/random.hpp>
#include <dgraph/kernels/declare.hpp>
#include <dgraph/kernels/pull.hpp>
#include <dgraph/kernels/resource.hpp>
#include <dgraph/kernels/task_services.hpp>

namespace dgraph {
namespace detail {

/// The components of one element.
using DatasetElement = std::vector<Tensor>;

/// Thrown where nobody waits for the element any more; the pull can be made again.
struct Interrupted {};

/// What an iterator has from whoever begins it.
struct IterationContext {
  explicit IterationContext(Ref<TaskServices> t = {}, std::uint64_t e = 0) noexcept : task(std::move(t)), entropy(e) {}
  Ref<TaskServices> task;
  std::shared_ptr<std::atomic<bool>> interrupt = std::make_shared<std::atomic<bool>>(false);
  std::uint64_t entropy;       ///< for seeds that are not given; the same again where an iterator is restored
  std::uint64_t round = 0;     ///< of the repetition around
  /// To be called where elements are left out; throws Interrupted.
  void check() const {
    if (interrupt->load(std::memory_order_relaxed) || task->stopped()) throw Interrupted();
  }
  std::uint64_t draw() noexcept { return Philox::block({low(++drawn), high(drawn), low(round), high(round)}, key())[0] | 1u; }

 private:
  static std::uint32_t low(std::uint64_t x) noexcept { return Philox::low(x); }
  static std::uint32_t high(std::uint64_t x) noexcept { return Philox::high(x); }
  Philox::Key key() const noexcept { return {low(entropy), high(entropy)}; }
  std::uint64_t drawn = 0;
};

/// One pass over a dataset. One call at a time; it stays alive as long as one runs.
class ElementSource : public Counted {
 public:
  /// False at the end, and from then on. Errors are thrown; a later call may go on.
  virtual Pull next(DatasetElement& out) = 0;
  /// Leaves out `count` elements; false where there are fewer.
  virtual Pull skip(std::int64_t count);
};

class DatasetNode : public Counted {
 public:
  virtual Ref<ElementSource> iterate(IterationContext& context) const = 0;
};

/// A dataset as a tensor: a scalar of dtype variant.
Tensor dataset_value(Ref<DatasetNode> dataset);
/// Throws InvalidArgument for any other tensor.
Ref<DatasetNode> dataset_in(const Tensor& value);

/// A pull that has its answer.
inline Pull answer(bool value) { co_return value; }

}  // namespace detail

DGRAPH_KERNEL(TensorDataset);
DGRAPH_KERNEL(TensorSliceDataset);
DGRAPH_KERNEL(RangeDataset);
DGRAPH_KERNEL(TextLineDataset);
DGRAPH_KERNEL(TFRecordDataset);
DGRAPH_KERNEL(CSVDataset);
DGRAPH_KERNEL(HostGeneratorDataset);
DGRAPH_KERNEL(MapDataset);
DGRAPH_KERNEL(ParallelMapDataset);
DGRAPH_KERNEL(FlatMapDataset);
DGRAPH_KERNEL(InterleaveDataset);
DGRAPH_KERNEL(FilterDataset);
DGRAPH_KERNEL(BatchDatasetV2);
DGRAPH_KERNEL(PaddedBatchDatasetV2);
DGRAPH_KERNEL(ShuffleDataset);
DGRAPH_KERNEL(RepeatDataset);
DGRAPH_KERNEL(TakeDataset);
DGRAPH_KERNEL(SkipDataset);
DGRAPH_KERNEL(ZipDataset);
DGRAPH_KERNEL(ConcatenateDataset);
DGRAPH_KERNEL(CacheDataset);
DGRAPH_KERNEL(PrefetchDataset);
DGRAPH_KERNEL(ShardDataset);
DGRAPH_KERNEL(Iterator);
DGRAPH_KERNEL(IteratorV2);
DGRAPH_KERNEL(OneShotIterator);
DGRAPH_KERNEL(MakeIterator);
DGRAPH_KERNEL(IteratorGetNext);
DGRAPH_KERNEL(SerializeIterator);
DGRAPH_KERNEL(DeserializeIterator);

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/kernels/impl/dataset_batches.ipp>
#include <dgraph/kernels/impl/dataset_files.ipp>
#include <dgraph/kernels/impl/dataset_functions.ipp>
#include <dgraph/kernels/impl/dataset_order.ipp>
#include <dgraph/kernels/impl/dataset_sources.ipp>
#include <dgraph/kernels/impl/iterator.ipp>
#endif
