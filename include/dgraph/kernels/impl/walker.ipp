#pragma once
#include <dgraph/kernels/walker.hpp>

#include <algorithm>
#include <atomic>
#include <cstring>

namespace dgraph::detail {

inline constexpr std::int64_t kWalkerBlockBytes = 8192;
// Rows at least this long are used where they lie; shorter ones are gathered, many to a block.
inline constexpr std::int64_t kWalkerLongRow = 128;

// Dimensions that all operands step through alike become one; those of length 1 go.
struct WalkPlan {
  Dims dims;
  std::array<Dims, kMaxOperands> strides;
};

DGRAPH_DECL WalkPlan collapse_dims(const Shape& result, std::span<const Operand> operands) {
  WalkPlan plan;
  for (std::size_t axis = 0; axis < result.rank(); ++axis) {
    const std::int64_t length = result[axis];
    if (length == 1) continue;
    bool joins = !plan.dims.empty();
    for (std::size_t k = 0; joins && k < operands.size(); ++k)
      joins = plan.strides[k].back() == operands[k].strides[axis] * length;
    if (joins) {
      plan.dims[plan.dims.size() - 1] *= length;
      for (std::size_t k = 0; k < operands.size(); ++k)
        plan.strides[k][plan.dims.size() - 1] = operands[k].strides[axis];
    } else {
      plan.dims.push_back(length);
      for (std::size_t k = 0; k < operands.size(); ++k) plan.strides[k].push_back(operands[k].strides[axis]);
    }
  }
  if (plan.dims.empty()) {
    plan.dims.push_back(1);
    for (std::size_t k = 0; k < operands.size(); ++k) plan.strides[k].push_back(1);
  }
  return plan;
}

template <class Unit>
void gather_run(std::byte* to, const std::byte* from, std::int64_t stride, std::int64_t count) {
  // Operands and blocks need not be aligned for Unit.
  if (stride == 1) {
    std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(Unit));
  } else if (stride == 0) {
    Unit value;
    std::memcpy(&value, from, sizeof value);
    Unit* const out = reinterpret_cast<Unit*>(to);
    for (std::int64_t i = 0; i < count; ++i) out[i] = value;
  } else {
    Unit* const out = reinterpret_cast<Unit*>(to);
    for (std::int64_t i = 0; i < count; ++i)
      std::memcpy(&out[i], from + i * stride * static_cast<std::int64_t>(sizeof(Unit)), sizeof(Unit));
  }
}

struct Unit16 {
  std::uint64_t words[2];
};

DGRAPH_DECL void gather_elements(std::byte* to, const std::byte* from, std::size_t size, std::int64_t stride,
                                 std::int64_t count) {
  switch (size) {
    case 1: return gather_run<std::uint8_t>(to, from, stride, count);
    case 2: return gather_run<std::uint16_t>(to, from, stride, count);
    case 4: return gather_run<std::uint32_t>(to, from, stride, count);
    case 8: return gather_run<std::uint64_t>(to, from, stride, count);
    default: return gather_run<Unit16>(to, from, stride, count);
  }
}

// Walks a range of rows (all but the last of the plan's dimensions) of one operand.
class RowCursor {
 public:
  RowCursor(const Dims& dims, const Dims& strides, std::int64_t row) : dims_(dims), strides_(strides) {
    const std::size_t outer = dims.size() - 1;
    index_.resize(outer);
    for (std::size_t axis = outer; axis-- > 0;) {
      index_[axis] = row % dims[axis];
      offset_ += index_[axis] * strides[axis];
      row /= dims[axis];
    }
  }
  std::int64_t offset() const noexcept { return offset_; }
  void next() noexcept {
    for (std::size_t axis = index_.size(); axis-- > 0;) {
      offset_ += strides_[axis];
      if (++index_[axis] < dims_[axis]) return;
      offset_ -= strides_[axis] * dims_[axis];
      index_[axis] = 0;
    }
  }

 private:
  const Dims& dims_;
  const Dims& strides_;
  Dims index_;
  std::int64_t offset_ = 0;
};

