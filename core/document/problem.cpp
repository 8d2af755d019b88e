// From a document to what the mathematics needs.
#include "document/problem.h"

#include <utility>

#include "document/inconsistencies.h"

namespace attn {

Status check(const Document& document) {
  std::vector<Error> errors = inconsistencies(document);
  if (!errors.empty()) return std::move(errors.front());
  return ok_status();
}

AttentionProblem make_problem(const Document& document) {
  AttentionProblem problem;
  problem.shape = shape_of(document);
  problem.cross = document.cross;
  problem.scoring = document.scoring;
  problem.mask = with_slopes(document.mask, problem.shape.heads);
  problem.self_mask = with_slopes(document.self_mask, problem.shape.heads);
  problem.position = document.position;
  put_into(problem, document.model);
  return problem;
}

}  // namespace attn
