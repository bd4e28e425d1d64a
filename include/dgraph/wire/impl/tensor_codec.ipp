#pragma once
#include <dgraph/wire/tensor_codec.hpp>

#include <dgraph/graph/function_body.hpp>
#include <dgraph/wire/graph_codec.hpp>

#include <algorithm>
#include <cstring>

namespace dgraph::wire {
namespace detail {

enum class TensorPlace : std::uint8_t { Head = 0, Body = 1 };

inline constexpr std::size_t kMostDims = 254;

// Lengths in 8 bytes each, then all the text.
DGRAPH_DECL std::size_t text_bytes(const Tensor& tensor) {
  std::size_t total = 0;
  for (const std::string& text : tensor.flat<std::string>()) total += 8 + text.size();
  return total;
}

DGRAPH_DECL void put_texts(std::byte* to, const Tensor& tensor) {
  const auto texts = tensor.flat<std::string>();
  std::byte* text_at = to + 8 * texts.size();
  for (const std::string& text : texts) {
    store(to, static_cast<std::uint64_t>(text.size()));
    to += 8;
    if (!text.empty()) std::memcpy(text_at, text.data(), text.size());
    text_at += text.size();
  }
}

// Takes from the front of `bytes` the elements of a tensor and says how many bytes they took.
DGRAPH_DECL Tensor get_texts(Shape shape, std::span<const std::byte> bytes, std::size_t& used) {
  const auto count = static_cast<std::uint64_t>(shape.elements());
  if (count > bytes.size() / 8)
    fail(Code::DataLoss, "malformed tensor: ", count, " texts cannot lie in ", bytes.size(),
         " bytes");
  std::uint64_t left = bytes.size() - 8 * count;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto size = load<std::uint64_t>(bytes.data() + 8 * i);
    if (size > left)
      fail(Code::DataLoss, "malformed tensor: a text of ", size, " bytes, where ", left,
           " are left");
    left -= size;
  }
  Tensor out(DType::String, std::move(shape));
  auto* texts = out.mutable_data<std::string>();
  const auto* text = reinterpret_cast<const char*>(bytes.data() + 8 * count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto size = load<std::uint64_t>(bytes.data() + 8 * i);
    texts[i].assign(text, size);
    text += size;
  }
  used = bytes.size() - left;
  return out;
}

// A bool that is neither 0 nor 1 must not exist.
DGRAPH_DECL void check_bools(const std::byte* bytes, std::size_t count) {
  unsigned char all = 0;
  for (std::size_t i = 0; i < count; ++i) all |= std::to_integer<unsigned char>(bytes[i]);
  if (all > 1) fail(Code::DataLoss, "malformed tensor: a truth value is neither 0 nor 1");
}

// Dimensions whose product fits; also where one is 0, so that nobody's product of all can overflow.
DGRAPH_DECL Dims get_dims(ByteReader& from, std::size_t rank, std::int64_t least) {
  if (rank > kMostDims) from.wrong("a shape has too many dimensions");
  const std::byte* bytes = from.take(8 * rank);
  Dims dims;
  if (rank > Dims::kInline) dims.resize(rank);
  std::int64_t product = 1;
  for (std::size_t i = 0; i < rank; ++i) {
    const auto d = load<std::int64_t>(bytes + 8 * i);
    if (d < least || (d > 0 && __builtin_mul_overflow(product, d, &product)))
      from.wrong("a shape is negative or too large");
    if (rank > Dims::kInline)
      dims[i] = d;
    else
      dims.push_back(d);
  }
  return dims;
}

DGRAPH_DECL void put_dims(std::byte* to, const Dims& dims) {
  for (std::int64_t d : dims) {
    store(to, d);
    to += 8;
  }
}

}  // namespace detail

DGRAPH_DECL Body BodyReader::take() {
  if (taken_ == bodies_.size())
    fail(Code::DataLoss, "malformed message: body ", taken_, " is missing");
  return std::move(bodies_[taken_++]);
}

DGRAPH_DECL void BodyReader::expect_end() const {
  if (taken_ != bodies_.size())
    fail(Code::DataLoss, "malformed message: ", left(), " bodies belong to nothing");
}

