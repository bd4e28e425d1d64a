#pragma once
#include <dgraph/wire/partition_codec.hpp>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include <dgraph/wire/tables.hpp>

// Three numbers, tables of op types, devices and attribute lists, nodes, sends, recvs.
// A node: kPartitionRow bytes (kind and eight numbers), inputs, controls, outputs, name.

namespace dgraph::wire {
namespace detail {

inline constexpr std::uint32_t kPartitionLayout = 1;
inline constexpr std::size_t kPartitionRow = 36;
inline constexpr std::size_t kPartitionEdge = 12 + kLeastText;
inline constexpr std::uint32_t kNone = UINT32_MAX;

DGRAPH_DECL void write_edges(ByteWriter& to, const std::vector<PartitionEdge>& edges) {
  to.put_count(edges.size());
  for (const PartitionEdge& edge : edges) {
    std::byte* at = to.take(12);
    store(at, edge.number);
    store(at + 4, edge.peer);
    store(at + 8, edge.dtype);
    store(at + 9, static_cast<std::uint8_t>(edge.paced));
    store(at + 10, std::uint16_t{0});
    to.put_text(edge.name);
  }
}

DGRAPH_DECL std::vector<PartitionEdge> read_edges(ByteReader& from) {
  std::vector<PartitionEdge> out;
  for (std::size_t left = from.get_count(kPartitionEdge); left > 0; --left) {
    PartitionEdge& edge = out.emplace_back();
    from.get(edge.number);
    from.get(edge.peer);
    edge.dtype = read_dtype(from);
    from.get(edge.paced);
    from.take(2);
    edge.name = from.get_text();
  }
  return out;
}

class PartitionReader {
 public:
  PartitionReader(ByteReader& from, BodyReader& bodies) : in_(from), bodies_(bodies) {}

  PartitionDef read(OpLookup ops) {
    if (in_.get<std::uint32_t>() != kPartitionLayout) in_.wrong("no partition of this version");
    in_.get(out_.task);
    in_.get(out_.num_feeds);
    in_.get(out_.num_fetches);
    ops_ = read_ops(in_, ops);
    for (std::size_t left = in_.get_count(kLeastText); left > 0; --left)
      devices_.emplace_back(in_.get_text());
    for (std::size_t left = in_.get_count(4); left > 0; --left) {
      AttrList& list = out_.owned_attrs.emplace_back();
      for (std::size_t more = in_.get_count(kLeastAttr); more > 0; --more)
        list.push_back(read_attr(in_, bodies_));
    }
    checked_.assign(out_.owned_attrs.size(), nullptr);
    const std::size_t count = in_.get_count(kPartitionRow);
    for (std::size_t i = 0; i < count; ++i) read_node(out_.nodes.emplace_back());
    out_.sends = read_edges(in_);
    out_.recvs = read_edges(in_);
    check();
    return std::move(out_);
  }

 private:
  void read_node(PartitionNode& node) {
    const std::byte* at = in_.take(kPartitionRow);
    const auto number = [at](std::size_t i) { return load<std::uint32_t>(at + 4 * i); };
    if (number(0) > static_cast<std::uint32_t>(PartitionNodeKind::Read))
      in_.wrong("no kind of node");
    node.kind = static_cast<PartitionNodeKind>(number(0));
    node.number = number(1);
    if ((number(2) == kNone) != (node.kind != PartitionNodeKind::Op) ||
        (number(3) == kNone) != (number(2) == kNone))
      in_.wrong("op nodes, and they alone, have an op type and attributes");
    if (number(2) != kNone) {
      if (number(2) >= ops_.size() || number(3) >= out_.owned_attrs.size())
        in_.wrong("a number beyond its table");
      node.def = ops_[number(2)];
      node.attrs = &out_.owned_attrs[number(3)];
      check_attrs(*node.def, number(3));
    }
    if (number(4) >= devices_.size()) in_.wrong("a number beyond its table");
    node.device = devices_[number(4)];
    const std::size_t inputs = number(6), controls = number(7), outputs = number(8);
    at = in_.take(8 * inputs);
    for (std::size_t i = 0; i < inputs; ++i)
      node.inputs.push_back({load<NodeId>(at + 8 * i), load<std::uint32_t>(at + 8 * i + 4)});
    at = in_.take(4 * controls);
    for (std::size_t i = 0; i < controls; ++i)
      node.controls.push_back(load<std::uint32_t>(at + 4 * i));
    for (std::size_t i = 0; i < outputs; ++i) {
      const DType dtype = read_dtype(in_);
      node.outputs.push_back({dtype, in_.get_bool()});
    }
    node.name.assign(reinterpret_cast<const char*>(in_.take(number(5))), number(5));
  }

  // Once for each op type that an attribute list is used with, in a row.
  void check_attrs(const OpDef& def, std::size_t list) {
    if (checked_[list] == &def) return;
    const AttrList& attrs = out_.owned_attrs[list];
    if (attrs.size() != def.attrs.size())
      in_.wrong("another number of attributes than the op type has");
    for (std::size_t i = 0; i < attrs.size(); ++i)
      dgraph::detail::check_attr(def, def.attrs[i], attrs[i]);
    checked_[list] = &def;
  }

