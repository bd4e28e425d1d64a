// Datasets on server processes, files as datasets, and what of them is malformed.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "behaviours_support.hpp"

using namespace dgraph;
using namespace dgraph::test;

namespace {

/// A file of these bytes, gone with the object.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& bytes) {
    static int count = 0;
    name_ = (std::filesystem::temp_directory_path() /
             ("dgraph_dataset_" + std::to_string(::getpid()) + "_" + std::to_string(count++))).string();
    std::ofstream(name_, std::ios::binary) << bytes;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::remove(name_.c_str()); }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

// CRC-32C bit by bit, masked as in TFRecord files.
std::uint32_t masked(const std::string& bytes) {
  std::uint32_t crc = ~0u;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int i = 0; i < 8; ++i) crc = crc & 1 ? (crc >> 1) ^ 0x82f63b78u : crc >> 1;
  }
  crc = ~crc;
  return ((crc >> 15) | (crc << 17)) + 0xa282ead8u;
}
std::string little(std::uint64_t value, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i));
  return out;
}
std::string record(const std::string& data, std::uint64_t length) {
  const std::string size = little(length, 8);
  return size + little(masked(size), 4) + data + little(masked(data), 4);
}
std::string record(const std::string& data) { return record(data, data.size()); }

/// The strings of a dataset, and how it ended.
std::pair<std::vector<std::string>, Status> strings_of(const Dataset<Op<std::string>>& dataset) {
  const auto iterator = dataset.make_initializable_iterator();
  const auto next = iterator.get_next();
  Session<> session;
  session.run(iterator.initializer());
  std::vector<std::string> out;
  const Status end = status_of([&] {
    for (;;) out.push_back(session.run(next)());
  });
  return {out, end};
}

}  // namespace

TEST_CASE("datasets: an iterator on a server, its functions included, ends through the wire") {
  ServerCluster servers(DGRAPH_TEST_SERVER, {{"ps", 1}, {"worker", 1}});
  Graph graph;
  const auto building = graph.as_default();
  Op<std::int64_t> next, doubled;
  Op<void> start;
  std::optional<DatasetIterator<Op<std::int64_t>>> iterator;
  const std::vector<float> table(1000, 2.f);
  {
    const auto on = device("/job:worker/task:0");
    const auto offset = constant(std::int64_t{5});
    const auto numbers = dataset::range(6)
                             .filter([](auto x) { return not_equal(x, 3); })
                             .map([&](auto x) { return x * 10 + offset + cast<std::int64_t>(reduce_sum(constant(table))); }, 2)
                             .flat_map([](auto x) { return dataset::from_tensors(x).repeat(2); })
                             .prefetch(3);
    iterator = numbers.make_initializable_iterator("served");
    next = iterator->get_next();
    start = iterator->initializer();
  }
  {
    const auto on = device("/job:ps/task:0");
    doubled = next * 2;
  }
  Session<Tcp> session(servers.target(servers.position("ps", 0)));
  session.run(start);
  std::vector<std::int64_t> got;
  const Status end = status_of([&] {
    for (;;) got.push_back(session.run(doubled)());
  });
  check_status(end, Code::OutOfRange, {"End of sequence", "/job:worker"});
  CHECK(got == std::vector<std::int64_t>{4010, 4010, 4030, 4030, 4050, 4050, 4090, 4090, 4110, 4110});
  // Another session finds the iterator by its name, where the first one left it.
  Session<Tcp> second(servers.target(servers.position("ps", 0)));
  CHECK(status_of([&] { second.run(next); }).code() == Code::OutOfRange);
  second.run(start);
  CHECK(second.run(next)() == 2005);
  CHECK(session.run(next)() == 2005);
  // Its state goes over the wire, too.
  const std::string state = session.run(iterator->save())();
  CHECK(session.run(next)() == 2015);
  session.run(iterator->restore(state));
  CHECK(session.run(next)() == 2015);
}

TEST_CASE("datasets: a function of this process is refused by other tasks") {
  ServerCluster servers(DGRAPH_TEST_SERVER, {{"worker", 1}});
  Graph graph;
  const auto building = graph.as_default();
  const auto iterator =
      dataset::from_generator<float>([] { return [] { return std::optional<float>(1.f); }; }).make_initializable_iterator();
  check_status(status_of([&] {
                 Session<Tcp> session(servers.target(0));
                 session.run(iterator.initializer());
               }),
               Code::InvalidArgument, {"function of this process"});
}

