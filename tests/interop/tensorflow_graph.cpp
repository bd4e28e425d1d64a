#include <dgraph/interop/tensorflow_graph.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <dgraph/ops/standard.hpp>

#include "support/catch.hpp"

using namespace dgraph;
using dgraph::test::contains;
using StandardGraph = BasicGraph<StandardOps>;

namespace {

// Protocol buffers by hand, so that the reader is held against the format and not against its own writer.
std::string varint(std::uint64_t value) {
  std::string out;
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  return out + static_cast<char>(value);
}
std::string number(unsigned field, std::uint64_t value) {
  return varint(field << 3) + varint(value);
}
std::string bytes(unsigned field, const std::string& value) {
  return varint(field << 3 | 2) + varint(value.size()) + value;
}
std::string fixed(float value) {
  return std::string(reinterpret_cast<const char*>(&value), sizeof value);
}
std::string attr(const std::string& name, const std::string& value) {
  return bytes(5, bytes(1, name) + bytes(2, value));
}
std::string node(const std::string& name, const std::string& op, const std::string& rest = "") {
  return bytes(1, bytes(1, name) + bytes(2, op) + rest);
}
std::string dims(std::initializer_list<std::uint64_t> sizes) {
  std::string out;
  for (const std::uint64_t size : sizes) out += bytes(2, number(1, size));
  return out;
}
// A Const whose TensorProto is of that dtype and shape and goes on with `values`.
std::string constant(const std::string& name, unsigned dtype,
                     std::initializer_list<std::uint64_t> shape, const std::string& values) {
  const std::string tensor = number(1, dtype) + bytes(2, dims(shape)) + values;
  return node(name, "Const", attr("dtype", number(6, dtype)) + attr("value", bytes(8, tensor)));
}
Tensor value_of(const std::string& graph) {
  return read_tensorflow_graph(graph).nodes.at(0).attrs.at("value").get<Tensor>();
}

template <class F>
Status refused(F call) {
  try {
    call();
  } catch (const Error& error) {
    return error.status();
  }
  return {};
}
Status unreadable(const std::string& graph, const TensorflowLimits& limits = {}) {
  return refused([&] { read_tensorflow_graph(graph, limits); });
}
Status not_imported(const std::string& pb) {
  StandardGraph graph;
  return refused([&] { import_tensorflow_graph(graph, read_tensorflow_graph(pb)); });
}

std::string file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

}  // namespace

