#pragma once
#include <dgraph/kernels/queue_resource.hpp>

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include <dgraph/kernels/arguments.hpp>

namespace dgraph {

DGRAPH_DECL std::string_view queue_kind_name(QueueKind kind) noexcept {
  switch (kind) {
    case QueueKind::Fifo:
      return "FIFOQueue";
    case QueueKind::PaddingFifo:
      return "PaddingFIFOQueue";
    case QueueKind::RandomShuffle:
      return "RandomShuffleQueue";
    case QueueKind::Priority:
      return "PriorityQueue";
  }
  return "queue";
}

namespace detail {

DGRAPH_DECL Philox queue_random(const QueueOptions& options) {
  if (options.seed == 0 && options.seed2 == 0)
    return Philox(mix_hash(0, options.entropy), mix_hash(1, options.entropy));
  return Philox(static_cast<std::uint64_t>(options.seed),
                static_cast<std::uint64_t>(options.seed2));
}

DGRAPH_DECL QueueElements::QueueElements(const QueueOptions& options)
    : kind_(options.kind), random_(queue_random(options)) {}

DGRAPH_DECL void QueueElements::push(QueueElement element) {
  if (kind_ == QueueKind::Priority) {
    const std::int64_t priority = element[0].item<std::int64_t>();
    by_priority_.emplace(priority, std::move(element));
  } else {
    in_line_.push_back(std::move(element));
  }
}

DGRAPH_DECL QueueElement QueueElements::pop() {
  if (kind_ == QueueKind::Priority) {
    QueueElement out = std::move(by_priority_.begin()->second);
    by_priority_.erase(by_priority_.begin());
    return out;
  }
  if (kind_ == QueueKind::RandomShuffle) {
    if (unused_ == 0) {
      drawn_ = random_();
      unused_ = drawn_.size();
    }
    const std::uint32_t bits = drawn_[drawn_.size() - unused_--];
    std::swap(in_line_[bits % in_line_.size()], in_line_.back());
    QueueElement out = std::move(in_line_.back());
    in_line_.pop_back();
    return out;
  }
  QueueElement out = std::move(in_line_.front());
  in_line_.pop_front();
  return out;
}

DGRAPH_DECL void QueueElements::restore(QueueElement element) {
  if (kind_ == QueueKind::Priority) {
    const std::int64_t priority = element[0].item<std::int64_t>();
    by_priority_.emplace_hint(by_priority_.lower_bound(priority), priority, std::move(element));
  } else {
    in_line_.push_front(std::move(element));
  }
}

// An element outlives its step, and with it memory that was only lent to the step must not be kept.
DGRAPH_DECL Tensor kept_component(Tensor value) {
  return value.buffer() && !value.buffer()->writable() ? value.clone() : value;
}

DGRAPH_DECL std::string shapes_text(const std::vector<PartialShape>& shapes) {
  std::string out = "[";
  for (const PartialShape& shape : shapes) out += (out.size() > 1 ? "," : "") + shape.to_string();
  return out + "]";
}

DGRAPH_DECL std::string types_text(const std::vector<DType>& types) {
  std::string out;
  for (const DType type : types) out += (out.empty() ? "" : ", ") + std::string(dtype_name(type));
  return out;
}

// Copies `from` into the corner of one row of a batch whose rows are at least as large.
DGRAPH_DECL void copy_into_row(const Tensor& from, Tensor& batch, std::int64_t row) {
  const std::size_t rank = from.rank(), size = dtype_size(from.dtype());
  const std::int64_t width = rank == 0 ? 1 : from.dim(rank - 1);
  const std::int64_t lines = width == 0 ? 0 : from.elements() / width;
  std::vector<std::int64_t> at(rank, 0);
  for (std::int64_t line = 0; line < lines; ++line) {
    std::int64_t offset = row;
    for (std::size_t i = 0; i < rank; ++i) offset = offset * batch.dim(i + 1) + at[i];
    const std::byte* source = from.raw() + static_cast<std::size_t>(line * width) * size;
    std::byte* to = batch.mutable_raw() + static_cast<std::size_t>(offset) * size;
    if (from.dtype() == DType::String)
      std::copy_n(reinterpret_cast<const std::string*>(source), width,
                  reinterpret_cast<std::string*>(to));
    else
      std::memcpy(to, source, static_cast<std::size_t>(width) * size);
    for (std::size_t i = rank; i-- > 1;) {
      if (++at[i - 1] < from.dim(i - 1)) break;
      at[i - 1] = 0;
    }
  }
}

}  // namespace detail

// What an execution wants, and how far it is.
struct QueueResource::Attempt final : detail::WaitingOp {
  enum class Kind : std::uint8_t { Put, Close, TakeOne, TakeMany, TakeUpTo };
  Attempt(Kind k, KernelContext& c) : WaitingOp(c), kind(k) {}
  Kind kind;
  std::vector<detail::QueueElement> elements;  // to put, or taken so far
  std::size_t put = 0;
  std::size_t wanted = 1;
};

DGRAPH_DECL std::string QueueResource::title() const {
  return errors::text(queue_kind_name(options_.kind), " '", options_.name, "'");
}

DGRAPH_DECL std::size_t QueueResource::capacity() const noexcept {
  return options_.capacity < 0 ? std::numeric_limits<std::size_t>::max()
                               : static_cast<std::size_t>(options_.capacity);
}

DGRAPH_DECL std::int64_t QueueResource::size() const {
  std::lock_guard lock(mutex_);
  return static_cast<std::int64_t>(elements_.size());
}

DGRAPH_DECL bool QueueResource::closed() const {
  std::lock_guard lock(mutex_);
  return closed_;
}

DGRAPH_DECL void QueueResource::check_same(const QueueOptions& wanted) const {
  const auto differs = [&](const auto& what, const auto& have, const auto& asked) {
    fail(Code::InvalidArgument, "Shared queue '", options_.name, "' has ", what, " ", have,
         " but requested ", what, " was ", asked);
  };
  if (wanted.kind != options_.kind)
    fail(Code::InvalidArgument, "Shared queue '", options_.name, "': expected ",
         queue_kind_name(options_.kind), ", found ", wanted.op_type);
  if (wanted.capacity != options_.capacity) differs("capacity", options_.capacity, wanted.capacity);
  if (wanted.types != options_.types)
    differs("component types", detail::types_text(options_.types),
            detail::types_text(wanted.types));
  if (wanted.shapes != options_.shapes)
    differs("component shapes", detail::shapes_text(options_.shapes),
            detail::shapes_text(wanted.shapes));
  if (wanted.min_after_dequeue != options_.min_after_dequeue)
    differs("min_after_dequeue", options_.min_after_dequeue, wanted.min_after_dequeue);
  if (wanted.seed != options_.seed || wanted.seed2 != options_.seed2)
    differs("random seeds", errors::text('(', options_.seed, ", ", options_.seed2, ')'),
            errors::text('(', wanted.seed, ", ", wanted.seed2, ')'));
}

DGRAPH_DECL void QueueResource::check_element(const std::vector<Tensor>& element,
                                              std::size_t first_axis) const {
  if (element.size() != options_.types.size())
    fail(Code::InvalidArgument, "Wrong number of components in tuple. Expected ",
         options_.types.size(), ", got ", element.size());
  for (std::size_t i = 0; i < element.size(); ++i) {
    const Tensor& value = element[i];
    if (value.dtype() != options_.types[i])
      fail(Code::InvalidArgument, "Type mismatch in tuple component ", i, ". Expected ",
           dtype_name(options_.types[i]), ", got ", dtype_name(value.dtype()));
    if (value.rank() < first_axis)
      fail(Code::InvalidArgument, "component ", i,
           " must have a first axis to take elements from, but is a scalar");
    if (first_axis && value.dim(0) != element[0].dim(0))
      fail(Code::InvalidArgument,
           "All input tensors must have the same size in the 0th dimension. Component ", i, " has ",
           value.dim(0), ", and should have ", element[0].dim(0));
    const PartialShape shape(
        Shape(std::span(value.shape().begin() + first_axis, value.rank() - first_axis)));
    if (i < options_.shapes.size() && !options_.shapes[i].compatible_with(shape))
      fail(Code::InvalidArgument, "Shape mismatch in tuple component ", i, ". Expected ",
           options_.shapes[i], ", got ", shape);
    if (i == 0 && options_.kind == QueueKind::Priority && shape.rank() != 0)
      fail(Code::InvalidArgument,
           "Expected the priority element to be a scalar, but received shape: ", shape);
  }
}

DGRAPH_DECL void QueueResource::check_outputs(const KernelContext& c) const {
  bool same = c.num_outputs() == options_.types.size();
  std::vector<DType> asked;
  for (std::size_t i = 0; i < c.num_outputs(); ++i) {
    asked.push_back(c.output_dtype(i));
    same = same && options_.types[i] == asked[i];
  }
  if (!same)
    fail(Code::InvalidArgument, title(), " has components of ", detail::types_text(options_.types),
         ", not of ", detail::types_text(asked));
}

DGRAPH_DECL void QueueResource::enqueue(KernelContext& c, bool many) {
  std::vector<Tensor> components;
  for (std::size_t i = 1; i < c.num_inputs(); ++i)
    components.push_back(detail::kept_component(c.take_input(i)));
  check_element(components, many ? 1 : 0);
  std::vector<detail::QueueElement> elements;
  if (!many) {
    elements.push_back(std::move(components));
  } else {
    elements.resize(static_cast<std::size_t>(components[0].dim(0)));
    for (const Tensor& value : components) {
      const Shape shape(std::span(value.shape().begin() + 1, value.rank() - 1));
      for (std::size_t k = 0; k < elements.size(); ++k)
        elements[k].push_back(value.rows(static_cast<std::int64_t>(k), 1).reshaped(shape));
    }
  }
  auto attempt = std::make_shared<Attempt>(Attempt::Kind::Put, c);
  if (elements.empty()) return attempt->done(Status());
  attempt->elements = std::move(elements);
  submit(puts_, std::move(attempt));
}

DGRAPH_DECL void QueueResource::dequeue(KernelContext& c) {
  check_outputs(c);
  submit(takes_, std::make_shared<Attempt>(Attempt::Kind::TakeOne, c));
}

DGRAPH_DECL void QueueResource::dequeue_many(KernelContext& c, std::int64_t count, bool up_to) {
  check_outputs(c);
  const std::string_view op = up_to ? "DequeueUpTo" : "DequeueMany";
  if (count < 0) fail(Code::InvalidArgument, op, " requested ", count, " < 0 elements");
  if (options_.shapes.empty())
    fail(Code::InvalidArgument, queue_kind_name(options_.kind),
         "'s DequeueMany and DequeueUpTo require the components to have specified shapes.");
  auto attempt =
      std::make_shared<Attempt>(up_to ? Attempt::Kind::TakeUpTo : Attempt::Kind::TakeMany, c);
  attempt->wanted = static_cast<std::size_t>(count);
  if (count > 0) return submit(takes_, std::move(attempt));
  for (std::size_t i = 0; i < c.num_outputs(); ++i) c.set_output(i, stacked(*attempt, i));
  attempt->done(Status());
}

DGRAPH_DECL void QueueResource::close(KernelContext& c, bool cancel_pending) {
  auto attempt = std::make_shared<Attempt>(Attempt::Kind::Close, c);
  if (!cancel_pending) return submit(puts_, std::move(attempt));
  detail::WaitingOps finished;
  {
    std::lock_guard lock(mutex_);
    closed_ = true;
    fail_line(puts_, finished, errors::Cancelled("Enqueue operation was cancelled"));
    advance(finished);
    attempt->finished = true;
    finished.push_back(std::move(attempt));
  }
  detail::call_finished(std::move(finished));
}

DGRAPH_DECL void QueueResource::abandon() {
  detail::WaitingOps finished;
  {
    std::lock_guard lock(mutex_);
    closed_ = true;
    const Status status = errors::Aborted("the container of ", title(), " was cleared");
    fail_line(puts_, finished, status);
    fail_line(takes_, finished, status);
  }
  detail::call_finished(std::move(finished));
}

DGRAPH_DECL void QueueResource::submit(Line& line, std::shared_ptr<Attempt> attempt) {
  KernelServices& services = attempt->context->services();
  detail::WaitingOps finished;
  {
    std::lock_guard lock(mutex_);
    line.push_back(attempt);
    advance(finished);
  }
  detail::call_finished(std::move(finished));
  detail::watch_cancel(
      services, mutex_, *attempt,
      [self = Ref<QueueResource>::share(this), &line, attempt] { self->cancel(line, attempt); });
}

DGRAPH_DECL void QueueResource::cancel(Line& line, const std::shared_ptr<Attempt>& attempt) {
  detail::WaitingOps finished;
  {
    std::lock_guard lock(mutex_);
    const auto at = std::find(line.begin(), line.end(), attempt);
    if (attempt->finished || at == line.end()) return;
    line.erase(at);
    put_back(*attempt);
    const char* what = &line == &takes_                        ? "Dequeue"
                       : attempt->kind == Attempt::Kind::Close ? "Close"
                                                               : "Enqueue";
    attempt->status = errors::Cancelled(what, " operation was cancelled");
    attempt->cancel_id = 0;
    attempt->finished = true;
    finished.push_back(attempt);
    advance(finished);
  }
  detail::call_finished(std::move(finished));
}

DGRAPH_DECL void QueueResource::fail_line(Line& line, detail::WaitingOps& finished,
                                          const Status& status) {
  for (const std::shared_ptr<Attempt>& attempt : line) {
    put_back(*attempt);
    attempt->status = status;
    attempt->finished = true;
    finished.push_back(attempt);
  }
  line.clear();
}

DGRAPH_DECL bool QueueResource::advance_line(Line& line, detail::WaitingOps& finished,
                                             FunctionRef<bool(Attempt&)> run) {
  bool any = false;
  while (!line.empty() && run(*line.front())) {
    line.front()->finished = true;
    finished.push_back(std::move(line.front()));
    line.pop_front();
    any = true;
  }
  return any;
}

DGRAPH_DECL void QueueResource::advance(detail::WaitingOps& finished) {
  for (bool again = true; again;) {
    const std::size_t before = elements_.size();
    const auto guarded = [this](auto run) {
      return [this, run](Attempt& attempt) {
        try {
          return run(attempt);
        } catch (...) {
          put_back(attempt);
          attempt.status = current_exception_status();
          return true;
        }
      };
    };
    const auto put = guarded([this](Attempt& attempt) { return try_put(attempt); });
    const auto take = guarded([this](Attempt& attempt) { return try_take(attempt); });
    again = advance_line(puts_, finished, put);
    again |= elements_.size() != before;
    const std::size_t between = elements_.size();
    again |= advance_line(takes_, finished, take);
    again |= elements_.size() != between;
  }
}

DGRAPH_DECL bool QueueResource::try_put(Attempt& attempt) {
  if (attempt.kind == Attempt::Kind::Close) {
    if (closed_)
      attempt.status = errors::Cancelled("Queue '", options_.name, "' is already closed.");
    closed_ = true;
    return true;
  }
  if (closed_) {
    attempt.status = errors::Cancelled(title(), " is closed.");
    return true;
  }
  while (attempt.put < attempt.elements.size() && elements_.size() < capacity())
    elements_.push(std::move(attempt.elements[attempt.put++]));
  return attempt.put == attempt.elements.size();
}

DGRAPH_DECL void QueueResource::put_back(Attempt& attempt) {
  if (attempt.kind == Attempt::Kind::Put) return;
  for (; !attempt.elements.empty(); attempt.elements.pop_back())
    elements_.restore(std::move(attempt.elements.back()));
}

// Of a closed queue: true where the attempt ends without what it wanted.
DGRAPH_DECL bool QueueResource::short_of(Attempt& attempt) {
  if (elements_.size() + attempt.elements.size() >= attempt.wanted) return false;
  put_back(attempt);
  if (attempt.kind == Attempt::Kind::TakeUpTo && elements_.size() > 0) {
    attempt.wanted = elements_.size();
    return false;
  }
  attempt.status =
      errors::OutOfRange(title(), " is closed and has insufficient elements (requested ",
                         attempt.wanted, ", current size ", elements_.size(), ")");
  return true;
}

DGRAPH_DECL bool QueueResource::try_take(Attempt& attempt) {
  if (closed_ && short_of(attempt)) return true;
  // A queue that is closed gives all; an open one of random order keeps some to choose from.
  const std::size_t kept = closed_ ? 0 : static_cast<std::size_t>(options_.min_after_dequeue);
  while (attempt.elements.size() < attempt.wanted && elements_.size() > kept)
    attempt.elements.push_back(elements_.pop());
  if (attempt.elements.size() < attempt.wanted) return false;
  KernelContext& c = *attempt.context;
  for (std::size_t i = 0; i < options_.types.size(); ++i)
    c.set_output(i, attempt.kind == Attempt::Kind::TakeOne ? std::move(attempt.elements[0][i])
                                                           : stacked(attempt, i));
  return true;
}

DGRAPH_DECL Tensor QueueResource::stacked(const Attempt& attempt, std::size_t component) const {
  const auto rows = static_cast<std::int64_t>(attempt.elements.size());
  Dims dims{rows};
  // Dimensions that are left open are as large as the largest element's.
  for (const std::int64_t d : options_.shapes[component].dims())
    dims.push_back(std::max<std::int64_t>(d, 0));
  for (const detail::QueueElement& element : attempt.elements)
    for (std::size_t i = 0; i < element[component].rank(); ++i)
      dims[i + 1] = std::max(dims[i + 1], element[component].dim(i));
  const Shape shape(std::move(dims));
  Tensor out = options_.kind == QueueKind::PaddingFifo
                   ? Tensor::zeros(options_.types[component], shape)
                   : Tensor(options_.types[component], shape);
  for (std::int64_t row = 0; row < rows; ++row)
    detail::copy_into_row(attempt.elements[static_cast<std::size_t>(row)][component], out, row);
  return out;
}

}  // namespace dgraph
