#pragma once
// What several examples need and none is about: options of the command line, and the digits in
// batches.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <dgraph/dgraph.hpp>

namespace example {

/// The word after `name` on the command line.
inline std::string option(int argc, char** argv, std::string_view name) {
  for (int i = 1; i + 1 < argc; ++i) {
    if (argv[i] == name) return argv[i + 1];
  }
  throw std::runtime_error("give " + std::string(name) + " and its value");
}

/// Images of 64 pixels in [0, 1], shape [n, 64], and what they show, shape [n].
struct Digits {
  xt::xarray<float> images;
  xt::xarray<std::int32_t> labels;

  static Digits of(std::size_t n) {
    return {xt::xarray<float>::from_shape({n, 64}), xt::xarray<std::int32_t>::from_shape({n})};
  }
  std::size_t size() const { return labels.size(); }
};

struct DigitSets {
  Digits train, test;
};

/// Reads data/digits.csv: each fifth row is for the test.
inline DigitSets read_digits() {
  std::ifstream in(DGRAPH_EXAMPLES_DATA "/digits.csv");
  std::vector<std::vector<int>> rows[2];
  std::size_t number = 0;
  for (std::string line; std::getline(in, line); ++number) {
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream words(line);
    std::vector<int> row(65);
    for (int& value : row) words >> value;
    if (!words)
      throw std::runtime_error("digits.csv: row " + std::to_string(number) + " is malformed");
    rows[number % 5 == 4].push_back(std::move(row));
  }
  if (number == 0) throw std::runtime_error("cannot read " DGRAPH_EXAMPLES_DATA "/digits.csv");
  const auto digits = [](const std::vector<std::vector<int>>& from) {
    Digits out = Digits::of(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) {
      for (std::size_t j = 0; j < 64; ++j) out.images(i, j) = static_cast<float>(from[i][j]) / 16.f;
      out.labels(i) = from[i][64];
    }
    return out;
  };
  return {digits(rows[0]), digits(rows[1])};
}

/// Deals the digits out in batches, in a new random order each time through.
class Batches {
 public:
  Batches(const Digits& digits, std::size_t size, unsigned seed)
      : digits_(digits), size_(size), random_(seed), order_(digits.size()), next_(digits.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
  }
  Digits next() {
    if (next_ + size_ > order_.size()) {
      std::shuffle(order_.begin(), order_.end(), random_);
      next_ = 0;
    }
    Digits batch = Digits::of(size_);
    for (std::size_t i = 0; i < size_; ++i) {
      const std::size_t from = order_[next_ + i];
      std::copy_n(&digits_.images(from, 0), 64, &batch.images(i, 0));
      batch.labels(i) = digits_.labels(from);
    }
    next_ += size_;
    return batch;
  }

 private:
  const Digits& digits_;
  std::size_t size_;
  std::mt19937 random_;
  std::vector<std::size_t> order_;
  std::size_t next_;
};

}  // namespace example
