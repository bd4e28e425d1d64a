#include "gradients/check.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <vector>

#include <dgraph/graph/graph_def.hpp>
#include <dgraph/kernels/cast.hpp>
#include <dgraph/ops/gradients.hpp>
#include <dgraph/ops/standard.hpp>
#include <nlohmann/json.hpp>

#include "conformance/values.hpp"
#include "ops/evaluate.hpp"

namespace gradient_suite {
namespace {

using namespace dgraph;
using conformance::Json;
using test::Evaluator;

/// A function of some tensors that gives one number.
using Scalar = std::function<double(const std::vector<Tensor>&)>;

/// More elements of one input than these are not all looked at.
constexpr std::int64_t kMostElements = 12;

/// Steps from numbers beyond these are too long to say anything.
constexpr double kLargest = 1e6;

struct Slope {
  double value = 0, tolerance = 0, low = 0, high = 0;  ///< the one-sided derivatives, sorted
  enum { Smooth, Bend, Useless } kind = Useless;
};

/// How far to step and what to believe, by the dtype that the op computes in.
struct Precision {
  double step, relative, of_sum;
};
Precision precision_of(DType dtype) {
  return dtype == DType::Float64 ? Precision{1e-4, 1e-6, 1e-9} : Precision{2e-2, 5e-3, 2e-4};
}

/// The derivative of f by element `at` of xs[k]: Richardson's extrapolation of two central
/// differences. Their distance is
/// what it may be wrong by; f0 is f(xs), `size` how large what f sums is.
Slope slope(const Scalar& f, const std::vector<Tensor>& xs, std::size_t k, std::int64_t at,
            double f0, double size, const Precision& precision) {
  const double x = xs[k].data<double>()[at];
  Slope out;
  if (!std::isfinite(f0) || !(std::abs(x) <= kLargest)) return out;
  const double h = precision.step * std::max(1.0, std::abs(x));
  double values[4];
  const double steps[4] = {-h, -h / 2, h / 2, h};
  for (int i = 0; i < 4; ++i) {
    std::vector<Tensor> moved = xs;
    moved[k] = xs[k].clone();
    moved[k].mutable_data<double>()[at] = x + steps[i];
    values[i] = f(moved);
    if (!std::isfinite(values[i])) return out;
  }
  const double wide = (values[3] - values[0]) / (2 * h), narrow = (values[2] - values[1]) / h;
  const double left = (f0 - values[1]) / (h / 2), right = (values[2] - f0) / (h / 2);
  out.value = (4 * narrow - wide) / 3;
  const double scale = std::max(1.0, std::abs(out.value));
  out.tolerance =
      precision.relative * scale + precision.of_sum * size + 2 * std::abs(narrow - wide);
  out.low = std::min(left, right);
  out.high = std::max(left, right);
  const double wide_left = (f0 - values[0]) / h, wide_right = (values[3] - f0) / h;
  // At a bend the one-sided derivatives differ as much from afar as from near; at a jump they grow.
  const double apart = out.high - out.low, apart_afar = std::abs(wide_right - wide_left);
  if (apart > 0.05 * scale && apart > 0.8 * apart_afar) {
    out.kind = apart < 1.2 * apart_afar ? Slope::Bend : Slope::Useless;
    out.tolerance += 2 * (std::abs(left - wide_left) + std::abs(right - wide_right));
  } else {
    out.kind = std::abs(narrow - wide) < 1e-2 * scale ? Slope::Smooth : Slope::Useless;
  }
  return out;
}

/// Weights that differ, so that a gradient in the wrong place is seen.
Tensor weights(const Shape& shape, std::size_t which) {
  Tensor out(DType::Float64, shape);
  for (std::int64_t i = 0; i < out.elements(); ++i)
    out.mutable_data<double>()[i] =
        0.5 + 0.25 * static_cast<double>((i + static_cast<std::int64_t>(which)) % 5);
  return out;
}

double weighted_sum(const Tensor& values, const Tensor& by, double* size = nullptr) {
  double sum = 0;
  for (std::int64_t i = 0; i < values.elements(); ++i) {
    const double part = values.data<double>()[i] * by.data<double>()[i];
    sum += part;
    if (size) *size += std::abs(part);
  }
  return sum;
}

/// Values of a graph at one point; what is given and asked for is float64, whatever the graph
/// computes in.
class Point {
 public:
  Point(DType dtype, const std::vector<Output>& where, const std::vector<Tensor>& xs) {
    for (std::size_t i = 0; i < where.size(); ++i) run_.feed(where[i], cast_tensor(xs[i], dtype));
  }
  Tensor operator()(const Output& output) { return cast_tensor(run_(output), DType::Float64); }

