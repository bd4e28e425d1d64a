#pragma once
// Logger: leveled lines of a server, given to a sink; no globals.

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <dgraph/base/config.hpp>
#include <dgraph/base/error.hpp>

namespace dgraph {

/// How much is logged: a level and those before it.
enum class LogLevel : std::uint8_t { Off = 0, Error = 1, Warn = 2, Info = 3, Debug = 4 };

/// "off", "error", "warn", "info", "debug".
std::string_view log_level_name(LogLevel level) noexcept;
/// None for another word.
std::optional<LogLevel> parse_log_level(std::string_view word) noexcept;

/// Where the lines go, called by any thread and maybe by several at once: the level, and the line
/// without its end.
using LogSink = std::function<void(LogLevel, std::string_view line)>;
/// Writes whole lines to standard error.
LogSink stderr_log_sink();

/// A handle: copies share level, task and sink. A line is "I /job:ps/replica:0/task:0 message";
/// characters that would end or disturb it are written as "\x0a". Calls below the level cost one
/// load.
class Logger {
 public:
  /// `task` may be empty. No sink: standard error.
  explicit Logger(std::string task = {}, LogLevel level = LogLevel::Info, LogSink sink = {});

  bool enabled(LogLevel level) const noexcept {
    return level <= state_->level.load(std::memory_order_relaxed);
  }
  LogLevel level() const noexcept { return state_->level.load(std::memory_order_relaxed); }
  void set_level(LogLevel level) noexcept { state_->level.store(level, std::memory_order_relaxed); }

  /// Parts are put together as in `errors::text`, and only where the level is on.
  template <class... Parts>
  void error(const Parts&... parts) const {
    if (enabled(LogLevel::Error)) write(LogLevel::Error, errors::text(parts...));
  }
  template <class... Parts>
  void warn(const Parts&... parts) const {
    if (enabled(LogLevel::Warn)) write(LogLevel::Warn, errors::text(parts...));
  }
  template <class... Parts>
  void info(const Parts&... parts) const {
    if (enabled(LogLevel::Info)) write(LogLevel::Info, errors::text(parts...));
  }
  template <class... Parts>
  void debug(const Parts&... parts) const {
    if (enabled(LogLevel::Debug)) write(LogLevel::Debug, errors::text(parts...));
  }

 private:
  void write(LogLevel level, std::string_view message) const;
  struct State {
    State(std::string t, LogLevel l, LogSink s)
        : task(std::move(t)), sink(std::move(s)), level(l) {}
    const std::string task;
    const LogSink sink;
    std::atomic<LogLevel> level;
  };
  std::shared_ptr<State> state_;
};

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/cluster/impl/log.ipp>
#endif
