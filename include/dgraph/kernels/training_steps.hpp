#pragma once
// What one step of each optimizer does to one element: for kernels/training.hpp.
// Made of the scalar inputs in the order of the signature and of the one flag; called with the
// variable, its slots and the gradient.

#include <cmath>
#include <complex>
#include <cstddef>

#include <dgraph/kernels/simd.hpp>

namespace dgraph::detail {

template <class C>
DGRAPH_INLINE C square_root(C x) {
  return std::sqrt(x);
}
/// -1, 0 or 1.
template <class C>
DGRAPH_INLINE C sign_of(C x) {
  return static_cast<C>(C(x > C(0)) - C(x < C(0)));
}
/// Moved towards 0 by `by`, and no further than 0.
template <class C>
DGRAPH_INLINE C shrunk(C x, C by) {
  const C left = std::abs(x) - by;
  return sign_of(x) * (left > C(0) ? left : C(0));
}

template <class C>
struct ProximalDescentStep {
  static constexpr std::size_t slots = 1;
  static constexpr bool takes_complex = false;
  C alpha, l1, l2;
  DGRAPH_INLINE ProximalDescentStep(const C* n, bool) : alpha(n[0]), l1(n[1]), l2(n[2]) {}
  DGRAPH_INLINE void operator()(C& var, C g) const {
    const C moved = var - alpha * g;
    var = (l1 > C(0) ? shrunk(moved, alpha * l1) : moved) / (C(1) + alpha * l2);
  }
};

template <class C>
struct AdadeltaStep {
  static constexpr std::size_t slots = 3;
  static constexpr bool takes_complex = true;
  C lr, rho, epsilon;
  DGRAPH_INLINE AdadeltaStep(const C* n, bool) : lr(n[0]), rho(n[1]), epsilon(n[2]) {}
  DGRAPH_INLINE void operator()(C& var, C& accum, C& accum_update, C g) const {
    accum = accum * rho + g * g * (C(1) - rho);
    const C update = square_root(accum_update + epsilon) / square_root(accum + epsilon) * g;
    accum_update = accum_update * rho + update * update * (C(1) - rho);
    var -= update * lr;
  }
};

template <class C>
struct AdagradStep {
  static constexpr std::size_t slots = 2;
  static constexpr bool takes_complex = true;
  C lr;
  bool update_slots;
  DGRAPH_INLINE AdagradStep(const C* n, bool flag) : lr(n[0]), update_slots(flag) {}
  DGRAPH_INLINE void operator()(C& var, C& accum, C g) const {
    accum = update_slots ? accum + g * g : accum;
    var -= g * lr / square_root(accum);
  }
};

template <class C>
struct AdagradV2Step {
  static constexpr std::size_t slots = 2;
  static constexpr bool takes_complex = true;
  C lr, epsilon;
  bool update_slots;
  DGRAPH_INLINE AdagradV2Step(const C* n, bool flag)
      : lr(n[0]), epsilon(n[1]), update_slots(flag) {}
  DGRAPH_INLINE void operator()(C& var, C& accum, C g) const {
    accum = update_slots ? accum + g * g : accum;
    var -= g * lr / (square_root(accum) + epsilon);
  }
};

template <class C>
struct AdagradDaStep {
  static constexpr std::size_t slots = 3;
  static constexpr bool takes_complex = false;
  C lr, l1, l2, step;
  DGRAPH_INLINE AdagradDaStep(const C* n, bool) : lr(n[0]), l1(n[1]), l2(n[2]), step(n[3]) {}
  DGRAPH_INLINE void operator()(C& var, C& sum, C& squares, C g) const {
    sum += g;
    squares += g * g;
    const C direction = l1 > C(0) ? shrunk(sum, l1 * step) : sum;
    var = -lr * direction / (l2 * step * lr + square_root(squares));
  }
};

template <class C>
struct ProximalAdagradStep {
  static constexpr std::size_t slots = 2;
  static constexpr bool takes_complex = false;
  C lr, l1, l2;
  DGRAPH_INLINE ProximalAdagradStep(const C* n, bool) : lr(n[0]), l1(n[1]), l2(n[2]) {}
  DGRAPH_INLINE void operator()(C& var, C& accum, C g) const {
    accum += g * g;
    const C rate = lr / square_root(accum);
    const C moved = var - rate * g;
    var = (l1 > C(0) ? shrunk(moved, rate * l1) : moved) / (C(1) + rate * l2);
  }
};

/// Both of Ftrl: `shrinkage` is 0 in the first.
template <class C>
struct FtrlRule {
  C lr, l1, l2, shrinkage, power;
  bool times_lr;
  DGRAPH_INLINE C scale(C x) const {
    return power == C(-0.5) ? square_root(x) : std::pow(x, -power);
  }
  DGRAPH_INLINE void operator()(C& var, C& accum, C& linear, C g) const {
    const C next = accum + g * g, change = scale(next) - scale(accum);
    const C towards = g + C(2) * shrinkage * var;
    const C bound = times_lr ? l1 * lr : l1;
    linear += times_lr ? towards * lr - change * var : towards - change / lr * var;
    const C width = times_lr ? scale(next) + C(2) * l2 * lr : scale(next) / lr + C(2) * l2;
    var = std::abs(linear) > bound ? (sign_of(linear) * bound - linear) / width : C(0);
    accum = next;
  }
};

template <class C>
struct FtrlStep : FtrlRule<C> {
  static constexpr std::size_t slots = 3;
  static constexpr bool takes_complex = false;
  DGRAPH_INLINE FtrlStep(const C* n, bool flag) : FtrlRule<C>{n[0], n[1], n[2], C(0), n[3], flag} {}
};

template <class C>
struct FtrlV2Step : FtrlRule<C> {
  static constexpr std::size_t slots = 3;
  static constexpr bool takes_complex = false;
  DGRAPH_INLINE FtrlV2Step(const C* n, bool flag)
      : FtrlRule<C>{n[0], n[1], n[2], n[3], n[4], flag} {}
};

template <class C>
struct MomentumStep {
  static constexpr std::size_t slots = 2;
  static constexpr bool takes_complex = true;
  C lr, momentum;
  bool nesterov;
  DGRAPH_INLINE MomentumStep(const C* n, bool flag) : lr(n[0]), momentum(n[1]), nesterov(flag) {}
  DGRAPH_INLINE void operator()(C& var, C& accum, C g) const {
    accum = accum * momentum + g;
    const C ahead = g * lr + accum * momentum * lr, plain = accum * lr;
    var -= nesterov ? ahead : plain;
  }
};

template <class C>
struct RmsPropStep {
  static constexpr std::size_t slots = 3;
  static constexpr bool takes_complex = true;
  C lr, rho, momentum, epsilon;
  DGRAPH_INLINE RmsPropStep(const C* n, bool)
      : lr(n[0]), rho(n[1]), momentum(n[2]), epsilon(n[3]) {}
  DGRAPH_INLINE void operator()(C& var, C& ms, C& mom, C g) const {
    ms += (g * g - ms) * (C(1) - rho);
    mom = mom * momentum + g * lr / square_root(ms + epsilon);
    var -= mom;
  }
};

template <class C>
struct CenteredRmsPropStep {
  static constexpr std::size_t slots = 4;
  static constexpr bool takes_complex = true;
  C lr, rho, momentum, epsilon;
  DGRAPH_INLINE CenteredRmsPropStep(const C* n, bool)
      : lr(n[0]), rho(n[1]), momentum(n[2]), epsilon(n[3]) {}
  DGRAPH_INLINE void operator()(C& var, C& mg, C& ms, C& mom, C g) const {
    ms += (g * g - ms) * (C(1) - rho);
    mg += (g - mg) * (C(1) - rho);
    mom = mom * momentum + g * lr / square_root(ms - mg * mg + epsilon);
    var -= mom;
  }
};

template <class C>
struct AdamStep {
  static constexpr std::size_t slots = 3;
  static constexpr bool takes_complex = true;
  C rate, beta1, beta2, epsilon;
  bool nesterov;
  DGRAPH_INLINE AdamStep(const C* n, bool flag)
      : rate(n[2] * square_root(C(1) - n[1]) / (C(1) - n[0])),
        beta1(n[3]),
        beta2(n[4]),
        epsilon(n[5]),
        nesterov(flag) {}
  DGRAPH_INLINE void operator()(C& var, C& m, C& v, C g) const {
    m += (g - m) * (C(1) - beta1);
    v += (g * g - v) * (C(1) - beta2);
    const C ahead = m * beta1 + g * (C(1) - beta1);
    var -= (nesterov ? ahead : m) * rate / (square_root(v) + epsilon);
  }
};

template <class C>
struct AdaMaxStep {
  static constexpr std::size_t slots = 3;
  static constexpr bool takes_complex = false;
  C rate, beta1, beta2, epsilon;
  DGRAPH_INLINE AdaMaxStep(const C* n, bool)
      : rate(n[1] / (C(1) - n[0])), beta1(n[2]), beta2(n[3]), epsilon(n[4]) {}
  DGRAPH_INLINE void operator()(C& var, C& m, C& v, C g) const {
    m += (g - m) * (C(1) - beta1);
    const C kept = beta2 * v, size = std::abs(g);
    v = kept < size ? size : kept;
    var -= rate * (m / (v + epsilon));
  }
};

template <class C>
struct AddSignStep {
  static constexpr std::size_t slots = 2;
  static constexpr bool takes_complex = false;
  C lr, alpha, decay, beta;
  DGRAPH_INLINE AddSignStep(const C* n, bool) : lr(n[0]), alpha(n[1]), decay(n[2]), beta(n[3]) {}
  DGRAPH_INLINE void operator()(C& var, C& m, C g) const {
    m = m * beta + g * (C(1) - beta);
    var -= lr * (alpha + decay * sign_of(g) * sign_of(m)) * g;
  }
};

template <class C>
struct PowerSignStep {
  static constexpr std::size_t slots = 2;
  static constexpr bool takes_complex = false;
  C lr, exponent, beta;
  DGRAPH_INLINE PowerSignStep(const C* n, bool) : lr(n[0]), exponent(n[1] * n[2]), beta(n[3]) {}
  DGRAPH_INLINE void operator()(C& var, C& m, C g) const {
    m = m * beta + g * (C(1) - beta);
    var -= lr * std::exp(exponent * sign_of(g) * sign_of(m)) * g;
  }
};

}  // namespace dgraph::detail
