#pragma once
#include <dgraph/kernels/sets.hpp>

#include <algorithm>
#include <bit>
#include <string>
#include <string_view>
#include <vector>

#include <dgraph/kernels/arguments.hpp>
#include <dgraph/kernels/elementwise.hpp>
#include <dgraph/kernels/strided.hpp>

namespace dgraph {
namespace detail {

// Hash and equality of rows of elements: 0 equals -0, NaN equals nothing.
struct RowTraits {
  std::uint64_t (*hash)(const std::byte* row, std::int64_t count);
  bool (*equal)(const std::byte* a, const std::byte* b, std::int64_t count);
};

// The finaliser of MurmurHash3.
inline std::uint64_t mix_bits(std::uint64_t x) noexcept {
  x = (x ^ x >> 33) * 0xff51afd7ed558ccdu;
  x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53u;
  return x ^ x >> 33;
}

template <class T>
std::uint64_t element_bits(const T& x) {
  if constexpr (std::is_same_v<T, std::string>)
    return std::hash<std::string_view>()(x);
  else if constexpr (is_small_float<T>)
    return (x.bits & 0x7fffu) == 0 ? 0 : x.bits;
  else if constexpr (std::is_same_v<T, float>)
    return x == 0 ? 0 : std::bit_cast<std::uint32_t>(x);
  else if constexpr (std::is_same_v<T, double>)
    return x == 0 ? 0 : std::bit_cast<std::uint64_t>(x);
  else
    return static_cast<std::uint64_t>(x);
}

template <class T>
RowTraits make_row_traits() {
  return {[](const std::byte* row, std::int64_t count) {
            const T* const x = reinterpret_cast<const T*>(row);
            std::uint64_t hash = 0;
            for (std::int64_t i = 0; i < count; ++i) hash = mix_bits(hash + element_bits(x[i]) + 1);
            return hash;
          },
          [](const std::byte* a, const std::byte* b, std::int64_t count) {
            const T* const x = reinterpret_cast<const T*>(a);
            const T* const y = reinterpret_cast<const T*>(b);
            for (std::int64_t i = 0; i < count; ++i) {
              if constexpr (is_small_float<T>) {
                if (!(Value<T>::load(x[i]) == Value<T>::load(y[i]))) return false;
              } else {
                if (!(x[i] == y[i])) return false;
              }
            }
            return true;
          }};
}

// How many numbers an element is for the traits of its dtype.
inline std::int64_t numbers_in(DType dtype) noexcept { return is_complex(dtype) ? 2 : 1; }

DGRAPH_DECL RowTraits row_traits(const KernelRequest& r) {
  const DType dtype = r.dtype("T");
  switch (dtype) {
    case DType::Float16:
      return make_row_traits<half>();
    case DType::BFloat16:
      return make_row_traits<bfloat16>();
    case DType::Float32:
    case DType::Complex64:
      return make_row_traits<float>();
    case DType::Float64:
    case DType::Complex128:
      return make_row_traits<double>();
    case DType::String:
      return make_row_traits<std::string>();
    default:
      break;
  }
  switch (is_integer(dtype) || dtype == DType::Bool ? dtype_size(dtype) : 0) {
    case 1:
      return make_row_traits<std::uint8_t>();
    case 2:
      return make_row_traits<std::uint16_t>();
    case 4:
      return make_row_traits<std::uint32_t>();
    case 8:
      return make_row_traits<std::uint64_t>();
    default:
      no_kernel_for(r, dtype);
  }
}

// A hash table of rows, which lie elsewhere, each with a number.
class RowTable {
 public:
  RowTable(const RowTraits& traits, std::int64_t count, std::int64_t most)
      : traits_(traits), count_(count) {
    const std::size_t size = std::bit_ceil(static_cast<std::size_t>(most) * 2 + 1);
    slots_.resize(size);
    mask_ = size - 1;
  }
  /// The number of an equal row; -1 where there is none.
  std::int64_t find(const std::byte* row) const { return slots_[place(row)].number; }
  /// The same, but puts the row in with `number` where there is none.
  std::int64_t find_or_add(const std::byte* row, std::int64_t number) {
    Slot& slot = slots_[place(row)];
    if (slot.number >= 0) return slot.number;
    slot = {row, number};
    return -1;
  }

 private:
  struct Slot {
    const std::byte* row = nullptr;
    std::int64_t number = -1;
  };
  std::size_t place(const std::byte* row) const {
    std::size_t at = traits_.hash(row, count_) & mask_;
    while (slots_[at].number >= 0 && !traits_.equal(slots_[at].row, row, count_))
      at = (at + 1) & mask_;
    return at;
  }

