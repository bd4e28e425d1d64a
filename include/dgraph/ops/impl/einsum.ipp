#pragma once
#include <dgraph/ops/einsum.hpp>

#include <algorithm>
#include <map>
#include <utility>

#include <dgraph/ops/math.hpp>
#include <dgraph/ops/rules.hpp>
#include <dgraph/ops/shape.hpp>
#include <dgraph/ops/shape_values.hpp>

namespace dgraph {
namespace detail {

using Labels = std::vector<int>;

// The labels of one side of an equation; -1 stands for "...".
DGRAPH_DECL Labels parse_labels(std::string_view text, std::string_view equation) {
  Labels out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '.') {
      out.push_back(static_cast<unsigned char>(text[i]));
      continue;
    }
    if (text.substr(i, 3) != "..." || std::count(out.begin(), out.end(), -1) != 0)
      fail(Code::InvalidArgument, "equation '", equation, "' has dots that are not one '...'");
    out.push_back(-1);
    i += 2;
  }
  return out;
}

struct EinsumText {
  std::vector<Labels> inputs;
  Labels output;
};
DGRAPH_DECL EinsumText read_einsum(std::string_view equation) {
  const std::size_t arrow = equation.find("->");
  if (arrow == std::string_view::npos || equation.find("->", arrow + 2) != std::string_view::npos)
    fail(Code::InvalidArgument, "Expecting exactly one '->' in einsum equation: ", equation);
  EinsumText out;
  std::string_view left = equation.substr(0, arrow);
  for (std::size_t comma = 0; comma != std::string_view::npos;) {
    comma = left.find(',');
    out.inputs.push_back(parse_labels(left.substr(0, comma), equation));
    if (comma != std::string_view::npos) left.remove_prefix(comma + 1);
  }
  out.output = parse_labels(equation.substr(arrow + 2), equation);
  for (const int label : out.output) {
    if (label < 0) continue;
    bool found = false;
    for (const Labels& input : out.inputs)
      found = found || std::find(input.begin(), input.end(), label) != input.end();
    if (!found)
      fail(Code::InvalidArgument, "label '", std::string(1, static_cast<char>(label)),
           "' of the output of equation '", equation, "' is in no input");
  }
  return out;
}

// The labels with "..." as so many labels of its own.
DGRAPH_DECL Labels expand_ellipsis(const Labels& labels, std::size_t count) {
  Labels out;
  for (const int label : labels) {
    if (label >= 0) {
      out.push_back(label);
      continue;
    }
    for (std::size_t i = count; i-- > 0;)
      out.push_back(EinsumEquation::kEllipsis + static_cast<int>(i));
  }
  return out;
}

DGRAPH_DECL EinsumEquation parse_einsum(std::string_view equation,
                                        const std::vector<std::size_t>& ranks) {
  const EinsumText text = read_einsum(equation);
  if (text.inputs.size() != ranks.size() || ranks.size() > 2)
    fail(Code::InvalidArgument, "Expecting ", ranks.size(),
         " input subscripts, at most 2, in equation '", equation,
         "' but got: ", text.inputs.size());
  EinsumEquation out;
  std::size_t most = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const Labels& labels = text.inputs[i];
    const bool dots = std::find(labels.begin(), labels.end(), -1) != labels.end();
    const std::size_t named = labels.size() - (dots ? 1 : 0);
    if (dots ? ranks[i] < named : ranks[i] != named)
      fail(Code::InvalidArgument, "Expected input ", i, " to have rank ", dots ? "at least " : "",
           named, " but got: ", ranks[i], " (equation '", equation, "')");
    most = std::max(most, ranks[i] - named);
    out.inputs.push_back(expand_ellipsis(labels, ranks[i] - named));
  }
  const bool kept = std::find(text.output.begin(), text.output.end(), -1) != text.output.end();
  if (most > 0 && !kept)
    fail(Code::InvalidArgument, "Output contains ", most,
         " broadcasting dimension(s) but no ellipsis (...) was found in the output subscripts of '",
         equation, "'");
  out.output = expand_ellipsis(text.output, most);
  return out;
}

DGRAPH_DECL bool has_label(const Labels& labels, int label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}
DGRAPH_DECL Labels unique_labels(const Labels& labels) {
  Labels out;
  for (const int label : labels)
    if (!has_label(out, label)) out.push_back(label);
  return out;
}

DGRAPH_DECL std::string labels_text(const Labels& labels) {
  std::string out;
  for (const int label : labels)
    out += label < 0 ? std::string("...") : std::string(1, static_cast<char>(label));
  return out;
}

