// Edits of what a document is built of: its structure and all tokens of a side.
#include "document/edit/structure.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/number_text.h"
#include "base/utf8.h"
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

// Generating more takes longer than a frame.
constexpr std::uint64_t kMostNumbersAtOnce = std::uint64_t{1} << 22U;

// One sentence for each remark.
std::string joined_remarks(const std::vector<std::string>& remarks) {
  std::string text;
  for (const std::string& remark : remarks) text += (text.empty() ? "" : ". ") + remark;
  return text;
}

void take_structure(Step& step, Result<Restructured> made, std::string label) {
  if (!made) return notify(step.state, Notice::Level::Warning, made.error());
  edit(step, std::move(made->document), std::move(label));
  if (!made->remarks.empty()) {
    notify(step.state, Notice::Level::Info, joined_remarks(made->remarks));
  }
}

void begin_structure(Step& step, const Structure& wanted) {
  AppState& state = step.state;
  const bool present = present_result(state) != nullptr;
  state.restructuring = ++state.structure_ticket;
  step.effects.push_back(effect::Restructure{
      state.id, std::make_shared<const Document>(state.document), state.revision,
      state.restructuring, wanted, present ? state.result : nullptr});
}

}  // namespace

namespace {

// Tokens of the command that its sample does not have yet.
std::size_t count_new(const Document& document, const command::SetTokens& c) {
  const bool of_keys = c.side == Side::Key && document.cross;
  const TokenLists& lists = of_keys ? document.key_tokens : document.query_tokens;
  const TokenList& list = lists[std::min(c.sample, lists.size() - 1)];
  const std::set<std::string> present(list.begin(), list.end());
  return static_cast<std::size_t>(std::ranges::count_if(
      c.tokens, [&](const std::string& token) { return !present.contains(token); }));
}

// Of another sentence, none of whose tokens was there; where each sample has its own, what is said
// of the document may be true of the others.
bool is_other_text(const Document& document, const command::SetTokens& c) {
  const TokenLists& lists = c.side == Side::Key ? document.key_tokens : document.query_tokens;
  return lists.size() == 1 && count_new(document, c) == c.tokens.size();
}

constexpr std::size_t kLongestTitle = 80;  // letters

std::string title_of(const command::SetTokens& c) {
  std::string text = c.text;
  for (const std::string& token : c.tokens) {
    if (c.text.empty()) text += (text.empty() ? "" : " ") + token;
  }
  std::ranges::replace_if(
      text, [](char letter) { return letter == '\n' || letter == '\t'; }, ' ');
  return shortened(text, kLongestTitle);
}

}  // namespace

// What was said of a text does not hold of another one.
void apply(Step& step, const command::SetTokens& c) {
  const Document& document = step.state.document;
  Result<Document> edited =
      with_tokens(document, c.side, c.sample, c.tokens, step.state.memory_limit_bytes);
  const bool is_named = !document.title.empty() || !document.description.empty();
  if (edited && is_named && is_other_text(document, c)) {
    edited->title = title_of(c);
    edited->description.clear();
  }
  const std::size_t made = edited ? count_new(document, c) : 0;
  edit(step, std::move(edited), "change tokens");
  notify_of_new_tokens(step.state, made);
}

void notify_of_new_tokens(AppState& state, std::size_t count) {
  if (count == 0) return;
  notify(state, Notice::Level::Info,
         "The numbers of " + grouped_text(count) +
             (count == 1 ? " new token are" : " new tokens are") + " made from seed " +
             std::to_string(state.document.seed) + ", not by a trained model");
}

void apply(Step& step, const command::SetStructure& c) {
  AppState& state = step.state;
  const Structure before = structure_of(state.document);
  const Structure wanted = normalised(state.document, c.structure);
  const std::string reason = reason_against(state.document, wanted, state.memory_limit_bytes);
  if (!reason.empty()) return notify(state, Notice::Level::Warning, reason);
  if (must_wait(state, wanted)) {
    return notify(state, Notice::Level::Warning,
                  "What is to be kept is still being computed: try again when it is there");
  }
  if (predicted_numbers(state.document, wanted) > kMostNumbersAtOnce) {
    return begin_structure(step, wanted);
  }
  state.restructuring = 0;  // this wish is newer than what a job still makes
  take_structure(step,
                 with_structure(state.document, wanted, present_result(state), nullptr,
                                state.memory_limit_bytes),
                 label_of(before, wanted));
}

// What takes that long is made of the document as it was: edits since then would be lost with it.
void apply(Step& step, const command::StructureMade& c) {
  AppState& state = step.state;
  OpenDocument* document = open_document_named(state, c.document);
  if (document == nullptr || document->restructuring != c.ticket) return;
  document->restructuring = 0;
  if (document->revision != c.revision) {
    return notify(state, Notice::Level::Warning,
                  "The structure was not changed, as the document was edited meanwhile");
  }
  if (!c.made) return notify(state, Notice::Level::Warning, c.made.error());
  const std::uint64_t looked_at = state.id;
  show_document(step, c.document);
  take_structure(step, c.made, c.label);
  if (is_asking(state)) show_document(step, looked_at);
}

}  // namespace attn
