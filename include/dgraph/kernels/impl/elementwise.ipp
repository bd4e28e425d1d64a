#pragma once
#include <dgraph/kernels/elementwise.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace dgraph::detail {

template <class Small>
struct WidenLoop {
  DGRAPH_INLINE static void run(const Small* from, float* to, std::int64_t n) {
    DGRAPH_INDEPENDENT
    for (std::int64_t i = 0; i < n; ++i) to[i] = Value<Small>::load(from[i]);
  }
};
template <class Small>
struct NarrowLoop {
  DGRAPH_INLINE static void run(const float* from, Small* to, std::int64_t n) {
    DGRAPH_INDEPENDENT
    for (std::int64_t i = 0; i < n; ++i) to[i] = Value<Small>::store(from[i]);
  }
};

DGRAPH_DECL void widen(const half* from, float* to, std::int64_t n) { simd_up_to_avx2<WidenLoop<half>>()(from, to, n); }
DGRAPH_DECL void widen(const bfloat16* from, float* to, std::int64_t n) {
  simd_up_to_avx2<WidenLoop<bfloat16>>()(from, to, n);
}
DGRAPH_DECL void narrow(const float* from, half* to, std::int64_t n) { simd_up_to_avx2<NarrowLoop<half>>()(from, to, n); }
DGRAPH_DECL void narrow(const float* from, bfloat16* to, std::int64_t n) {
  simd_up_to_avx2<NarrowLoop<bfloat16>>()(from, to, n);
}

struct ThroughFloat {
  ElementLoop loop;
  std::shared_ptr<const void> param;
  bool bool_result;
};

template <class Small>
std::uint32_t loop_through_float(const void* const* in, void* out, std::int64_t n, const void* param) {
  const ThroughFloat& inner = *static_cast<const ThroughFloat*>(param);
  constexpr std::int64_t kBlock = 1024;
  alignas(64) float blocks[kMaxOperands][kBlock];
  const void* float_in[kMaxOperands] = {};
  std::uint32_t faults = kNoFault;
  for (std::int64_t at = 0; at < n; at += kBlock) {
    const std::int64_t count = std::min(kBlock, n - at);
    for (std::size_t k = 0; k < kMaxOperands && in[k]; ++k) {
      widen(static_cast<const Small*>(in[k]) + at, blocks[k], count);
      float_in[k] = blocks[k];
    }
    void* const to = inner.bool_result ? static_cast<void*>(static_cast<bool*>(out) + at) : blocks[0];
    faults |= inner.loop(float_in, to, count, inner.param.get());
    if (!inner.bool_result) narrow(blocks[0], static_cast<Small*>(out) + at, count);
  }
  return faults;
}

DGRAPH_DECL ElementwiseSpec through_float(ElementwiseSpec spec, DType small, bool bool_result) {
  ElementwiseSpec out;
  out.ns_each = spec.ns_each + 1;
  out.loop = small == DType::Float16 ? &loop_through_float<half> : &loop_through_float<bfloat16>;
  out.param = std::make_shared<const ThroughFloat>(ThroughFloat{spec.loop, std::move(spec.param), bool_result});
  return out;
}

DGRAPH_DECL Shape broadcast_inputs(const KernelContext& context) {
  Shape shape = context.input(0).shape();
  for (std::size_t k = 1; k < context.num_inputs(); ++k)
    if (!(shape == context.input(k).shape())) shape = broadcast_shapes(shape, context.input(k).shape());
  return shape;
}

DGRAPH_DECL Tensor& elementwise_output(KernelContext& context, const Shape& shape) {
  if (context.num_inputs() == 1) return context.forward_or_allocate(0, shape, {0});
  if (context.num_inputs() == 2) return context.forward_or_allocate(0, shape, {0, 1});
  return context.forward_or_allocate(0, shape, {0, 1, 2});
}