// The gradient of input `i`: the output's, times the other input, summed over what the input has not. On
// the way "..." comes first, so that what was broadcast can be summed.
DGRAPH_DECL Output einsum_gradient(const GradientContext& g, const EinsumText& equation,
                                   std::size_t i) {
  const Labels &own = equation.inputs[i], &out = equation.output;
  const bool binary = equation.inputs.size() == 2;
  const Labels other = binary ? equation.inputs[1 - i] : Labels();
  const bool own_dots = has_label(own, -1), dots = own_dots || has_label(other, -1);
  Labels unique, present;
  for (const int label : unique_labels(own)) {
    if (label < 0) continue;
    unique.push_back(label);
    if (has_label(out, label) || has_label(other, label)) present.push_back(label);
  }
  const Output x = g.x(i);
  const auto node = [&](const std::string& text, const std::vector<Output>& inputs) {
    return g.add<ops::Einsum>(inputs, "equation", text);
  };
  const auto with_dots = [](bool has, const Labels& labels) {
    return (has ? "..." : "") + labels_text(labels);
  };
  const std::string to = "->" + with_dots(dots, present);
  Output d = binary ? node(labels_text(out) + "," + labels_text(other) + to,
                           {g.dy(), rules::conj(g, g.x(1 - i))})
                    : node(labels_text(out) + to, {g.dy()});
  const std::string mine = labels_text(own), plain = with_dots(own_dots, unique);
  const Output like = mine == plain ? x : node(mine + "->" + plain, {x});
  if (present != unique) {
    const auto count = static_cast<std::int64_t>(unique.size());
    for (std::int64_t k = count; k-- > 0;)
      if (!has_label(present, unique[static_cast<std::size_t>(k)]))
        d = g.add<ops::ExpandDims>(d, shapes::integer(g, k - count));
    d = g.add<ops::AddV2>(d, g.zeros_like(like));
  }
  if (dots) d = rules::summed_like(g, d, like);
  return mine == plain ? d : node(plain + "->" + mine, {d});
}

}  // namespace detail

namespace ops {

DGRAPH_DECL void Einsum::shape(ShapeContext& c) {
  std::vector<std::size_t> ranks;
  for (std::size_t i = 0; i < c.num_inputs(); ++i) {
    if (!c.input(i).has_rank()) {
      detail::read_einsum(c.attr<std::string>("equation"));
      return;
    }
    ranks.push_back(c.input(i).rank());
  }
  const auto& text = c.attr<std::string>("equation");
  const detail::EinsumEquation equation = detail::parse_einsum(text, ranks);
  std::map<int, std::int64_t> sizes;
  for (std::size_t i = 0; i < c.num_inputs(); ++i)
    for (std::size_t k = 0; k < ranks[i]; ++k) {
      const int label = equation.inputs[i][k];
      const std::int64_t size = c.input(i)[k];
      const auto [at, fresh] = sizes.emplace(label, size);
      if (fresh || size == at->second) continue;
      if (label >= detail::EinsumEquation::kEllipsis) {
        at->second = broadcast_shapes(PartialShape{at->second}, PartialShape{size})[0];
      } else if (size >= 0 && at->second >= 0) {
        fail(Code::InvalidArgument, "dimension ", k, " of input ", i, " of shape ", c.input(i),
             " should be ", at->second, " for equation '", text, "'");
      } else {
        at->second = std::max(size, at->second);
      }
    }
  Dims out;
  for (const int label : equation.output) {
    const auto at = sizes.find(label);
    out.push_back(at == sizes.end() ? 1 : at->second);
  }
  c.set_output(0, PartialShape(std::move(out)));
}

DGRAPH_DECL void Einsum::gradient(GradientContext& g) {
  const detail::EinsumText equation = detail::read_einsum(g.attr<std::string>("equation"));
  for (std::size_t i = 0; i < g.num_inputs(); ++i)
    if (g.needs(i)) g.set(i, detail::einsum_gradient(g, equation, i));
}

}  // namespace ops

namespace detail {

DGRAPH_DECL Output einsum(const std::string& equation, const std::vector<Output>& inputs,
                          const OpName& name) {
  std::string text;
  for (const char letter : equation)
    if (letter != ' ') text += letter;
  if (text.find("->") == std::string::npos) {
    std::map<char, int> counts;
    for (const char letter : text)
      if (letter != ',' && letter != '.') ++counts[letter];
    const bool dots = text.find("...") != std::string::npos;
    text += dots ? "->..." : "->";
    for (const auto& [letter, count] : counts)
      if (count == 1) text += letter;
  }
  EinsumText all = read_einsum(text);
  if (all.inputs.size() != inputs.size())
    fail(Code::InvalidArgument, "equation '", equation, "' is for ", all.inputs.size(),
         " inputs, but there are ", inputs.size());
  std::vector<Output> left = inputs;
  while (left.size() > 2) {
    // The first two, with the labels that are needed later.
    Labels kept;
    for (std::size_t i = 0; i < 2; ++i)
      for (const int label : unique_labels(all.inputs[i])) {
        bool wanted = has_label(all.output, label);
        for (std::size_t k = 2; k < all.inputs.size(); ++k)
          wanted = wanted || has_label(all.inputs[k], label);
        if (wanted && !has_label(kept, label)) kept.push_back(label);
      }
    left[1] = add_op<ops::Einsum>(
        OpName(name.location), std::vector<Output>{left[0], left[1]}, "equation",
        labels_text(all.inputs[0]) + "," + labels_text(all.inputs[1]) + "->" + labels_text(kept));
    all.inputs[1] = kept;
    left.erase(left.begin());
    all.inputs.erase(all.inputs.begin());
  }
  text = labels_text(all.inputs[0]);
  if (left.size() == 2) text += "," + labels_text(all.inputs[1]);
  return add_op<ops::Einsum>(name, left, "equation", text + "->" + labels_text(all.output));
}

}  // namespace detail
}  // namespace dgraph