TEST_CASE("datasets: a step that is cancelled while it waits on a server ends at once") {
  ServerCluster servers(DGRAPH_TEST_SERVER, {{"worker", 1}});
  Graph graph;
  const auto building = graph.as_default();
  // Without end, and nothing of it passes.
  const auto iterator = dataset::range(1).repeat().filter([](auto x) { return x > 0; }).take(1).make_initializable_iterator();
  const auto next = iterator.get_next();
  const auto one = constant(1.f) + 1.f;
  Session<Tcp> session(servers.target(0));
  session.run(iterator.initializer());
  check_status(status_of([&] { session.run({.deadline = 100ms}, next); }), Code::DeadlineExceeded);
  CHECK(session.run(one)() == 2.f);
}

TEST_CASE("datasets: lines of text files") {
  Graph graph;
  const auto building = graph.as_default();
  const TemporaryFile a("one\r\ntwo\n\nfour"), b("five\n"), empty("");
  const auto [lines, end] = strings_of(dataset::text_lines(std::vector<std::string>{a.name(), empty.name(), b.name()}));
  CHECK(lines == std::vector<std::string>{"one", "two", "", "four", "five"});
  check_status(end, Code::OutOfRange);
  check_status(strings_of(dataset::text_lines("/no/such/file"s)).second, Code::NotFound, {"/no/such/file"});
}

TEST_CASE("datasets: records of TFRecord files, and malformed ones") {
  Graph graph;
  const auto building = graph.as_default();
  const std::string binary("a\0b\xff", 4);
  const auto read = [&](const std::string& bytes) {
    const TemporaryFile file(bytes);
    return strings_of(dataset::tf_records(file.name()));
  };
  const auto [records, end] = read(record("first") + record("") + record(binary));
  CHECK(records == std::vector<std::string>{"first", "", binary});
  check_status(end, Code::OutOfRange);

  std::string wrong_data = record("first") + record("second");
  wrong_data[wrong_data.size() - 6] ^= 1;
  const auto [before, corrupted] = read(wrong_data);
  CHECK(before == std::vector<std::string>{"first"});
  check_status(corrupted, Code::DataLoss, {"checksum"});
  std::string wrong_length = record("first");
  wrong_length[0] ^= 1;
  check_status(read(wrong_length).second, Code::DataLoss, {"checksum"});
  // A right checksum of a length that no file has.
  check_status(read(record("first", std::uint64_t{1} << 60)).second, Code::DataLoss, {"cut short"});
  const std::string whole = record("first");
  for (std::size_t size = 1; size < whole.size(); ++size) {
    INFO(size);
    CHECK(read(whole.substr(0, size)).second.code() == Code::DataLoss);
  }
}

TEST_CASE("datasets: columns of CSV files") {
  Graph graph;
  const auto building = graph.as_default();
  const TemporaryFile file("x,name,n\n1.5,\"a \"\"b\"\", c\",3\n-2,,\n");
  CsvOptions options;
  options.header = true;
  const auto columns = dataset::csv<float, std::string, std::int32_t>(
      file.name(), options, {Tensor::scalar(0.f), Tensor::scalar("none"s), Tensor::scalar(std::int32_t{-1})});
  const auto iterator = columns.make_initializable_iterator();
  const auto [x, name, n] = iterator.get_next();
  Session<> session;
  session.run(iterator.initializer());
  {
    auto [a, b, c] = session.run(x, name, n);
    CHECK(a() == 1.5f);
    CHECK(b() == "a \"b\", c");
    CHECK(c() == 3);
  }
  {
    auto [a, b, c] = session.run(x, name, n);
    CHECK(a() == -2.f);
    CHECK(b() == "none");
    CHECK(c() == -1);
  }
  CHECK(status_of([&] { session.run(x); }).code() == Code::OutOfRange);

  const auto error_of = [&](const std::string& text, CsvOptions how = {}) {
    const TemporaryFile bad(text);
    const auto it = dataset::csv<float, std::int32_t>(bad.name(), how).make_initializable_iterator();
    const auto next = std::get<0>(it.get_next());
    session.run(it.initializer());
    return status_of([&] { session.run(next); });
  };
  check_status(error_of("1\n"), Code::InvalidArgument, {"Expect 2 fields but have 1"});
  check_status(error_of("1,2,3\n"), Code::InvalidArgument, {"Expect 2 fields but have 3"});
  check_status(error_of("x,2\n"), Code::InvalidArgument, {"Field 0", "valid float"});
  check_status(error_of("1,99999999999\n"), Code::InvalidArgument, {"Field 1"});
  check_status(error_of("1,\n"), Code::InvalidArgument, {"Field 1", "missing"});
  check_status(error_of("\"1,2\n"), Code::InvalidArgument, {"closing quote"});
  CsvOptions chosen;
  chosen.select_cols = {0, 2};
  CHECK(error_of("1,x,3\n", chosen).ok());
}
