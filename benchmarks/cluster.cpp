// What a cluster costs: start and idle servers, tensors from task to task, feeds and fetches, steps that do nothing, and
// asynchronous training by two clients.
#include <cmath>
#include <thread>

#include <dgraph/cluster/cluster_spec.hpp>
#include <dgraph/dgraph.hpp>

#include "bench.hpp"

namespace bench {

namespace dg = dgraph;
using Session = dg::Session<dg::transport::Tcp>;

void startup() {
  std::vector<double> ms;
  for (int i = 0; i < 11; ++i) {
    const auto begin = Clock::now();
    Cluster one({{"ps", 1}});
    ms.push_back(microseconds_since(begin) / 1000);
  }
  std::sort(ms.begin(), ms.end());
  Cluster cluster({{"ps", 1}});
  const pid_t pid = cluster.process(0).pid();
  // What a start leaves to do is over by then.
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  const double cpu = cpu_seconds(pid);
  std::this_thread::sleep_for(std::chrono::seconds(3));
  Report("one server: process start to ready")
      .add("seconds", ms[ms.size() / 2] / 1000)
      .add("idle_rss_mib", rss_mib(pid))
      .add("idle_cpu_percent", (cpu_seconds(pid) - cpu) / 3 * 100);
}

void transfers() {
  for (const std::int64_t bytes : {std::int64_t{4}, std::int64_t{65536}, std::int64_t{1} << 20, std::int64_t{16} << 20,
                                   std::int64_t{128} << 20, std::int64_t{1} << 30, (std::int64_t{5} << 29)}) {
    const Timing bare = bare_transfer(static_cast<std::size_t>(bytes));
    Cluster cluster({{"ps", 1}, {"worker", 1}});
    dg::Graph graph;
    auto building = graph.as_default();
    dg::Variable<float> v;
    dg::Op<float> use;
    {
      auto on = dg::device("/job:ps/task:0");
      v = dg::variable("v", dg::zeros<float>({bytes / 4}));
    }
    {
      auto on = dg::device("/job:worker/task:0");
      use = dg::slice(v, {0}, {1});
    }
    Session session(graph, cluster.target(1));
    session.run(v.initializer());
    auto call = session.make_callable(use);
    const Timing t = timed([&] { call(); }, 2.0, 3);
    const auto report = [&](const char* peer, const Timing& timing) {
      Report("transfer ps to worker", peer)
          .add("bytes", static_cast<double>(bytes))
          .add("mb_per_s", static_cast<double>(bytes) / timing.p50_us)
          .add(timing);
    };
    report("dgraph", t);
    report("bare socket", bare);
  }
}

void feed_and_fetch() {
  Cluster cluster({{"worker", 1}});
  for (const std::int64_t bytes : {std::int64_t{4}, std::int64_t{1} << 20, std::int64_t{64} << 20}) {
    dg::Graph graph;
    auto building = graph.as_default();
    auto x = dg::placeholder<float>({bytes / 4});
    auto y = dg::identity(x);
    const auto data = xt::xarray<float>::from_shape({static_cast<std::size_t>(bytes / 4)});
    Session session(graph, cluster.target(0));
    const Timing t = timed([&] { session.run({{x, dg::borrow(data)}}, y); }, 2.0, 2);
    Report("feed and fetch round trip")
        .add("bytes", static_cast<double>(bytes))
        .add("mb_per_s", 2 * static_cast<double>(bytes) / t.p50_us)
        .add(t);
  }
}

void null_steps() {
  for (const int ps : {1, 4, 8}) {
    Cluster cluster({{"ps", ps}, {"worker", 1}});
    dg::Graph graph;
    auto building = graph.as_default();
    std::vector<dg::Output> reads;
    for (int i = 0; i < ps; ++i) {
      dg::Variable<float> v;
      {
        auto on = dg::device("/job:ps/task:" + std::to_string(i));
        v = dg::variable("v" + std::to_string(i), 0.0f);
      }
      auto on = dg::device("/job:worker/task:0");
      reads.push_back(dg::identity(v));
    }
    dg::Op<void> step;
    {
      auto on = dg::device("/job:worker/task:0");
      step = dg::group(reads);
    }
    auto init = dg::global_variables_initializer();
    Session session(graph, cluster.target(cluster.position("worker", 0)));
    session.run(init);
    auto call = session.make_callable(step);
    Report("null step, scalar from each ps").add("ps", ps).add(timed([&] { call(); }, 2.0));
  }
}

int between_client(const std::string& spec, int task) {
  const auto cluster = dg::ClusterSpec::parse(spec);
  dg::Graph graph;
  auto building = graph.as_default();
  dg::Variable<float> w, b;
  {
    auto on = dg::device("/job:ps/task:0");
    w = dg::variable("w", dg::zeros<float>({784, 10}));
  }
  {
    auto on = dg::device("/job:ps/task:1");
    b = dg::variable("b", dg::zeros<float>({10}));
  }
  auto on = dg::device("/job:worker/task:" + std::to_string(task));
  auto x = dg::placeholder<float>({100, 784});
  auto y = dg::placeholder<std::int32_t>({100});
  auto loss = dg::reduce_mean(dg::sparse_softmax_cross_entropy_with_logits(y, dg::matmul(x, w) + b));
  auto train = dg::GradientDescentOptimizer(0.01f).minimize(loss);
  auto init = dg::global_variables_initializer();
  xt::random::seed(static_cast<unsigned>(task));
  const xt::xarray<float> xs = xt::random::rand<float>({100, 784});
  const xt::xarray<std::int32_t> ys = xt::random::randint<std::int32_t>({100}, 0, 10);
  Session session(graph, "tcp://" + cluster.address("worker", task));
  if (task == 0) session.run(init);
  std::printf("ready\n");
  std::fflush(stdout);
  const Timing t = timed([&] { session.run({{x, dg::borrow(xs)}, {y, dg::borrow(ys)}}, train); }, 5.0);
  std::printf("%.3f %.3f\n", t.per_s, t.p50_us);
  return 0;
}

void between() {
  Cluster cluster({{"ps", 2}, {"worker", 2}});
  double total = 0;
  std::vector<dgraph::test::Process> clients;
  for (int task = 0; task < 2; ++task) {
    clients.emplace_back(
        std::vector<std::string>{"/proc/self/exe", "--client", cluster.spec(), std::to_string(task)});
    // The first one initialises the variables before the second one reads them.
    if (!clients.back().read_line(std::chrono::seconds(20))) throw std::runtime_error(clients.back().errors());
  }
  std::vector<double> p50;
  for (auto& client : clients) {
    const auto line = client.read_line(std::chrono::seconds(30));
    if (!line) throw std::runtime_error(client.errors());
    char* end = nullptr;
    total += std::strtod(line->c_str(), &end);
    p50.push_back(std::strtod(end, nullptr));
  }
  Report("between-graph async softmax 784x10 batch 100, 2 ps 2 workers")
      .add("steps_per_s_total", total)
      .add("p50_us", (p50[0] + p50[1]) / 2);
}

}  // namespace bench
