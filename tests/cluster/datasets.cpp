// Datasets in sessions of this process: what each transformation gives, ends, errors, seeds, saved states.
#include <algorithm>
#include <numeric>
#include <thread>

#include "behaviours_support.hpp"

using namespace dgraph;
using namespace dgraph::test;

namespace {

using Numbers = std::vector<std::int64_t>;

/// All elements of a dataset of int64 scalars, one after another; InvalidArgument and the like are thrown.
template <class S, class T>
std::vector<std::vector<T>> all_of(S& session, const Op<T>& next) {
  std::vector<std::vector<T>> out;
  try {
    for (;;) {
      const auto value = session.run(next);
      out.emplace_back(value.begin(), value.end());
    }
  } catch (const Error& error) {
    if (error.code() != Code::OutOfRange) throw;
    CHECK_THAT(error.status().to_string(), contains("End of sequence"));
  }
  return out;
}
template <class T>
std::vector<std::vector<T>> elements_of(const Dataset<Op<T>>& dataset) {
  const auto iterator = dataset.make_initializable_iterator();
  const auto next = iterator.get_next();
  Session<> session;
  session.run(iterator.initializer());
  return all_of(session, next);
}
Numbers numbers_of(const Dataset<Op<std::int64_t>>& dataset) {
  Numbers out;
  for (const auto& element : elements_of(dataset)) out.insert(out.end(), element.begin(), element.end());
  return out;
}

}  // namespace

TEST_CASE("datasets: ranges, map, filter, take, skip, repeat, shard, zip, concatenate, cache") {
  Graph graph;
  const auto building = graph.as_default();
  CHECK(numbers_of(dataset::range(4)) == Numbers{0, 1, 2, 3});
  CHECK(numbers_of(dataset::range(5, 0, -2)) == Numbers{5, 3, 1});
  CHECK(numbers_of(dataset::range(3, 3)).empty());
  const auto offset = constant(std::int64_t{100});
  CHECK(numbers_of(dataset::range(3).map([&](auto x) { return x * x + offset; })) == Numbers{100, 101, 104});
  CHECK(numbers_of(dataset::range(20).map([](auto x) { return x * 2; }, 4)) ==
        Numbers{0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38});
  CHECK(numbers_of(dataset::range(10).filter([](auto x) { return equal(floormod(x, 3), 0); })) == Numbers{0, 3, 6, 9});
  CHECK(numbers_of(dataset::range(10).take(3)) == Numbers{0, 1, 2});
  CHECK(numbers_of(dataset::range(3).take(-1)) == Numbers{0, 1, 2});
  CHECK(numbers_of(dataset::range(5).skip(3)) == Numbers{3, 4});
  CHECK(numbers_of(dataset::range(5).skip(9)).empty());
  CHECK(numbers_of(dataset::range(2).repeat(3)) == Numbers{0, 1, 0, 1, 0, 1});
  CHECK(numbers_of(dataset::range(2).repeat().take(5)) == Numbers{0, 1, 0, 1, 0});
  CHECK(numbers_of(dataset::range(0).repeat()).empty());
  CHECK(numbers_of(dataset::range(8).shard(3, 1)) == Numbers{1, 4, 7});
  CHECK(numbers_of(dataset::range(2).concatenate(dataset::range(7, 9))) == Numbers{0, 1, 7, 8});
  CHECK(numbers_of(dataset::range(3).cache().repeat(2)) == Numbers{0, 1, 2, 0, 1, 2});
  CHECK(numbers_of(dataset::range(50).prefetch(4)).size() == 50);
  CHECK(numbers_of(dataset::zip(dataset::range(3), dataset::range(10, 20)).map([](auto a, auto b) { return a + b; })) ==
        Numbers{10, 12, 14});
}

TEST_CASE("datasets: flat_map and interleave take datasets in turn") {
  Graph graph;
  const auto building = graph.as_default();
  CHECK(numbers_of(dataset::range(4).flat_map([](auto x) { return dataset::range(x); })) == Numbers{0, 0, 1, 0, 1, 2});
  // Each number four times, by two in turn, blocks of two.
  const auto four_times = [](auto x) { return dataset::from_tensors(x).repeat(4); };
  CHECK(numbers_of(dataset::range(1, 4).interleave(four_times, 2, 2)) == Numbers{1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 3, 3});
}

