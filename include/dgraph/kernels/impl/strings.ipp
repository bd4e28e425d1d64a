#pragma once
#include <dgraph/kernels/strings.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <dgraph/kernels/arguments.hpp>
#include <dgraph/kernels/strided.hpp>
#include <dgraph/kernels/string_arguments.hpp>
#include <dgraph/kernels/unicode_case.hpp>
#include <dgraph/kernels/utf8.hpp>
#include <dgraph/kernels/walker.hpp>

namespace dgraph {
namespace detail {

// Joining

DGRAPH_DECL void run_string_join(KernelContext& c) {
  const std::string& separator = c.config<std::string>();
  Shape shape;
  bool all_scalars = true;
  for (const Tensor& in : c.inputs()) {
    if (in.rank() == 0) continue;
    if (!all_scalars && !(in.shape() == shape))
      fail(Code::InvalidArgument, "inputs must have one shape or be scalars, not ", shape, " and ",
           in.shape());
    shape = in.shape();
    all_scalars = false;
  }
  std::string* const to = c.allocate_output(0, shape).mutable_data<std::string>();
  for (std::int64_t i = 0; i < shape.elements(); ++i)
    for (std::size_t k = 0; k < c.num_inputs(); ++k) {
      if (k > 0) to[i] += separator;
      to[i] += c.input(k).data<std::string>()[c.input(k).rank() == 0 ? 0 : i];
    }
}

struct ReduceJoinConfig {
  bool keep_dims;
  std::string separator;
};

DGRAPH_DECL void run_reduce_join(KernelContext& c) {
  const auto& config = c.config<ReduceJoinConfig>();
  const Tensor& in = c.input(0);
  const auto rank = static_cast<std::int64_t>(in.rank());
  const Dims strides = row_major_strides(in.shape().dims());
  std::vector<bool> reduced(in.rank(), false);
  Dims joined_sizes, joined_strides, kept_sizes, kept_strides, out;
  for (const std::int64_t given : integers_argument(c.input(1), "reduction_indices")) {
    if (given < -rank || given >= rank)
      fail(Code::OutOfRange, "Invalid reduction dimension ", given, " for input with ", rank,
           " dimension(s)");
    const auto axis = static_cast<std::size_t>(given < 0 ? given + rank : given);
    if (reduced[axis]) fail(Code::InvalidArgument, "Duplicate reduction dimension ", axis);
    reduced[axis] = true;
    joined_sizes.push_back(in.dim(axis));
    joined_strides.push_back(strides[axis]);
  }
  for (std::size_t axis = 0; axis < in.rank(); ++axis) {
    if (!reduced[axis]) {
      kept_sizes.push_back(in.dim(axis));
      kept_strides.push_back(strides[axis]);
      out.push_back(in.dim(axis));
    } else if (config.keep_dims) {
      out.push_back(1);
    }
  }
  // The axis given first is gone through first.
  std::reverse(joined_sizes.begin(), joined_sizes.end());
  std::reverse(joined_strides.begin(), joined_strides.end());
  // Where element i, in row-major order of the sizes, lies.
  const auto offset = [](std::int64_t i, const Dims& sizes, const Dims& steps) {
    std::int64_t at = 0;
    for (std::size_t axis = sizes.size(); axis-- > 0; i /= sizes[axis])
      at += i % sizes[axis] * steps[axis];
    return at;
  };
  std::string* const to = c.allocate_output(0, Shape(std::move(out))).mutable_data<std::string>();
  const std::string* const from = in.data<std::string>();
  const std::int64_t count = Shape(kept_sizes).elements(), parts = Shape(joined_sizes).elements();
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t base = offset(i, kept_sizes, kept_strides);
    for (std::int64_t k = 0; k < parts; ++k) {
      if (k > 0) to[i] += config.separator;
      to[i] += from[base + offset(k, joined_sizes, joined_strides)];
    }
  }
}

// Splitting

using StringParts = std::vector<std::string_view>;

// The sparse matrix of each string's parts.
template <class F>
void split_strings(KernelContext& c, F split) {
  const Tensor& in = c.input(0);
  if (in.rank() != 1)
    fail(Code::InvalidArgument, "input must be a vector, not of shape ", in.shape());
  const auto strings = in.flat<std::string>();
  StringParts parts;
  std::vector<std::int64_t> counts;
  std::int64_t most = 0;
  for (const std::string& text : strings) {
    const std::size_t before = parts.size();
    split(text, parts);
    counts.push_back(static_cast<std::int64_t>(parts.size() - before));
    most = std::max(most, counts.back());
  }
  const auto total = static_cast<std::int64_t>(parts.size());
  std::int64_t* index = c.allocate_output(0, Shape{total, 2}).mutable_data<std::int64_t>();
  for (std::size_t row = 0; row < counts.size(); ++row)
    for (std::int64_t column = 0; column < counts[row]; ++column) {
      *index++ = static_cast<std::int64_t>(row);
      *index++ = column;
    }
  std::string* const values = c.allocate_output(1, Shape{total}).mutable_data<std::string>();
  for (std::size_t i = 0; i < parts.size(); ++i) values[i] = parts[i];
  c.set_output(2, Tensor::vector<std::int64_t>({in.dim(0), most}));
}

DGRAPH_DECL void run_string_split(KernelContext& c) {
  const std::string delimiters = scalar_string(c, 1, "delimiter");
  const bool skip_empty = c.config<bool>();
  split_strings(c, [&](std::string_view text, StringParts& parts) {
    if (delimiters.empty()) {
      for (std::size_t i = 0; i < text.size(); ++i) parts.push_back(text.substr(i, 1));
      return;
    }
    for (std::size_t begin = 0;;) {
      const std::size_t end = std::min(text.find_first_of(delimiters, begin), text.size());
      if (end > begin || !skip_empty) parts.push_back(text.substr(begin, end - begin));
      if (end == text.size()) return;
      begin = end + 1;
    }
  });
}

inline bool is_ascii_space(char c) noexcept { return c == ' ' || (c >= '\t' && c <= '\r'); }

DGRAPH_DECL std::string_view stripped(std::string_view text) noexcept {
  while (!text.empty() && is_ascii_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_ascii_space(text.back())) text.remove_suffix(1);
  return text;
}

// Where the last cut was made, what is left follows as it is, also where it is nothing, as in
// TensorFlow.
DGRAPH_DECL void split_at_spaces(std::string_view text, std::int64_t most, StringParts& parts) {
  const auto skip_spaces = [&text] {
    while (!text.empty() && is_ascii_space(text.front())) text.remove_prefix(1);
  };
  skip_spaces();
  for (std::int64_t cuts = 0; !text.empty();) {
    const auto end = static_cast<std::size_t>(
        std::find_if(text.begin(), text.end(), is_ascii_space) - text.begin());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end);
    skip_spaces();
    if (++cuts == most) {
      parts.push_back(text);
      return;
    }
  }
}

