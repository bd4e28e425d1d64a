#pragma once
#include <dgraph/interop/tensorflow_graph.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <optional>
#include <utility>

#include <dgraph/interop/protobuf.hpp>
#include <dgraph/interop/tensorflow_tensor.hpp>

namespace dgraph {

#if defined(DGRAPH_DETAIL_HAS_PROTOZERO)
namespace detail {

// One run over the bytes of a GraphDef.
class TensorflowReader {
 public:
  explicit TensorflowReader(const TensorflowLimits& limits)
      : limits_(limits), budget_(limits.memory) {}

  GraphDef read(std::string_view bytes) {
    read_protobuf("the GraphDef", [&] {
      pbf_reader graph(bytes.data(), bytes.size());
      while (graph.next()) {
        if (graph.tag_and_type() == bytes_field(1))
          node(next_node(graph));
        else
          graph.skip();
      }
    });
    return std::move(def_);
  }

 private:
  // The bytes of a node; where they end too early, the error says which node it is.
  std::string_view next_node(pbf_reader& graph) const {
    std::string_view rest = view_of(graph.data());
    try {
      return view_of(graph.get_view());
    } catch (const protozero::end_of_buffer_exception&) {
      while (!rest.empty() && (rest.front() & 0x80)) rest.remove_prefix(1);
      if (!rest.empty()) rest.remove_prefix(1);
      fail(Code::InvalidArgument, "the GraphDef is cut off inside ", label(name_of(rest)), after());
    }
  }

  // The name in a node's bytes as far as they can be read.
  static std::string_view name_of(std::string_view bytes) {
    std::string_view name;
    try {
      pbf_reader node(bytes.data(), bytes.size());
      while (node.next()) {
        if (node.tag_and_type() == bytes_field(1))
          name = view_of(node.get_view());
        else
          node.skip();
      }
    } catch (const protozero::exception&) {
    }
    return name;
  }

  std::string label(std::string_view name) const {
    return name.empty() ? errors::text("node number ", def_.nodes.size())
                        : errors::text("node \"", name, '"');
  }
  std::string after() const {
    return def_.nodes.empty() ? std::string() : ", after \"" + def_.nodes.back().name + '"';
  }

  void node(std::string_view bytes) {
    constexpr std::size_t kMostShown = 200;
    NodeDef out;
    try {
      if (def_.nodes.size() == limits_.nodes)
        fail(Code::ResourceExhausted, "the GraphDef has more than ", limits_.nodes, " nodes");
      budget_.take(sizeof(NodeDef) + bytes.size());
      read_protobuf("the node", [&] { fields(bytes, out); });
      if (out.name.empty()) fail(Code::InvalidArgument, "the node has no name", after());
      if (out.op.empty()) fail(Code::InvalidArgument, "the node has no op type");
    } catch (const Error& error) {
      const std::string name = out.name.empty() ? std::string(name_of(bytes)) : out.name;
      throw Error(Status(error.code(), errors::text(label(name.substr(0, kMostShown)), ": ",
                                                    error.status().message()))
                      .at({name, out.op, out.device, "", ""}));
    }
    def_.nodes.push_back(std::move(out));
  }

  void fields(std::string_view bytes, NodeDef& out) {
    pbf_reader node(bytes.data(), bytes.size());
    while (node.next()) {
      switch (node.tag_and_type()) {
        case bytes_field(1):
          out.name = text(node);
          break;
        case bytes_field(2):
          out.op = text(node);
          break;
        case bytes_field(3):
          out.inputs.push_back(text(node));
          break;
        case bytes_field(4):
          out.device = text(node);
          break;
        case bytes_field(5):
          entry(view_of(node.get_view()), out);
          break;
        default:
          node.skip();
      }
    }
  }

  std::string text(pbf_reader& from) {
    const std::string_view view = view_of(from.get_view());
    budget_.take(sizeof(std::string) + view.size());
    return std::string(view);
  }

  void entry(std::string_view bytes, NodeDef& out) {
    constexpr std::size_t kMapNode = 64;
    std::string key;
    std::string_view value;
    pbf_reader pair(bytes.data(), bytes.size());
    while (pair.next()) {
      switch (pair.tag_and_type()) {
        case bytes_field(1):
          key = text(pair);
          break;
        case bytes_field(2):
          value = view_of(pair.get_view());
          break;
        default:
          pair.skip();
      }
    }
    if (!key.empty() && key[0] == '_' && key != "_class") return;
    budget_.take(kMapNode + sizeof(AttrValue));
    try {
      read_protobuf("the value", [&] { out.attrs[key] = attr(value); });
      if (key == "_class" && out.attrs[key] == AttrValue(std::vector<std::int64_t>()))
        out.attrs.erase(key);
    } catch (const Error& error) {
      fail(error.code(), "attribute ", key, ": ", error.status().message());
    }
  }