TEST_CASE("datasets: batches, with what is left or without, padded") {
  Graph graph;
  const auto building = graph.as_default();
  using Batches = std::vector<Numbers>;
  CHECK(elements_of(dataset::range(5).batch(2)) == Batches{{0, 1}, {2, 3}, {4}});
  CHECK(elements_of(dataset::range(5).batch(2, true)) == Batches{{0, 1}, {2, 3}});
  const auto batches = dataset::range(5).batch(2, true);
  CHECK(batches.make_initializable_iterator().get_next().shape() == PartialShape{2});
  const auto growing = dataset::range(1, 4).map([](auto x) { return fill(reshape(cast<std::int32_t>(x), {1}), x); });
  const auto vectors =
      growing.padded_batch(3, {.padded_shapes = {PartialShape{-1}}, .padding_values = {Tensor::scalar(std::int64_t{9})}});
  CHECK(elements_of(vectors) == Batches{{1, 9, 9, 2, 2, 9, 3, 3, 3}});
  const auto too_small = growing.padded_batch(3, {.padded_shapes = {PartialShape{2}}});
  CHECK(status_of([&] { elements_of(too_small); }).code() == Code::DataLoss);
  check_status(status_of([&] { elements_of(growing.batch(2)); }), Code::InvalidArgument, {"different shapes"});
  check_status(status_of([&] { elements_of(dataset::range(3).batch(0)); }), Code::InvalidArgument, {"greater than zero"});
}

TEST_CASE("datasets: tensors as elements, whole and by rows") {
  Graph graph;
  const auto building = graph.as_default();
  const auto rows = dataset::from_tensor_slices(
      std::tuple(constant(xt::xarray<float>{{1, 2}, {3, 4}}), constant(std::vector<std::string>{"a", "b"})));
  const auto iterator = rows.make_initializable_iterator();
  const auto [numbers, text] = iterator.get_next();
  CHECK(numbers.shape() == PartialShape{2});
  Session<> session;
  session.run(iterator.initializer());
  session.run(Op<void>(numbers));
  auto [x, s] = session.run(numbers, text);
  CHECK(flat(x) == std::vector<float>{3, 4});
  CHECK(s() == "b");
}

TEST_CASE("datasets: a shuffle gives every element once, by its seed in the same order") {
  Graph graph;
  const auto building = graph.as_default();
  const auto a = dataset::range(50).shuffle(20, {.seed = 7, .seed2 = 3});
  const Numbers first = numbers_of(a);
  CHECK(numbers_of(a) == first);
  Numbers sorted = first;
  std::sort(sorted.begin(), sorted.end());
  CHECK(sorted != first);
  CHECK(sorted == numbers_of(dataset::range(50)));
  // An element cannot come before its turn less the buffer.
  for (std::size_t i = 0; i < first.size(); ++i) CHECK(first[i] < static_cast<std::int64_t>(i) + 20);
  CHECK(numbers_of(dataset::range(50).shuffle(20, {.seed = 8, .seed2 = 3})) != first);
  const Numbers twice = numbers_of(a.repeat(2));
  CHECK(!std::equal(twice.begin(), twice.begin() + 50, twice.begin() + 50));
  const Numbers same = numbers_of(dataset::range(50).shuffle(20, {.seed = 7, .reshuffle_each_iteration = false}).repeat(2));
  CHECK(std::equal(same.begin(), same.begin() + 50, same.begin() + 50));
}

TEST_CASE("datasets: iterators are initialised, again and with other datasets, and end") {
  Graph graph;
  const auto building = graph.as_default();
  const auto stop = placeholder<std::int64_t>(PartialShape::scalar());
  const auto iterator = dataset::range(stop).make_initializable_iterator();
  const auto next = iterator.get_next();
  const auto other = iterator.make_initializer(dataset::range(7, 9));
  Session<> session;
  check_status(status_of([&] { session.run(next); }), Code::FailedPrecondition,
               {"has not been initialized", "IteratorGetNext"});
  session.run({{stop, std::int64_t{2}}}, iterator.initializer());
  CHECK(all_of(session, next).size() == 2);
  check_status(status_of([&] { session.run(next); }), Code::OutOfRange, {"End of sequence"});
  session.run({{stop, std::int64_t{3}}}, iterator.initializer());
  CHECK(all_of(session, next).size() == 3);
  session.run(other);
  CHECK(session.run(next)() == 7);

  const auto once = make_one_shot_iterator([] { return dataset::range(3).map([](auto x) { return x + 1; }); });
  CHECK(all_of(session, once.get_next()) == std::vector<Numbers>{{1}, {2}, {3}});
  CHECK_THROWS_WITH(make_one_shot_iterator([&] { return dataset::range(stop); }), contains("graph around"));
}