DGRAPH_DECL std::size_t tensor_body_bytes(const Tensor& tensor) {
  const std::size_t bytes =
      tensor.dtype() == DType::String ? detail::text_bytes(tensor) : tensor.bytes();
  return bytes > kInlineTensorBytes ? bytes : 0;
}

DGRAPH_DECL void write_tensor(ByteWriter& to, std::vector<Body>& bodies, const Tensor& tensor) {
  const DType dtype = tensor.dtype();
  if (dtype == DType::Resource || dtype == DType::Variant)
    fail(Code::InvalidArgument, "a tensor of ", dtype_name(dtype), " cannot leave its task");
  const bool text = dtype == DType::String;
  const std::size_t rank = tensor.rank();
  const std::size_t bytes = text ? detail::text_bytes(tensor) : tensor.bytes();
  const bool in_head = bytes <= kInlineTensorBytes;
  std::byte* at = to.take(4 + 8 * rank + (in_head ? bytes : 0));
  store(at, dtype);
  store(at + 1, in_head ? detail::TensorPlace::Head : detail::TensorPlace::Body);
  store(at + 2, static_cast<std::uint16_t>(rank));
  detail::put_dims(at + 4, tensor.shape().dims());
  at += 4 + 8 * rank;
  if (in_head && text) {
    detail::put_texts(at, tensor);
  } else if (in_head) {
    std::memcpy(at, tensor.raw(), bytes);
  } else if (text) {
    Ref<Buffer> buffer = allocate_buffer(bytes);
    std::byte* data = buffer->data();
    detail::put_texts(data, tensor);
    bodies.push_back({std::move(buffer), data, bytes});
  } else {
    bodies.push_back(
        {Ref<Buffer>::share(tensor.buffer()), const_cast<std::byte*>(tensor.raw()), bytes});
  }
}

DGRAPH_DECL Tensor read_tensor(ByteReader& from, BodyReader& bodies, bool* refused) {
  const DType dtype = read_dtype(from);
  const auto place = from.get<std::uint8_t>();
  const std::size_t rank = from.get<std::uint16_t>();
  if (place > 1 || dtype == DType::Resource || dtype == DType::Variant) from.wrong("no tensor");
  Shape shape(detail::get_dims(from, rank, 0));
  if (dtype == DType::Invalid) {
    if (rank != 0 || place != 0) from.wrong("no value, yet a shape or a body");
    return {};
  }
  const bool text = dtype == DType::String;
  std::size_t bytes = 0;
  if (!text &&
      __builtin_mul_overflow(static_cast<std::size_t>(shape.elements()), dtype_size(dtype), &bytes))
    from.wrong("a tensor is too large");

  if (static_cast<detail::TensorPlace>(place) == detail::TensorPlace::Head) {
    if (text) {
      const std::size_t left = std::min(from.left(), kInlineTensorBytes);
      ByteReader ahead = from;
      Tensor out = detail::get_texts(std::move(shape), {ahead.take(left), left}, bytes);
      from.take(bytes);
      return out;
    }
    if (bytes > kInlineTensorBytes) from.wrong("a large tensor in the head");
    const std::byte* data = from.take(bytes);
    if (dtype == DType::Bool) detail::check_bools(data, bytes);
    Tensor out(dtype, std::move(shape));
    std::memcpy(out.mutable_raw(), data, bytes);
    return out;
  }

  Body body = bodies.take();
  if (!body.owner) {
    if (!refused)
      fail(Code::ResourceExhausted, "no memory was given for a tensor of ", dtype_name(dtype),
           shape);
    *refused = true;
    return {};
  }
  if (text) {
    Tensor out = detail::get_texts(std::move(shape), body.bytes(), bytes);
    if (bytes != body.size) from.wrong("the text of a tensor and its body differ in size");
    return out;
  }
  if (bytes != body.size || bytes == 0)
    fail(Code::DataLoss, "malformed tensor: ", dtype_name(dtype), shape, " with a body of ",
         body.size, " bytes");
  if (dtype == DType::Bool) detail::check_bools(body.data, bytes);
  const auto offset = static_cast<std::size_t>(body.data - body.owner->data());
  return Tensor(dtype, std::move(shape), std::move(body.owner), offset);
}

