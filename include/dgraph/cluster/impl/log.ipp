#pragma once
#include <dgraph/cluster/log.hpp>

#include <array>
#include <cstddef>
#include <cstdio>

namespace dgraph {
namespace detail {

inline constexpr std::array<std::string_view, 5> kLogLevelNames = {"off", "error", "warn", "info",
                                                                   "debug"};

// A message may quote what a peer sent.
DGRAPH_DECL void append_printable(std::string& line, std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f) {
      line += c;
    } else {
      line += "\\x";
      line += digits[byte >> 4];
      line += digits[byte & 15];
    }
  }
}

}  // namespace detail

DGRAPH_DECL std::string_view log_level_name(LogLevel level) noexcept {
  const auto index = static_cast<std::size_t>(level);
  return index < detail::kLogLevelNames.size() ? detail::kLogLevelNames[index] : "unknown";
}

DGRAPH_DECL std::optional<LogLevel> parse_log_level(std::string_view word) noexcept {
  for (std::size_t i = 0; i < detail::kLogLevelNames.size(); ++i) {
    if (word == detail::kLogLevelNames[i]) return static_cast<LogLevel>(i);
  }
  return std::nullopt;
}

DGRAPH_DECL LogSink stderr_log_sink() {
  return [](LogLevel, std::string_view line) {
    // One call, so that lines of several threads and processes do not mix.
    std::string whole(line);
    whole += '\n';
    std::fwrite(whole.data(), 1, whole.size(), stderr);
  };
}

DGRAPH_DECL Logger::Logger(std::string task, LogLevel level, LogSink sink)
    : state_(std::make_shared<State>(std::move(task), level,
                                     sink ? std::move(sink) : stderr_log_sink())) {}

DGRAPH_DECL void Logger::write(LogLevel level, std::string_view message) const {
  constexpr std::string_view letters = "-EWID";
  std::string line;
  line.reserve(state_->task.size() + message.size() + 3);
  line += letters[static_cast<std::size_t>(level)];
  line += ' ';
  if (!state_->task.empty()) {
    line += state_->task;
    line += ' ';
  }
  detail::append_printable(line, message);
  state_->sink(level, line);
}

}  // namespace dgraph