TEST_CASE("attributes of every kind") {
  const std::string ints = bytes(1, bytes(3, varint(3) + varint(~std::uint64_t{0})));
  const std::string unpacked = bytes(1, number(3, 5) + number(3, 6));
  const GraphDef def = read_tensorflow_graph(
      node("n", "Any",
           bytes(3, "x") + bytes(3, "y:1") + bytes(3, "^z") + bytes(4, "/job:ps/task:1") +
               attr("text", bytes(2, "a\0b")) + attr("int", number(3, ~std::uint64_t{0})) +
               attr("float", varint(4 << 3 | 5) + fixed(0.5f)) + attr("bool", number(5, 1)) +
               attr("type", number(6, 2)) + attr("ref", number(6, 103)) +
               attr("shape", bytes(7, dims({2, ~std::uint64_t{0}}))) +
               attr("any_shape", bytes(7, number(3, 1))) + attr("ints", ints) +
               attr("unpacked", unpacked) +
               attr("floats", bytes(1, bytes(4, fixed(1) + fixed(2)))) +
               attr("bools", bytes(1, bytes(5, varint(1) + varint(0)))) +
               attr("types", bytes(1, bytes(6, varint(1) + varint(9)))) +
               attr("texts", bytes(1, bytes(2, "p") + bytes(2, ""))) +
               attr("shapes", bytes(1, bytes(7, "") + bytes(7, dims({4})))) +
               attr("empty", bytes(1, "")) +
               attr("func", bytes(10, bytes(1, "body") + bytes(2, "ignored"))) +
               attr("_internal", "") + attr("_class", bytes(1, bytes(2, "loc:@x")))) +
      bytes(2, "the library") + bytes(4, number(1, 1882)));
  REQUIRE(def.nodes.size() == 1);
  const NodeDef& n = def.nodes[0];
  CHECK(n.inputs == std::vector<std::string>{"x", "y:1", "^z"});
  CHECK(n.device == "/job:ps/task:1");
  CHECK(n.attrs.at("text") == AttrValue("a"));
  CHECK(n.attrs.at("int") == AttrValue(-1));
  CHECK(n.attrs.at("float") == AttrValue(0.5f));
  CHECK(n.attrs.at("bool") == AttrValue(true));
  CHECK(n.attrs.at("type") == AttrValue(DType::Float64));
  CHECK(n.attrs.at("ref") == AttrValue(DType::Int32));
  CHECK(n.attrs.at("shape") == AttrValue(PartialShape{2, -1}));
  CHECK(n.attrs.at("any_shape") == AttrValue(PartialShape()));
  CHECK(n.attrs.at("ints") == AttrValue(std::vector<std::int64_t>{3, -1}));
  CHECK(n.attrs.at("unpacked") == AttrValue(std::vector<std::int64_t>{5, 6}));
  CHECK(n.attrs.at("floats") == AttrValue(std::vector<float>{1, 2}));
  CHECK(n.attrs.at("bools") == AttrValue(std::vector<bool>{true, false}));
  CHECK(n.attrs.at("types") == AttrValue(std::vector<DType>{DType::Float32, DType::Int64}));
  CHECK(n.attrs.at("texts") == AttrValue(std::vector<std::string>{"p", ""}));
  CHECK(n.attrs.at("shapes") ==
        AttrValue(std::vector<PartialShape>{PartialShape::scalar(), PartialShape{4}}));
  CHECK(n.attrs.at("empty") == AttrValue(std::vector<std::int64_t>()));
  CHECK(n.attrs.at("func") == AttrValue("body"));
  CHECK(n.attrs.at("_class") == AttrValue(std::vector<std::string>{"loc:@x"}));
  CHECK(n.attrs.count("_internal") == 0);
}

TEST_CASE("tensors as bytes, as lists, and as one value for all") {
  const Tensor content = value_of(constant("c", 1, {2}, bytes(4, fixed(1) + fixed(-2))));
  CHECK(content.flat<float>()[1] == -2);
  const Tensor last = value_of(constant("c", 1, {2, 3}, bytes(5, fixed(1) + fixed(7))));
  CHECK(std::vector<float>(last.flat<float>().begin(), last.flat<float>().end()) ==
        std::vector<float>{1, 7, 7, 7, 7, 7});
  const Tensor unpacked =
      value_of(constant("c", 3, {3}, number(7, 4) + number(7, ~std::uint64_t{0})));
  CHECK(unpacked.flat<std::int32_t>()[2] == -1);
  CHECK(value_of(constant("c", 6, {1}, number(7, 0xffffffffffffff80))).flat<std::int8_t>()[0] ==
        -128);
  CHECK(value_of(constant("c", 10, {2}, bytes(11, varint(2)))).flat<bool>()[1]);
  CHECK(value_of(constant("c", 19, {}, bytes(13, varint(0x3c00)))).item<half>() == half(1.f));
  CHECK(value_of(constant("c", 14, {2}, bytes(13, varint(0x4000)))).flat<bfloat16>()[1] ==
        bfloat16(2.f));
  CHECK(value_of(constant("c", 8, {2}, bytes(9, fixed(1) + fixed(2))))
            .flat<std::complex<float>>()[1] == std::complex<float>(1, 2));
  const Tensor texts = value_of(constant("c", 7, {3}, bytes(8, "") + bytes(8, "two")));
  CHECK(texts.flat<std::string>()[2] == "two");
  CHECK(value_of(constant("c", 7, {2}, bytes(4, varint(1) + varint(2) + "abc")))
            .flat<std::string>()[1] == "bc");
  CHECK(
      value_of(constant("c", 23, {}, bytes(17, varint(~std::uint64_t{0})))).item<std::uint64_t>() ==
      ~std::uint64_t{0});
  CHECK(value_of(constant("c", 2, {4}, "")).flat<double>()[3] == 0);
  CHECK(value_of(constant("c", 2, {0}, "")).elements() == 0);
}

