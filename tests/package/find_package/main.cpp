#include <dgraph/graph.hpp>
#include <dgraph/version.hpp>

int main() {
  dgraph::Graph graph;
  auto building = graph.as_default();
  const auto two = dgraph::constant(2.0f) * 3.0f;
  return dgraph::kVersion[0] == '0' && two.shape().rank() == 0 ? 0 : 1;
}