DGRAPH_DECL void write_dtype(ByteWriter& to, DType dtype) { to.put(dtype); }

DGRAPH_DECL DType read_dtype(ByteReader& from) {
  const auto dtype = from.get<DType>();
  if (dtype == DType::Resource || dtype == DType::Variant || dtype == DType::Invalid ||
      dtype_size(dtype) != 0)
    return dtype;
  from.wrong("no dtype");
}

DGRAPH_DECL void write_shape(ByteWriter& to, const Shape& shape) {
  std::byte* at = to.take(4 + 8 * shape.rank());
  store(at, static_cast<std::uint32_t>(shape.rank()));
  detail::put_dims(at + 4, shape.dims());
}

DGRAPH_DECL Shape read_shape(ByteReader& from) {
  return Shape(detail::get_dims(from, from.get<std::uint32_t>(), 0));
}

DGRAPH_DECL void write_partial_shape(ByteWriter& to, const PartialShape& shape) {
  std::byte* at = to.take(4 + 8 * shape.rank());
  store(at, shape.has_rank() ? static_cast<std::int32_t>(shape.rank()) : std::int32_t{-1});
  detail::put_dims(at + 4, shape.dims());
}

DGRAPH_DECL PartialShape read_partial_shape(ByteReader& from) {
  const auto rank = from.get<std::int32_t>();
  if (rank == -1) return {};
  if (rank < 0) from.wrong("a rank is negative");
  return PartialShape(
      detail::get_dims(from, static_cast<std::size_t>(rank), PartialShape::kUnknown));
}

DGRAPH_DECL void write_status(ByteWriter& to, const Status& status) {
  to.put(status.code());
  if (status.ok()) return;
  to.put(status.derived());
  const std::string& message = status.message();
  if (message.size() <= kLongestMessage) {
    to.put_text(message);
  } else {
    constexpr std::size_t kKept = kLongestMessage - 80;
    to.put_text(message.substr(0, kKept) + "... (" + std::to_string(message.size() - kKept) +
                " characters of this message were cut)");
  }
  const ErrorPlace& place = status.place();
  for (const std::string* text :
       {&place.node, &place.op_type, &place.device, &place.task, &place.location})
    to.put_text(std::string_view(*text).substr(0, kLongestStatusText));
}

DGRAPH_DECL Status read_status(ByteReader& from) {
  const auto code = from.get<std::uint8_t>();
  if (code == 0) return {};
  const bool derived = from.get_bool();
  std::string message(from.get_text());
  ErrorPlace place;
  for (std::string* text :
       {&place.node, &place.op_type, &place.device, &place.task, &place.location})
    *text = from.get_text();
  const bool known = code <= static_cast<std::uint8_t>(Code::Unauthenticated);
  Status status(known ? static_cast<Code>(code) : Code::Unknown, std::move(message),
                std::move(place));
  if (derived) status.mark_derived();
  return status;
}

