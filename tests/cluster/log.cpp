#include <dgraph/cluster/log.hpp>

#include "support/catch.hpp"

namespace {

using namespace dgraph;

struct Lines {
  std::vector<std::string> all;
  LogSink sink() {
    return [this](LogLevel, std::string_view line) { all.emplace_back(line); };
  }
};

// Counts how often it is turned into text.
struct Costly {
  int* made;
  std::string to_string() const {
    ++*made;
    return "costly";
  }
};

TEST_CASE("a line has the level's letter, the task and the parts") {
  Lines lines;
  const Logger log("/job:ps/replica:0/task:1", LogLevel::Debug, lines.sink());
  log.error("lost ", 2, " of ", 3.5);
  log.warn("w");
  log.info("i");
  log.debug("d");
  REQUIRE(lines.all.size() == 4);
  CHECK(lines.all[0] == "E /job:ps/replica:0/task:1 lost 2 of 3.5");
  CHECK(lines.all[1] == "W /job:ps/replica:0/task:1 w");
  CHECK(lines.all[2] == "I /job:ps/replica:0/task:1 i");
  CHECK(lines.all[3] == "D /job:ps/replica:0/task:1 d");
  Logger("", LogLevel::Info, lines.sink()).info("no task");
  CHECK(lines.all[4] == "I no task");
}

TEST_CASE("below its level a logger makes no text") {
  Lines lines;
  int made = 0;
  Logger log("", LogLevel::Warn, lines.sink());
  log.info(Costly{&made});
  log.debug(Costly{&made});
  CHECK(made == 0);
  CHECK(lines.all.empty());
  log.warn(Costly{&made});
  CHECK(made == 1);
  const Logger copy = log;
  log.set_level(LogLevel::Off);
  copy.error("nothing");
  CHECK(copy.level() == LogLevel::Off);
  CHECK(lines.all == std::vector<std::string>{"W costly"});
}

TEST_CASE("what a peer sent cannot forge a line") {
  Lines lines;
  const Logger log("", LogLevel::Info, lines.sink());
  log.info("a\nE forged\t", std::string("\0\x7f", 2), " \xc3\xa9");
  CHECK(lines.all == std::vector<std::string>{"I a\\x0aE forged\\x09\\x00\\x7f \xc3\xa9"});
}

TEST_CASE("levels have names") {
  for (const LogLevel level :
       {LogLevel::Off, LogLevel::Error, LogLevel::Warn, LogLevel::Info, LogLevel::Debug}) {
    CHECK(parse_log_level(log_level_name(level)) == level);
  }
  CHECK_FALSE(parse_log_level("verbose"));
  CHECK_FALSE(parse_log_level(""));
}

}  // namespace