  const RowTraits& traits_;
  const std::int64_t count_;
  std::vector<Slot> slots_;
  std::size_t mask_ = 0;
};

// Element i of an int32 or int64 tensor of places, of which there are fewer than `most`.
class PlaceWriter {
 public:
  PlaceWriter(Tensor& out, std::int64_t most) : out_(out) {
    if (out.dtype() == DType::Int32 && most > INT32_MAX)
      fail(Code::InvalidArgument, "there are ", most, " elements: their places need out_idx int64");
  }
  void set(std::int64_t i, std::int64_t value) {
    if (out_.dtype() == DType::Int64)
      out_.mutable_data<std::int64_t>()[i] = value;
    else
      out_.mutable_data<std::int32_t>()[i] = static_cast<std::int32_t>(value);
  }

 private:
  Tensor& out_;
};

// x with `axis` in front, as rows; x itself where it is there already.
DGRAPH_DECL Tensor axis_first(KernelContext& c, const Tensor& x, std::size_t axis) {
  if (axis == 0) return x;
  const Dims strides = row_major_strides(x.shape().dims());
  Dims sizes{x.dim(axis)}, from{strides[axis]};
  for (std::size_t i = 0; i < x.rank(); ++i) {
    if (i == axis) continue;
    sizes.push_back(x.dim(i));
    from.push_back(strides[i]);
  }
  Tensor out(x.dtype(), Shape(sizes));
  copy_strided(c, x.dtype(), sizes, x.raw(), from, out.mutable_raw(), row_major_strides(sizes));
  return out;
}

DGRAPH_DECL void run_unique(KernelContext& c) {
  const Tensor& x = c.input(0);
  const auto& traits = c.config<RowTraits>();
  std::size_t axis = 0;
  if (c.num_inputs() > 1) {
    const Tensor& axes = c.input(1);
    if (axes.rank() != 1 || axes.elements() > 1)
      fail(Code::InvalidArgument, "axis must be a vector of one number at most, not of shape ",
           axes.shape());
    if (axes.elements() == 1) axis = axis_of(integer_at(axes, 0, "axis"), x.rank(), "axis");
    if (axes.elements() == 0 && x.rank() != 1)
      fail(Code::InvalidArgument, "x expects a 1D vector, not shape ", x.shape());
  } else if (x.rank() != 1) {
    fail(Code::InvalidArgument, "unique expects a 1D vector, not shape ", x.shape());
  }
  const DType dtype = x.dtype();
  const std::int64_t rows = x.dim(axis);
  const std::int64_t row = elements_before(x.shape(), axis) * elements_from(x.shape(), axis + 1);
  const Tensor from = axis_first(c, x, axis);
  Tensor& idx = c.allocate_output(1, Shape{rows});
  PlaceWriter places(idx, rows);
  RowTable table(traits, row * numbers_in(dtype), rows);
  std::vector<std::int64_t> firsts, counts;
  for (std::int64_t i = 0; i < rows; ++i) {
    const auto next = static_cast<std::int64_t>(firsts.size());
    std::int64_t found = table.find_or_add(element_at(dtype, from.raw(), i * row), next);
    if (found < 0) {
      found = next;
      firsts.push_back(i);
      counts.push_back(0);
    }
    ++counts[static_cast<std::size_t>(found)];
    places.set(i, found);
  }
  const auto distinct = static_cast<std::int64_t>(firsts.size());
  Dims dims = x.shape().dims();
  dims[axis] = distinct;
  Tensor& y = c.allocate_output(0, Shape(dims));
  // The axis goes back to where it was.
  const Dims strides = row_major_strides(dims);
  Dims sizes, to;
  for (std::size_t i = 0; i < x.rank(); ++i) {
    if (i == axis) continue;
    sizes.push_back(x.dim(i));
    to.push_back(strides[i]);
  }
  const Dims within = row_major_strides(sizes);
  for (std::int64_t i = 0; i < distinct; ++i) {
    const std::byte* const source =
        element_at(dtype, from.raw(), firsts[static_cast<std::size_t>(i)] * row);
    std::byte* const target = element_at(dtype, y.mutable_raw(), i * strides[axis]);
    if (axis == 0)
      copy_elements(dtype, source, target, row);
    else
      copy_strided(c, dtype, sizes, source, within, target, to);
  }
  if (c.num_outputs() < 3) return;
  Tensor& count = c.allocate_output(2, Shape{distinct});
  PlaceWriter numbers(count, rows);
  for (std::int64_t i = 0; i < distinct; ++i) numbers.set(i, counts[static_cast<std::size_t>(i)]);
}

DGRAPH_DECL void run_list_diff(KernelContext& c) {
  const Tensor &x = c.input(0), &y = c.input(1);
  if (x.rank() != 1 || y.rank() != 1)
    fail(Code::InvalidArgument, "x and y should be 1D vectors, not of shapes ", x.shape(), " and ",
         y.shape());
  const DType dtype = x.dtype();
  RowTable table(c.config<RowTraits>(), numbers_in(dtype), y.elements());
  for (std::int64_t i = 0; i < y.elements(); ++i)
    table.find_or_add(element_at(dtype, y.raw(), i), i);
  std::vector<std::int64_t> kept;
  for (std::int64_t i = 0; i < x.elements(); ++i)
    if (table.find(element_at(dtype, x.raw(), i)) < 0) kept.push_back(i);
  const auto count = static_cast<std::int64_t>(kept.size());
  Tensor& out = c.allocate_output(0, Shape{count});
  Tensor& idx = c.allocate_output(1, Shape{count});
  PlaceWriter places(idx, x.elements());
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t from = kept[static_cast<std::size_t>(i)];
    copy_elements(dtype, element_at(dtype, x.raw(), from), element_at(dtype, out.mutable_raw(), i),
                  1);
    places.set(i, from);
  }
}

// Where `value` goes in `count` sorted elements, before (lower) or behind what is equal to it.
using SearchRow = std::int64_t (*)(const std::byte* sorted, std::int64_t count,
                                   const std::byte* value);

template <class T, bool Lower>
std::int64_t search_row(const std::byte* sorted, std::int64_t count, const std::byte* value) {
  const T* const begin = reinterpret_cast<const T*>(sorted);
  const T& wanted = *reinterpret_cast<const T*>(value);
  const auto less = [](const T& a, const T& b) { return a < b; };
  return (Lower ? std::lower_bound(begin, begin + count, wanted, less)
                : std::upper_bound(begin, begin + count, wanted, less)) -
         begin;
}

DGRAPH_DECL void run_search(KernelContext& c) {
  const Tensor &sorted = c.input(0), &values = c.input(1);
  if (sorted.rank() != 2 || values.rank() != 2 || sorted.dim(0) != values.dim(0))
    fail(Code::InvalidArgument,
         "sorted_inputs and values must be matrices of as many rows, not of shapes ",
         sorted.shape(), " and ", values.shape());
  const SearchRow search = c.config<SearchRow>();
  const DType dtype = sorted.dtype();
  const std::int64_t length = sorted.dim(1), columns = values.dim(1);
  Tensor& out = c.allocate_output(0, values.shape());
  PlaceWriter places(out, length);
  const double ns_each =
      5 + 3 * static_cast<double>(std::bit_width(static_cast<std::uint64_t>(length)));
  c.parallel_for(values.elements(), ns_each, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      places.set(i, search(element_at(dtype, sorted.raw(), i / columns * length), length,
                           element_at(dtype, values.raw(), i)));
  });
}

