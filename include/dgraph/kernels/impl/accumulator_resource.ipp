#pragma once
#include <dgraph/kernels/accumulator_resource.hpp>

#include <algorithm>
#include <complex>
#include <cstring>

#include <dgraph/kernels/arguments.hpp>

namespace dgraph {
namespace detail {

template <class T>
void divide_elements(std::byte* data, std::int64_t count, std::int64_t by) {
  T* at = reinterpret_cast<T*>(data);
  if constexpr (std::is_same_v<T, half> || std::is_same_v<T, bfloat16>) {
    for (std::int64_t i = 0; i < count; ++i)
      at[i] = T(static_cast<float>(at[i]) / static_cast<float>(by));
  } else if constexpr (std::is_integral_v<T>) {
    for (std::int64_t i = 0; i < count; ++i)
      at[i] =
          static_cast<T>(sizeof(T) == 8 && std::is_unsigned_v<T>
                             ? static_cast<std::uint64_t>(at[i]) / static_cast<std::uint64_t>(by)
                             : static_cast<std::uint64_t>(static_cast<std::int64_t>(at[i]) / by));
  } else {
    for (std::int64_t i = 0; i < count; ++i) at[i] /= static_cast<T>(static_cast<double>(by));
  }
}

DGRAPH_DECL void divide(DType dtype, std::byte* data, std::int64_t count, std::int64_t by) {
  switch (dtype) {
    case DType::Float32:
      return divide_elements<float>(data, count, by);
    case DType::Float64:
      return divide_elements<double>(data, count, by);
    case DType::Float16:
      return divide_elements<half>(data, count, by);
    case DType::BFloat16:
      return divide_elements<bfloat16>(data, count, by);
    case DType::Complex64:
      return divide_elements<std::complex<float>>(data, count, by);
    case DType::Complex128:
      return divide_elements<std::complex<double>>(data, count, by);
    case DType::Int8:
      return divide_elements<std::int8_t>(data, count, by);
    case DType::Int16:
      return divide_elements<std::int16_t>(data, count, by);
    case DType::Int32:
      return divide_elements<std::int32_t>(data, count, by);
    case DType::Int64:
      return divide_elements<std::int64_t>(data, count, by);
    case DType::UInt8:
      return divide_elements<std::uint8_t>(data, count, by);
    case DType::UInt16:
      return divide_elements<std::uint16_t>(data, count, by);
    case DType::UInt32:
      return divide_elements<std::uint32_t>(data, count, by);
    case DType::UInt64:
      return divide_elements<std::uint64_t>(data, count, by);
    default:
      fail(Code::Internal, "an accumulator of ", dtype_name(dtype));
  }
}

DGRAPH_DECL std::byte* row_at(Tensor& rows, std::int64_t row, std::int64_t width) {
  return rows.mutable_raw() + static_cast<std::size_t>(row * width) * dtype_size(rows.dtype());
}

}  // namespace detail

DGRAPH_DECL AccumulatorResource::AccumulatorResource(AccumulatorOptions options)
    : options_(std::move(options)), sum_(detail::RowSum::add(options_.dtype)) {}

DGRAPH_DECL void AccumulatorResource::check_same(const AccumulatorOptions& wanted) const {
  const auto differs = [&](const auto& what, const auto& have, const auto& asked) {
    fail(Code::InvalidArgument, "Shared conditional accumulator '", options_.name, "' has ", what,
         " ", have, " but requested ", what, " was ", asked);
  };
  if (wanted.sparse != options_.sparse) differs("type", options_.op_type, wanted.op_type);
  if (wanted.dtype != options_.dtype)
    differs("dtype", dtype_name(options_.dtype), dtype_name(wanted.dtype));
  if (!wanted.shape.compatible_with(options_.shape)) differs("shape", options_.shape, wanted.shape);
  if (wanted.mean != options_.mean)
    differs("reduction_type", options_.mean ? "MEAN" : "SUM", wanted.mean ? "MEAN" : "SUM");
}

DGRAPH_DECL std::int64_t AccumulatorResource::accumulated() const {
  std::lock_guard lock(mutex_);
  return count_;
}

DGRAPH_DECL void AccumulatorResource::set_step(std::int64_t step) {
  std::lock_guard lock(mutex_);
  step_ = step;
}

DGRAPH_DECL void AccumulatorResource::abandon() {
  detail::WaitingOps finished;
  {
    std::lock_guard lock(mutex_);
    for (const std::shared_ptr<Attempt>& attempt : takes_) {
      attempt->status =
          errors::Aborted("the container of accumulator '", options_.name, "' was cleared");
      attempt->finished = true;
      finished.push_back(attempt);
    }
    takes_.clear();
  }
  detail::call_finished(std::move(finished));
}

DGRAPH_DECL void AccumulatorResource::check_gradient(const Tensor& value,
                                                     const PartialShape& shape) const {
  if (value.dtype() != options_.dtype)
    fail(Code::InvalidArgument, "accumulator '", options_.name, "' is of ",
         dtype_name(options_.dtype), " and cannot take ", dtype_name(value.dtype()));
  if (!options_.shape.compatible_with(shape))
    fail(Code::InvalidArgument, "Shape mismatch: expected ", options_.shape, ", got ", shape);
}

DGRAPH_DECL void AccumulatorResource::apply_if_fresh(std::int64_t step, FunctionRef<void()> add) {
  detail::WaitingOps finished;
  {
    std::lock_guard lock(mutex_);
    if (step < step_) return;
    add();
    ++count_;
    advance(finished);
  }
  detail::call_finished(std::move(finished));
}

DGRAPH_DECL void AccumulatorResource::apply(std::int64_t step, Tensor gradient) {
  apply_if_fresh(step, [&] {
    check_gradient(gradient, gradient.shape());
    if (count_ == 0) {
      total_ = gradient.buffer() && !gradient.buffer()->writable() ? gradient.clone()
                                                                   : std::move(gradient);
      return;
    }
    if (!(total_.shape() == gradient.shape()))
      fail(Code::InvalidArgument, "Shape mismatch: expected ", total_.shape(), ", got ",
           gradient.shape());
    if (!total_.unique()) total_ = total_.clone();
    sum_(total_.mutable_raw(), total_.raw(), gradient.raw(), total_.elements());
  });
}

DGRAPH_DECL void AccumulatorResource::apply_rows(std::int64_t step, const Tensor& indices,
                                                 Tensor values, const PartialShape& shape) {
  apply_if_fresh(step, [&] {
    if (indices.rank() != 1)
      fail(Code::InvalidArgument,
           "Input indices should be vector but received shape: ", indices.shape());
    if (values.rank() == 0) fail(Code::InvalidArgument, "Values cannot be 0-dimensional.");
    if (indices.dim(0) != values.dim(0))
      fail(Code::InvalidArgument, "there are ", indices.dim(0), " indices for ", values.dim(0),
           " rows of values");
    Dims dims = values.shape().dims();
    dims[0] = shape.has_rank() && shape.rank() > 0 ? shape[0] : PartialShape::kUnknown;
    const PartialShape rows(std::move(dims));
    if (!shape.compatible_with(rows))
      fail(Code::InvalidArgument, "Shape mismatch: expected ", shape, ", got ", rows);
    check_gradient(values, rows);
    for (std::int64_t k = 0; k < indices.dim(0); ++k) {
      const std::int64_t row = indices.data<std::int64_t>()[k];
      const std::int64_t bound =
          options_.shape.has_rank() && options_.shape[0] >= 0 ? options_.shape[0] : rows[0];
      if (row < 0 || (bound >= 0 && row >= bound))
        fail(Code::InvalidArgument, "index ", row, " at position ", k, " is not a row of shape ",
             options_.shape);
    }
    add_rows(indices, std::move(values));
  });
}

DGRAPH_DECL void AccumulatorResource::add_rows(const Tensor& indices, Tensor values) {
  const auto fresh = indices.flat<std::int64_t>();
  if (count_ == 0) {
    rows_.assign(fresh.begin(), fresh.end());
    row_counts_.assign(rows_.size(), 1);
    total_ = values.buffer() && !values.buffer()->writable() ? values.clone() : std::move(values);
    return;
  }
  const std::int64_t width = detail::elements_from(values.shape(), 1);
  Dims dims = values.shape().dims();
  dims[0] = total_.dim(0);
  if (!(total_.shape().dims() == dims))
    fail(Code::InvalidArgument, "Shape mismatch: expected rows as of ", total_.shape(), ", got ",
         values.shape());
  // Both lists are merged as sorted ones are; equal heads are one row.
  struct Source {
    std::int64_t mine, theirs;  // -1: none
  };
  std::vector<Source> merged;
  std::size_t i = 0, k = 0;
  while (i < rows_.size() || k < fresh.size()) {
    const bool mine = k == fresh.size() || (i < rows_.size() && rows_[i] <= fresh[k]);
    const bool theirs = i == rows_.size() || (k < fresh.size() && fresh[k] <= rows_[i]);
    merged.push_back(
        {mine ? static_cast<std::int64_t>(i) : -1, theirs ? static_cast<std::int64_t>(k) : -1});
    i += mine;
    k += theirs;
  }
  dims[0] = static_cast<std::int64_t>(merged.size());
  Tensor total(total_.dtype(), Shape(std::move(dims)));
  std::vector<std::int64_t> rows, counts;
  const std::size_t bytes = static_cast<std::size_t>(width) * dtype_size(total.dtype());
  for (const Source& source : merged) {
    std::byte* to = detail::row_at(total, static_cast<std::int64_t>(rows.size()), width);
    if (source.mine >= 0 && source.theirs >= 0)
      sum_(to, detail::row_at(total_, source.mine, width),
           detail::row_at(values, source.theirs, width), width);
    else if (bytes != 0)
      std::memcpy(to,
                  source.mine >= 0 ? detail::row_at(total_, source.mine, width)
                                   : detail::row_at(values, source.theirs, width),
                  bytes);
    rows.push_back(source.mine >= 0 ? rows_[static_cast<std::size_t>(source.mine)]
                                    : fresh[static_cast<std::size_t>(source.theirs)]);
    counts.push_back((source.mine >= 0 ? row_counts_[static_cast<std::size_t>(source.mine)] : 0) +
                     (source.theirs >= 0));
  }
  total_ = std::move(total);
  rows_ = std::move(rows);
  row_counts_ = std::move(counts);
}

DGRAPH_DECL void AccumulatorResource::take(KernelContext& c, std::int64_t required) {
  if (required <= 0) fail(Code::InvalidArgument, "num_required must be positive, not ", required);
  if (c.output_dtype(options_.sparse ? 1 : 0) != options_.dtype)
    fail(Code::InvalidArgument, "accumulator '", options_.name, "' is of ",
         dtype_name(options_.dtype), ", not of ",
         dtype_name(c.output_dtype(options_.sparse ? 1 : 0)));
  KernelServices& services = c.services();
  auto attempt = std::make_shared<Attempt>(c, required);
  detail::WaitingOps finished;
  {
    std::lock_guard lock(mutex_);
    takes_.push_back(attempt);
    advance(finished);
  }
  detail::call_finished(std::move(finished));
  detail::watch_cancel(
      services, mutex_, *attempt,
      [self = Ref<AccumulatorResource>::share(this), attempt] { self->cancel(attempt); });
}

DGRAPH_DECL void AccumulatorResource::cancel(const std::shared_ptr<Attempt>& attempt) {
  detail::WaitingOps finished;
  {
    std::lock_guard lock(mutex_);
    if (attempt->finished) return;
    std::erase(takes_, attempt);
    attempt->status = errors::Cancelled("TakeGrad operation was cancelled");
    attempt->cancel_id = 0;
    attempt->finished = true;
    finished.push_back(attempt);
    // Who comes next may want fewer.
    advance(finished);
  }
  detail::call_finished(std::move(finished));
}

DGRAPH_DECL void AccumulatorResource::advance(detail::WaitingOps& finished) {
  while (!takes_.empty() && count_ >= takes_.front()->required) {
    const std::shared_ptr<Attempt> attempt = std::move(takes_.front());
    takes_.pop_front();
    try {
      give(*attempt->context);
      ++step_;
      count_ = 0;
    } catch (...) {
      attempt->status = current_exception_status();
    }
    attempt->finished = true;
    finished.push_back(attempt);
  }
}

DGRAPH_DECL void AccumulatorResource::give(KernelContext& c) {
  if (options_.mean && !total_.unique()) total_ = total_.clone();
  if (!options_.sparse) {
    if (options_.mean)
      detail::divide(options_.dtype, total_.mutable_raw(), total_.elements(), count_);
    c.set_output(0, std::move(total_));
    return;
  }
  const auto count = static_cast<std::int64_t>(rows_.size());
  const std::int64_t width = detail::elements_from(total_.shape(), 1);
  if (options_.mean)
    for (std::int64_t k = 0; k < count; ++k)
      detail::divide(options_.dtype, detail::row_at(total_, k, width), width,
                     row_counts_[static_cast<std::size_t>(k)]);
  Tensor shape(DType::Int64, Shape{static_cast<std::int64_t>(total_.rank())});
  for (std::size_t i = 0; i < total_.rank(); ++i)
    shape.mutable_data<std::int64_t>()[i] = total_.dim(i);
  shape.mutable_data<std::int64_t>()[0] =
      options_.shape.has_rank() && options_.shape.rank() > 0 ? options_.shape[0] : -1;
  c.set_output(0, Tensor::of<std::int64_t>(Shape{count}, rows_));
  c.set_output(1, std::move(total_));
  c.set_output(2, std::move(shape));
}

}  // namespace dgraph
