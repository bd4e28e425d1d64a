#pragma once
// Tensors out of C++ values (numbers, strings, vectors, xtensor containers and expressions), and xtensor containers out of
// tensors; without a copy where xtensor allows it (D10).

#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#if __has_include(<xtensor/containers/xarray.hpp>)
#include <xtensor/containers/xarray.hpp>
#else
#include <xtensor/xarray.hpp>
#endif

#include <dgraph/base/tensor.hpp>

namespace dgraph {

/// Any xtensor container, view or lazy expression.
template <class X>
concept XtensorExpression = xt::is_xexpression<std::remove_cvref_t<X>>::value;

/// A feed by reference: the memory stays the caller's and must neither go nor change until the run that it is given to
/// returns. Made by `borrow`.
template <Element T>
struct Borrowed {
  Tensor tensor;
};

namespace detail {

template <class X>
concept HostNumber = (std::is_arithmetic_v<X> && Element<X>) || std::is_same_v<X, half> || std::is_same_v<X, bfloat16> ||
                     std::is_same_v<X, std::complex<float>> || std::is_same_v<X, std::complex<double>>;
template <class X>
concept HostText = !HostNumber<X> && std::is_convertible_v<const X&, std::string_view>;

template <class X>
struct HostTraits {};
template <HostNumber X>
struct HostTraits<X> {
  using element = X;
};
template <HostText X>
struct HostTraits<X> {
  using element = std::string;
};
template <class X>
  requires xt::is_xexpression<X>::value
struct HostTraits<X> {
  using element = std::remove_cv_t<typename X::value_type>;
};
template <class T, class A>
struct HostTraits<std::vector<T, A>> : HostTraits<T> {};
template <class T, std::size_t N>
struct HostTraits<std::array<T, N>> : HostTraits<T> {};
template <class T, std::size_t N>
struct HostTraits<std::span<T, N>> : HostTraits<std::remove_cv_t<T>> {};
template <class T>
struct HostTraits<std::initializer_list<T>> : HostTraits<T> {};
template <class T>
struct HostTraits<Borrowed<T>> {
  using element = T;
};
template <>
struct HostTraits<Tensor> {
  using element = void;
};

}  // namespace detail

/// A C++ value that can be a tensor: a number, a string, an xtensor container or expression, a std::vector, std::array,
/// std::span or initializer list of these (nested ones must be rectangular), a Tensor.
template <class X>
concept HostValue = requires { typename detail::HostTraits<std::remove_cvref_t<X>>::element; };

/// Its element type: a number's own, std::string for text, void for a Tensor (known at run time only).
template <class X>
using host_element = typename detail::HostTraits<std::remove_cvref_t<X>>::element;

namespace detail {

template <class T>
inline constexpr bool kIsComplex = std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>;
template <class T>
inline constexpr bool kIsSmallFloat = std::is_same_v<T, half> || std::is_same_v<T, bfloat16>;
template <class T>
inline constexpr bool kIsReal = std::is_floating_point_v<T> || kIsSmallFloat<T>;
template <class T>
inline constexpr bool kIsInteger = std::is_integral_v<T> && !std::is_same_v<T, bool>;

[[noreturn]] inline void number_does_not_fit(const std::string& text, DType dtype) {
  fail(Code::InvalidArgument, "the number ", text, " does not fit ", dtype_name(dtype));
}

/// A number as an element of dtype T: integers must fit, a fractional number is no integer (a sentence), truth is no number.
template <Element T, HostNumber X>
constexpr T number_as(X x) {
  if constexpr (std::is_same_v<T, X>) {
    return x;
  } else if constexpr (std::is_same_v<T, bool> || std::is_same_v<X, bool>) {
    static_assert(std::is_same_v<T, X>, "dgraph: a number is no bool and a bool is no number; convert with dg::cast<T>(x)");
    return T{};
  } else if constexpr (std::is_same_v<T, std::string>) {
    static_assert(!std::is_same_v<T, std::string>, "dgraph: a number meets a value of strings");
    return T{};
  } else if constexpr (kIsComplex<X>) {
    static_assert(kIsComplex<T>, "dgraph: a complex number meets a value of real dtype; convert it with dg::cast<T>(x)");
    using Part = typename T::value_type;
    return T(static_cast<Part>(x.real()), static_cast<Part>(x.imag()));
  } else if constexpr (kIsComplex<T>) {
    return T(static_cast<typename T::value_type>(x));
  } else if constexpr (kIsInteger<T>) {
    static_assert(kIsInteger<X>,
                  "dgraph: a fractional number meets a value of integer dtype; write a whole number, or convert the "
                  "value with dg::cast<float>(x)");
    if constexpr (kIsInteger<X>) {
      if (!std::in_range<T>(x)) number_does_not_fit(std::to_string(x), dtype_of<T>);
      return static_cast<T>(x);
    } else {
      return T{};
    }
  } else if constexpr (kIsSmallFloat<X>) {
    return static_cast<T>(static_cast<float>(x));
  } else {
    return static_cast<T>(x);
  }
}

template <class X>
inline constexpr bool kIsXarray = false;
template <class T, class A>
inline constexpr bool kIsXarray<xt::xarray<T, xt::layout_type::row_major, A>> = true;

template <class Container>
std::pair<void*, std::size_t> locate(Container& container) {
  return {const_cast<void*>(static_cast<const void*>(container.data())),
          container.size() * sizeof(typename Container::value_type)};
}

/// The first element of a contiguous container, or of a view of one, which need not begin where the container does.
template <class X>
auto first_element(const X& x) {
  if constexpr (requires { x.data_offset(); })
    return x.data() + x.data_offset();
  else
    return x.data();
}

template <class X>
Shape shape_of_xtensor(const X& x) {
  Dims dims;
  for (auto d : x.shape()) dims.push_back(static_cast<std::int64_t>(d));
  return Shape(std::move(dims));
}

/// Takes the container over; small ones are copied into the tensor itself.
template <Element T, class Container>
Tensor adopt_container(Container&& container, Shape shape) {
  if (std::is_same_v<T, std::string> || container.size() * sizeof(T) > Tensor::kInline) {
    using Owner = std::remove_cvref_t<Container>;
    return Tensor(dtype_of<T>, std::move(shape),
                  make_ref<OwnedBuffer<Owner>>(std::forward<Container>(container), &locate<Owner>));
  }
  Tensor out(dtype_of<T>, std::move(shape));
  std::copy_n(container.data(), container.size(), out.mutable_data<T>());
  return out;
}

template <Element T, class X>
Tensor tensor_of_xtensor(X&& x) {
  using Plain = std::remove_cvref_t<X>;
  constexpr bool contiguous = requires { x.data(); } && requires { Plain::static_layout; };
  if constexpr (kIsXarray<Plain> && !std::is_lvalue_reference_v<X> && !std::is_const_v<std::remove_reference_t<X>>) {
    Shape shape = shape_of_xtensor(x);
    return adopt_container<T>(std::move(x), std::move(shape));
  } else if constexpr (contiguous) {
    if constexpr (Plain::static_layout == xt::layout_type::row_major && requires { x.storage(); }) {
      Tensor out(dtype_of<T>, shape_of_xtensor(x));
      std::copy_n(first_element(x), out.elements(), out.mutable_data<T>());
      return out;
    } else {
      return tensor_of_xtensor<T>(xt::xarray<typename Plain::value_type, xt::layout_type::row_major>(x));
    }
  } else {
    return tensor_of_xtensor<T>(xt::xarray<typename Plain::value_type, xt::layout_type::row_major>(x));
  }
}

template <class X>
concept HostList = !HostText<X> && !HostNumber<X> && !XtensorExpression<X> && requires(const X& x) {
  x.begin();
  x.end();
  x.size();
};

template <class X>
void measure(const X& x, Dims& dims, std::size_t depth) {
  if constexpr (HostList<X>) {
    const auto count = static_cast<std::int64_t>(x.size());
    if (dims.size() == depth)
      dims.push_back(count);
    else if (dims[depth] != count)
      fail(Code::InvalidArgument, "rows of nested lists have ", dims[depth], " and ", count, " elements");
    for (const auto& row : x) measure(row, dims, depth + 1);
    using Row = std::remove_cvref_t<decltype(*x.begin())>;
    if constexpr (HostList<Row>) {
      // Nothing tells how long the rows of an empty list would be.
      if (count == 0 && dims.size() == depth + 1) measure(Row{}, dims, depth + 1);
    }
  }
}

template <Element T, class X>
void copy_elements(const X& x, T*& to) {
  if constexpr (HostList<X>) {
    for (auto&& row : x) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(row)>, std::vector<bool>::const_reference>)
        *to++ = static_cast<bool>(row);
      else
        copy_elements(static_cast<const std::remove_cvref_t<decltype(row)>&>(row), to);
    }
  } else if constexpr (HostText<X>) {
    *to++ = std::string(std::string_view(x));
  } else {
    *to++ = number_as<T>(x);
  }
}

}  // namespace detail