DGRAPH_DECL void run_string_split_v2(KernelContext& c) {
  const std::string separator = scalar_string(c, 1, "sep");
  const std::int64_t most = c.config<std::int64_t>() > 0 ? c.config<std::int64_t>() : -1;
  split_strings(c, [&](std::string_view text, StringParts& parts) {
    if (separator.empty()) return split_at_spaces(text, most, parts);
    for (std::int64_t cuts = 0; cuts != most; ++cuts) {
      const std::size_t at = text.find(separator);
      if (at == std::string_view::npos) break;
      parts.push_back(text.substr(0, at));
      text.remove_prefix(at + separator.size());
    }
    parts.push_back(text);
  });
}

// Cutting

// Bytes of the first `count` code points; npos where there are fewer.
DGRAPH_DECL std::size_t bytes_of_characters(std::string_view text, std::uint64_t count) noexcept {
  std::size_t at = 0;
  for (; count > 0; --count) {
    if (at == text.size()) return std::string_view::npos;
    do ++at;
    while (at < text.size() && continues_rune(text[at]));
  }
  return at;
}

DGRAPH_DECL std::int64_t count_characters(std::string_view text) noexcept {
  return std::count_if(text.begin(), text.end(), [](char c) { return !continues_rune(c); });
}

DGRAPH_DECL std::string_view substring(std::string_view text, std::int64_t pos, std::int64_t len,
                                       bool characters, std::int64_t element) {
  const std::int64_t size =
      characters ? count_characters(text) : static_cast<std::int64_t>(text.size());
  const std::int64_t from = pos < 0 ? pos + size : pos;
  if (from < 0 || from > size)
    fail(Code::InvalidArgument, "pos ", pos, " out of range for string at index ", element, " of ",
         size, characters ? " characters" : " bytes");
  // A negative number of bytes is all of them in TensorFlow, and of characters none.
  if (!characters)
    return text.substr(static_cast<std::size_t>(from), static_cast<std::size_t>(len));
  text.remove_prefix(bytes_of_characters(text, static_cast<std::uint64_t>(from)));
  return len < 0 ? std::string_view()
                 : text.substr(0, bytes_of_characters(text, static_cast<std::uint64_t>(len)));
}

DGRAPH_DECL void run_substr(KernelContext& c) {
  const Tensor &in = c.input(0), &pos = c.input(1), &len = c.input(2);
  if (!(pos.shape() == len.shape()))
    fail(Code::InvalidArgument, "pos and len must have one shape, not ", pos.shape(), " and ",
         len.shape());
  const PartialShape both = broadcast_shapes(in.shape(), pos.shape());
  const Shape shape(both.dims());
  const Dims text_strides = broadcast_strides(in.shape(), shape),
             number_strides = broadcast_strides(pos.shape(), shape);
  Tensor& out = c.allocate_output(0, shape);
  const bool characters = c.config<bool>();
  for (std::int64_t i = 0; i < shape.elements(); ++i) {
    std::int64_t text_at = 0, number_at = 0, rest = i;
    for (std::size_t axis = shape.rank(); axis-- > 0; rest /= shape[axis]) {
      text_at += rest % shape[axis] * text_strides[axis];
      number_at += rest % shape[axis] * number_strides[axis];
    }
    out.mutable_data<std::string>()[i] =
        substring(in.data<std::string>()[text_at], integer_at(pos, number_at, "pos"),
                  integer_at(len, number_at, "len"), characters, i);
  }
}