namespace detail {

inline constexpr std::uint32_t kFunctionAttr = 14;

// Name, arguments, results, effects, and the graph as it is encoded for itself.
DGRAPH_DECL void write_function(ByteWriter& to, std::vector<Body>& bodies, const FunctionBody& function) {
  if (function.produce)
    fail(Code::InvalidArgument, "function ", function.name, " is a function of this process, which no other task can call");
  to.put_text(function.name);
  for (const auto* list : {&function.arguments, &function.results}) {
    to.put_count(list->size());
    for (const Endpoint& at : *list) {
      to.put(at.node);
      to.put(at.index);
    }
  }
  to.put_count(function.effects.size());
  for (NodeId id : function.effects) to.put(id);
  const auto put = [&](std::uint64_t nodes, const std::vector<std::byte>& bytes, const std::vector<Body>& more) {
    to.put(nodes);
    to.put_count(bytes.size());
    to.put_bytes(bytes.data(), bytes.size());
    to.put_count(more.size());
    bodies.insert(bodies.end(), more.begin(), more.end());
  };
  if (!function.graph) return put(function.nodes, function.encoded, function.bodies);
  const GraphDelta delta = encode_graph(*function.graph, 0, function.graph->size());
  put(delta.to, delta.bytes, delta.bodies);
}

DGRAPH_DECL std::shared_ptr<const FunctionBody> read_function(ByteReader& from, BodyReader& bodies) {
  auto out = std::make_shared<FunctionBody>();
  out->name = from.get_text();
  for (auto* list : {&out->arguments, &out->results})
    for (std::size_t left = from.get_count(8); left > 0; --left) {
      const auto node = from.get<NodeId>();
      list->push_back({node, from.get<std::uint32_t>()});
    }
  for (std::size_t left = from.get_count(4); left > 0; --left) out->effects.push_back(from.get<NodeId>());
  from.get(out->nodes);
  const std::size_t bytes = from.get_count(1);
  const std::byte* at = from.take(bytes);
  out->encoded.assign(at, at + bytes);
  const auto more = from.get<std::uint32_t>();
  if (more > bodies.left()) from.wrong("a function has more bodies than came");
  for (std::uint32_t i = 0; i < more; ++i) out->bodies.push_back(bodies.take());
  return out;
}

}  // namespace detail

DGRAPH_DECL void write_attr(ByteWriter& to, std::vector<Body>& bodies, const AttrValue& value) {
  if (value.holds<Tensor>())
    if (const auto function = function_in(value.get<Tensor>())) {
      to.put(detail::kFunctionAttr);
      return detail::write_function(to, bodies, *function);
    }
  static_assert(std::variant_size_v<AttrValue::Variant> == 14,
                "the number of an alternative is its name on the wire");
  const auto element = [&]<class T>(const T& x) {
    if constexpr (std::is_same_v<T, std::string>)
      to.put_text(x);
    else if constexpr (std::is_same_v<T, PartialShape>)
      write_partial_shape(to, x);
    else if constexpr (std::is_same_v<T, Tensor>)
      write_tensor(to, bodies, x);
    else
      to.put(x);
  };
  to.put(static_cast<std::uint32_t>(value.variant().index()));
  std::visit(
      [&]<class T>(const T& x) {
        if constexpr (requires { typename T::allocator_type; } && !std::is_same_v<T, std::string>) {
          to.put_count(x.size());
          for (std::size_t i = 0; i < x.size(); ++i)
            element(static_cast<const typename T::value_type&>(x[i]));
        } else if constexpr (!std::is_same_v<T, std::monostate>) {
          element(x);
        }
      },
      value.variant());
}

DGRAPH_DECL AttrValue read_attr(ByteReader& from, BodyReader& bodies) {
  const auto list = [&]<class T>(std::size_t least, auto read) {
    std::vector<T> out;
    for (std::size_t left = from.get_count(least); left > 0; --left) out.push_back(read());
    return out;
  };
  const auto text = [&] { return std::string(from.get_text()); };
  switch (from.get<std::uint32_t>()) {
    case 0: return {};
    case 1: return from.get<std::int64_t>();
    case 2: return from.get<float>();
    case 3: return from.get_bool();
    case 4: return text();
    case 5: return read_dtype(from);
    case 6: return read_partial_shape(from);
    case 7: return read_tensor(from, bodies);
    case 8: return list.operator()<std::int64_t>(8, [&] { return from.get<std::int64_t>(); });
    case 9: return list.operator()<float>(4, [&] { return from.get<float>(); });
    case 10: return list.operator()<bool>(1, [&] { return from.get_bool(); });
    case 11: return list.operator()<std::string>(kLeastText, text);
    case 12: return list.operator()<DType>(1, [&] { return read_dtype(from); });
    case 13:
      return list.operator()<PartialShape>(kLeastShape, [&] { return read_partial_shape(from); });
    case detail::kFunctionAttr: return function_value(detail::read_function(from, bodies));
    default: from.wrong("no kind of attribute");
  }
}

}  // namespace dgraph::wire
