#pragma once
#include <dgraph/wire/graph_codec.hpp>

#include <algorithm>

#include <dgraph/wire/bytes.hpp>
#include <dgraph/wire/tables.hpp>
#include <dgraph/wire/tensor_codec.hpp>

// layout, tables of op types, devices, colocations, shapes, attribute lists; nodes; back edges to
// nodes sent earlier. A node: kRow bytes (eight numbers), inputs, controls, shapes of outputs,
// name.

namespace dgraph::wire {
namespace detail {

inline constexpr std::uint32_t kGraphLayout = 1;
inline constexpr std::size_t kRow = 32;

DGRAPH_DECL bool is_merge(const OpDef& def) {
  return def.name == "Merge" || def.name == "RefMerge";
}

// A table whose rows are written as they are first seen.
struct TableWriter {
  PointerIds ids;
  std::vector<std::byte> bytes;
  ByteWriter rows{bytes, 256};
  void append_to(ByteWriter& to) {
    rows.finish();
    append(to, ids.size(), bytes);
  }
};

class GraphEncoder {
 public:
  GraphEncoder(const GraphCore& graph, std::uint64_t from, std::uint64_t to) : graph_(graph) {
    delta_.from = from;
    delta_.to = to;
  }

  GraphDelta encode() {
    bool loops = false;
    const auto begin = static_cast<NodeId>(delta_.from), end = static_cast<NodeId>(delta_.to);
    std::vector<std::byte> node_bytes;
    ByteWriter nodes(node_bytes, 64 * (end - begin) + 64);
    for (NodeId id = begin; id < end; ++id) {
      const Node& node = graph_.node(id);
      write_node(nodes, node);
      loops |= node.def->name.ends_with("NextIteration");
    }
    nodes.finish();

    std::size_t tables = 64 + node_bytes.size();
    for (const TableWriter* table : {&ops_, &devices_, &colocations_, &shapes_, &attrs_})
      tables += table->rows.size();
    ByteWriter out(delta_.bytes, tables);
    out.put(kGraphLayout);
    for (TableWriter* table : {&ops_, &devices_, &colocations_, &shapes_, &attrs_})
      table->append_to(out);
    append(out, end - begin, node_bytes);
    write_late_edges(out, loops ? begin : 0);
    out.finish();
    return std::move(delta_);
  }

 private:
  void write_node(ByteWriter& to, const Node& node) {
    const std::uint32_t op = id(ops_, node.def, [&] { write_op(ops_.rows, *node.def); });
    const std::uint32_t device =
        id(devices_, node.device, [&] { devices_.rows.put_text(node.device->text); });
    const std::uint32_t attrs = id(attrs_, node.attrs, [&] {
      attrs_.rows.put_count(node.attrs->size());
      for (const AttrValue& value : *node.attrs) write_attr(attrs_.rows, delta_.bodies, value);
    });
    std::uint32_t colocation = 0;
    if (node.colocation)
      colocation = 1 + id(colocations_, node.colocation, [&] {
                     colocations_.rows.put_count(node.colocation->size());
                     for (const std::string& name : *node.colocation)
                       colocations_.rows.put_text(name);
                   });
    std::byte* at = to.take(kRow + 8 * node.num_inputs + 4 * node.num_controls +
                            4 * node.num_outputs + node.name.size());
    const auto put = [&at](std::uint32_t value) {
      store(at, value);
      at += 4;
    };
    put(static_cast<std::uint32_t>(node.name.size()));
    put(op);
    put(device);
    put(colocation);
    put(attrs);
    put(node.num_inputs);
    put(node.num_controls);
    put(node.num_outputs);
    for (Endpoint input : node.input_span()) {
      // A back edge from a node that the receiver will not have yet follows with that node.
      if (input.node >= delta_.to) input = earlier_input(node);
      put(input.node);
      put(input.index);
    }
    for (NodeId control : node.control_span()) put(control);
    for (const OutputInfo& output : node.output_span())
      put(id(shapes_, output.shape, [&] { write_partial_shape(shapes_.rows, *output.shape); }));
    if (!node.name.empty()) std::memcpy(at, node.name.data(), node.name.size());
  }