class Walk {
 public:
  Walk(const WalkPlan& plan, std::span<const Operand> operands, std::byte* out, std::size_t out_size,
       ElementLoop loop, const void* param)
      : plan_(plan), operands_(operands), out_(out), out_size_(static_cast<std::int64_t>(out_size)), loop_(loop),
        param_(param), row_(plan.dims.back()) {
    std::size_t widest = 1;
    for (const Operand& operand : operands) widest = std::max(widest, operand.size);
    block_ = kWalkerBlockBytes / static_cast<std::int64_t>(widest);
    std::int64_t dense = 1;
    for (std::size_t axis = plan.dims.size(); axis-- > 0;) {
      for (std::size_t k = 0; k < operands.size(); ++k)
        if (plan.strides[k][axis] != dense) dense_[k] = false;
      dense *= plan.dims[axis];
    }
  }

  // Elements [begin, end) of a plan of one dimension.
  std::uint32_t flat(std::int64_t begin, std::int64_t end) {
    std::uint32_t faults = 0;
    const void* in[kMaxOperands] = {};
    for (std::size_t k = 0; k < operands_.size(); ++k)
      if (stride(k) == 0) in[k] = repeat(k, operands_[k].data, std::min(end - begin, block_));
    const std::int64_t step = all_dense() ? end - begin : block_;
    for (std::int64_t at = begin; at < end; at += step) {
      const std::int64_t n = std::min(step, end - at);
      for (std::size_t k = 0; k < operands_.size(); ++k) {
        const std::byte* from = at_element(k, at * stride(k));
        if (stride(k) == 1) in[k] = from;
        else if (stride(k) != 0) in[k] = fetch(k, 0, from, n);
      }
      faults |= loop_(in, out_ + at * out_size_, n, param_);
    }
    return faults;
  }

  std::uint32_t rows(std::int64_t begin, std::int64_t end) {
    return row_ >= kWalkerLongRow ? long_rows(begin, end) : short_rows(begin, end);
  }

 private:
  std::int64_t stride(std::size_t k) const noexcept { return plan_.strides[k].back(); }
  const std::byte* at_element(std::size_t k, std::int64_t element) const noexcept {
    return operands_[k].data + element * static_cast<std::int64_t>(operands_[k].size);
  }
  bool all_dense() const noexcept {
    for (std::size_t k = 0; k < operands_.size(); ++k)
      if (!dense_[k]) return false;
    return true;
  }
  // Puts `count` elements from `from` on into the operand's block, after those that it has.
  const void* fetch(std::size_t k, std::int64_t after, const std::byte* from, std::int64_t count) {
    gather_elements(blocks_[k] + after * static_cast<std::int64_t>(operands_[k].size), from, operands_[k].size, stride(k),
                    count);
    return blocks_[k];
  }
  const void* repeat(std::size_t k, const std::byte* from, std::int64_t count) {
    gather_elements(blocks_[k], from, operands_[k].size, 0, count);
    return blocks_[k];
  }

  std::uint32_t long_rows(std::int64_t begin, std::int64_t end) {
    std::uint32_t faults = 0;
    const void* in[kMaxOperands] = {};
    const std::byte* repeated[kMaxOperands] = {};
    std::array<RowCursor, kMaxOperands> cursors = make_cursors(begin);
    bool in_place = true;  // no operand goes through a block
    for (std::size_t k = 0; k < operands_.size(); ++k) in_place = in_place && stride(k) == 1;
    const std::int64_t step = in_place ? row_ : block_;
    for (std::int64_t row = begin; row < end; ++row) {
      for (std::size_t k = 0; k < operands_.size(); ++k) {
        const std::byte* from = at_element(k, cursors[k].offset());
        if (stride(k) == 0 && repeated[k] != from) {
          in[k] = repeat(k, from, std::min(row_, block_));
          repeated[k] = from;
        }
      }
      for (std::int64_t at = 0; at < row_; at += step) {
        const std::int64_t n = std::min(step, row_ - at);
        for (std::size_t k = 0; k < operands_.size(); ++k) {
          const std::byte* from = at_element(k, cursors[k].offset() + at * stride(k));
          if (stride(k) == 1) in[k] = from;
          else if (stride(k) != 0) in[k] = fetch(k, 0, from, n);
        }
        faults |= loop_(in, out_ + (row * row_ + at) * out_size_, n, param_);
      }
      for (std::size_t k = 0; k < operands_.size(); ++k) cursors[k].next();
    }
    return faults;
  }