  AttrValue attr(std::string_view bytes) {
    AttrValue out;
    pbf_reader value(bytes.data(), bytes.size());
    while (value.next()) {
      switch (value.tag_and_type()) {
        case bytes_field(1):
          out = list(view_of(value.get_view()));
          break;
        case bytes_field(2):
          out = text(value);
          break;
        case varint_field(3):
          out = value.get_int64();
          break;
        case fixed32_field(4):
          out = value.get_float();
          break;
        case varint_field(5):
          out = value.get_uint64() != 0;
          break;
        case varint_field(6):
          out = dtype_of_number(value.get_int32());
          break;
        case bytes_field(7):
          out = shape(value);
          break;
        case bytes_field(8):
          out = read_tensor_proto(view_of(value.get_view()), budget_);
          break;
        case bytes_field(9):
          fail(Code::InvalidArgument, "the value is that of a function's argument \"", text(value),
               "\", but no function is called");
        case bytes_field(10):
          out = function_name(view_of(value.get_view()));
          break;
        default:
          value.skip();
      }
    }
    if (!out.has_value()) fail(Code::InvalidArgument, "there is no value");
    return out;
  }

  PartialShape shape(pbf_reader& from) {
    budget_.take(sizeof(PartialShape));
    return read_shape_proto(view_of(from.get_view()));
  }

  std::string function_name(std::string_view bytes) {
    std::string name;
    pbf_reader function(bytes.data(), bytes.size());
    while (function.next()) {
      if (function.tag_and_type() == bytes_field(1))
        name = text(function);
      else
        function.skip();
    }
    return name;
  }

  // Adds one value to a list, which holds values of one kind.
  template <class T>
  void append(AttrValue& list, T value) {
    budget_.take(sizeof(T));
    if (!list.has_value()) list = std::vector<T>();
    if (!list.holds<std::vector<T>>())
      fail(Code::InvalidArgument, "the list holds values of two kinds");
    const_cast<std::vector<T>&>(list.get<std::vector<T>>()).push_back(std::move(value));
  }
  template <class Add>
  static void varints(std::string_view bytes, Add add) {
    const char* at = bytes.data();
    const char* const end = at + bytes.size();
    while (at != end) add(protozero::decode_varint(&at, end));
  }

  AttrValue list(std::string_view bytes) {
    AttrValue out;
    const auto integer = [&](std::uint64_t x) { append(out, static_cast<std::int64_t>(x)); };
    const auto boolean = [&](std::uint64_t x) { append(out, x != 0); };
    const auto type = [&](std::uint64_t x) {
      append(out, dtype_of_number(static_cast<std::int32_t>(x)));
    };
    pbf_reader list(bytes.data(), bytes.size());
    while (list.next()) {
      switch (list.tag_and_type()) {
        case bytes_field(2):
          append(out, text(list));
          break;
        case varint_field(3):
          integer(list.get_uint64());
          break;
        case bytes_field(3):
          varints(view_of(list.get_view()), integer);
          break;
        case fixed32_field(4):
          append(out, list.get_float());
          break;
        case bytes_field(4):
          for (const float x : list.get_packed_float()) append(out, x);
          break;
        case varint_field(5):
          boolean(list.get_uint64());
          break;
        case bytes_field(5):
          varints(view_of(list.get_view()), boolean);
          break;
        case varint_field(6):
          type(list.get_uint64());
          break;
        case bytes_field(6):
          varints(view_of(list.get_view()), type);
          break;
        case bytes_field(7):
          append(out, shape(list));
          break;
        case bytes_field(8):
          fail(Code::Unimplemented, "a list of tensors is no attribute that dgraph has");
        case bytes_field(9):
          append(out, function_name(view_of(list.get_view())));
          break;
        default:
          list.skip();
      }
    }
    // An empty list has no kind of its own; this one stands for any.
    return out.has_value() ? out : AttrValue(std::vector<std::int64_t>());
  }

