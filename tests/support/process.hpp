#pragma once
// Real processes for tests and examples: started, read with a bound, signalled, and always reaped.
// Linux; no test library.

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace dgraph::test {

using Milliseconds = std::chrono::milliseconds;

/// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int get() const { return number_; }

 private:
  int number_;
};

[[noreturn]] inline void system_failure(const std::string& what) {
  throw std::runtime_error(what + ": " + std::strerror(errno));
}

/// Waits until something can be read (or a process, by its pidfd, has ended); false where
/// `deadline` comes first.
inline bool wait_readable(int descriptor, std::chrono::steady_clock::time_point deadline) {
  for (;;) {
    const auto left =
        std::chrono::ceil<Milliseconds>(deadline - std::chrono::steady_clock::now()).count();
    pollfd entry{descriptor, POLLIN, 0};
    const int ready = ::poll(&entry, 1, left > 0 ? static_cast<int>(left) : 0);
    if (ready > 0) return true;
    if (ready == 0) return false;
    if (errno != EINTR) system_failure("poll");
  }
}

struct ProcessOptions {
  std::map<std::string, std::string> environment;  ///< added to this process's own, or in its place
  bool inherit_output = false;  ///< false: output and errors are kept for reading
};

/// A child process. It is killed and reaped when this object goes, and by the kernel when this
/// process dies.
class Process {
 public:
  explicit Process(const std::vector<std::string>& command, const ProcessOptions& options = {}) {
    std::vector<char*> words;
    for (const auto& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    std::vector<std::string> variables = environment(options);
    std::vector<char*> pointers;
    for (auto& variable : variables) pointers.push_back(variable.data());
    pointers.push_back(nullptr);

    int ends[2] = {-1, -1};
    if (!options.inherit_output) {
      if (::pipe2(ends, O_CLOEXEC) != 0) system_failure("pipe2");
      errors_ = Descriptor(::memfd_create("stderr", MFD_CLOEXEC));
    }
    output_ = Descriptor(ends[0]);
    const Descriptor child_output(ends[1]);
    pid_ = ::fork();
    if (pid_ < 0) system_failure("fork");
    if (pid_ == 0) {
      // Only what is allowed between fork and exec of a process with threads.
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      sigset_t none;
      sigemptyset(&none);
      ::sigprocmask(SIG_SETMASK, &none, nullptr);
      if (!options.inherit_output) {
        ::dup2(child_output.get(), STDOUT_FILENO);
        ::dup2(errors_.get(), STDERR_FILENO);
      }
      ::execve(words[0], words.data(), pointers.data());
      ::_exit(127);
    }
    handle_ = Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
    if (handle_.get() < 0) system_failure("pidfd_open");
  }
  Process(Process&& other) noexcept
      : pid_(std::exchange(other.pid_, -1)),
        code_(std::exchange(other.code_, std::nullopt)),
        handle_(std::move(other.handle_)),
        output_(std::move(other.output_)),
        errors_(std::move(other.errors_)),
        unread_(std::move(other.unread_)) {}
  Process& operator=(Process&&) = delete;
  ~Process() {
    if (pid_ <= 0 || code_) return;
    ::kill(pid_, SIGKILL);
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }

  pid_t pid() const { return pid_; }
  /// The pidfd: readable once the process has ended.
  int handle() const { return handle_.get(); }
  void signal(int number) {
    if (!code_) ::kill(pid_, number);
  }

  /// The next line of its output without the end; none where the output ends or the time is up
  /// first.
  std::optional<std::string> read_line(Milliseconds bound) {
    const auto deadline = std::chrono::steady_clock::now() + bound;
    for (;;) {
      if (const auto end = unread_.find('\n'); end != unread_.npos) {
        std::string line = unread_.substr(0, end);
        unread_.erase(0, end + 1);
        return line;
      }
      char bytes[4096];
      if (!wait_readable(output_.get(), deadline)) return std::nullopt;
      const ssize_t count = ::read(output_.get(), bytes, sizeof bytes);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return std::nullopt;
      unread_.append(bytes, static_cast<std::size_t>(count));
    }
  }

  /// All that it has written to its standard error so far.
  std::string errors() const {
    std::string text;
    char bytes[4096];
    ssize_t count;
    while ((count = ::pread(errors_.get(), bytes, sizeof bytes, static_cast<off_t>(text.size()))) >
           0)
      text.append(bytes, static_cast<std::size_t>(count));
    return text;
  }

  /// Its exit code, 128 + n where signal n ended it; none where the time is up first.
  std::optional<int> wait(Milliseconds bound) {
    if (code_) return code_;
    if (!wait_readable(handle_.get(), std::chrono::steady_clock::now() + bound))
      return std::nullopt;
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0) {
      if (errno != EINTR) system_failure("waitpid");
    }
    code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return code_;
  }

