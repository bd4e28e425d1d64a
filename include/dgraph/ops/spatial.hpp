#pragma once
// Windows that move over the spatial dimensions of images and volumes: attributes of convolutions
// and pooling, where the windows lie, and the options that typed functions take.

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <dgraph/base/function.hpp>
#include <dgraph/graph/op_def.hpp>
#include <dgraph/graph/shape_context.hpp>

namespace dgraph {

/// What windows see beyond the border: "VALID" (they stay within), "SAME" (as many as elements, less
/// those that strides skip), or so many zeros before and after each spatial dimension:
/// `{{1, 1}, {0, 2}}`.
class Padding {
 public:
  Padding(const char* name) : name_(name) {}
  Padding(std::initializer_list<std::pair<std::int64_t, std::int64_t>> amounts)
      : name_("EXPLICIT"), amounts_(amounts) {}
  const std::string& name() const noexcept { return name_; }
  const std::vector<std::pair<std::int64_t, std::int64_t>>& amounts() const noexcept {
    return amounts_;
  }

 private:
  std::string name_;
  std::vector<std::pair<std::int64_t, std::int64_t>> amounts_;
};

/// How windows move. A list has one number for each spatial dimension, one for all of them, or one
/// for each dimension of the input.
struct WindowOptions {
  /// Empty: 1 for convolutions, the window's own size for pooling.
  std::vector<std::int64_t> strides = {};
  Padding padding = "VALID";
  /// How far apart the elements of a window are.
  std::vector<std::int64_t> dilations = {};
  /// The channels are dimension 1, not the last one.
  bool channels_first = false;
};

namespace detail {

/// How windows lie along one dimension: window w has elements w * stride - before + t * dilation,
/// for t below `size`.
struct WindowDim {
  std::int64_t input = 1, size = 1, stride = 1, dilation = 1;
  std::int64_t before = 0, places = 1;
  /// Of element t of window w; outside [0, input) where it is padding.
  std::int64_t at(std::int64_t w, std::int64_t t) const noexcept {
    return w * stride - before + t * dilation;
  }
};

/// The attributes strides, padding, explicit_paddings, data_format, dilations and ksize, of which an
/// op may lack some, over all dimensions of its input.
struct WindowAttrs {
  enum class Border : std::uint8_t { Same, Valid, Explicit };
  std::size_t spatial = 2;
  bool channels_first = false;
  Border border = Border::Valid;
  Dims strides, dilations, sizes, paddings;

  std::size_t rank() const noexcept { return spatial + 2; }
  std::size_t channel_axis() const noexcept { return channels_first ? 1 : spatial + 1; }
  std::size_t spatial_axis(std::size_t i) const noexcept { return i + (channels_first ? 2 : 1); }
  /// Windows of `size` along spatial dimension i. Throws InvalidArgument where a window is too large.
  WindowDim along(std::size_t i, std::int64_t input, std::int64_t size) const;
  /// Their number; -1 where a number that decides it is -1.
  std::int64_t places(std::size_t i, std::int64_t input, std::int64_t size) const;
};

/// Throws InvalidArgument where lists are of the wrong length, or numbers not positive (paddings:
/// negative).
WindowAttrs read_window_attrs(const OpDef& def,
                              FunctionRef<const AttrValue&(std::string_view)> attr);
/// The same of a convolution, which moves over spatial dimensions alone.
WindowAttrs read_convolution_attrs(const OpDef& def,
                                   FunctionRef<const AttrValue&(std::string_view)> attr);
/// Of pooling, which has no windows over the batch, and over channels only where MaxPool cuts them into
/// groups. Throws Unimplemented for others.
WindowAttrs read_pool_attrs(const OpDef& def, FunctionRef<const AttrValue&(std::string_view)> attr);

/// A list of the options over all dimensions of an input; `otherwise` where it is empty.
std::vector<std::int64_t> over_all_dims(const std::vector<std::int64_t>& given,
                                        const std::vector<std::int64_t>& otherwise,
                                        std::size_t spatial, bool channels_first,
                                        std::string_view what);
/// The attribute explicit_paddings.
std::vector<std::int64_t> explicit_paddings(const Padding& padding, std::size_t spatial,
                                            bool channels_first);
/// The attribute data_format.
std::string data_format(std::size_t spatial, bool channels_first);

}  // namespace detail
}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/ops/impl/spatial.ipp>
#endif
