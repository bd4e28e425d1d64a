#pragma once
// Canonical error codes, Status (an error as a value) and Error (the exception that users see).

#include <concepts>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <dgraph/base/config.hpp>

namespace dgraph {

/// The canonical codes, numbered as in gRPC and TensorFlow.
enum class Code : std::uint8_t {
  Ok = 0,
  Cancelled = 1,
  Unknown = 2,
  InvalidArgument = 3,
  DeadlineExceeded = 4,
  NotFound = 5,
  AlreadyExists = 6,
  PermissionDenied = 7,
  ResourceExhausted = 8,
  FailedPrecondition = 9,
  Aborted = 10,
  OutOfRange = 11,
  Unimplemented = 12,
  Internal = 13,
  Unavailable = 14,
  DataLoss = 15,
  Unauthenticated = 16,
};

/// "InvalidArgument", "Aborted", ...; "Unknown" for a number that is no code.
std::string_view code_name(Code code) noexcept;

/// Where an error happened; empty strings where nothing is known.
struct ErrorPlace {
  std::string node;      ///< full node name, "scope/MatMul_1"
  std::string op_type;   ///< "MatMul"
  std::string device;    ///< full device name
  std::string task;      ///< "/job:ps/replica:0/task:0", the task that reports the error
  std::string location;  ///< "file.cpp:12", the user's line that built the node
};

/// An outcome as a value: ok, or a code with a message and a place. Copies are cheap; ok takes no memory.
class [[nodiscard]] Status {
 public:
  Status() noexcept = default;
  /// `code` must not be Ok; an Ok code gives an ok status.
  Status(Code code, std::string message);
  Status(Code code, std::string message, ErrorPlace place);

  bool ok() const noexcept { return state_ == nullptr; }
  Code code() const noexcept;
  /// The message without its place; empty for ok.
  const std::string& message() const noexcept;
  const ErrorPlace& place() const noexcept;
  /// True where this error was caused by the cancellation of its step, not by its own fault (D5f).
  bool derived() const noexcept;

  /// Fills those fields of the place that are still empty.
  Status& at(const ErrorPlace& place);
  Status& mark_derived();

  /// "InvalidArgument: message [node x (MatMul), on /job:ps/task:0, built at file.cpp:12]".
  std::string to_string() const;
  /// Throws Error unless ok.
  void throw_if_error() const;

 private:
  struct State {
    Code code;
    bool derived = false;
    std::string message;
    ErrorPlace place;
  };
  State& own();
  std::shared_ptr<State> state_;
};

/// The exception of every throwing call of the library; `what()` is `status().to_string()`.
class Error : public std::runtime_error {
 public:
  explicit Error(Status status);
  Error(Code code, std::string message) : Error(Status(code, std::move(message))) {}
  Code code() const noexcept { return status_.code(); }
  const Status& status() const noexcept { return status_; }

 private:
  Status status_;
};

namespace errors {

/// Each makes a Status with its code; arguments are streamed one after another into the message.
namespace detail {
inline void append(std::string& to, std::string_view x) { to.append(x); }
inline void append(std::string& to, const char* x) { to.append(x); }
inline void append(std::string& to, const std::string& x) { to.append(x); }
inline void append(std::string& to, char x) { to.push_back(x); }
inline void append(std::string& to, bool x) { to.append(x ? "true" : "false"); }
void append(std::string& to, double x);
inline void append(std::string& to, float x) { append(to, static_cast<double>(x)); }
template <class T>
  requires std::is_integral_v<T>
void append(std::string& to, T x) {
  to.append(std::to_string(x));
}
template <class T>
  requires requires(const T& x) { { x.to_string() } -> std::convertible_to<std::string>; }
void append(std::string& to, const T& x) {
  to.append(x.to_string());
}
}  // namespace detail

/// Concatenates strings, numbers and anything with `to_string()`.
template <class... Parts>
std::string text(const Parts&... parts) {
  std::string out;
  (detail::append(out, parts), ...);
  return out;
}

#define DGRAPH_DETAIL_ERROR(name)                         \
  template <class... Parts>                               \
  Status name(const Parts&... parts) {                    \
    return Status(Code::name, errors::text(parts...));    \
  }
DGRAPH_DETAIL_ERROR(Cancelled)
DGRAPH_DETAIL_ERROR(InvalidArgument)
DGRAPH_DETAIL_ERROR(DeadlineExceeded)
DGRAPH_DETAIL_ERROR(NotFound)
DGRAPH_DETAIL_ERROR(AlreadyExists)
DGRAPH_DETAIL_ERROR(PermissionDenied)
DGRAPH_DETAIL_ERROR(ResourceExhausted)
DGRAPH_DETAIL_ERROR(FailedPrecondition)
DGRAPH_DETAIL_ERROR(Aborted)
DGRAPH_DETAIL_ERROR(OutOfRange)
DGRAPH_DETAIL_ERROR(Unimplemented)
DGRAPH_DETAIL_ERROR(Internal)
DGRAPH_DETAIL_ERROR(Unavailable)
DGRAPH_DETAIL_ERROR(DataLoss)
DGRAPH_DETAIL_ERROR(Unauthenticated)
#undef DGRAPH_DETAIL_ERROR

}  // namespace errors

/// Throws Error with `code` and the concatenated message.
template <class... Parts>
[[noreturn]] void fail(Code code, const Parts&... parts) {
  throw Error(Status(code, errors::text(parts...)));
}

/// The Status of the exception now being handled: an Error's own, ResourceExhausted for bad_alloc,
/// Internal for anything else. Call inside a catch block only.
Status current_exception_status();

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/base/impl/error.ipp>
#endif
