// Edits of what a document is built of: its structure and all tokens of a side.
#include "document/edit/structure.h"

#include <utility>

#include "document/edit/sentence.h"
#include "document/problem.h"
#include "session/reduce/handlers.h"

namespace attn {
namespace {

// What computing may take while a person waits for the answer to a click.
constexpr std::uint64_t kMostStepsAtOnce = 50'000'000;

// The result of the document as it is, if there is one.
const AttentionResult* present_result(const AppState& state) {
  return state.result_revision == state.revision ? state.result.get() : nullptr;
}

bool must_wait(const AppState& state, const Structure& wanted) {
  if (present_result(state) != nullptr || !needs_result(state.document, wanted)) return false;
  AttentionProblem problem = make_problem(state.document);
  problem.most_influence_steps = 0;
  return computing_multiply_adds(problem) > kMostStepsAtOnce;
}

// One sentence for each remark.
std::string joined_remarks(const std::vector<std::string>& remarks) {
  std::string text;
  for (const std::string& remark : remarks) text += (text.empty() ? "" : ". ") + remark;
  return text;
}

}  // namespace

void apply(Step& step, const command::SetTokens& c) {
  edit(step, with_tokens(step.state.document, c.side, c.sample, c.tokens), "change tokens");
}

void apply(Step& step, const command::SetStructure& c) {
  AppState& state = step.state;
  const Structure before = structure_of(state.document);
  const Structure wanted = normalised(state.document, c.structure);
  const std::string reason = reason_against(state.document, wanted);
  if (!reason.empty()) return notify(state, Notice::Level::Warning, reason);
  if (must_wait(state, wanted)) {
    return notify(state, Notice::Level::Warning,
                  "What is to be kept is still being computed: try again when it is there");
  }
  Result<Restructured> change = with_structure(state.document, wanted, present_result(state));
  if (!change) return notify(state, Notice::Level::Warning, change.error());
  edit(step, std::move(change->document), label_of(before, wanted));
  if (!change->remarks.empty()) {
    notify(state, Notice::Level::Info, joined_remarks(change->remarks));
  }
}

}  // namespace attn