 private:
  static std::vector<std::string> environment(const ProcessOptions& options) {
    std::vector<std::string> out;
    for (char** at = environ; *at != nullptr; ++at) {
      const std::string variable = *at;
      if (options.environment.count(variable.substr(0, variable.find('='))) == 0)
        out.push_back(variable);
    }
    for (const auto& [name, value] : options.environment) out.push_back(name + "=" + value);
    return out;
  }

  pid_t pid_ = -1;
  std::optional<int> code_;
  Descriptor handle_, output_, errors_;
  std::string unread_;
};

/// Free ports of 127.0.0.1, all different. They stay bound here, not listened at, so that the
/// system gives them to nobody else; a server that sets SO_REUSEADDR can listen at them all the
/// same, and again after a restart.
class ReservedPorts {
 public:
  explicit ReservedPorts(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      Descriptor holder(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
      const int on = 1;
      ::setsockopt(holder.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
      sockaddr_in address{};
      address.sin_family = AF_INET;
      address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
      socklen_t size = sizeof address;
      auto* generic = reinterpret_cast<sockaddr*>(&address);
      if (::bind(holder.get(), generic, size) != 0 ||
          ::getsockname(holder.get(), generic, &size) != 0)
        system_failure("no free port");
      ports_.push_back(ntohs(address.sin_port));
      holders_.push_back(std::move(holder));
    }
  }
  std::uint16_t operator[](std::size_t i) const { return ports_[i]; }
  std::string address(std::size_t i) const { return "127.0.0.1:" + std::to_string(ports_[i]); }

 private:
  std::vector<std::uint16_t> ports_;
  std::vector<Descriptor> holders_;
};

/// A server process for each task, on free ports of this machine: `ServerCluster(program, {{"ps",
/// 2}, {"worker", 2}})`. Tasks are numbered in that order.
class ServerCluster {
 public:
  static constexpr Milliseconds kStart{10'000};

  ServerCluster(std::string program, std::vector<std::pair<std::string, int>> jobs,
                std::vector<std::string> more_words = {})
      : program_(std::move(program)), more_words_(std::move(more_words)), ports_(count(jobs)) {
    for (const auto& [job, tasks] : jobs) {
      spec_ += (spec_.empty() ? "" : ";") + job + "=";
      for (int task = 0; task < tasks; ++task) {
        spec_ += (task == 0 ? "" : ",") + ports_.address(tasks_.size());
        tasks_.push_back({job, task, {}, {}});
      }
    }
    for (auto& task : tasks_) launch(task);
    for (std::size_t i = 0; i < tasks_.size(); ++i) wait_ready(i);
  }

  /// "ps=127.0.0.1:4711,...;worker=..."
  const std::string& spec() const { return spec_; }
  std::size_t size() const { return tasks_.size(); }
  std::size_t position(const std::string& job, int task) const {
    for (std::size_t i = 0; i < tasks_.size(); ++i)
      if (tasks_[i].job == job && tasks_[i].index == task) return i;
    throw std::out_of_range("no task " + std::to_string(task) + " in job " + job);
  }
  Process& process(std::size_t i) { return tasks_.at(i).process.at(0); }
  /// What the server printed when it was ready.
  const std::string& target(std::size_t i) const { return tasks_.at(i).target; }
  std::string address(std::size_t i) const { return ports_.address(i); }

  /// Ends the process at once.
  void kill(std::size_t i) {
    process(i).signal(SIGKILL);
    process(i).wait(kStart);
  }
  /// Ends it if it still runs, starts another in its place, and waits until that is ready.
  void restart(std::size_t i) {
    launch(tasks_.at(i));
    wait_ready(i);
  }

 private:
  struct Task {
    std::string job;
    int index;
    std::vector<Process> process;  // one
    std::string target;
  };
  static std::size_t count(const std::vector<std::pair<std::string, int>>& jobs) {
    std::size_t n = 0;
    for (const auto& job : jobs) n += static_cast<std::size_t>(job.second);
    return n;
  }
  void launch(Task& task) {
    std::vector<std::string> command = {
        program_, "--job", task.job, "--task", std::to_string(task.index), "--cluster", spec_};
    command.insert(command.end(), more_words_.begin(), more_words_.end());
    task.process.clear();
    task.process.emplace_back(command);
  }
  void wait_ready(std::size_t i) {
    auto line = process(i).read_line(kStart);
    if (!line) {
      throw std::runtime_error("server " + tasks_[i].job + " " + std::to_string(tasks_[i].index) +
                               " is not ready: " + process(i).errors());
    }
    tasks_[i].target = *line;
  }

  std::string program_;
  std::vector<std::string> more_words_;
  ReservedPorts ports_;
  std::string spec_;
  std::vector<Task> tasks_;
};

}  // namespace dgraph::test
