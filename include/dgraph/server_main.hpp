#pragma once
// server_main: the whole main function of a server program.

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include <dgraph/cluster/server_main_options.hpp>
#include <dgraph/cluster/stop_signals.hpp>
#include <dgraph/server.hpp>

namespace dgraph {

/// Starts the server that the command line (--help lists it) or TF_CONFIG describes, prints its
/// target on one line when it is ready, and serves until SIGTERM or SIGINT, after which it ends
/// within 2 s whatever it was doing. Returns 0, 1 where it could not start (one line on standard
/// error says why), or 2 for a mistake on the command line.
///
///   int main(int argc, char** argv) {
///     return dgraph::server_main<dgraph::transport::Tcp>(argc, argv);
///   }
template <Transport T, class Ops = StandardOps>
int server_main(int argc, char** argv) {
  const ServerMainCommand command = read_server_command(argc, argv, std::getenv("TF_CONFIG"));
  std::fputs(command.out.c_str(), stdout);
  std::fputs(command.error.c_str(), stderr);
  if (command.exit_code) return *command.exit_code;

  const ServerMainOptions& told = command.options;
  ServerOptions options;
  options.bind = told.bind;
  options.advertise = told.advertise;
  options.allow_open = told.insecure_open;
  options.threads = told.threads;
  options.log_level = told.log_level;
  // Before the server, whose threads must not take the signals.
  StopSignals signals;
  try {
    Server<T, Ops> server(told.cluster, told.job, told.task, options);
    std::printf("%s\n", server.target().c_str());
    std::fflush(stdout);
    signals.wait();
    signals.end_process_after(std::chrono::milliseconds(1500));
    server.stop();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argc > 0 ? argv[0] : "server", error.what());
    return 1;
  }
  return 0;
}

}  // namespace dgraph
