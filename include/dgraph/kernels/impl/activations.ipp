#pragma once
#include <dgraph/kernels/nn.hpp>

#include <limits>

#include <memory>

#include <dgraph/kernels/functions.hpp>

namespace dgraph {
namespace detail {

struct Relu6F {
  template <class T>
  DGRAPH_INLINE static T of(T x) {
    // NaN stays: it is neither below 0 nor above 6.
    const T above = x < T(0) ? T(0) : x;
    return above > T(6) ? T(6) : above;
  }
};
struct Relu6GradF {
  template <class T>
  DGRAPH_INLINE static T of(T dy, T x) {
    return x > T(0) && x < T(6) ? dy : T(0);
  }
};
struct EluF {
  template <class T>
  DGRAPH_INLINE static T of(T x) {
    const T below = expm1_bounded(x > T(0) ? T(0) : x);
    return x > T(0) ? x : below;
  }
};
struct EluGradF {
  template <class T>
  DGRAPH_INLINE static T of(T dy, T y) {
    DGRAPH_NO_CONTRACTION
    return y < T(0) ? dy * (y + T(1)) : dy;
  }
};
// G. Klambauer, T. Unterthiner, A. Mayr, S. Hochreiter, "Self-normalizing neural networks", 2017.
inline constexpr double kSeluScale = 1.0507009873554804934, kSeluScaleAlpha = 1.7580993408473768599;
struct SeluF {
  template <class T>
  DGRAPH_INLINE static T of(T x) {
    // TensorFlow's exp(x) - 1 is 0 this close to 0, where the gradient is that of positive numbers.
    const T nearest = std::numeric_limits<T>::epsilon() / T(-4);
    const T below = T(kSeluScaleAlpha) * expm1_bounded(x > nearest ? T(0) : x);
    return x > T(0) ? T(kSeluScale) * x : below;
  }
};
struct SeluGradF {
  template <class T>
  DGRAPH_INLINE static T of(T dy, T y) {
    DGRAPH_NO_CONTRACTION
    return y < T(0) ? dy * (y + T(kSeluScaleAlpha)) : dy * T(kSeluScale);
  }
};
struct SoftplusF {
  template <class T>
  DGRAPH_INLINE static T of(T x) {
    const T above = x > T(0) ? x : T(0);
    // The sum keeps NaN.
    return x != x ? x : above + log1p_of(exp_of(-abs_of(x)));
  }
};
struct SoftplusGradF {
  template <class T>
  DGRAPH_INLINE static T of(T dy, T x) {
    return dy * sigmoid_of(x);
  }
};
struct SoftsignF {
  template <class T>
  DGRAPH_INLINE static T of(T x) {
    return x / (T(1) + abs_of(x));
  }
};
struct SoftsignGradF {
  template <class T>
  DGRAPH_INLINE static T of(T dy, T x) {
    DGRAPH_NO_CONTRACTION
    const T size = T(1) + abs_of(x);
    return dy / (size * size);
  }
};

// x where the second input is above zero, alpha times it elsewhere: LeakyRelu has one input, its
// gradient two.
template <class T>
struct LeakyReluLoop {
  DGRAPH_INLINE static std::uint32_t run(const void* const* in, void* out, std::int64_t n,
                                         const void* alpha_at) {
    const T* const x = static_cast<const T*>(in[0]);
    const T* const sign = in[1] ? static_cast<const T*>(in[1]) : x;
    T* const y = static_cast<T*>(out);
    const T alpha = T(*static_cast<const float*>(alpha_at));
    DGRAPH_INDEPENDENT
    for (std::int64_t i = 0; i < n; ++i) {
      const T scaled = alpha * x[i];
      y[i] = sign[i] > T(0) ? x[i] : scaled;
    }
    return kNoFault;
  }
};

DGRAPH_DECL ElementwiseSpec leaky_relu_spec(const KernelRequest& r) {
  const DType dtype = r.dtype("T");
  ElementwiseSpec spec;
  spec.param = std::make_shared<const float>(r.attr<float>("alpha"));
  spec.ns_each = memory_ns(dtype);
  if (dtype == DType::Float64) {
    spec.loop = bind_loop<LeakyReluLoop<double>, double, Width::Auto>();
    return spec;
  }
  spec.loop = bind_loop<LeakyReluLoop<float>, float, Width::Auto>();
  if (dtype == DType::Float32) return spec;
  if (dtype != DType::Float16 && dtype != DType::BFloat16) no_kernel_for(r, dtype);
  return through_float(std::move(spec), dtype);
}

template <class F>
Kernel activation_kernel(const KernelRequest& r, double ns_each) {
  return elementwise_kernel(pick_loop<UnaryLoop, F, Width::Auto, RealFloats>(r, ns_each));
}
template <class F>
Kernel activation_gradient_kernel(const KernelRequest& r, double ns_each) {
  return same_shape_kernel(pick_loop<BinaryLoop, F, Width::Auto, RealFloats>(r, ns_each));
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::Relu6>::make(const KernelRequest& r) {
  return detail::elementwise_kernel(
      detail::pick_loop<detail::UnaryLoop, detail::Relu6F, detail::Width::Auto, detail::RealFloats,
                        detail::SignedInts, detail::UnsignedInts>(r));
}
DGRAPH_DECL Kernel Kernels<ops::Relu6Grad>::make(const KernelRequest& r) {
  return detail::same_shape_kernel(
      detail::pick_loop<detail::BinaryLoop, detail::Relu6GradF, detail::Width::Auto,
                        detail::RealFloats, detail::SignedInts, detail::UnsignedInts>(r));
}
DGRAPH_DECL Kernel Kernels<ops::Elu>::make(const KernelRequest& r) {
  return detail::activation_kernel<detail::EluF>(r, 1);
}
DGRAPH_DECL Kernel Kernels<ops::EluGrad>::make(const KernelRequest& r) {
  return detail::activation_gradient_kernel<detail::EluGradF>(r, 0);
}
DGRAPH_DECL Kernel Kernels<ops::Selu>::make(const KernelRequest& r) {
  return detail::activation_kernel<detail::SeluF>(r, 1);
}
DGRAPH_DECL Kernel Kernels<ops::SeluGrad>::make(const KernelRequest& r) {
  return detail::activation_gradient_kernel<detail::SeluGradF>(r, 0);
}
DGRAPH_DECL Kernel Kernels<ops::Softplus>::make(const KernelRequest& r) {
  return detail::activation_kernel<detail::SoftplusF>(r, 2);
}
DGRAPH_DECL Kernel Kernels<ops::SoftplusGrad>::make(const KernelRequest& r) {
  return detail::activation_gradient_kernel<detail::SoftplusGradF>(r, 1);
}
DGRAPH_DECL Kernel Kernels<ops::Softsign>::make(const KernelRequest& r) {
  return detail::activation_kernel<detail::SoftsignF>(r, 0);
}
DGRAPH_DECL Kernel Kernels<ops::SoftsignGrad>::make(const KernelRequest& r) {
  return detail::activation_gradient_kernel<detail::SoftsignGradF>(r, 0);
}
DGRAPH_DECL Kernel Kernels<ops::LeakyRelu>::make(const KernelRequest& r) {
  return detail::elementwise_kernel(detail::leaky_relu_spec(r));
}
DGRAPH_DECL Kernel Kernels<ops::LeakyReluGrad>::make(const KernelRequest& r) {
  return detail::same_shape_kernel(detail::leaky_relu_spec(r));
}

}  // namespace dgraph
