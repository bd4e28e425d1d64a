#pragma once
#include <dgraph/cluster/server_main_options.hpp>

#include <fstream>
#include <iterator>
#include <utility>

#include <CLI/CLI.hpp>

#include <dgraph/cluster/address.hpp>
#include <dgraph/cluster/cluster_json.hpp>
#include <dgraph/version.hpp>

namespace dgraph {
namespace detail {

// What stands on the command line, before anything is made of it.
struct ServerMainWords {
  std::string job, cluster, cluster_file, bind, advertise, log_level = "info";
  std::int32_t task = 0, threads = 0;
  bool insecure_open = false;
  bool task_given = false;
};

DGRAPH_DECL std::string read_text_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (!in.is_open() || in.bad()) fail(Code::NotFound, "cannot read the cluster file ", path);
  return text;
}

DGRAPH_DECL void choose_cluster(const ServerMainWords& words, const char* tf_config,
                                ServerMainOptions& options) {
  if (!words.cluster.empty()) {
    options.cluster = ClusterSpec::parse(words.cluster);
  } else if (!words.cluster_file.empty()) {
    try {
      options.cluster = cluster_from_json(read_text_file(words.cluster_file));
    } catch (const Error& error) {
      if (error.code() != Code::InvalidArgument) throw;
      fail(Code::InvalidArgument, words.cluster_file, ": ", error.status().message());
    }
  } else if (tf_config != nullptr && *tf_config != '\0') {
    TfConfig config = read_tf_config(tf_config);
    options.cluster = std::move(config.cluster);
    options.job = std::move(config.job);
    options.task = config.task;
  } else {
    fail(Code::InvalidArgument, "no cluster: give --cluster or --cluster-file, or set TF_CONFIG");
  }
}

DGRAPH_DECL void choose_task(const ServerMainWords& words, ServerMainOptions& options) {
  if (!words.job.empty()) {
    options.job = words.job;
    options.task = words.task;
  } else if (words.task_given) {
    options.task = words.task;
  }
  if (options.job.empty()) {
    std::string jobs;
    for (const std::string& job : options.cluster.jobs()) jobs += (jobs.empty() ? "" : ", ") + job;
    fail(Code::InvalidArgument, "which job is this? Give --job; the cluster has ", jobs);
  }
  options.cluster.position(options.job, options.task);
}

DGRAPH_DECL void check_listening(const ServerMainOptions& options) {
  for (const std::string& address : {options.bind, options.advertise}) {
    if (!address.empty()) check_address(address).throw_if_error();
  }
  const std::string& own = options.cluster.address(options.job, options.task);
  const std::string& listening = options.bind.empty() ? own : options.bind;
  if (!options.insecure_open && !is_loopback_address(full_address("tcp", listening))) {
    fail(Code::PermissionDenied, listening,
         " can be reached from other machines, by anybody: choose a loopback address with"
         " --bind, or say --insecure-open");
  }
}

DGRAPH_DECL ServerMainOptions server_main_options(const ServerMainWords& words,
                                                  const char* tf_config) {
  ServerMainOptions options;
  choose_cluster(words, tf_config, options);
  choose_task(words, options);
  options.bind = words.bind;
  options.advertise = words.advertise;
  options.insecure_open = words.insecure_open;
  options.threads = static_cast<std::size_t>(words.threads);
  options.log_level = *parse_log_level(words.log_level);
  check_listening(options);
  return options;
}

}  // namespace detail

DGRAPH_DECL ServerMainCommand read_server_command(int argc, const char* const* argv,
                                                  const char* tf_config) {
  ServerMainCommand command;
  std::string program = argc > 0 ? argv[0] : "server";
  program.erase(0, program.rfind('/') + 1);
  const auto mistake = [&](const std::string& what) {
    command.exit_code = 2;
    command.error = program + ": " + what + " (see " + program + " --help)\n";
  };

  detail::ServerMainWords words;
  CLI::App app(
      "One server of a dgraph cluster. It prints its address on one line when it is ready.",
      program);
  CLI::Option* cluster = app.add_option("--cluster", words.cluster,
                                        "The cluster: ps=host:port,host:port;worker=host:port");
  app.add_option("--cluster-file", words.cluster_file,
                 "A JSON file: {\"ps\": [\"host:port\", ...], ...}")
      ->excludes(cluster);
  app.add_option("--job", words.job, "The job of this server");
  CLI::Option* task = app.add_option("--task", words.task, "Its index within the job, by default 0")
                          ->check(CLI::NonNegativeNumber);
  app.add_option("--bind", words.bind,
                 "The address to listen at, by default the one in the cluster");
  app.add_option("--advertise", words.advertise,
                 "The address that others reach it by, by default the one in the cluster");
  app.add_option("--threads", words.threads, "Threads that run kernels, by default one a core")
      ->check(CLI::Range(0, 4096));
  app.add_option("--log-level", words.log_level, "off, error, warn, info (the default) or debug")
      ->check(CLI::IsMember({"off", "error", "warn", "info", "debug"}));
  app.add_flag("--insecure-open", words.insecure_open,
               "Let anybody who can reach a listening address beyond this machine use the server");
  app.set_version_flag("--version", std::string("dgraph ") + kVersion);
  app.footer(
      "Without --cluster and --cluster-file the environment variable TF_CONFIG says what the "
      "cluster is.");

  try {
    app.parse(argc, argv);
    words.task_given = task->count() > 0;
    command.options = detail::server_main_options(words, tf_config);
  } catch (const CLI::CallForHelp&) {
    command.exit_code = 0;
    command.out = app.help();
  } catch (const CLI::CallForVersion& version) {
    command.exit_code = 0;
    command.out = version.what() + std::string("\n");
  } catch (const CLI::ParseError& error) {
    mistake(error.what());
  } catch (const Error& error) {
    mistake(error.status().message());
  }
  return command;
}

}  // namespace dgraph
