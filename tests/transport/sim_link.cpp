#include <dgraph/transport/sim_link.hpp>

#include <dgraph/transport/sim.hpp>

#include "link_suite.hpp"

using namespace dgraph;
using namespace dgraph::test;
using transport::Sim;

namespace {

/// How long a frame takes, seen by the one who gets it.
Time travel(const transport::SimOptions& options, std::size_t bytes) {
  const auto network = Sim::make_network(1, options);
  Sim server(network, "server"), client(network, "client");
  Time arrived{};
  const auto far = std::make_shared<Recorder>();
  far->on_each = [&](Recorder&, Frame&) { arrived = network->now(); };
  const auto listener = server.listen("", [&](std::shared_ptr<Link> link) {
    link->set_limits(wide_limits());
    return far;
  });
  const auto near = std::make_shared<Recorder>();
  client.connect("server", kNever, [&](std::shared_ptr<Link> link, const Status&) {
    near->set_link(link);
    return near;
  });
  network->run();
  const Time sent = network->now();
  near->link()->send({head_of(1, 0), {body_of(bytes, 1)}});
  CHECK(near->link()->queued_bytes() == bytes);
  network->run();
  CHECK(near->link()->queued_bytes() == 0);
  near->link()->close(errors::Cancelled("over"));
  network->run();
  return arrived - sent;
}

}  // namespace

TEST_CASE("sim link: a frame takes its delay and the time of its bytes") {
  transport::SimOptions options;
  options.min_delay = options.max_delay = 10us;
  options.bandwidth = 0;
  CHECK(travel(options, 1000) == 10us);
  options.bandwidth = 1e9;
  CHECK(travel(options, 1000) == 11us);
  CHECK(travel(options, 2'000'000) == 2010us);
}

TEST_CASE("sim link: a large frame is overtaken by small ones") {
  transport::SimOptions options;
  options.min_delay = options.max_delay = 10us;
  const auto network = Sim::make_network(1, options);
  Sim server(network, "server"), client(network, "client");
  const auto near = std::make_shared<Recorder>(), far = std::make_shared<Recorder>();
  const auto listener = server.listen("", [&](std::shared_ptr<Link> link) {
    link->set_limits(wide_limits());
    return far;
  });
  client.connect("server", kNever, [&](std::shared_ptr<Link> link, const Status&) {
    near->set_link(link);
    return near;
  });
  network->run();
  near->link()->send({head_of(1), {body_of(3 * Link::kChunk, 1)}});
  near->link()->send(frame_of(2));
  network->run();
  REQUIRE(far->count == 2);
  CHECK(value_of(far->frames()[0].head) == 2);
  CHECK(value_of(far->frames()[1].head) == 1);
  near->link()->close(errors::Cancelled("over"));
  network->run();
  CHECK(far->closed == 1);
}