/// The value as a tensor of dtype T. Numbers convert where they fit, anything else must be of that dtype. An rvalue xt::xarray
/// (row-major) or std::vector is moved in, same memory; any other container is copied once, a lazy expression or another
/// layout is evaluated into row-major order. Throws InvalidArgument for a number that does not fit and for ragged lists.
template <Element T, HostValue X>
Tensor to_tensor(X&& x) {
  using Plain = std::remove_cvref_t<X>;
  using E = host_element<X>;
  if constexpr (std::is_same_v<Plain, Tensor>) {
    if (x.dtype() != dtype_of<T>)
      fail(Code::InvalidArgument, "a tensor of ", dtype_name(x.dtype()), " where ", dtype_name(dtype_of<T>), " is wanted");
    return std::forward<X>(x);
  } else if constexpr (detail::HostNumber<Plain>) {
    return Tensor::scalar<T>(detail::number_as<T>(x));
  } else if constexpr (detail::HostText<Plain>) {
    static_assert(std::is_same_v<T, std::string>, "dgraph: a string meets a value of another dtype");
    if constexpr (std::is_same_v<T, std::string>) return Tensor::scalar<std::string>(std::string(std::string_view(x)));
  } else {
    static_assert(Element<E>, "dgraph: the elements of this value have a type that no tensor can have");
    if constexpr (detail::HostList<Plain>) {
      if constexpr (std::is_same_v<Plain, std::vector<T>> && !std::is_same_v<T, bool> && !std::is_lvalue_reference_v<X> &&
                    !std::is_const_v<std::remove_reference_t<X>>) {
        Shape shape{static_cast<std::int64_t>(x.size())};
        return detail::adopt_container<T>(std::move(x), std::move(shape));
      } else {
        Dims dims;
        detail::measure(x, dims, 0);
        Tensor out(dtype_of<T>, Shape(std::move(dims)));
        T* to = out.mutable_data<T>();
        detail::copy_elements<T>(x, to);
        return out;
      }
    } else {
      if constexpr (Element<E>)
        static_assert(dtype_of<E> == dtype_of<T>,
                      "dgraph: the elements of this value are of another dtype than the graph value that they meet; "
                      "convert them with xt::cast<T>(x), or the graph value with dg::cast<T>(x)");
      if constexpr (std::is_same_v<Plain, Borrowed<T>>)
        return x.tensor;
      else if constexpr (Element<E>)
        return detail::tensor_of_xtensor<T>(std::forward<X>(x));
    }
  }
}

