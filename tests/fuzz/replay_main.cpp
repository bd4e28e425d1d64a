// Runs a fuzz target without libFuzzer: replay FOLDER [mutations]. Every file of the folder, then that many
// pseudo-random changes of them, the same ones each time.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t kMaxSize = 1 << 16;
constexpr unsigned long kMutations = 20000;

std::vector<Bytes> read_corpus(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.is_regular_file()) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<Bytes> corpus;
  for (const auto& path : paths) {
    std::ifstream in(path, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return corpus;
}

// Own arithmetic, because std::uniform_int_distribution differs between standard libraries.
std::size_t below(std::mt19937_64& random, std::size_t limit) {
  return limit == 0 ? 0 : static_cast<std::size_t>(random() % limit);
}

void mutate(Bytes& input, const std::vector<Bytes>& corpus, std::mt19937_64& random) {
  // Lengths and counts live where these values hurt most.
  constexpr std::uint64_t kNasty[] = {0,          1,          0x7f,       0x80,        0xff,
                                      0xffff,     0x7fffffff, 0x80000000, 0xffffffff,  std::uint64_t{1} << 62,
                                      std::uint64_t{1} << 63, ~std::uint64_t{0}};
  const auto at = below(random, input.size() + 1);
  switch (below(random, 7)) {
    case 0:
      if (at < input.size()) input[at] ^= static_cast<std::uint8_t>(1u << below(random, 8));
      break;
    case 1:
      if (at < input.size()) input[at] = static_cast<std::uint8_t>(random());
      break;
    case 2: input.resize(at); break;
    case 3: input.insert(input.begin() + static_cast<std::ptrdiff_t>(at), static_cast<std::uint8_t>(random())); break;
    case 4: {
      const auto end = at + below(random, input.size() - at + 1);
      input.erase(input.begin() + static_cast<std::ptrdiff_t>(at), input.begin() + static_cast<std::ptrdiff_t>(end));
      break;
    }
    case 5: {
      auto value = kNasty[below(random, std::size(kNasty))];
      const auto width = std::size_t{1} << below(random, 4);
      for (std::size_t i = at; i < std::min(input.size(), at + width); ++i, value >>= 8) {
        input[i] = static_cast<std::uint8_t>(value);
      }
      break;
    }
    default: {
      const auto& other = corpus[below(random, corpus.size())];
      const auto from = below(random, other.size() + 1);
      input.resize(at);
      input.insert(input.end(), other.begin() + static_cast<std::ptrdiff_t>(from), other.end());
      break;
    }
  }
  if (input.size() > kMaxSize) input.resize(kMaxSize);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s FOLDER [mutations]\n", argv[0]);
    return 2;
  }
  std::vector<Bytes> corpus;
  if (std::filesystem::is_directory(argv[1])) corpus = read_corpus(argv[1]);
  const auto files = corpus.size();
  const auto mutations = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : kMutations;
  corpus.emplace_back();
  for (const auto& input : corpus) LLVMFuzzerTestOneInput(input.data(), input.size());

  std::mt19937_64 random(1);
  for (unsigned long i = 0; i < mutations; ++i) {
    Bytes input = corpus[below(random, corpus.size())];
    for (auto n = 1 + below(random, 4); n > 0; --n) mutate(input, corpus, random);
    LLVMFuzzerTestOneInput(input.data(), input.size());
  }
  std::printf("%zu files and %lu mutations\n", files, mutations);
}