TEST_CASE("datasets: an iterator goes on where it was saved, seeds drawn at random included") {
  Graph graph;
  const auto building = graph.as_default();
  const auto iterator =
      dataset::range(30).shuffle(10).repeat(2).map([](auto x) { return x * 3; }).prefetch(2).make_initializable_iterator();
  const auto next = iterator.get_next();
  const auto save = iterator.save();
  const auto saved = placeholder<std::string>(PartialShape::scalar());
  const auto restore = iterator.restore(saved);
  Session<> session;
  session.run(iterator.initializer());
  for (int i = 0; i < 17; ++i) session.run(next);
  const std::string state = session.run(save)();
  const auto rest = all_of(session, next);
  CHECK(rest.size() == 43);
  session.run({{saved, state}}, restore);
  CHECK(all_of(session, next) == rest);
  session.run(iterator.initializer());
  session.run({{saved, state}}, restore);
  CHECK(all_of(session, next) == rest);
  check_status(status_of([&] { session.run({{saved, "what"s}}, restore); }), Code::DataLoss);
}

TEST_CASE("datasets: a function of the host makes elements, in this process only") {
  Graph graph;
  const auto building = graph.as_default();
  const auto countdown = [] {
    return [left = 3]() mutable { return left > 0 ? std::optional<float>(static_cast<float>(left--)) : std::nullopt; };
  };
  const auto made = dataset::from_generator<float>(countdown);
  CHECK(elements_of(made) == std::vector<std::vector<float>>{{3}, {2}, {1}});
  const auto pairs = dataset::from_generator<std::int64_t, std::string>([] {
    return [n = std::int64_t{0}]() mutable -> std::optional<std::tuple<std::int64_t, std::string>> {
      if (n == 2) return std::nullopt;
      ++n;
      return std::tuple(n, std::string(static_cast<std::size_t>(n), 'x'));
    };
  });
  CHECK(numbers_of(pairs.map([](auto n, auto s) { return n * 10 + cast<std::int64_t>(string_length(s)); })) ==
        Numbers{11, 22});
  const auto failing = dataset::from_generator<float>(
      [] { return []() -> std::optional<float> { throw std::runtime_error("the disk is on fire"); }; });
  CHECK_THAT(status_of([&] { elements_of(failing); }).to_string(), contains("the disk is on fire"));
}

TEST_CASE("datasets: an error of one element is that step's, and the next step has the next element") {
  Graph graph;
  const auto building = graph.as_default();
  const auto iterator =
      dataset::range(4).map([](auto x) { return floordiv(std::int64_t{12}, x - 1); }).make_initializable_iterator();
  const auto next = iterator.get_next();
  Session<> session;
  session.run(iterator.initializer());
  CHECK(session.run(next)() == -12);
  check_status(status_of([&] { session.run(next); }), Code::InvalidArgument);
  CHECK(session.run(next)() == 12);
  CHECK(session.run(next)() == 6);
  CHECK(status_of([&] { session.run(next); }).code() == Code::OutOfRange);
}

TEST_CASE("datasets: a step that waits for an element obeys its deadline, and the element is kept") {
  Graph graph;
  const auto building = graph.as_default();
  auto open = std::make_shared<std::atomic<bool>>(false);
  const auto slow = dataset::from_generator<std::int64_t>([open] {
    return [open, n = std::int64_t{0}]() mutable {
      while (!open->load()) std::this_thread::sleep_for(1ms);
      return std::optional<std::int64_t>(n++);
    };
  });
  const auto iterator = slow.make_initializable_iterator();
  const auto next = iterator.get_next();
  Session<> session;
  session.run(iterator.initializer());
  check_status(status_of([&] { session.run({.deadline = 100ms}, next); }), Code::DeadlineExceeded);
  open->store(true);
  CHECK(session.run(next)() == 0);
  CHECK(session.run(next)() == 1);
}