/// The value as a tensor of its own dtype.
template <HostValue X>
Tensor host_tensor(X&& x) {
  using E = host_element<X>;
  if constexpr (std::is_void_v<E>) {
    return std::forward<X>(x);
  } else {
    static_assert(Element<E>, "dgraph: the elements of this value have a type that no tensor can have");
    if constexpr (Element<E>) return to_tensor<E>(std::forward<X>(x));
  }
}

/// Feeds a container without a copy, however large: `session.run({{x, dg::borrow(batch)}}, loss)`. The container must stay and
/// must not change until that run returns. It must be contiguous and row-major: an xt::xarray, xt::xtensor, whole rows of
/// one (`xt::view(x, 3)`), or a std::vector.
template <class Container>
auto borrow(const Container& container) {
  using T = std::remove_cv_t<typename Container::value_type>;
  static_assert(Element<T> && !(std::is_same_v<T, bool> && detail::HostList<Container>),
                "dgraph: borrow needs a contiguous container of an element type");
  Shape shape;
  if constexpr (XtensorExpression<Container>) {
    static_assert(Container::static_layout == xt::layout_type::row_major && requires { container.storage(); },
                  "dgraph: borrow needs a row-major container; a view or an expression must be evaluated first");
    shape = detail::shape_of_xtensor(container);
  } else {
    shape = Shape{static_cast<std::int64_t>(container.size())};
  }
  using Pointer = const T*;
  Pointer data = nullptr;
  if constexpr (XtensorExpression<Container>)
    data = detail::first_element(container);
  else
    data = container.data();
  const std::size_t bytes = container.size() * sizeof(T);
  const auto locate = [bytes](Pointer& at) {
    return std::pair<void*, std::size_t>(const_cast<T*>(at), bytes);
  };
  return Borrowed<T>{Tensor(dtype_of<T>, std::move(shape), make_ref<OwnedBuffer<Pointer>>(data, locate, false))};
}
/// A temporary would be gone before the run.
template <class Container>
  requires(!std::is_lvalue_reference_v<Container>)
