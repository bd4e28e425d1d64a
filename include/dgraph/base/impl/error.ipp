#pragma once
#include <dgraph/base/error.hpp>

#include <cstdio>
#include <new>

namespace dgraph {

DGRAPH_DECL std::string_view code_name(Code code) noexcept {
  switch (code) {
    case Code::Ok: return "Ok";
    case Code::Cancelled: return "Cancelled";
    case Code::Unknown: return "Unknown";
    case Code::InvalidArgument: return "InvalidArgument";
    case Code::DeadlineExceeded: return "DeadlineExceeded";
    case Code::NotFound: return "NotFound";
    case Code::AlreadyExists: return "AlreadyExists";
    case Code::PermissionDenied: return "PermissionDenied";
    case Code::ResourceExhausted: return "ResourceExhausted";
    case Code::FailedPrecondition: return "FailedPrecondition";
    case Code::Aborted: return "Aborted";
    case Code::OutOfRange: return "OutOfRange";
    case Code::Unimplemented: return "Unimplemented";
    case Code::Internal: return "Internal";
    case Code::Unavailable: return "Unavailable";
    case Code::DataLoss: return "DataLoss";
    case Code::Unauthenticated: return "Unauthenticated";
  }
  return "Unknown";
}

DGRAPH_DECL Status::Status(Code code, std::string message) {
  if (code == Code::Ok) return;
  state_ = std::make_shared<State>();
  state_->code = code;
  state_->message = std::move(message);
}

DGRAPH_DECL Status::Status(Code code, std::string message, ErrorPlace place)
    : Status(code, std::move(message)) {
  if (state_) state_->place = std::move(place);
}

DGRAPH_DECL Code Status::code() const noexcept { return state_ ? state_->code : Code::Ok; }

DGRAPH_DECL const std::string& Status::message() const noexcept {
  static const std::string empty;
  return state_ ? state_->message : empty;
}

DGRAPH_DECL const ErrorPlace& Status::place() const noexcept {
  static const ErrorPlace empty;
  return state_ ? state_->place : empty;
}

DGRAPH_DECL bool Status::derived() const noexcept { return state_ && state_->derived; }

DGRAPH_DECL Status::State& Status::own() {
  if (state_.use_count() != 1) state_ = std::make_shared<State>(*state_);
  return *state_;
}

DGRAPH_DECL Status& Status::at(const ErrorPlace& place) {
  if (ok()) return *this;
  ErrorPlace& mine = own().place;
  const auto fill = [](std::string& to, const std::string& from) {
    if (to.empty()) to = from;
  };
  fill(mine.node, place.node);
  fill(mine.op_type, place.op_type);
  fill(mine.device, place.device);
  fill(mine.task, place.task);
  fill(mine.location, place.location);
  return *this;
}

DGRAPH_DECL Status& Status::mark_derived() {
  if (!ok()) own().derived = true;
  return *this;
}

DGRAPH_DECL std::string Status::to_string() const {
  if (ok()) return "Ok";
  std::string out(code_name(code()));
  out += ": ";
  const ErrorPlace& place = state_->place;
  if (!place.task.empty()) out += "From " + place.task + ": ";
  out += state_->message;
  std::string where;
  const auto part = [&where](std::string text) { where += (where.empty() ? "" : ", ") + text; };
  if (!place.node.empty())
    part("node " + place.node + (place.op_type.empty() ? "" : " (" + place.op_type + ")"));
  else if (!place.op_type.empty())
    part("op " + place.op_type);
  if (!place.device.empty()) part("device " + place.device);
  if (!place.location.empty()) part("built at " + place.location);
  if (!where.empty()) out += " [" + where + "]";
  return out;
}

DGRAPH_DECL void Status::throw_if_error() const {
  if (!ok()) throw Error(*this);
}

DGRAPH_DECL Error::Error(Status status)
    : std::runtime_error(status.to_string()), status_(std::move(status)) {}

DGRAPH_DECL Status current_exception_status() {
  try {
    throw;
  } catch (const Error& error) {
    return error.status();
  } catch (const std::bad_alloc&) {
    return Status(Code::ResourceExhausted, "out of memory");
  } catch (const std::exception& error) {
    return Status(Code::Internal, error.what());
  } catch (...) {
    return Status(Code::Unknown, "an exception that is no std::exception");
  }
}

namespace errors::detail {

DGRAPH_DECL void append(std::string& to, double x) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.9g", x);
  to.append(buffer);
}

}  // namespace errors::detail
}  // namespace dgraph