// Strings cannot be gathered as bytes: pointers to them can.
DGRAPH_DECL std::vector<const std::string*> string_pointers(const Tensor& tensor) {
  std::vector<const std::string*> out(static_cast<std::size_t>(tensor.elements()));
  const std::string* at = tensor.data<std::string>();
  for (const std::string*& pointer : out) pointer = at++;
  return out;
}

// Inputs of one small shape, all in the tensors themselves: no memory is looked for. False for any others.
DGRAPH_INLINE bool run_small(KernelContext& context, const ElementwiseSpec& spec) {
  const Tensor& first = context.input(0);
  if (first.buffer() || first.dtype() != context.output_dtype(0)) return false;
  const void* in[kMaxOperands] = {first.raw()};
  for (std::size_t k = 1; k < context.num_inputs(); ++k) {
    const Tensor& input = context.input(k);
    if (input.buffer() || !(input.shape() == first.shape())) return false;
    in[k] = input.raw();
  }
  Tensor& out = context.output(0);
  out = first;
  if (const std::uint32_t faults = spec.loop(in, out.mutable_raw(), out.elements(), spec.param.get())) throw_faults(faults);
  return true;
}

DGRAPH_DECL void run_elementwise(KernelContext& context) {
  const ElementwiseSpec& spec = context.config<ElementwiseSpec>();
  if (run_small(context, spec)) return;
  const std::size_t inputs = context.num_inputs();
  bool alike = true, strings = false;
  for (std::size_t k = 0; k < inputs; ++k) {
    alike = alike && context.input(k).shape() == context.input(0).shape();
    strings = strings || context.input(k).dtype() == DType::String;
  }
  if (alike && !strings) {
    const Shape& shape = context.input(0).shape();
    const std::int64_t n = shape.elements();
    Tensor& out = elementwise_output(context, shape);
    if (static_cast<double>(n) * spec.ns_each < 10'000) {
      const void* in[kMaxOperands] = {};
      for (std::size_t k = 0; k < inputs; ++k) in[k] = context.input(k).raw();
      if (const std::uint32_t faults = spec.loop(in, out.mutable_raw(), n, spec.param.get())) throw_faults(faults);
      return;
    }
  }
  const Shape shape = broadcast_inputs(context);
  Tensor& out = context.output(0).has_value() ? context.output(0) : elementwise_output(context, shape);
  std::vector<const std::string*> pointers[kMaxOperands];
  Operand operands[kMaxOperands];
  for (std::size_t k = 0; k < inputs; ++k) {
    const Tensor& input = context.input(k);
    operands[k].strides = broadcast_strides(input.shape(), shape);
    operands[k].data = input.raw();
    operands[k].size = dtype_size(input.dtype());
    if (input.dtype() == DType::String) {
      pointers[k] = string_pointers(input);
      operands[k].data = reinterpret_cast<const std::byte*>(pointers[k].data());
      operands[k].size = sizeof(const std::string*);
    }
  }
  throw_faults(walk(context, shape, {operands, inputs}, out.mutable_raw(), dtype_size(out.dtype()), spec.loop,
                    spec.param.get(), spec.ns_each));
}

DGRAPH_DECL void run_same_shape(KernelContext& context) {
  for (std::size_t k = 1; k < context.num_inputs(); ++k)
    if (!(context.input(k).shape() == context.input(0).shape()))
      fail(Code::InvalidArgument, "inputs must have the same shape, not ", context.input(0).shape(), " and ",
           context.input(k).shape());
  run_elementwise(context);
}

DGRAPH_DECL Kernel elementwise_kernel(ElementwiseSpec spec) {
  Kernel kernel;
  kernel.run = &run_elementwise;
  kernel.ns_each = std::max(spec.ns_each, 0.01);
  kernel.with(std::move(spec));
  return kernel;
}

DGRAPH_DECL Kernel same_shape_kernel(ElementwiseSpec spec) {
  Kernel kernel = elementwise_kernel(std::move(spec));
  kernel.run = &run_same_shape;
  return kernel;
}

}  // namespace dgraph::detail