TEST_CASE("tensors that do not fit are refused, with the names of node and attribute") {
  const auto check = [](const std::string& graph, const std::string& part) {
    const Status status = unreadable(graph);
    CHECK(status.code() == Code::InvalidArgument);
    CHECK_THAT(status.to_string(), contains(part));
    CHECK_THAT(status.to_string(), contains("node \"c\""));
    CHECK_THAT(status.to_string(), contains("attribute value"));
  };
  check(constant("c", 1, {2}, bytes(4, fixed(1))), "4 bytes of content");
  check(constant("c", 1, {1}, bytes(5, fixed(1) + fixed(2))), "more values than shape [1]");
  check(constant("c", 1, {2}, bytes(5, fixed(1) + "x")), "cut off");
  check(constant("c", 3, {1}, number(7, 1) + number(7, 2)), "more values than shape [1]");
  check(constant("c", 8, {1}, bytes(9, fixed(1))), "complex");
  check(constant("c", 1, {~std::uint64_t{0}}, ""), "not known");
  check(constant("c", 1, {std::uint64_t{1} << 40, std::uint64_t{1} << 40}, ""), "");
  check(constant("c", 7, {2}, bytes(4, varint(1) + varint(9) + "abc")), "cut off");
}

TEST_CASE("what a few bytes claim is not taken") {
  // A splat of 2^40 floats, and of 10^9 strings.
  CHECK(unreadable(constant("c", 1, {std::uint64_t{1} << 40}, bytes(5, fixed(1)))).code() ==
        Code::ResourceExhausted);
  CHECK(unreadable(constant("c", 7, {1000000000}, bytes(8, "text"))).code() ==
        Code::ResourceExhausted);
  CHECK(unreadable(constant("c", 1, {1000}, ""), {.memory = 2000}).code() ==
        Code::ResourceExhausted);
  const std::string many = node("a", "NoOp") + node("b", "NoOp") + node("c", "NoOp");
  const Status status = unreadable(many, {.nodes = 2});
  CHECK(status.code() == Code::ResourceExhausted);
  CHECK_THAT(status.to_string(), contains("more than 2 nodes"));
  CHECK(read_tensorflow_graph(many, {.nodes = 3}).nodes.size() == 3);
}

TEST_CASE("bytes that are cut off name the node") {
  const std::string graph = node("first", "NoOp") + node("second", "NoOp", bytes(4, "/job:ps"));
  for (std::size_t length = 1; length < graph.size(); ++length) {
    const Status status = unreadable(graph.substr(0, length));
    if (length == node("first", "NoOp").size()) {
      CHECK(status.ok());
      continue;
    }
    CHECK(status.code() == Code::InvalidArgument);
    // The name of the node is known as soon as its bytes are there.
    if (length > 2 + 2 + 5 + 1 && length < node("first", "NoOp").size())
      CHECK_THAT(status.to_string(), contains("node \"first\""));
    if (length > node("first", "NoOp").size() + 2 + 2 + 6)
      CHECK_THAT(status.to_string(), contains("node \"second\""));
  }
  CHECK_THAT(unreadable(bytes(1, bytes(2, "NoOp"))).to_string(), contains("no name"));
  CHECK_THAT(unreadable(node("n", "")).to_string(), contains("no op type"));
  CHECK_THAT(unreadable("this is no GraphDef").to_string(), contains("malformed"));
  CHECK_THAT(unreadable(node("n", "A", attr("T", number(6, 77)))).to_string(),
             contains("DataType 77"));
  CHECK_THAT(unreadable(node("n", "A", attr("T", ""))).to_string(), contains("no value"));
}