  std::uint32_t short_rows(std::int64_t begin, std::int64_t end) {
    std::uint32_t faults = 0;
    const void* in[kMaxOperands] = {};
    bool kept[kMaxOperands] = {};
    std::array<RowCursor, kMaxOperands> cursors = make_cursors(begin);
    const std::int64_t step = std::max<std::int64_t>(1, block_ / row_);
    for (std::int64_t row = begin; row < end; row += step) {
      const std::int64_t count = std::min(step, end - row);
      for (std::size_t k = 0; k < operands_.size(); ++k) {
        if (dense_[k]) {
          in[k] = at_element(k, row * row_);
        } else if (!kept[k]) {
          for (std::int64_t i = 0; i < count; ++i, cursors[k].next())
            in[k] = fetch(k, i * row_, at_element(k, cursors[k].offset()), row_);
          kept[k] = same_rows(k);
        }
      }
      faults |= loop_(in, out_ + row * row_ * out_size_, count * row_, param_);
    }
    return faults;
  }

  // All rows of the operand are the same one.
  bool same_rows(std::size_t k) const noexcept {
    for (std::size_t axis = 0; axis + 1 < plan_.dims.size(); ++axis)
      if (plan_.strides[k][axis] != 0) return false;
    return true;
  }
  std::array<RowCursor, kMaxOperands> make_cursors(std::int64_t row) const {
    static_assert(kMaxOperands == 3);
    const auto cursor = [&](std::size_t k) {
      return RowCursor(plan_.dims, plan_.strides[k < operands_.size() ? k : 0], row);
    };
    return {cursor(0), cursor(1), cursor(2)};
  }

  const WalkPlan& plan_;
  std::span<const Operand> operands_;
  std::byte* out_;
  std::int64_t out_size_;
  ElementLoop loop_;
  const void* param_;
  std::int64_t row_, block_;
  bool dense_[kMaxOperands] = {true, true, true};
  alignas(64) std::byte blocks_[kMaxOperands][kWalkerBlockBytes];
};

DGRAPH_DECL Dims broadcast_strides(const Shape& shape, const Shape& result) {
  Dims strides(result.rank(), 0);
  std::int64_t stride = 1;
  const std::size_t missing = result.rank() - shape.rank();
  for (std::size_t axis = shape.rank(); axis-- > 0;) {
    if (shape[axis] != 1) strides[missing + axis] = stride;
    stride *= shape[axis];
  }
  return strides;
}

DGRAPH_DECL std::uint32_t walk(const KernelContext& context, const Shape& result, std::span<Operand> operands,
                               void* out, std::size_t out_size, ElementLoop loop, const void* param,
                               double ns_each) {
  const std::int64_t elements = result.elements();
  if (elements == 0) return kNoFault;
  const WalkPlan plan = collapse_dims(result, operands);
  const std::int64_t row = plan.dims.back();
  const bool flat = plan.dims.size() == 1;
  std::atomic<std::uint32_t> faults{0};
  context.parallel_for(flat ? elements : elements / row, flat ? ns_each : ns_each * static_cast<double>(row),
                       [&](std::int64_t begin, std::int64_t end) {
                         Walk part(plan, operands, static_cast<std::byte*>(out), out_size, loop, param);
                         const std::uint32_t found = flat ? part.flat(begin, end) : part.rows(begin, end);
                         if (found) faults.fetch_or(found, std::memory_order_relaxed);
                       });
  return faults.load(std::memory_order_relaxed);
}

DGRAPH_DECL void throw_faults(std::uint32_t faults) {
  if (faults & kDivisionByZero) fail(Code::InvalidArgument, "Integer division by zero");
  if (faults & kNegativePower)
    fail(Code::InvalidArgument, "Integers to negative integer powers are not allowed");
}

}  // namespace dgraph::detail