  static Endpoint earlier_input(const Node& node) {
    for (const Endpoint& input : node.input_span())
      if (input.node < node.id) return input;
    fail(Code::Internal, "node ", node.name, " has no input that was built before it");
  }

  template <class WriteRow>
  static std::uint32_t id(TableWriter& table, const void* pointer, WriteRow write_row) {
    const auto [number, fresh] = table.ids.id(pointer);
    if (fresh) write_row();
    return number;
  }

  void write_late_edges(ByteWriter& to, NodeId end) const {
    const std::size_t count_at = to.size();
    to.put(std::uint32_t{0});
    std::uint32_t count = 0;
    for (NodeId id = 0; id < end; ++id) {
      const Node& node = graph_.node(id);
      if (!is_merge(*node.def)) continue;
      for (std::uint32_t i = 0; i < node.num_inputs; ++i) {
        const Endpoint from = node.inputs[i];
        if (from.node < delta_.from || from.node >= delta_.to) continue;
        for (std::uint32_t value : {id, i, from.node, from.index}) to.put(value);
        ++count;
      }
    }
    to.patch(count_at, count);
  }

  const GraphCore& graph_;
  GraphDelta delta_;
  TableWriter ops_, devices_, colocations_, shapes_, attrs_;
};

class GraphDecoder {
 public:
  GraphDecoder(GraphCore& into, const GraphDelta& delta)
      : graph_(into),
        delta_(delta),
        in_(delta.bytes),
        body_copies_(delta.bodies),
        bodies_(body_copies_) {}

  void decode(OpLookup ops) {
    if (delta_.from != graph_.size() || delta_.to < delta_.from || delta_.to >= kNoNode)
      fail(Code::FailedPrecondition, "nodes ", delta_.from, " to ", delta_.to,
           " cannot follow a graph of ", graph_.size(), " nodes");
    if (in_.get<std::uint32_t>() != kGraphLayout) in_.wrong("no graph of this version");
    ops_ = read_ops(in_, ops);
    for (std::size_t left = in_.get_count(kLeastText); left > 0; --left)
      devices_.push_back(DeviceSpec::parse(in_.get_text()));
    for (std::size_t left = in_.get_count(4); left > 0; --left) {
      auto& names = colocations_.emplace_back();
      for (std::size_t more = in_.get_count(kLeastText); more > 0; --more)
        names.emplace_back(in_.get_text());
    }
    for (std::size_t left = in_.get_count(kLeastShape); left > 0; --left)
      shapes_.push_back(read_partial_shape(in_));
    for (std::size_t left = in_.get_count(4); left > 0; --left) {
      AttrList& list = attrs_.emplace_back();
      for (std::size_t more = in_.get_count(kLeastAttr); more > 0; --more)
        list.push_back(read_attr(in_, bodies_));
    }
    bodies_.expect_end();
    const std::size_t count = in_.get_count(kRow);
    if (count != delta_.to - delta_.from) in_.wrong("another number of nodes than announced");
    for (std::size_t i = 0; i < count; ++i) add_node(static_cast<NodeId>(delta_.from + i));
    for (std::size_t left = in_.get_count(16); left > 0; --left) {
      const std::byte* at = in_.take(16);
      back_edges_.push_back({load<NodeId>(at),
                             load<std::uint32_t>(at + 4),
                             {load<NodeId>(at + 8), load<std::uint32_t>(at + 12)}});
    }
    in_.expect_end();
    for (const BackEdge& edge : back_edges_)
      graph_.set_back_edge(edge.merge, edge.input, edge.from);
  }

 private:
  struct BackEdge {
    NodeId merge;
    std::uint32_t input;
    Endpoint from;
  };

  template <class T>
  const T& row(const std::vector<T>& table, std::uint32_t number) const {
    if (number >= table.size()) in_.wrong("a number beyond its table");
    return table[number];
  }

