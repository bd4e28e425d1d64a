#pragma once
#include <dgraph/base/device.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>

namespace dgraph {
namespace detail {

DGRAPH_DECL std::optional<std::int32_t> parse_device_number(std::string_view text, std::string_view whole) {
  if (text == "*") return std::nullopt;
  std::int32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0)
    fail(Code::InvalidArgument, "malformed device name \"", whole, "\": \"", text, "\" is no number");
  return value;
}

DGRAPH_DECL std::string canonical_device_type(std::string_view text) {
  return text == "cpu" ? "CPU" : text == "gpu" ? "GPU" : std::string(text);
}

DGRAPH_DECL bool is_job_name(std::string_view text) {
  return !text.empty() && std::isalpha(static_cast<unsigned char>(text[0])) &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

}  // namespace detail

DGRAPH_DECL DeviceSpec DeviceSpec::parse(std::string_view text) {
  DeviceSpec out;
  std::string_view left = text;
  const auto bad = [text](std::string_view why) {
    fail(Code::InvalidArgument, "malformed device name \"", text, "\": ", why);
  };
  while (!left.empty()) {
    const std::string_view part = left.substr(0, left.find('/'));
    left.remove_prefix(std::min(left.size(), part.size() + 1));
    if (part.empty()) continue;
    const auto colon = part.find(':');
    const std::string_view key = part.substr(0, colon);
    const bool whole_type = key == "cpu" || key == "gpu" || key == "CPU" || key == "GPU";
    if (colon == std::string_view::npos && !whole_type) bad("a part has no ':'");
    const std::string_view value = colon == std::string_view::npos ? std::string_view("*") : part.substr(colon + 1);
    if (key == "job") {
      if (value != "*" && !detail::is_job_name(value)) bad("a job name is letters, digits and '_', a letter first");
      out.job = value == "*" ? std::nullopt : std::optional<std::string>(value);
    } else if (key == "replica") {
      out.replica = detail::parse_device_number(value, text);
    } else if (key == "task") {
      out.task = detail::parse_device_number(value, text);
    } else {
      std::string_view type = key, index = value;
      if (key == "device") {
        type = value.substr(0, value.find(':'));
        index = type.size() < value.size() ? value.substr(type.size() + 1) : std::string_view("*");
      }
      const std::string name = detail::canonical_device_type(type);
      if (key != "device" && !whole_type) bad("unknown part \"" + std::string(key) + "\"");
      if (name != "*" && !detail::is_job_name(name)) bad("a device type is letters, digits and '_', a letter first");
      if (type != "*") out.type = name;
      out.index = detail::parse_device_number(index, text);
    }
  }
  return out;
}

DGRAPH_DECL DeviceSpec DeviceSpec::overridden_by(const DeviceSpec& inner) const {
  DeviceSpec out = *this;
  if (inner.job) out.job = inner.job;
  if (inner.replica) out.replica = inner.replica;
  if (inner.task) out.task = inner.task;
  if (inner.type) out.type = inner.type;
  if (inner.index) out.index = inner.index;
  return out;
}

DGRAPH_DECL std::optional<DeviceSpec> DeviceSpec::merged_with(const DeviceSpec& other) const {
  const auto agree = [](const auto& a, const auto& b) { return !a || !b || *a == *b; };
  if (!agree(job, other.job) || !agree(replica, other.replica) || !agree(task, other.task) ||
      !agree(type, other.type) || !agree(index, other.index))
    return std::nullopt;
  return overridden_by(other);
}

DGRAPH_DECL bool DeviceSpec::matches(const DeviceSpec& full) const {
  const auto holds = [](const auto& asked, const auto& have) { return !asked || (have && *asked == *have); };
  return holds(job, full.job) && holds(replica, full.replica) && holds(task, full.task) && holds(type, full.type) &&
         holds(index, full.index);
}

DGRAPH_DECL DeviceSpec DeviceSpec::task_part() const {
  DeviceSpec out;
  out.job = job;
  out.replica = replica;
  out.task = task;
  return out;
}

DGRAPH_DECL std::string DeviceSpec::to_string() const {
  std::string out;
  if (job) out += "/job:" + *job;
  if (replica) out += "/replica:" + std::to_string(*replica);
  if (task) out += "/task:" + std::to_string(*task);
  if (type || index) out += "/device:" + type.value_or("*") + ":" + (index ? std::to_string(*index) : "*");
  return out;
}

}  // namespace dgraph
