// Starts a cluster of server processes on free ports of this machine, runs clients against it, and
// ends everything.
//
//   run_cluster SERVER JOB=TASKS,JOB=TASKS SECONDS -- CLIENT WORD... [+ CLIENT WORD...]...
//
// In the clients' words {cluster} stands for the cluster's description and {target} for the target
// of its first server. Clients between + run at the same time. Returns 0 if all of them do in time,
// else the first other code (124: the time was up). With - in place of the jobs the server gets no
// options.
#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../tests/support/process.hpp"

namespace {

using dgraph::test::Milliseconds;
using dgraph::test::Process;
using dgraph::test::ServerCluster;
using Clock = std::chrono::steady_clock;
using Words = std::vector<std::string>;

std::vector<std::pair<std::string, int>> parse_jobs(const std::string& text) {
  std::vector<std::pair<std::string, int>> jobs;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string job = text.substr(at, end - at);
    const std::size_t equals = job.find('=');
    if (equals == job.npos) throw std::runtime_error("'" + job + "' is not JOB=TASKS");
    jobs.emplace_back(job.substr(0, equals), std::stoi(job.substr(equals + 1)));
    at = end + 1;
  }
  return jobs;
}

std::string filled_in(std::string word, const std::string& cluster, const std::string& target) {
  for (const auto& [name, value] :
       {std::pair("{cluster}", cluster), std::pair("{target}", target)}) {
    for (std::size_t at; (at = word.find(name)) != word.npos;)
      word.replace(at, std::string(name).size(), value);
  }
  return word;
}

// Waits for all of them; the first code that is not 0 ends the wait.
int run_clients(const std::vector<Words>& commands, Clock::time_point deadline) {
  std::vector<Process> clients;
  for (const Words& command : commands)
    clients.emplace_back(command, dgraph::test::ProcessOptions{{}, true});
  std::vector<pollfd> running;
  for (const Process& client : clients) running.push_back({client.handle(), POLLIN, 0});
  for (std::size_t left = clients.size(); left > 0;) {
    const auto time = std::chrono::ceil<Milliseconds>(deadline - Clock::now()).count();
    if (time <= 0 || ::poll(running.data(), running.size(), static_cast<int>(time)) == 0) {
      std::fprintf(stderr, "run_cluster: the time is up\n");
      return 124;
    }
    for (std::size_t i = 0; i < clients.size(); ++i) {
      if (running[i].fd < 0 || running[i].revents == 0) continue;
      running[i].fd = -1;
      --left;
      if (const int code = clients[i].wait(Milliseconds(1000)).value_or(1); code != 0) return code;
    }
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) try {
  const Words words(argv + 1, argv + argc);
  if (words.size() < 5 || words[3] != "--") {
    std::fprintf(
        stderr,
        "usage: run_cluster SERVER JOB=TASKS,... SECONDS -- CLIENT WORD... [+ CLIENT WORD...]\n");
    return 2;
  }
  const auto deadline = Clock::now() + std::chrono::seconds(std::stoi(words[2]));

  std::optional<ServerCluster> cluster;
  std::optional<Process> lone;
  std::string description, target;
  if (words[1] == "-") {
    lone.emplace(Words{words[0]});
    const auto line = lone->read_line(ServerCluster::kStart);
    if (!line) throw std::runtime_error("the server is not ready: " + lone->errors());
    target = *line;
  } else {
    cluster.emplace(words[0], parse_jobs(words[1]));
    description = cluster->spec();
    target = cluster->target(0);
  }

  std::vector<Words> commands(1);
  for (std::size_t i = 4; i < words.size(); ++i) {
    if (words[i] == "+") {
      commands.emplace_back();
    } else {
      commands.back().push_back(filled_in(words[i], description, target));
    }
  }
  const int code = run_clients(commands, deadline);
  for (std::size_t i = 0; code != 0 && cluster && i < cluster->size(); ++i) {
    std::fprintf(stderr, "-- server %zu\n%s", i, cluster->process(i).errors().c_str());
  }
  return code;
} catch (const std::exception& error) {
  std::fprintf(stderr, "run_cluster: %s\n", error.what());
  return 1;
}
