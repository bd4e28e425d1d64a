#pragma once
#include <dgraph/interop/tensorflow_tensor.hpp>

#include <algorithm>
#include <cstring>
#include <vector>

#include <dgraph/interop/protobuf.hpp>

#if defined(DGRAPH_DETAIL_HAS_PROTOZERO)

namespace dgraph::detail {

DGRAPH_DECL DType dtype_of_number(std::int64_t number) {
  constexpr std::int64_t kReference = 100;
  if (number > kReference) number -= kReference;
  const auto dtype = static_cast<DType>(number);
  const bool known =
      number > 0 && number < static_cast<std::int64_t>(kDTypeEnd) &&
      (dtype_size(dtype) != 0 || dtype == DType::Resource || dtype == DType::Variant);
  if (!known) fail(Code::InvalidArgument, "DataType ", number, " is no dtype that dgraph has");
  return dtype;
}

DGRAPH_DECL PartialShape read_shape_proto(std::string_view bytes) {
  constexpr std::size_t kMostDims = 254;
  Dims dims;
  bool unknown_rank = false;
  read_protobuf("a shape", [&] {
    pbf_reader shape(bytes.data(), bytes.size());
    while (shape.next()) {
      switch (shape.tag_and_type()) {
        case bytes_field(2): {
          pbf_reader dim(shape.get_view());
          std::int64_t size = 0;
          while (dim.next()) {
            if (dim.tag_and_type() == varint_field(1))
              size = dim.get_int64();
            else
              dim.skip();
          }
          if (dims.size() == kMostDims)
            fail(Code::InvalidArgument, "a shape has more than ", kMostDims, " dimensions");
          dims.push_back(size);
          break;
        }
        case varint_field(3):
          unknown_rank = shape.get_uint64() != 0;
          break;
        default:
          shape.skip();
      }
    }
  });
  if (unknown_rank && !dims.empty())
    fail(Code::InvalidArgument, "a shape of unknown rank has ", dims.size(), " dimensions");
  return unknown_rank ? PartialShape() : PartialShape(std::move(dims));
}

DGRAPH_DECL std::string write_shape_proto(const PartialShape& shape) {
  std::string out;
  pbf_writer writer(out);
  for (const std::int64_t size : shape.dims()) {
    std::string dim;
    pbf_writer(dim).add_int64(1, size);
    writer.add_message(2, dim);
  }
  if (!shape.has_rank()) writer.add_bool(3, true);
  return out;
}

// In which field a TensorProto lists the elements of a dtype, how each is written, and how many numbers make one.
struct ValueField {
  std::uint32_t number = 0;
  pbf_wire_type type = pbf_wire_type::varint;
  std::size_t parts = 1;
};

DGRAPH_DECL ValueField value_field(DType dtype) {
  switch (dtype) {
    case DType::Float32:
      return {5, pbf_wire_type::fixed32};
    case DType::Float64:
      return {6, pbf_wire_type::fixed64};
    case DType::Int32:
    case DType::Int16:
    case DType::UInt16:
    case DType::Int8:
    case DType::UInt8:
      return {7};
    case DType::String:
      return {8, pbf_wire_type::length_delimited};
    case DType::Complex64:
      return {9, pbf_wire_type::fixed32, 2};
    case DType::Int64:
      return {10};
    case DType::Bool:
      return {11};
    case DType::Complex128:
      return {12, pbf_wire_type::fixed64, 2};
    case DType::Float16:
    case DType::BFloat16:
      return {13};
    case DType::UInt32:
      return {16};
    case DType::UInt64:
      return {17};
    default:
      fail(Code::Unimplemented, "a tensor of ", dtype_name(dtype), " cannot be read from a file");
  }
}

// Writes listed numbers one after another into a tensor.
class ValueFiller {
 public:
  ValueFiller(Tensor& out, MemoryBudget& budget)
      : out_(out),
        budget_(budget),
        field_(value_field(out.dtype())),
        size_(dtype_size(out.dtype()) / field_.parts),
        room_(static_cast<std::size_t>(out.elements()) * field_.parts) {}

  // True where that was the current field of `proto`.
  bool read(pbf_reader& proto) {
    if (proto.tag() != field_.number) return false;
    if (proto.wire_type() == pbf_wire_type::length_delimited) {
      const std::string_view bytes = view_of(proto.get_view());
      if (field_.type == pbf_wire_type::length_delimited)
        text(bytes);
      else if (field_.type == pbf_wire_type::varint)
        varints(bytes);
      else
        fixed(bytes);
    } else if (proto.wire_type() == field_.type) {
      if (field_.type == pbf_wire_type::varint)
        number(proto.get_uint64());
      else if (field_.type == pbf_wire_type::fixed32)
        put(proto.get_fixed32());
      else
        put(proto.get_fixed64());
    } else {
      return false;
    }
    return true;
  }

  // The last value stands for all that follow; none at all: zeros.
  void fill() {
    if (count_ % field_.parts)
      fail(Code::InvalidArgument, "half of a complex number is missing in a tensor");
    const std::size_t have = count_ / field_.parts, all = room_ / field_.parts;
    if (have == 0 || have == all) return;
    if (out_.dtype() == DType::String) {
      std::string* text = out_.mutable_data<std::string>();
      budget_.take(all - have, text[have - 1].size());
      std::fill(text + have, text + all, text[have - 1]);
      return;
    }
    const std::size_t size = dtype_size(out_.dtype());
    std::byte* data = out_.mutable_raw();
    // Doubles what is filled: the copies never overlap.
    std::byte* const from = data + (have - 1) * size;
    const std::size_t total = (all - have + 1) * size;
    for (std::size_t done = size; done < total;) {
      const std::size_t step = std::min(done, total - done);
      std::memcpy(from + done, from, step);
      done += step;
    }
  }