TEST_CASE("graphs that cannot be are refused at the node") {
  const auto check = [](const std::string& graph, Code code, const std::string& part) {
    const Status status = not_imported(graph);
    CHECK(code_name(status.code()) == code_name(code));
    CHECK_THAT(status.to_string(), contains(part));
  };
  const std::string one = constant("one", 1, {}, bytes(5, fixed(1)));
  const auto square = [](const std::string& name, const std::string& input,
                         const std::string& rest = "") {
    return node(name, "Square", bytes(3, input) + attr("T", number(6, 1)) + rest);
  };
  check(square("a", "b") + square("b", "a"), Code::InvalidArgument, "a <- b <- a");
  check(one + node("odd", "NoSuchOp"), Code::NotFound, "NoSuchOp");
  check(square("a", "missing"), Code::InvalidArgument, "missing");
  check(one + one, Code::InvalidArgument, "two nodes named \"one\"");
  check(one + square("a", "one:1"), Code::InvalidArgument, "one:1");
  check(one + square("a", "one", attr("grad_a", number(5, 1))), Code::InvalidArgument, "grad_a");
  check(one + node("a", "Square", bytes(3, "one") + attr("T", number(3, 1))), Code::InvalidArgument,
        "T");
  check(one + node("a", "Square", bytes(3, "one") + attr("T", number(6, 2))), Code::InvalidArgument,
        "float64");
  check(one + square("a", "one", bytes(4, "no device")), Code::InvalidArgument, "no device");
  check(node("bad name", "NoOp"), Code::InvalidArgument, "bad name");
  check(one + node("a", "Split", bytes(3, "one") + attr("num_split", number(3, 1000000000))),
        Code::InvalidArgument, "a");
}

TEST_CASE("attributes of later versions are left out at their defaults") {
  StandardGraph graph;
  import_tensorflow_graph(
      graph, read_tensorflow_graph(
                 constant("one", 1, {}, bytes(5, fixed(1))) +
                 node("s", "Square",
                      bytes(3, "one") + attr("T", number(6, 1)) + attr("grad_a", number(5, 0)) +
                          attr("debug_name", bytes(2, "")) + attr("sizes", bytes(1, "")) +
                          attr("incompatible_shape_error", number(5, 1)) +
                          attr("_output_shapes", bytes(1, "")))));
  CHECK(graph.output("s").dtype() == DType::Float32);
}

TEST_CASE("what TensorFlow wrote is read, imported, written and read again") {
  std::size_t graphs = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(DGRAPH_SOURCE_DIR "/tests/graphs/data")) {
    if (!entry.is_directory()) continue;
    INFO(entry.path());
    const GraphDef def = load_tensorflow_graph((entry.path() / "graph.pb").string());
    CHECK(def.nodes.size() > 20);
    const GraphDef again = read_tensorflow_graph(write_tensorflow_graph(def));
    REQUIRE(again.nodes.size() == def.nodes.size());
    for (std::size_t i = 0; i < def.nodes.size(); ++i) {
      NodeDef a = def.nodes[i], b = again.nodes[i];
      CHECK(a.name == b.name);
      CHECK(a.inputs == b.inputs);
      CHECK(a.device == b.device);
      for (const auto& [name, value] : a.attrs)
        CHECK(b.attrs.at(name).to_string() == value.to_string());
    }
    // Bytes that end early are a shorter graph or refused, nothing worse.
    const std::string pb = file(entry.path() / "graph.pb");
    for (std::size_t length = pb.size() - 200; length < pb.size(); ++length) {
      const Status status = unreadable(pb.substr(0, length));
      CHECK((status.ok() || status.code() == Code::InvalidArgument));
    }
    ++graphs;
  }
  CHECK(graphs >= 6);
}

TEST_CASE("a graph is given on to TensorFlow's form and back") {
  StandardGraph graph;
  {
    const auto building = graph.as_default();
    const auto on = device("/job:ps/task:1");
    const auto w = variable("w", 2.f);
    const auto with = colocate_with(w.ref());
    identity(w.read(), "copy");
  }
  const GraphDef def = export_graph_def(graph);
  StandardGraph copy;
  import_tensorflow_graph(copy, read_tensorflow_graph(write_tensorflow_graph(def)));
  CHECK(export_graph_def(copy) == def);
  CHECK(refused([] { load_tensorflow_graph("/no/such/file.pb"); }).code() == Code::NotFound);
}