DGRAPH_DECL void run_string_length(KernelContext& c) {
  const bool characters = c.config<bool>();
  map_strings<std::int32_t>(c, 20, [&](const std::string& text) {
    return static_cast<std::int32_t>(characters ? count_characters(text)
                                                : static_cast<std::int64_t>(text.size()));
  });
}

// Case and whitespace

inline bool has_case(std::uint32_t rune) noexcept {
  return lower_rune(rune) != rune || upper_rune(rune) != rune;
}

// Greek's sigma has a form of its own at the end of a word.
inline bool ends_word(std::string_view before, std::string_view after) noexcept {
  std::size_t last = before.size();
  while (last > 0 && continues_rune(before[last - 1])) --last;
  const bool letter_before = last > 0 && has_case(read_rune(before.substr(last - 1)).value);
  return letter_before && (after.empty() || !has_case(read_rune(after).value));
}

DGRAPH_DECL std::string change_case(std::string_view text, bool upper) {
  constexpr std::uint32_t kSigma = 0x3a3, kFinalSigma = 0x3c2, kDottedI = 0x130;
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const Rune rune = read_rune(text.substr(i));
    const std::size_t after = i + rune.size;
    if (rune.value == kNoRune) {
      append_rune(out, 0xfffd);
    } else if (const LongUpper* several = upper ? long_upper(rune.value) : nullptr) {
      for (const std::uint32_t one : several->upper)
        if (one != 0) append_rune(out, one);
    } else if (!upper && rune.value == kSigma && ends_word(text.substr(0, i), text.substr(after))) {
      append_rune(out, kFinalSigma);
    } else if (!upper && rune.value == kDottedI) {
      append_rune(out, 'i');
      append_rune(out, 0x307);
    } else {
      append_rune(out, upper ? upper_rune(rune.value) : lower_rune(rune.value));
    }
    i = after;
  }
  return out;
}

struct CaseConfig {
  bool upper, all;  // all: not only letters of ASCII
};

DGRAPH_DECL void run_string_case(KernelContext& c) {
  const auto config = c.config<CaseConfig>();
  map_strings<std::string>(c, 100, [&](const std::string& text) {
    if (config.all) return change_case(text, config.upper);
    std::string out = text;
    const char first = config.upper ? 'a' : 'A', last = config.upper ? 'z' : 'Z';
    for (char& letter : out)
      if (letter >= first && letter <= last) letter = static_cast<char>(letter ^ 0x20);
    return out;
  });
}

DGRAPH_DECL void run_string_strip(KernelContext& c) {
  map_strings<std::string>(c, 50,
                           [](const std::string& text) { return std::string(stripped(text)); });
}

DGRAPH_DECL bool counts_characters(const KernelRequest& r) {
  return r.attr<std::string>("unit") == "UTF8_CHAR";
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::StringJoin>::make(const KernelRequest& r) {
  return detail::plain_kernel(&detail::run_string_join).with(r.attr<std::string>("separator"));
}
DGRAPH_DECL Kernel Kernels<ops::ReduceJoin>::make(const KernelRequest& r) {
  return detail::plain_kernel(&detail::run_reduce_join)
      .with(detail::ReduceJoinConfig{r.attr<bool>("keep_dims"), r.attr<std::string>("separator")});
}
DGRAPH_DECL Kernel Kernels<ops::StringSplit>::make(const KernelRequest& r) {
  return detail::plain_kernel(&detail::run_string_split).with(r.attr<bool>("skip_empty"));
}
DGRAPH_DECL Kernel Kernels<ops::StringSplitV2>::make(const KernelRequest& r) {
  return detail::plain_kernel(&detail::run_string_split_v2).with(r.attr<std::int64_t>("maxsplit"));
}
DGRAPH_DECL Kernel Kernels<ops::Substr>::make(const KernelRequest& r) {
  return detail::plain_kernel(&detail::run_substr).with(detail::counts_characters(r));
}
DGRAPH_DECL Kernel Kernels<ops::StringLength>::make(const KernelRequest& r) {
  return detail::plain_kernel(&detail::run_string_length).with(detail::counts_characters(r));
}
DGRAPH_DECL Kernel Kernels<ops::StringLower>::make(const KernelRequest& r) {
  return detail::plain_kernel(&detail::run_string_case)
      .with(detail::CaseConfig{false, !r.attr<std::string>("encoding").empty()});
}
DGRAPH_DECL Kernel Kernels<ops::StringUpper>::make(const KernelRequest& r) {
  return detail::plain_kernel(&detail::run_string_case)
      .with(detail::CaseConfig{true, !r.attr<std::string>("encoding").empty()});
}
DGRAPH_DECL Kernel Kernels<ops::StringStrip>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_string_strip);
}

}  // namespace dgraph
