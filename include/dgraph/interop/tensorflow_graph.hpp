#pragma once
// TensorFlow's GraphDef in its binary form (.pb): read, written, and imported into a graph.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <dgraph/graph/graph.hpp>
#include <dgraph/graph/graph_def.hpp>

namespace dgraph {

/// What reading a file may take. Nothing that a file claims is believed before it is held against these.
struct TensorflowLimits {
  std::size_t nodes = std::size_t{1} << 24;
  /// Bytes of memory for all that is made of the file: names, attributes, tensors. A few bytes of a file may stand for a
  /// large tensor of one value.
  std::size_t memory = std::size_t{4} << 30;
};

/// Reads a GraphDef as TensorFlow serialises it. An attribute that is a function is its name; internal attributes ("_...") other
/// than "_class" are left out, and so are the function library and the versions. Throws InvalidArgument, with the node's
/// name and the attribute's, for bytes that are cut off or no GraphDef, for dtypes that dgraph lacks and for tensors whose
/// values do not fit their shape; ResourceExhausted beyond the limits; Unimplemented where the library was built without
/// protozero.
GraphDef read_tensorflow_graph(std::string_view bytes, const TensorflowLimits& limits = {});
/// The same from a file; throws NotFound where it cannot be read.
GraphDef load_tensorflow_graph(const std::string& path, const TensorflowLimits& limits = {});

/// The bytes that TensorFlow reads as this GraphDef. Throws Unimplemented without protozero.
std::string write_tensorflow_graph(const GraphDef& def);

/// `import_graph_def` for what newer versions of TensorFlow wrote: attributes that the op type does not have here are left out
/// where they have the value that changes nothing, the one that an older version implies; any other is InvalidArgument.
std::vector<Output> import_tensorflow_graph(GraphCore& core, GraphDef def, OpLookup ops,
                                            const ImportOptions& options = {});

/// Reads and imports: `import_tensorflow_graph(graph, load_tensorflow_graph("graph.pb"))`.
template <class Ops>
std::vector<Output> import_tensorflow_graph(BasicGraph<Ops>& graph, GraphDef def,
                                            const ImportOptions& options = {}) {
  return import_tensorflow_graph(graph.core(), std::move(def), &BasicGraph<Ops>::find_op, options);
}

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/interop/impl/tensorflow_graph.ipp>
#endif
