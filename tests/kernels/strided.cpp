#include <dgraph/kernels/strided.hpp>

#include <numeric>
#include <random>
#include <vector>

#include "support/catch.hpp"
#include "support/kernels.hpp"

using namespace dgraph;
using namespace dgraph::detail;

namespace {

// Elements that tell where they came from.
Tensor numbered(DType dtype, std::int64_t count) {
  Tensor out(dtype, Shape{count});
  for (std::int64_t i = 0; i < count; ++i) {
    if (dtype == DType::String) {
      out.mutable_data<std::string>()[i] = "element number " + std::to_string(i);
      continue;
    }
    for (std::size_t b = 0; b < dtype_size(dtype); ++b)
      element_at(dtype, out.mutable_raw(), i)[b] =
          static_cast<std::byte>((i >> (8 * (b % 3))) + static_cast<int>(b) * 37);
  }
  return out;
}

bool same_element(DType dtype, const std::byte* a, const std::byte* b) {
  if (dtype == DType::String)
    return *reinterpret_cast<const std::string*>(a) == *reinterpret_cast<const std::string*>(b);
  return std::memcmp(a, b, dtype_size(dtype)) == 0;
}

// Copies with `copy_strided` into a row-major result and compares with one index after another.
void check_copy(DType dtype, const Tensor& from, std::int64_t offset, const Dims& sizes,
                const Dims& strides, KernelServices& services) {
  std::vector<Tensor> none;
  const KernelContext context(none, none, {}, nullptr, nullptr, services);
  Tensor out(dtype, Shape{Dims(sizes)});
  copy_strided(context, dtype, sizes, element_at(dtype, from.raw(), offset), strides,
               out.mutable_raw(), row_major_strides(sizes));
  Dims index(sizes.size(), 0);
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < out.elements(); ++i) {
    std::int64_t rest = i, at = offset;
    for (std::size_t k = sizes.size(); k-- > 0; rest /= sizes[k])
      at += rest % sizes[k] * strides[k];
    if (!same_element(dtype, element_at(dtype, out.raw(), i), element_at(dtype, from.raw(), at)))
      ++wrong;
  }
  CHECK(wrong == 0);
}

const DType kClasses[] = {DType::Int8,    DType::Float16,    DType::Int32,
                          DType::Float64, DType::Complex128, DType::String};

}  // namespace

TEST_CASE("Strided copies equal a loop over all indices") {
  EagerServices alone;
  test::ShardedServices split;
  std::mt19937 random(5);
  for (const DType dtype : kClasses) {
    for (int round = 0; round < 60; ++round) {
      // A block of a tensor, its axes shuffled; some of them reversed, repeated or with steps.
      const std::size_t rank = random() % 5;
      Dims full(rank, 1), sizes(rank, 1), strides(rank, 0);
      for (std::size_t k = 0; k < rank; ++k)
        full[k] = static_cast<std::int64_t>(random() % (rank > 3 ? 5 : 20) + 1);
      const Dims natural = row_major_strides(full);
      std::vector<std::size_t> axes(rank);
      std::iota(axes.begin(), axes.end(), std::size_t{0});
      std::shuffle(axes.begin(), axes.end(), random);
      std::int64_t offset = 0;
      for (std::size_t k = 0; k < rank; ++k) {
        const std::int64_t n = full[axes[k]], step = random() % 4 == 0 ? 2 : 1;
        sizes[k] = (n + step - 1) / step;
        strides[k] = natural[axes[k]] * step;
        if (random() % 5 == 0) {
          offset += (sizes[k] - 1) * strides[k];
          strides[k] = -strides[k];
        } else if (random() % 5 == 0) {
          strides[k] = 0;
        }
      }
      check_copy(dtype, numbered(dtype, Shape{Dims(full)}.elements()), offset, sizes, strides,
                 round % 2 ? static_cast<KernelServices&>(split) : alone);
    }
  }
}

TEST_CASE("Transposes go in tiles, whatever is left over at the edges") {
  test::ShardedServices services;
  for (const DType dtype : kClasses) {
    for (const auto& [rows, columns] :
         {std::pair{16, 16}, {17, 33}, {64, 48}, {3, 100}, {100, 3}, {5, 4}, {1, 40}}) {
      const Tensor from = numbered(dtype, std::int64_t{rows} * columns * 3);
      check_copy(dtype, from, 0, {columns, rows}, {1, columns}, services);
      check_copy(dtype, from, 0, {3, columns, rows}, {rows * columns, 1, columns}, services);
      check_copy(dtype, from, 0, {columns, 3, rows}, {1, rows * columns, columns}, services);
    }
  }
  check_copy(DType::Float32, numbered(DType::Float32, 512 * 300), 0, {300, 512}, {1, 300},
             services);
  CHECK(services.most_shards > 1);
}

TEST_CASE("Long runs are split over the pool") {
  test::ShardedServices services;
  check_copy(DType::Float32, numbered(DType::Float32, 300'000), 1, {299'999}, {1}, services);
  check_copy(DType::Int16, numbered(DType::Int16, 300'001), 300'000, {150'000}, {-2}, services);
  check_copy(DType::Float32, numbered(DType::Float32, 2), 1, {300'000}, {0}, services);
  CHECK(services.most_shards > 1);
}

TEST_CASE("A copy of nothing touches nothing") {
  EagerServices services;
  std::vector<Tensor> none;
  const KernelContext context(none, none, {}, nullptr, nullptr, services);
  copy_strided(context, DType::Float32, {3, 0}, nullptr, {0, 0}, nullptr, {0, 1});
  fill_elements(DType::Float32, nullptr, nullptr, 0);
  CHECK_THROWS_WITH(copy_strided(context, DType::Resource, {1}, nullptr, {1}, nullptr, {1}),
                    test::contains("resource"));
}

TEST_CASE("Filling repeats one element of any size") {
  for (const DType dtype : kClasses) {
    const Tensor from = numbered(dtype, 300);
    for (const std::int64_t count : {1, 2, 7, 255, 1000, 5001}) {
      Tensor to(dtype, Shape{count});
      fill_elements(dtype, element_at(dtype, from.raw(), 258), to.mutable_raw(), count);
      std::int64_t wrong = 0;
      for (std::int64_t i = 0; i < count; ++i)
        wrong += !same_element(dtype, element_at(dtype, to.raw(), i),
                               element_at(dtype, from.raw(), 258));
      CHECK(wrong == 0);
    }
  }
}
