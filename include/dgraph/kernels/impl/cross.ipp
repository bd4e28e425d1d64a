#pragma once
#include <dgraph/kernels/cross.hpp>

#include <dgraph/kernels/functions.hpp>

namespace dgraph {
namespace detail {

template <class T>
void cross_rows(const void* first, const void* second, void* out, std::int64_t rows) {
  using V = Value<T>;
  const T *a = static_cast<const T*>(first), *b = static_cast<const T*>(second);
  T* y = static_cast<T*>(out);
  for (std::int64_t i = 0; i < rows; ++i, a += 3, b += 3, y += 3)
    for (int k = 0; k < 3; ++k) {
      const int next = (k + 1) % 3, last = (k + 2) % 3;
      y[k] = V::store(SubF::of(MulF::of(V::load(a[next]), V::load(b[last])),
                               MulF::of(V::load(a[last]), V::load(b[next]))));
    }
}

struct CrossConfig {
  void (*rows)(const void*, const void*, void*, std::int64_t) = nullptr;
};

DGRAPH_DECL void run_cross(KernelContext& context) {
  const Tensor &a = context.input(0), &b = context.input(1);
  const Shape& shape = a.shape();
  if (!(shape == b.shape()))
    fail(Code::InvalidArgument, "a and b must have the same shape, not ", shape, " and ",
         b.shape());
  if (shape.rank() == 0 || shape[shape.rank() - 1] != 3)
    fail(Code::InvalidArgument, "the cross product is one of vectors of 3 elements, not of shape ",
         shape);
  Tensor& out = context.allocate_output(0, shape);
  const auto bytes = static_cast<std::int64_t>(3 * dtype_size(a.dtype()));
  std::byte* const to = out.mutable_raw();
  context.parallel_for(shape.elements() / 3, 5, [&](std::int64_t begin, std::int64_t end) {
    context.config<CrossConfig>().rows(a.raw() + begin * bytes, b.raw() + begin * bytes,
                                       to + begin * bytes, end - begin);
  });
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::Cross>::make(const KernelRequest& r) {
  using namespace detail;
  CrossConfig config;
  dispatch<RealFloats, SignedInts, UnsignedInts>(r, r.input_dtypes[0], [&config]<class T>() {
    config.rows = &cross_rows<typename Wrapping<T>::type>;
  });
  Kernel kernel;
  kernel.run = &run_cross;
  kernel.with(config);
  return kernel;
}

}  // namespace dgraph
