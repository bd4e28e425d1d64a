// A server whose variable is held by a slow writer goes on serving all else.
#include <chrono>
#include <future>
#include <optional>
#include <thread>

#include <dgraph/dgraph.hpp>
#include <dgraph/server.hpp>

#include "support/catch.hpp"

namespace dg = dgraph;
using namespace std::chrono_literals;

namespace {

std::promise<void> entered;
std::shared_future<void> released;

// Holds the lock of its variable until the test lets go of it.
struct HoldVariable {
  static constexpr auto signature = "HoldVariable(ref: Ref(T)) -> (output_ref: Ref(T)); T: type";
  static void shape(dg::ShapeContext& c) { c.set_output(0, c.input(0)); }
  static void gradient(dg::GradientContext&) {}
  static dg::Kernel kernel(const dg::KernelRequest&) {
    dg::Kernel out;
    out.run = [](dg::KernelContext& c) {
      dg::resource_as<dg::VariableResource>(c.input(0)).update([](dg::Tensor&) {
        entered.set_value();
        released.wait_for(20s);
      });
      c.set_output(0, c.take_input(0));
    };
    out.cost = [](const dg::KernelContext&) { return 1e9; };
    return out;
  }
};

using Ops = dg::OpSet<dg::StandardOps, HoldVariable>;

}  // namespace

TEST_CASE("a read that must wait for a writer does not hold the server's driver") {
  std::promise<void> release;
  released = release.get_future().share();
  dg::ServerOptions options;
  options.threads = 3;
  auto server = dg::Server<dg::transport::Tcp, Ops>::create_local_server(options);
  dg::BasicGraph<Ops> graph;
  auto building = graph.as_default();
  auto held = dg::variable("held", dg::constant(1.0f));
  auto other = dg::variable("other", dg::constant(2.0f));
  const dg::Op<void> hold(dg::add_op<HoldVariable>("hold", held.ref()));
  auto init = dg::global_variables_initializer();
  dg::Session<dg::transport::Tcp> session(graph, server.target());
  session.run(init);

  std::thread writer([&] { session.run(hold); });
  std::optional<float> read;
  std::thread reader([&] {
    entered.get_future().wait();
    read = session.run(held)();
  });
  // A second client's step is served while both wait.
  dg::Session<dg::transport::Tcp> second(graph, server.target());
  for (int i = 0; i < 50; ++i) CHECK(second.run({.deadline = 5s}, other)() == 2.0f);
  release.set_value();
  writer.join();
  reader.join();
  CHECK(read == 1.0f);
}