template <bool Lower>
Kernel search_kernel(const KernelRequest& r) {
  SearchRow search = nullptr;
  dispatch<RealFloats, SignedInts, UnsignedInts, Types<std::string>>(
      r, r.dtype("T"), [&search]<class T>() { search = &search_row<T, Lower>; });
  return plain_kernel(&run_search).with(search);
}

DGRAPH_DECL Kernel unique_kernel(const KernelRequest& r) {
  return plain_kernel(&run_unique).with(row_traits(r));
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::Unique>::make(const KernelRequest& r) {
  return detail::unique_kernel(r);
}
DGRAPH_DECL Kernel Kernels<ops::UniqueV2>::make(const KernelRequest& r) {
  return detail::unique_kernel(r);
}
DGRAPH_DECL Kernel Kernels<ops::UniqueWithCounts>::make(const KernelRequest& r) {
  return detail::unique_kernel(r);
}
DGRAPH_DECL Kernel Kernels<ops::UniqueWithCountsV2>::make(const KernelRequest& r) {
  return detail::unique_kernel(r);
}
DGRAPH_DECL Kernel Kernels<ops::ListDiff>::make(const KernelRequest& r) {
  return detail::plain_kernel(&detail::run_list_diff).with(detail::row_traits(r));
}
DGRAPH_DECL Kernel Kernels<ops::LowerBound>::make(const KernelRequest& r) {
  return detail::search_kernel<true>(r);
}
DGRAPH_DECL Kernel Kernels<ops::UpperBound>::make(const KernelRequest& r) {
  return detail::search_kernel<false>(r);
}

}  // namespace dgraph