auto borrow(Container&&) = delete;

/// A tensor whose memory is an xt::xarray, so that `from_tensor` gives it out without a copy. Elements are not initialised.
template <Element T>
Tensor xarray_tensor(const Shape& shape) {
  std::vector<std::size_t> dims;
  for (std::int64_t d : shape) dims.push_back(static_cast<std::size_t>(d));
  detail::check_memory(static_cast<std::size_t>(shape.elements()) * sizeof(T));
  return detail::adopt_container<T>(xt::xarray<T>::from_shape(dims), shape);
}

/// The elements as an xt::xarray<T>: moved out where the tensor holds the only reference to memory that is an xt::xarray, one
/// copy otherwise. Throws InvalidArgument where the tensor has another dtype.
template <Element T>
xt::xarray<T> from_tensor(Tensor tensor) {
  const std::span<const T> flat = tensor.flat<T>();
  std::vector<std::size_t> dims;
  for (std::int64_t d : tensor.shape()) dims.push_back(static_cast<std::size_t>(d));
  using Owned = OwnedBuffer<xt::xarray<T>>;
  if (tensor.buffer() && tensor.unique()) {
    if (auto* owned = dynamic_cast<Owned*>(tensor.buffer());
        owned && owned->owner().size() == flat.size() && owned->owner().data() == flat.data()) {
      xt::xarray<T> out = std::move(owned->owner());
      out.reshape(dims);
      return out;
    }
  }
  auto out = xt::xarray<T>::from_shape(dims);
  std::copy(flat.begin(), flat.end(), out.data());
  return out;
}

namespace detail {

/// The storage of a TensorView: constant elements that a tensor keeps.
template <Element T>
class SharedStorage {
 public:
  using value_type = T;
  using allocator_type = std::allocator<T>;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = const T&;
  using const_reference = const T&;
  using pointer = const T*;
  using const_pointer = const T*;
  using iterator = const T*;
  using const_iterator = const T*;
  using reverse_iterator = std::reverse_iterator<const T*>;
  using const_reverse_iterator = std::reverse_iterator<const T*>;

  SharedStorage() = default;
  explicit SharedStorage(Tensor tensor) : tensor_(std::move(tensor)) {}
  size_type size() const noexcept { return static_cast<size_type>(tensor_.has_value() ? tensor_.elements() : 0); }
  bool empty() const noexcept { return size() == 0; }
  const T* data() const noexcept { return tensor_.data<T>(); }
  const T& operator[](size_type i) const noexcept { return data()[i]; }
  const T& front() const noexcept { return data()[0]; }
  const T& back() const noexcept { return data()[size() - 1]; }
  iterator begin() const noexcept { return data(); }
  iterator end() const noexcept { return data() + size(); }
  const_iterator cbegin() const noexcept { return begin(); }
  const_iterator cend() const noexcept { return end(); }
  reverse_iterator rbegin() const noexcept { return reverse_iterator(end()); }
  reverse_iterator rend() const noexcept { return reverse_iterator(begin()); }
  const_reverse_iterator crbegin() const noexcept { return rbegin(); }
  const_reverse_iterator crend() const noexcept { return rend(); }
  /// What is shared cannot grow: xtensor asks for the size that is there.
  void resize(size_type count) const {
    if (count != size()) fail(Code::FailedPrecondition, "a view of a tensor cannot be resized");
  }
  void swap(SharedStorage& other) noexcept { std::swap(tensor_, other.tensor_); }
  friend bool operator==(const SharedStorage& a, const SharedStorage& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  Tensor tensor_;
};

}  // namespace detail

/// A read-only xtensor container over the memory of a tensor, which it shares.
template <Element T>
using TensorView = xt::xarray_adaptor<detail::SharedStorage<T>, xt::layout_type::row_major, std::vector<std::size_t>>;

/// No copy, whoever else holds the tensor. Throws InvalidArgument where the tensor has another dtype.
template <Element T>
TensorView<T> tensor_view(const Tensor& tensor) {
  tensor.flat<T>();
  std::vector<std::size_t> dims;
  for (std::int64_t d : tensor.shape()) dims.push_back(static_cast<std::size_t>(d));
  return TensorView<T>(detail::SharedStorage<T>(tensor), dims);
}

}  // namespace dgraph
