// What a master makes of requests that a well-behaved client would not send.
#include <dgraph/cluster/master.hpp>

#include <memory>

#include <dgraph/dgraph.hpp>

#include "sim_cluster.hpp"
#include "support/catch.hpp"

namespace dg = dgraph;

namespace {

dg::RunDone run(dg::Master& master, const std::shared_ptr<dg::Master::Session>& session, std::uint64_t definition,
                std::vector<dg::Tensor> feeds) {
  dg::RunStep request;
  request.definition = definition;
  request.feeds = std::move(feeds);
  dg::RunDone out;
  out.status = dg::errors::Internal("no answer");
  master.run(session, std::move(request), [&out](dg::RunDone answer) { out = std::move(answer); });
  return out;
}

}  // namespace

TEST_CASE("a master refuses feeds that contradict what it planned with") {
  dg::test::SimCluster cluster(1, {}, 1);
  dg::Master& master = cluster.servers[0]->core().master();
  dg::Graph graph;
  auto building = graph.as_default();
  auto x = dg::placeholder<float>(dg::PartialShape{2}, "x");
  auto rows = dg::reduce_sum(x * dg::cast<float>(dg::size(x)));
  const auto session = master.create_session({}, x.core()->shared_from_this());
  const dg::DefineStep step{0, 1, {x.endpoint()}, {rows.endpoint()}, {}};
  master.define(*session, step);

  for (int i = 0; i < 2; ++i) {
    CHECK(run(master, session, 1, {dg::Tensor::vector<float>({1, 2, 3})}).status.code() == dg::Code::InvalidArgument);
    CHECK(run(master, session, 1, {dg::Tensor::vector<std::int32_t>({1, 2})}).status.code() == dg::Code::InvalidArgument);
    CHECK(run(master, session, 1, {}).status.code() == dg::Code::InvalidArgument);
    const dg::RunDone right = run(master, session, 1, {dg::Tensor::vector<float>({1, 2})});
    REQUIRE(right.status.ok());
    CHECK(right.fetches[0].item<float>() == 6);
    // Another definition under the same number does not count.
    master.define(*session, {0, 1, {}, {rows.endpoint()}, {}});
  }
  CHECK(run(master, session, 2, {}).status.code() == dg::Code::InvalidArgument);
}