  const TensorflowLimits limits_;
  MemoryBudget budget_;
  GraphDef def_;
};

DGRAPH_DECL std::string write_attr_proto(const AttrValue& value) {
  std::string out;
  pbf_writer writer(out);
  const auto list_of = [&](auto write) {
    std::string bytes;
    pbf_writer list(bytes);
    write(list);
    writer.add_message(1, bytes);
  };
  std::visit(
      [&]<class T>(const T& x) {
        if constexpr (std::is_same_v<T, std::monostate>)
          return;
        else if constexpr (std::is_same_v<T, std::string>)
          writer.add_bytes(2, x);
        else if constexpr (std::is_same_v<T, std::int64_t>)
          writer.add_int64(3, x);
        else if constexpr (std::is_same_v<T, float>)
          writer.add_float(4, x);
        else if constexpr (std::is_same_v<T, bool>)
          writer.add_bool(5, x);
        else if constexpr (std::is_same_v<T, DType>)
          writer.add_enum(6, static_cast<std::int32_t>(x));
        else if constexpr (std::is_same_v<T, PartialShape>)
          writer.add_message(7, write_shape_proto(x));
        else if constexpr (std::is_same_v<T, Tensor>)
          writer.add_message(8, write_tensor_proto(x));
        else
          list_of([&](pbf_writer& list) {
            using Element = typename T::value_type;
            if constexpr (std::is_same_v<Element, std::string>) {
              for (const std::string& text : x) list.add_bytes(2, text);
            } else if constexpr (std::is_same_v<Element, std::int64_t>) {
              list.add_packed_int64(3, x.begin(), x.end());
            } else if constexpr (std::is_same_v<Element, float>) {
              list.add_packed_float(4, x.begin(), x.end());
            } else if constexpr (std::is_same_v<Element, bool>) {
              list.add_packed_bool(5, x.begin(), x.end());
            } else if constexpr (std::is_same_v<Element, DType>) {
              std::vector<std::int32_t> numbers;
              for (const DType dtype : x) numbers.push_back(static_cast<std::int32_t>(dtype));
              list.add_packed_enum(6, numbers.begin(), numbers.end());
            } else {
              for (const PartialShape& shape : x) list.add_message(7, write_shape_proto(shape));
            }
          });
      },
      value.variant());
  return out;
}

}  // namespace detail

DGRAPH_DECL GraphDef read_tensorflow_graph(std::string_view bytes, const TensorflowLimits& limits) {
  return detail::TensorflowReader(limits).read(bytes);
}

DGRAPH_DECL std::string write_tensorflow_graph(const GraphDef& def) {
  // What a reader must know at least, and what this writer is: both older than any graph that it may meet.
  constexpr std::int32_t kProducer = 21;
  std::string out;
  detail::pbf_writer graph(out);
  for (const NodeDef& node : def.nodes) {
    detail::pbf_writer to(graph, 1);
    to.add_string(1, node.name);
    to.add_string(2, node.op);
    for (const std::string& input : node.inputs) to.add_string(3, input);
    if (!node.device.empty()) to.add_string(4, node.device);
    for (const auto& [key, value] : node.attrs) {
      detail::pbf_writer entry(to, 5);
      entry.add_string(1, key);
      entry.add_message(2, detail::write_attr_proto(value));
    }
  }
  detail::pbf_writer versions(graph, 4);
  versions.add_int32(1, kProducer);
  return out;
}

#else

DGRAPH_DECL GraphDef read_tensorflow_graph(std::string_view, const TensorflowLimits&) {
  fail(Code::Unimplemented,
       "this library was built without protozero, which reads TensorFlow's GraphDef");
}
DGRAPH_DECL std::string write_tensorflow_graph(const GraphDef&) {
  fail(Code::Unimplemented,
       "this library was built without protozero, which writes TensorFlow's GraphDef");
}

#endif

DGRAPH_DECL GraphDef load_tensorflow_graph(const std::string& path,
                                           const TensorflowLimits& limits) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  std::string bytes;
  std::array<char, 1 << 16> part;
  for (std::size_t count = 1; file && count != 0;) {
    count = std::fread(part.data(), 1, part.size(), file.get());
    bytes.append(part.data(), count);
    if (bytes.size() > limits.memory)
      fail(Code::ResourceExhausted, path, " is longer than the limit of ", limits.memory, " bytes");
  }
  if (!file || std::ferror(file.get())) fail(Code::NotFound, "the file ", path, " cannot be read");
  try {
    return read_tensorflow_graph(bytes, limits);
  } catch (const Error& error) {
    Status status = error.status();
    throw Error(Status(status.code(), path + ": " + status.message()).at(status.place()));
  }
}

namespace detail {

// Attributes that came after an op type and whose default is neither zero nor empty.
struct LateAttr {
  std::string_view name;
  float value;
};
inline constexpr LateAttr kLateAttrs[] = {{"incompatible_shape_error", 1},
                                          {"exponential_avg_factor", 1},
                                          {"use_inter_op_parallelism", 1}};

// True where leaving the attribute out means the same.
DGRAPH_DECL bool changes_nothing(const std::string& name, const AttrValue& value) {
  float wanted = 0;
  for (const LateAttr& late : kLateAttrs)
    if (late.name == name) wanted = late.value;
  return std::visit(
      [&]<class T>(const T& x) {
        if constexpr (std::is_same_v<T, std::monostate>)
          return true;
        else if constexpr (std::is_arithmetic_v<T>)
          return x == static_cast<T>(wanted);
        else if constexpr (std::is_same_v<T, DType> || std::is_same_v<T, Tensor>)
          return false;
        else if constexpr (std::is_same_v<T, PartialShape>)
          return !x.has_rank();
        else
          return x.empty();
      },
      value.variant());
}

}  // namespace detail

DGRAPH_DECL std::vector<Output> import_tensorflow_graph(GraphCore& core, GraphDef def, OpLookup ops,
                                                        const ImportOptions& options) {
  for (NodeDef& node : def.nodes) {
    const OpDef* op = ops(node.op);
    if (!op) continue;
    std::erase_if(node.attrs, [&](const auto& attr) {
      const auto& [name, value] = attr;
      return (name.empty() || name[0] != '_') && op->attr_index(name) < 0 &&
             detail::changes_nothing(name, value);
    });
  }
  return import_graph_def(core, def, ops, options);
}

}  // namespace dgraph
