#pragma once
#include <dgraph/kernels/control_flow.hpp>

#include <algorithm>
#include <atomic>
#include <string>

#include <dgraph/kernels/arguments.hpp>

namespace dgraph {
namespace detail {

// Defined with Tensor::to_string.
void append_element(std::string& out, DType dtype, const std::byte* at);

// One dimension of a summary: "[1 2][3 4]" for two rows; stops after `limit` elements.
DGRAPH_DECL void append_summary(std::string& out, const Tensor& value, std::size_t axis,
                                std::int64_t limit, std::int64_t& at) {
  const std::size_t last = value.rank() - 1;
  for (std::int64_t i = 0; i < value.dim(axis); ++i) {
    if (at >= limit) {
      if (axis == last && axis > 0) out += "...";
      return;
    }
    if (axis < last) {
      out += '[';
      append_summary(out, value, axis + 1, limit, at);
      out += ']';
      continue;
    }
    if (i > 0) out += ' ';
    append_element(out, value.dtype(),
                   value.raw() + static_cast<std::size_t>(at++) * dtype_size(value.dtype()));
  }
}

// The first elements as TensorFlow shows them: "1 2 3..." of a vector, "[1 2][3...]..." of a
// matrix.
DGRAPH_DECL std::string summary(const Tensor& value, std::int64_t most) {
  std::string out;
  if (dtype_size(value.dtype()) == 0) return std::string(dtype_name(value.dtype()));
  const std::int64_t limit = most < 0 ? value.elements() : std::min(most, value.elements());
  std::int64_t at = 0;
  if (value.rank() == 0) {
    if (limit > 0) append_element(out, value.dtype(), value.raw());
  } else {
    append_summary(out, value, 0, limit, at);
  }
  if (limit < value.elements()) out += "...";
  return out;
}

DGRAPH_DECL void run_assert(KernelContext& c) {
  const Tensor& condition = c.input(0);
  if (condition.elements() != 1)
    fail(Code::InvalidArgument, "an assertion's condition must be a scalar, not a tensor of shape ",
         condition.shape());
  if (*condition.data<bool>()) return;
  std::string text = "assertion failed:";
  for (std::size_t i = 1; i < c.num_inputs(); ++i)
    text += errors::text(" [", summary(c.input(i), c.config<std::int64_t>()), "]");
  fail(Code::InvalidArgument, text);
}

struct PrintConfig {
  std::string message;
  std::int64_t first_n, summarize;
};

class PrintCount final : public Counted {
 public:
  std::atomic<std::int64_t> done{0};
};

DGRAPH_DECL Ref<Counted> make_print_count(const KernelRequest&, std::uint64_t) {
  return make_ref<PrintCount>();
}

DGRAPH_DECL void run_print(KernelContext& c) {
  const auto& config = c.config<PrintConfig>();
  if (config.first_n < 0 || c.state<PrintCount>().done.fetch_add(1) < config.first_n) {
    std::string line = config.message;
    for (std::size_t i = 1; i < c.num_inputs(); ++i)
      line += errors::text("[", summary(c.input(i), config.summarize), "]");
    c.services().log(line);
  }
  c.set_output(0, c.take_input(0));
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::Assert>::make(const KernelRequest& r) {
  return detail::plain_kernel(&detail::run_assert, true).with(r.attr<std::int64_t>("summarize"));
}
DGRAPH_DECL Kernel Kernels<ops::Print>::make(const KernelRequest& r) {
  Kernel kernel = detail::plain_kernel(&detail::run_print, true);
  kernel.make_state = &detail::make_print_count;
  return kernel.with(detail::PrintConfig{r.attr<std::string>("message"),
                                         r.attr<std::int64_t>("first_n"),
                                         r.attr<std::int64_t>("summarize")});
}

DGRAPH_DECL Kernel Kernels<ops::NoOp>::make(const KernelRequest&) { return {}; }
DGRAPH_DECL Kernel Kernels<ops::ControlTrigger>::make(const KernelRequest&) { return {}; }
DGRAPH_DECL Kernel Kernels<ops::Switch>::make(const KernelRequest&) { return {}; }
DGRAPH_DECL Kernel Kernels<ops::RefSwitch>::make(const KernelRequest&) { return {}; }
DGRAPH_DECL Kernel Kernels<ops::Merge>::make(const KernelRequest&) { return {}; }
DGRAPH_DECL Kernel Kernels<ops::RefMerge>::make(const KernelRequest&) { return {}; }
DGRAPH_DECL Kernel Kernels<ops::Enter>::make(const KernelRequest&) { return {}; }
DGRAPH_DECL Kernel Kernels<ops::RefEnter>::make(const KernelRequest&) { return {}; }
DGRAPH_DECL Kernel Kernels<ops::Exit>::make(const KernelRequest&) { return {}; }
DGRAPH_DECL Kernel Kernels<ops::RefExit>::make(const KernelRequest&) { return {}; }
DGRAPH_DECL Kernel Kernels<ops::NextIteration>::make(const KernelRequest&) { return {}; }
DGRAPH_DECL Kernel Kernels<ops::RefNextIteration>::make(const KernelRequest&) { return {}; }
DGRAPH_DECL Kernel Kernels<ops::LoopCond>::make(const KernelRequest&) { return {}; }

}  // namespace dgraph