 private:
  Evaluator run_;
};

/// The op over placeholders of its inputs of one dtype, taken as another, and constants of others.
class Bench {
 public:
  Bench(const conformance::Case& sample, DType from, DType as, bool shapes_known)
      : building_(core_), dtype_(as) {
    const Json& line = sample.line;
    const std::string op = line.at("op").get<std::string>();
    const OpDef* def = find_definition<StandardOps>(op);
    std::vector<Output> all;
    for (const Json& given : line.at("inputs")) {
      const Tensor value = conformance::read_tensor(given);
      if (value.dtype() == from) {
        const PartialShape shape = shapes_known ? PartialShape(value.shape()) : PartialShape();
        all.push_back(add_op<ops::Placeholder>({}, "dtype", as, "shape", shape));
        inputs.push_back(all.back());
        values.push_back(cast_tensor(value, DType::Float64));
        positions.push_back(all.size() - 1);
      } else {
        all.push_back(constant_output(value));
      }
    }
    std::vector<std::pair<std::string, AttrValue>> attrs;
    for (const auto& [key, value] : line.at("attrs").items()) {
      const int index = def->attr_index(key);
      if (index >= 0 && def->attrs[static_cast<std::size_t>(index)].inferred) continue;
      AttrValue attr = conformance::read_attr(
          value, index < 0 ? nullptr : &def->attrs[static_cast<std::size_t>(index)]);
      if (attr.holds<DType>() && attr.get<DType>() == from) attr = AttrValue(as);
      attrs.emplace_back(key, std::move(attr));
    }
    node = add_op_by_name(&find_definition<StandardOps>, op, all, attrs);
    const Json cotangents = line.value("cotangents", Json());
    for (std::uint32_t i = 0; i < node.node().num_outputs; ++i) {
      const Output y(node.core(), node.node_id(), i);
      if (y.dtype() == as && !(cotangents.is_array() && cotangents.at(i).is_null()))
        outputs.push_back(y);
    }
  }

  Point at(const std::vector<Output>& where, const std::vector<Tensor>& xs) const {
    return {dtype_, where, xs};
  }
  Output constant(const Tensor& value) const { return constant_output(cast_tensor(value, dtype_)); }

 private:
  GraphCore core_;
  DefaultGraph building_;
  DType dtype_;