  void check() const {
    const auto numbers = [](const std::vector<PartitionEdge>& edges) {
      std::vector<std::uint32_t> out;
      for (const PartitionEdge& edge : edges) out.push_back(edge.number);
      std::sort(out.begin(), out.end());
      return out;
    };
    const std::vector<std::uint32_t> sends = numbers(out_.sends), recvs = numbers(out_.recvs);
    for (std::size_t i = 0; i < out_.nodes.size(); ++i) {
      const PartitionNode& node = out_.nodes[i];
      const auto need = [&](bool holds) {
        if (!holds)
          fail(Code::InvalidArgument, "node ", node.name,
               " of a partition does not fit its kind or its inputs");
      };
      const std::size_t inputs = node.inputs.size(), outputs = node.outputs.size();
      switch (node.kind) {
        case PartitionNodeKind::Op:
          need(inputs == count_args(node.def->inputs, *node.attrs));
          need(outputs == count_args(node.def->outputs, *node.attrs));
          break;
        case PartitionNodeKind::Feed:
          need(inputs == 0 && outputs == 1 && node.number < out_.num_feeds);
          break;
        case PartitionNodeKind::Fetch:
          need(inputs == 1 && outputs == 0 && node.number < out_.num_fetches);
          break;
        case PartitionNodeKind::Send:
          need(inputs <= 1 && outputs == 0 &&
               std::binary_search(sends.begin(), sends.end(), node.number));
          break;
        case PartitionNodeKind::Recv:
          need(inputs == 0 && outputs <= 1 &&
               std::binary_search(recvs.begin(), recvs.end(), node.number));
          break;
        case PartitionNodeKind::Read: need(inputs == 1 && outputs == 1); break;
      }
      for (const Endpoint& input : node.inputs) {
        need(input.node < out_.nodes.size() && input.index < out_.nodes[input.node].outputs.size());
        need(input.node < i ||
             (node.def && (node.def->name == "Merge" || node.def->name == "RefMerge")));
      }
      for (std::uint32_t control : node.controls) need(control < out_.nodes.size());
    }
  }

  ByteReader& in_;
  BodyReader& bodies_;
  PartitionDef out_;
  std::vector<const OpDef*> ops_;
  std::vector<std::string> devices_;
  std::vector<const OpDef*> checked_;
};

}  // namespace detail

DGRAPH_DECL void write_partition(ByteWriter& to, std::vector<Body>& bodies,
                                 const PartitionDef& partition) {
  std::vector<std::byte> op_bytes, device_bytes, attr_bytes, node_bytes;
  ByteWriter ops(op_bytes), devices(device_bytes), attrs(attr_bytes),
      nodes(node_bytes, 80 * partition.nodes.size());
  detail::PointerIds op_ids, attr_ids;
  std::unordered_map<std::string_view, std::uint32_t> device_ids;
  for (const PartitionNode& node : partition.nodes) {
    std::uint32_t op = detail::kNone, list = detail::kNone;
    if (node.def) {
      const auto [number, fresh] = op_ids.id(node.def);
      if (fresh) detail::write_op(ops, *node.def);
      op = number;
    }
    if (node.attrs) {
      const auto [number, fresh] = attr_ids.id(node.attrs);
      if (fresh) {
        attrs.put_count(node.attrs->size());
        for (const AttrValue& value : *node.attrs) write_attr(attrs, bodies, value);
      }
      list = number;
    }
    const auto [device, fresh] =
        device_ids.emplace(node.device, static_cast<std::uint32_t>(device_ids.size()));
    if (fresh) devices.put_text(node.device);
    nodes.put(static_cast<std::uint32_t>(node.kind));
    nodes.put(node.number);
    nodes.put(op);
    nodes.put(list);
    nodes.put(device->second);
    for (std::size_t size :
         {node.name.size(), node.inputs.size(), node.controls.size(), node.outputs.size()})
      nodes.put_count(size);
    for (const Endpoint& input : node.inputs) {
      nodes.put(input.node);
      nodes.put(input.index);
    }
    for (std::uint32_t control : node.controls) nodes.put(control);
    for (const PartitionOutput& output : node.outputs) {
      nodes.put(output.dtype);
      nodes.put(output.ref);
    }
    nodes.put_bytes(node.name.data(), node.name.size());
  }
  for (ByteWriter* table : {&ops, &devices, &attrs, &nodes}) table->finish();
  to.put(detail::kPartitionLayout);
  to.put(partition.task);
  to.put(partition.num_feeds);
  to.put(partition.num_fetches);
  detail::append(to, op_ids.size(), op_bytes);
  detail::append(to, static_cast<std::uint32_t>(device_ids.size()), device_bytes);
  detail::append(to, attr_ids.size(), attr_bytes);
  detail::append(to, static_cast<std::uint32_t>(partition.nodes.size()), node_bytes);
  detail::write_edges(to, partition.sends);
  detail::write_edges(to, partition.recvs);
}

DGRAPH_DECL PartitionDef read_partition(ByteReader& from, BodyReader& bodies, OpLookup ops) {
  return detail::PartitionReader(from, bodies).read(ops);
}

}  // namespace dgraph::wire
