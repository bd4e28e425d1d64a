#pragma once
// GradientDescentOptimizer: variable -= learning_rate * gradient.

#include <dgraph/train/optimizer.hpp>

namespace dgraph {

/// Plain gradient descent. Rows of a sparse gradient are subtracted one by one: other rows are not touched.
class GradientDescentOptimizer final : public Optimizer {
 public:
  explicit GradientDescentOptimizer(const Hyperparameter& learning_rate)
      : Optimizer("GradientDescent"), learning_rate_(learning_rate) {}

 private:
  class Descent;
  // Marked here already: a virtual function that becomes inline only later makes each user's object file hold the whole class.
  DGRAPH_DECL std::unique_ptr<Update> begin_update(const std::vector<GradientAndVariable>& gradients,
                                                   const OpName& name) const override;
  Hyperparameter learning_rate_;
};

}  // namespace dgraph

#if defined(DGRAPH_HEADER_ONLY)
#include <dgraph/train/impl/gradient_descent.ipp>
#endif