 public:
  Output node;
  std::vector<Output> inputs, outputs;
  std::vector<Tensor> values;          ///< of inputs
  std::vector<std::size_t> positions;  ///< of inputs among those of the op
};

/// Compares gradients of f with differences; appends to `wrong`.
int compare(const Scalar& f, const std::vector<Tensor>& xs, const std::vector<Tensor>& gradients,
            const std::vector<bool>& skip, double size, const Precision& precision,
            const std::string& what, std::string& wrong) {
  int compared = 0;
  const double f0 = f(xs);
  for (std::size_t k = 0; k < xs.size(); ++k) {
    if (skip[k]) continue;
    const std::int64_t n = xs[k].elements(), step = std::max<std::int64_t>(1, n / kMostElements);
    for (std::int64_t at = 0; at < n; at += step) {
      const Slope want = slope(f, xs, k, at, f0, size, precision);
      const double got = gradients[k].has_value() ? gradients[k].data<double>()[at] : 0;
      if (want.kind == Slope::Useless || !std::isfinite(got)) continue;
      ++compared;
      const bool fine = want.kind == Slope::Smooth
                            ? std::abs(got - want.value) <= want.tolerance
                            : got >= want.low - want.tolerance && got <= want.high + want.tolerance;
      if (!fine && wrong.empty())
        wrong = errors::text(what, " by input ", k, ", element ", at, " of ",
                             conformance::to_text(xs[k]), ": ", got, " instead of ", want.value);
    }
  }
  return compared;
}

std::vector<Tensor> evaluate_all(Point& run, const std::vector<Output>& values) {
  std::vector<Tensor> out;
  for (const Output& value : values) out.push_back(value ? run(value) : Tensor());
  return out;
}

/// Fails where shapes that are known only in a step give other gradients.
void check_unknown_shapes(const conformance::Case& sample, DType from, DType as,
                          const std::vector<Tensor>& grad_ys, const std::vector<Tensor>& want,
                          std::string& wrong) {
  const conformance::Tolerance tolerance = as == DType::Float64
                                               ? conformance::Tolerance{1e-12, 1e-12}
                                               : conformance::Tolerance{1e-5, 1e-5};
  std::vector<Tensor> got;
  try {
    Bench bench(sample, from, as, false);
    GradientOptions options;
    for (const Tensor& weight : grad_ys) options.grad_ys.push_back(bench.constant(weight));
    const auto found = gradients(bench.outputs, bench.inputs, options);
    Point run = bench.at(bench.inputs, bench.values);
    got = evaluate_all(run, found);
  } catch (const Error&) {
    // Some rules need ranks, and say so.
    return;
  }
  for (std::size_t k = 0; k < want.size(); ++k) {
    if (got[k].has_value() != want[k].has_value())
      wrong = errors::text("gradient of input ", k, " is there only where shapes are ",
                           got[k].has_value() ? "un" : "", "known");
    else if (got[k].has_value() && conformance::difference(want[k], got[k], tolerance))
      wrong = errors::text("gradient of input ", k,
                           " where no shape is known: ", conformance::to_text(got[k]),
                           " instead of ", conformance::to_text(want[k]));
  }
}

}  // namespace

bool is_checkable(const conformance::Case& sample, DType wanted) {
  const Json& line = sample.line;
  if (!line.contains("op") || line.contains("nodes") || line.contains("error") ||
      line.contains("runs"))
    return false;
  if (line.contains("outputs") && !line.contains("grads")) return false;
  bool any = false;
  for (const Json& input : line.at("inputs")) {
    const DType dtype = conformance::read_dtype(input.at("dtype"));
    if (is_differentiable(dtype) && dtype != wanted) return false;
    any = any || dtype == wanted;
  }
  return any;
}

Outcome check(const conformance::Case& sample, DType from, DType as) {
  Outcome out;
  const Precision precision = precision_of(as);
  Bench bench(sample, from, as, true);
  if (bench.outputs.empty()) return out;
  const std::size_t n = bench.inputs.size();

  // First derivatives, of a weighted sum of the outputs.
  Point here = bench.at(bench.inputs, bench.values);
  std::vector<Tensor> by;
  double size = 0;
  for (const Output& y : bench.outputs) {
    by.push_back(weights(here(y).shape(), by.size()));
    weighted_sum(here(y), by.back(), &size);
  }
  const Scalar total = [&](const std::vector<Tensor>& xs) {
    Point run = bench.at(bench.inputs, xs);
    double sum = 0;
    for (std::size_t i = 0; i < by.size(); ++i) sum += weighted_sum(run(bench.outputs[i]), by[i]);
    return sum;
  };
  GradientOptions options;
  for (const Tensor& weight : by)
    options.grad_ys.push_back(
        add_op<ops::Placeholder>({}, "dtype", as, "shape", PartialShape(weight.shape())));
  const std::vector<Output> found = gradients(bench.outputs, bench.inputs, options);
  std::vector<Output> places = bench.inputs;
  places.insert(places.end(), options.grad_ys.begin(), options.grad_ys.end());
  std::vector<Tensor> point = bench.values;
  point.insert(point.end(), by.begin(), by.end());
  Point there = bench.at(places, point);
  const std::vector<Tensor> first = evaluate_all(there, found);
  std::vector<bool> skip(n, false);
  const Json grads = sample.line.value("grads", Json());
  for (std::size_t k = 0; k < n; ++k) {
    skip[k] = !found[k] && grads.is_array() && grads.at(bench.positions[k]).is_null();
    if (first[k].has_value() && !(first[k].shape() == bench.values[k].shape())) {
      out.wrong = errors::text("gradient of input ", k, " has shape ", first[k].shape(), ", not ",
                               bench.values[k].shape());
      return out;
    }
  }
  out.first = compare(total, bench.values, first, skip, size, precision, "derivative", out.wrong);
  check_unknown_shapes(sample, from, as, by, first, out.wrong);
  if (!out.wrong.empty()) return out;

  // Second ones: of a weighted sum of the first, also by the weights of the outputs.
  std::vector<Output> twice;
  std::vector<Tensor> second_by;
  std::vector<std::size_t> terms;
  size = 0;
  for (std::size_t k = 0; k < n; ++k) {
    if (!found[k]) continue;
    second_by.push_back(weights(first[k].shape(), k + 2));
    terms.push_back(k);
    weighted_sum(first[k], second_by.back(), &size);
  }
  if (terms.empty() || !std::isfinite(size)) return out;
  try {
    GradientOptions again;
    std::vector<Output> ys;
    for (std::size_t t = 0; t < terms.size(); ++t) {
      ys.push_back(found[terms[t]]);
      again.grad_ys.push_back(bench.constant(second_by[t]));
    }
    twice = gradients(ys, places, again);
  } catch (const Error& error) {
    const std::string& text = error.status().message();
    const std::string_view mark = "op type ", end = " has no gradient";
    const auto begin = text.find(mark), last = text.find(end);
    if (begin == std::string::npos || last == std::string::npos) throw;
    out.missing = text.substr(begin + mark.size(), last - begin - mark.size());
    return out;
  }
  const Scalar slopes = [&](const std::vector<Tensor>& xs) {
    Point run = bench.at(places, xs);
    double sum = 0;
    for (std::size_t t = 0; t < terms.size(); ++t)
      sum += weighted_sum(run(found[terms[t]]), second_by[t]);
    return sum;
  };
  const std::vector<Tensor> second = evaluate_all(there, twice);
  std::vector<bool> unasked(point.size(), false);
  std::copy(skip.begin(), skip.end(), unasked.begin());
  out.second =
      compare(slopes, point, second, unasked, size, precision, "second derivative", out.wrong);
  return out;
}

}  // namespace gradient_suite
