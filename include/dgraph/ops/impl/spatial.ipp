#pragma once
#include <dgraph/ops/spatial.hpp>

#include <algorithm>

namespace dgraph::detail {

DGRAPH_DECL WindowDim WindowAttrs::along(std::size_t i, std::int64_t input,
                                         std::int64_t size) const {
  const std::size_t axis = spatial_axis(i);
  WindowDim out;
  out.input = input;
  out.size = size;
  out.stride = strides[axis];
  out.dilation = dilations[axis];
  if (size <= 0) fail(Code::InvalidArgument, "windows must have elements, not ", size);
  std::int64_t reach = 0, room = 0;
  if (__builtin_mul_overflow(size - 1, out.dilation, &reach) ||
      __builtin_add_overflow(reach, std::int64_t{1}, &reach))
    fail(Code::InvalidArgument, "a window of ", size, " with dilation ", out.dilation,
         " is too large");
  const auto too_large = [&] {
    fail(Code::InvalidArgument, "a window that reaches over ", reach,
         " does not fit a dimension of ", input, " with its padding");
  };
  if (border == Border::Same) {
    out.places = input == 0 ? 0 : (input - 1) / out.stride + 1;
    if (out.places == 0) return out;
    if (__builtin_add_overflow((out.places - 1) * out.stride, reach, &room)) too_large();
    out.before = std::max<std::int64_t>(0, room - input) / 2;
    return out;
  }
  room = input;
  if (border == Border::Explicit) {
    out.before = paddings[2 * axis];
    if (__builtin_add_overflow(room, out.before, &room) ||
        __builtin_add_overflow(room, paddings[2 * axis + 1], &room))
      fail(Code::InvalidArgument, "paddings of ", out.before, " and ", paddings[2 * axis + 1],
           " are too large");
  }
  if (room >= reach) {
    out.places = (room - reach) / out.stride + 1;
  } else {
    // TensorFlow's number of places is a division that rounds towards zero.
    if (reach - room - out.stride >= out.stride) too_large();
    out.places = 0;
  }
  return out;
}

DGRAPH_DECL std::int64_t WindowAttrs::places(std::size_t i, std::int64_t input,
                                             std::int64_t size) const {
  if (input < 0 || (size < 0 && border != Border::Same)) return -1;
  return along(i, input, size < 0 ? 1 : size).places;
}

DGRAPH_DECL WindowAttrs read_window_attrs(const OpDef& def,
                                          FunctionRef<const AttrValue&(std::string_view)> attr) {
  WindowAttrs out;
  const auto has = [&def](std::string_view name) { return def.attr_index(name) >= 0; };
  const auto& format = attr("data_format").get<std::string>();
  out.spatial = format.size() - 2;
  out.channels_first = format[1] == 'C';
  const auto& padding = attr("padding").get<std::string>();
  out.border = padding == "SAME"    ? WindowAttrs::Border::Same
               : padding == "VALID" ? WindowAttrs::Border::Valid
                                    : WindowAttrs::Border::Explicit;
  const auto read = [&](std::string_view name, Dims& to, std::size_t count, std::int64_t least) {
    const auto& values = attr(name).get<std::vector<std::int64_t>>();
    if (values.size() != count)
      fail(Code::InvalidArgument, "attribute ", name, " of ", def.name, " must have ", count,
           " numbers, not ", attr(name).to_string());
    for (std::int64_t value : values)
      if (value < least)
        fail(Code::InvalidArgument, "attribute ", name, " of ", def.name, " must be ",
             least > 0 ? "positive" : "non-negative", ", not ", attr(name).to_string());
    to = Dims(std::span<const std::int64_t>(values));
  };
  read("strides", out.strides, out.rank(), 1);
  out.dilations = Dims(out.rank(), 1);
  if (has("dilations")) read("dilations", out.dilations, out.rank(), 1);
  if (has("ksize")) read("ksize", out.sizes, out.rank(), 1);
  if (out.border == WindowAttrs::Border::Explicit) {
    read("explicit_paddings", out.paddings, 2 * out.rank(), 0);
    for (const std::size_t axis : {std::size_t{0}, out.channel_axis()})
      if (out.paddings[2 * axis] != 0 || out.paddings[2 * axis + 1] != 0)
        fail(Code::InvalidArgument, "padding of the batch or of channels is not supported: ",
             attr("explicit_paddings").to_string());
  } else if (has("explicit_paddings")) {
    Dims none;
    read("explicit_paddings", none, 0, 0);
  }
  return out;
}

DGRAPH_DECL WindowAttrs
read_convolution_attrs(const OpDef& def, FunctionRef<const AttrValue&(std::string_view)> attr) {
  WindowAttrs attrs = read_window_attrs(def, attr);
  // The codes are TensorFlow's.
  const bool unheard_of = def.name == "Conv2D" || def.name == "Conv2DBackpropInput";
  for (const std::size_t axis : {std::size_t{0}, attrs.channel_axis()})
    if (attrs.strides[axis] != 1 || attrs.dilations[axis] != 1)
      fail(unheard_of ? Code::Unimplemented : Code::InvalidArgument,
           "strides and dilations over batch and channels must be 1");
  if (def.name.starts_with("Depthwise") &&
      attrs.strides[attrs.spatial_axis(0)] != attrs.strides[attrs.spatial_axis(1)])
    fail(Code::InvalidArgument, "strides of ", def.name,
         " over rows and columns must be equal, not ", attr("strides").to_string());
  return attrs;
}

// MaxPoolWithArgmax and its gradients have no data_format: theirs is NHWC.
DGRAPH_DECL WindowAttrs read_pool_attrs(const OpDef& def,
                                        FunctionRef<const AttrValue&(std::string_view)> attr) {
  static const AttrValue images(std::string("NHWC"));
  WindowAttrs attrs = read_window_attrs(def, [&](std::string_view name) -> const AttrValue& {
    return name == "data_format" && def.attr_index(name) < 0 ? images : attr(name);
  });
  if (attrs.sizes[0] != 1 || attrs.strides[0] != 1)
    fail(Code::Unimplemented, "pooling over the batch is not supported");
  for (std::size_t axis = 0; attrs.border == WindowAttrs::Border::Explicit && axis < attrs.rank();
       ++axis)
    if (std::max(attrs.paddings[2 * axis], attrs.paddings[2 * axis + 1]) >= attrs.sizes[axis])
      fail(Code::InvalidArgument, "padding ", attr("explicit_paddings").to_string(),
           " must be less than windows of ", attr("ksize").to_string());
  const std::int64_t depth = attrs.sizes[attrs.channel_axis()];
  if (depth == 1 && attrs.strides[attrs.channel_axis()] == 1) return attrs;
  bool spatial = false;
  for (std::size_t i = 0; i < attrs.spatial; ++i)
    spatial = spatial || attrs.sizes[attrs.spatial_axis(i)] != 1;
  if (def.name != "MaxPool" || spatial || attrs.channels_first ||
      attrs.strides[attrs.channel_axis()] != depth)
    fail(Code::Unimplemented,
         "pooling over channels is for MaxPool with windows of one place and a "
         "stride as large as the window");
  return attrs;
}

DGRAPH_DECL std::vector<std::int64_t> over_all_dims(const std::vector<std::int64_t>& given,
                                                    const std::vector<std::int64_t>& otherwise,
                                                    std::size_t spatial, bool channels_first,
                                                    std::string_view what) {
  const std::vector<std::int64_t>& from = given.empty() ? otherwise : given;
  if (from.size() == spatial + 2) return from;
  if (from.size() != spatial && from.size() != 1)
    fail(Code::InvalidArgument, what, " have 1, ", spatial, " or ", spatial + 2, " numbers, not ",
         from.size());
  std::vector<std::int64_t> out(spatial + 2, 1);
  for (std::size_t i = 0; i < spatial; ++i)
    out[i + (channels_first ? 2 : 1)] = from[from.size() == 1 ? 0 : i];
  return out;
}

DGRAPH_DECL std::vector<std::int64_t> explicit_paddings(const Padding& padding, std::size_t spatial,
                                                        bool channels_first) {
  if (padding.amounts().empty()) return {};
  if (padding.amounts().size() != spatial)
    fail(Code::InvalidArgument, "padding has ", spatial, " pairs of numbers, not ",
         padding.amounts().size());
  std::vector<std::int64_t> out(2 * (spatial + 2), 0);
  for (std::size_t i = 0; i < spatial; ++i) {
    const std::size_t axis = i + (channels_first ? 2 : 1);
    out[2 * axis] = padding.amounts()[i].first;
    out[2 * axis + 1] = padding.amounts()[i].second;
  }
  return out;
}

DGRAPH_DECL std::string data_format(std::size_t spatial, bool channels_first) {
  const char* const space = spatial == 3 ? "DHW" : "HW";
  return channels_first ? std::string("NC") + space : std::string("N") + space + "C";
}

}  // namespace dgraph::detail