  void add_node(NodeId id) {
    const std::byte* at = in_.take(kRow);
    const auto number = [at](std::size_t i) { return load<std::uint32_t>(at + 4 * i); };
    const std::size_t num_inputs = number(5), num_controls = number(6), num_outputs = number(7);
    const OpDef& def = *row(ops_, number(1));
    if (number(2) != device_) {
      scope_.device = row(devices_, number(2));
      device_ = number(2);
    }
    if (number(3) != colocation_) {
      scope_.colocation =
          number(3) == 0 ? std::vector<std::string>() : row(colocations_, number(3) - 1);
      colocation_ = number(3);
    }
    const AttrList& attrs = row(attrs_, number(4));
    if (attrs.size() != def.attrs.size())
      in_.wrong("another number of attributes than the op type has");
    args_.clear();
    for (std::size_t i = 0; i < attrs.size(); ++i)
      if (attrs[i].has_value()) args_.push_back({def.attrs[i].name, attrs[i]});

    const std::byte* inputs = in_.take(8 * num_inputs);
    inputs_.clear();
    for (std::size_t i = 0; i < num_inputs; ++i)
      inputs_.push_back({load<NodeId>(inputs + 8 * i), load<std::uint32_t>(inputs + 8 * i + 4)});
    take_back_edges(id, def);
    const std::byte* controls = in_.take(4 * num_controls);
    controls_.clear();
    for (std::size_t i = 0; i < num_controls; ++i)
      controls_.push_back(load<NodeId>(controls + 4 * i));
    const std::byte* shapes = in_.take(4 * num_outputs);
    given_shapes_.clear();
    for (std::size_t i = 0; i < num_outputs; ++i)
      given_shapes_.push_back(row(shapes_, load<std::uint32_t>(shapes + 4 * i)));

    AddOptions options;
    options.name = {reinterpret_cast<const char*>(in_.take(number(0))), number(0)};
    options.scope = &scope_;
    options.controls = controls_;
    options.shapes = given_shapes_;
    options.exact_name = true;
    if (graph_.add(def, inputs_, args_, options) != id)
      fail(Code::Internal, "somebody else adds to this graph");
  }

  // An input that lies ahead is a loop's back edge: another input stands in for it until all nodes
  // are there.
  void take_back_edges(NodeId id, const OpDef& def) {
    const auto ahead = [id](const Endpoint& input) { return input.node >= id; };
    if (std::none_of(inputs_.begin(), inputs_.end(), ahead)) return;
    const auto earlier = std::find_if_not(inputs_.begin(), inputs_.end(), ahead);
    if (!is_merge(def) || earlier == inputs_.end())
      in_.wrong("an input that lies ahead of its node");
    const Endpoint stand_in = *earlier;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      if (!ahead(inputs_[i])) continue;
      back_edges_.push_back({id, static_cast<std::uint32_t>(i), inputs_[i]});
      inputs_[i] = stand_in;
    }
  }

  GraphCore& graph_;
  const GraphDelta& delta_;
  ByteReader in_;
  std::vector<Body> body_copies_;
  BodyReader bodies_;
  std::vector<const OpDef*> ops_;
  std::vector<DeviceSpec> devices_;
  std::vector<std::vector<std::string>> colocations_;
  std::vector<PartialShape> shapes_;
  std::vector<AttrList> attrs_;
  std::vector<BackEdge> back_edges_;

  // The last node's, kept for the next.
  Scope scope_;
  std::uint32_t device_ = UINT32_MAX, colocation_ = 0;
  std::vector<AttrArg> args_;
  std::vector<Endpoint> inputs_;
  std::vector<NodeId> controls_;
  std::vector<PartialShape> given_shapes_;
};

}  // namespace detail

DGRAPH_DECL GraphDelta encode_graph(const GraphCore& graph, std::uint64_t from, std::uint64_t to) {
  if (from > to || to > graph.size())
    fail(Code::InvalidArgument, "a graph of ", graph.size(), " nodes has none from ", from, " to ",
         to);
  return detail::GraphEncoder(graph, from, to).encode();
}

DGRAPH_DECL void decode_graph(GraphCore& into, const GraphDelta& delta, OpLookup ops) {
  detail::GraphDecoder(into, delta).decode(ops);
}

}  // namespace dgraph::wire