 private:
  std::size_t next() {
    if (count_ == room_)
      fail(Code::InvalidArgument, "a tensor lists more values than shape ", out_.shape(), " has");
    return count_++;
  }
  template <class T>
  void put(const T& bits) {
    std::memcpy(out_.mutable_raw() + next() * size_, &bits, size_);
  }
  void number(std::uint64_t value) {
    if (out_.dtype() == DType::Bool) value = value != 0;
    put(value);
  }
  void varints(std::string_view bytes) {
    const char* at = bytes.data();
    const char* const end = at + bytes.size();
    while (at != end) number(protozero::decode_varint(&at, end));
  }
  void fixed(std::string_view bytes) {
    if (bytes.size() % size_)
      fail(Code::InvalidArgument, "a value at the end of a tensor is cut off");
    const std::size_t count = bytes.size() / size_;
    if (count > room_ - count_)
      fail(Code::InvalidArgument, "a tensor lists more values than shape ", out_.shape(), " has");
    if (count) std::memcpy(out_.mutable_raw() + count_ * size_, bytes.data(), bytes.size());
    count_ += count;
  }
  void text(std::string_view bytes) {
    budget_.take(bytes.size());
    out_.mutable_data<std::string>()[next()] = bytes;
  }

  Tensor& out_;
  MemoryBudget& budget_;
  const ValueField field_;
  const std::size_t size_, room_;
  std::size_t count_ = 0;
};

// The bytes of all elements; strings are all lengths, then all texts.
DGRAPH_DECL void read_tensor_content(std::string_view content, Tensor& out, MemoryBudget& budget) {
  const auto elements = static_cast<std::size_t>(out.elements());
  if (out.dtype() != DType::String) {
    std::memcpy(out.mutable_raw(), content.data(), content.size());
    if (out.dtype() == DType::Bool)
      for (auto *at = reinterpret_cast<unsigned char*>(out.mutable_raw()), *end = at + elements;
           at != end; ++at)
        *at = *at != 0;
    return;
  }
  const char* at = content.data();
  const char* const end = at + content.size();
  std::vector<std::size_t> lengths(elements);
  for (std::size_t& length : lengths)
    length = static_cast<std::size_t>(protozero::decode_varint(&at, end));
  budget.take(static_cast<std::size_t>(end - at));
  for (std::size_t i = 0; i < elements; ++i) {
    if (lengths[i] > static_cast<std::size_t>(end - at)) throw protozero::end_of_buffer_exception{};
    out.mutable_data<std::string>()[i].assign(at, lengths[i]);
    at += lengths[i];
  }
}

DGRAPH_DECL Tensor read_tensor_proto(std::string_view bytes, MemoryBudget& budget) {
  Tensor out;
  read_protobuf("a tensor", [&] {
    DType dtype = DType::Invalid;
    PartialShape shape = PartialShape::scalar();
    std::string_view content;
    pbf_reader head(bytes.data(), bytes.size());
    while (head.next()) {
      switch (head.tag_and_type()) {
        case varint_field(1):
          dtype = dtype_of_number(head.get_int32());
          break;
        case bytes_field(2):
          shape = read_shape_proto(view_of(head.get_view()));
          break;
        case bytes_field(4):
          content = view_of(head.get_view());
          break;
        default:
          head.skip();
      }
    }
    if (dtype == DType::Invalid) fail(Code::InvalidArgument, "a tensor has no dtype");
    value_field(dtype);
    if (!shape.fully_known())
      fail(Code::InvalidArgument, "a tensor's shape is ", shape, ", not known in all");
    const auto elements = static_cast<std::size_t>(shape.to_shape().elements());
    if (!content.empty()) {
      const std::size_t least = dtype == DType::String ? 1 : dtype_size(dtype);
      const bool fits = dtype == DType::String
                            ? elements <= content.size()
                            : content.size() % least == 0 && content.size() / least == elements;
      if (!fits)
        fail(Code::InvalidArgument, "a tensor of ", dtype_name(dtype), shape, " has ",
             content.size(), " bytes of content");
    }
    budget.take(elements, dtype_size(dtype));
    if (!content.empty()) {
      out = Tensor(dtype, shape.to_shape());
      read_tensor_content(content, out, budget);
      return;
    }
    out = Tensor::zeros(dtype, shape.to_shape());
    ValueFiller filler(out, budget);
    pbf_reader values(bytes.data(), bytes.size());
    while (values.next())
      if (!filler.read(values)) values.skip();
    filler.fill();
  });
  return out;
}

DGRAPH_DECL std::string write_tensor_proto(const Tensor& tensor) {
  value_field(tensor.dtype());
  std::string out;
  pbf_writer writer(out);
  writer.add_int32(1, static_cast<std::int32_t>(tensor.dtype()));
  writer.add_message(2, write_shape_proto(tensor.shape()));
  if (tensor.dtype() == DType::String) {
    for (const std::string& text : tensor.flat<std::string>()) writer.add_bytes(8, text);
  } else if (tensor.bytes() != 0) {
    writer.add_bytes(4, reinterpret_cast<const char*>(tensor.raw()), tensor.bytes());
  }
  return out;
}

}  // namespace dgraph::detail

#endif
