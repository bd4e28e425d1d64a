#pragma once
// Feeds: values for nodes of the graph during one run.

#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <dgraph/base/xtensor.hpp>
#include <dgraph/graph/output.hpp>

namespace dgraph {

template <class T>
class Variable;

/// A value for a node of the graph during one run: `{x, batch}`. Anything that `to_tensor` takes: numbers, strings, vectors,
/// xtensor containers and expressions of x's dtype; an rvalue container is moved in, `borrow(batch)` is not copied.
class Feed {
 public:
  template <Element T, class X>
  requires HostValue<X> Feed(const Op<T>& target, X&& value)
      : target_(target), value_(to_tensor<T>(std::forward<X>(value))) {}
  /// A variable has this value in the run, whatever it holds; nothing can write to it then.
  template <Element T, class X>
  requires HostValue<X> Feed(const Variable<T>& target, X&& value)
      : target_(target.ref()), value_(to_tensor<T>(std::forward<X>(value))) {}
  /// Untyped: throws InvalidArgument in `run` where the dtypes differ.
  Feed(const Output& target, Tensor value) : target_(target), value_(std::move(value)) {}
  /// By name, "x" or "split:1": a value of its own dtype. Throws NotFound in `run` where the graph has no such node.
  template <class X>
  requires HostValue<X> Feed(std::string_view name, X&& value)
      : name_(name), value_(host_tensor(std::forward<X>(value))) {}

  Output target(GraphCore& graph) const { return name_.empty() ? target_ : graph.output(name_); }
  const Tensor& value() const noexcept { return value_; }

 private:
  std::string name_;
  Output target_;
  Tensor value_;
};

/// The feeds of one run: `session.run({{x, batch}, {y, labels}}, loss)`; a std::vector<Feed>, and a std::map from nodes or names to
/// values, will do as well.
class Feeds {
 public:
  Feeds() = default;
  Feeds(std::initializer_list<Feed> feeds) : feeds_(feeds) {}
  explicit Feeds(std::vector<Feed> feeds) : feeds_(std::move(feeds)) {}
  template <class Map>
  requires std::constructible_from<Feed, const typename Map::key_type&,
                                   const typename Map::mapped_type&>
  explicit Feeds(const Map& feeds) {
    for (const auto& [node, value] : feeds) feeds_.emplace_back(node, value);
  }
  auto begin() const noexcept { return feeds_.begin(); }
  auto end() const noexcept { return feeds_.end(); }

 private:
  std::vector<Feed> feeds_;
};

namespace detail {

/// A container of feeds, where a fetch could stand as well.
template <class X>
concept FeedContainer = std::same_as<X, Feeds> || std::same_as<X, std::vector<Feed>> || requires {
  requires std::constructible_from<Feed, const typename X::key_type&,
                                   const typename X::mapped_type&>;
};

}  // namespace detail
}  // namespace dgraph
