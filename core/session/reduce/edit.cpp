// Edits of the document: numbers, tokens, mask, rules and structure.
#include "document/edit.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/joined.h"
#include "base/number_text.h"
#include "base/utf8.h"
#include "document/edit/sentence.h"
#include "document/edit/structure.h"
#include "document/folder/source.h"
#include "document/problem.h"
#include "numbers/read_numbers.h"
#include "session/reduce/handlers.h"

namespace attn {
namespace {

bool is_there(const Document& document, const MatrixRef& ref) {
  const std::optional<TensorInfo> info = tensor_at(document, ref.tensor);
  if (!info || !info->is_there()) return false;
  const AttentionShape shape = shape_of(document);
  return ref.at.layer < shape.layers && ref.at.sample < shape.samples &&
         ref.at.head < heads_of(*info, shape);
}

// True if the matrix can be edited; else adds a notice with the reason.
bool require(AppState& state, const MatrixRef& ref) {
  if (is_there(state.document, ref)) return true;
  warn(state,
       "This document has no such matrix " + label_of(state.document, ref.tensor) + " to edit");
  return false;
}

// Reason why the table does not fit at (row, col); empty if it does.
std::string misfit(const Document& document, const MatrixRef& ref, std::size_t row, std::size_t col,
                   const NumberTable& table) {
  const MatrixView matrix = matrix_of(document, ref);
  const std::size_t rows = matrix.rows - std::min(row, matrix.rows);
  const std::size_t cols = matrix.cols - std::min(col, matrix.cols);
  if (table.rows <= rows && table.cols <= cols) return "";
  return std::to_string(table.rows) + " × " + std::to_string(table.cols) +
         (table.rows * table.cols == 1 ? " cell does" : " cells do") + " not fit: from row " +
         std::to_string(row + 1) + ", column " + std::to_string(col + 1) + " " +
         label_of(document, ref.tensor) + " has " + counted(rows, "row") + " and " +
         counted(cols, "column");
}

// Note on labels of a pasted table, which are not pasted; empty if there are none.
std::string labels_note(const NumberTable& table) {
  const bool rows = !table.row_labels.empty(), columns = !table.column_labels.empty();
  if (!rows && !columns) return "";
  const std::string where = rows && columns ? "first row and the first column"
                            : rows          ? "first column"
                                            : "first row";
  return "Pasted without the labels in the " + where;
}

// Notes the origin of numbers of new tokens: given weights have none.
void notify_of_new_tokens(AppState& state, std::size_t count) {
  if (count == 0) return;
  const std::string tokens = counted(count, "new token");
  if (!has_scores(state.document.model)) {
    return inform(state, "The weights of " + tokens + " are 0: the document has none for them");
  }
  inform(state, "The numbers of " + tokens + " come from seed " +
                    std::to_string(state.document.seed) + ", not from a trained model");
}

// Edits the document, or adds a notice with the reason why it cannot. `verb` begins the label of
// the step of undo.
template <class Change>
void edit_matrix(Step& step, const MatrixRef& matrix, std::string_view verb, Change change,
                 std::uint64_t gesture = 0) {
  const Document& document = step.document;
  if (!require(step, matrix)) return;
  const std::string label = std::string(verb) + " " + label_of(document, matrix.tensor);
  edit(step, change(document), label, gesture);
}

// Limit of painting, which needs a flag for every cell and copies all flags for each painted cell.
constexpr std::uint64_t kMostPainted = std::uint64_t{1} << 28;

// Label of the step of undo for a change.
std::string change_of(const Scoring& before, const Scoring& after) {
  if (before.function != after.function) return "change scoring function";
  if (before.scale != after.scale) return "change scale";
  if (before.softcap != after.softcap) return "change softcap";
  if (before.temperature != after.temperature) return "change temperature";
  if (before.normaliser != after.normaliser) return "change normaliser";
  return "change scoring";
}

const HeadAddress& shown_head(Step& step) { return focused_view(step).options.at; }

// Nanoseconds of computation that a click may wait for.
constexpr std::uint64_t kMostMultiplyAddsAtOnce = 50'000'000;

// Result of the present revision, or null.
const AttentionResult* present_result(const AppState& state) {
  return state.result_revision == state.revision ? state.result.get() : nullptr;
}

bool must_wait(const AppState& state, const Structure& wanted) {
  if (present_result(state) != nullptr || !needs_result(state.document, wanted)) return false;
  AttentionProblem problem = make_problem(state.document);
  problem.most_influence_steps = 0;
  return computing_multiply_adds(problem) > kMostMultiplyAddsAtOnce;
}

// Limit of generated numbers, beyond which generating takes longer than a frame.
constexpr std::uint64_t kMostNumbersAtOnce = std::uint64_t{1} << 22U;

void take_structure(Step& step, Result<Restructured> made, std::string label) {
  if (!made) return warn(step, made.error());
  edit(step, std::move(made->document), std::move(label));
  if (!made->remarks.empty()) inform(step, joined(made->remarks, ". "));
}

void begin_structure(Step& step, const Structure& wanted) {
  step.restructuring = ++step.structure_ticket;
  step.effects.push_back(effect::Restructure{
      step.id, std::make_shared<const Document>(step.document), step.revision, step.restructuring,
      wanted, present_result(step) == nullptr ? nullptr : step.result});
}

// Number of tokens in the command that the sample lacks.
std::size_t count_new(const Document& document, const command::SetTokens& c) {
  const bool of_keys = c.side == Side::Key && document.cross;
  const TokenLists& lists = of_keys ? document.key_tokens : document.query_tokens;
  const std::vector<std::string> list = lists[std::min(c.sample, lists.size() - 1)].texts();
  const std::set<std::string> present(list.begin(), list.end());
  return static_cast<std::size_t>(std::ranges::count_if(
      c.tokens, [&](const std::string& token) { return !present.contains(token); }));
}

std::string title_of(const command::SetTokens& c) {
  std::string text = c.text.empty() ? joined(c.tokens, " ") : c.text;
  std::ranges::replace_if(
      text, [](char letter) { return letter == '\n' || letter == '\t'; }, ' ');
  constexpr std::size_t kLongestTitle = 80;  // characters
  return shortened(text, kLongestTitle);
}

}  // namespace

void apply(Step& step, const command::SetCell& c) {
  const auto change = [&](const Document& document) {
    return with_cell(document, c.matrix, c.row, c.col, c.value);
  };
  edit_matrix(step, c.matrix, "edit", change, c.gesture);
}

void apply(Step& step, const command::PasteText& c) {
  if (!require(step, c.matrix)) return;
  if (const Status fits = check_reading_memory(c.text, step.memory_limit_bytes); !fits) {
    return warn(step, fits.error());
  }
  const Result<NumberTable> table = read_numbers(c.text, NonFinite::Refused);
  if (!table) return warn(step, table.error());
  const std::string reason = misfit(step.document, c.matrix, c.row, c.col, *table);
  if (!reason.empty()) return warn(step, reason);
  const std::uint64_t before = step.revision;
  edit_matrix(step, c.matrix, "paste into", [&](const Document& document) {
    return with_numbers(document, c.matrix, c.row, c.col, table->rows, table->cols, table->values);
  });
  const std::string note = labels_note(*table);
  if (!note.empty()) inform(step, note);
  if (step.revision == before) return;
  step.grid = {c.matrix, c.row + table->rows - 1, c.col + table->cols - 1, c.row, c.col};
}

void apply(Step& step, const command::SetBlock& c) {
  edit_matrix(step, c.matrix, c.verb, [&](const Document& document) {
    return with_numbers(document, c.matrix, c.row, c.col, c.rows, c.cols, c.values);
  });
}

void apply(Step& step, const command::FillMatrix& c) {
  const char* verb = c.fill == Fill::RandomNormal ? "randomize"
                     : c.fill == Fill::Zeros      ? "zero"
                                                  : "identity in";
  edit_matrix(step, c.matrix, verb,
              [&](const Document& document) { return with_fill(document, c.matrix, c.fill); });
}

void apply(Step& step, const command::ScaleMatrix& c) {
  edit_matrix(step, c.matrix, "scale", [&](const Document& document) {
    return with_matrix_scaled(document, c.matrix, c.factor);
  });
}

// True for documents of a model, after saying where their tokens come from.
bool has_tokens_of_text(Step& step) {
  if (!step.document.source_model) return false;
  warn(step, "The tokens are those of the text above the plots: change it there");
  return true;
}

void apply(Step& step, const command::InsertToken& c) {
  if (has_tokens_of_text(step)) return;
  Result<Document> longer = with_token_inserted(step.document, c.side, c.index, c.text);
  const std::size_t made = longer ? 1 : 0;
  edit(step, std::move(longer), "add token");
  notify_of_new_tokens(step, made);
}

void apply(Step& step, const command::RenameToken& c) {
  if (has_tokens_of_text(step)) return;
  edit(step, with_token_renamed(step.document, c.side, c.sample, c.index, c.text), "rename token");
}

void apply(Step& step, const command::SetText& c) {
  edit(step, with_text(step.document, c.text, step.memory_limit_bytes), "change text", c.gesture);
  if (step.revision != step.last_revision) return;  // the text from before the gesture is back
  std::erase_if(step.reading_notes,
                [](const std::string& note) { return note.starts_with(kNoTextGiven); });
}

void apply(Step& step, const command::RenameFeature& c) {
  edit(step, with_feature_renamed(step.document, c.axis, c.column, c.name), "rename feature");
}

void apply(Step& step, const command::DeleteToken& c) {
  if (has_tokens_of_text(step)) return;
  edit(step, with_token_deleted(step.document, c.side, c.index), "delete token");
}

void apply(Step& step, const command::MoveToken& c) {
  if (has_tokens_of_text(step)) return;
  edit(step, with_token_moved(step.document, c.side, c.from, c.to), "move token");
}

void apply(Step& step, const command::SetTitle& c) {
  if (auto refused = utf8_refusal(c.value, "the title")) return warn(step, *refused);
  Document document = step.document;
  document.title = c.value;
  edit(step, std::move(document), "change title");
}

void apply(Step& step, const command::SetCausal& c) {
  edit(step, with_causal(step.document, c.causal, shown_head(step)),
       c.causal ? "causal mask on" : "causal mask off");
  std::erase_if(step.notices, [&](const Notice& notice) {
    return notice.offer == Notice::Offer::CausalOff && notice.document == step.id;
  });
}

void apply(Step& step, const command::SetCausalOffset& c) {
  if (c.offset < -command::kLargestOffset || c.offset > command::kLargestOffset) {
    return warn(step, "The offset must be between -1,000,000 and 1,000,000");
  }
  edit(step, with_causal_offset(step.document, c.offset, shown_head(step)), "causal offset",
       c.gesture);
}

void apply(Step& step, const command::SetGates& c) {
  const std::size_t count = c.gates.size();
  edit(step, with_gates(step.document, c.gates),
       count == 1 ? "change the gate of a head" : "change " + counted(count, "gate"), c.gesture);
}

void apply(Step& step, const command::SetPattern& c) {
  if (!c.from) {
    const HeadPattern own{c.at, {}};
    return edit(step, with_patterns(step.document, {&own, 1}), "take a pattern away");
  }
  const AttentionResult* const from = !c.of_reference             ? present_result(step)
                                      : step.reference == nullptr ? nullptr
                                                                  : step.reference->result.get();
  const std::string why = why_no_patterns(make_problem(step.document));
  if (!why.empty()) return warn(step, "No head can have a pattern: " + why);
  const Document& of =
      c.of_reference && from != nullptr ? *step.reference->document : step.document;
  if (from == nullptr || nearest_head(of, *c.from) != *c.from) {
    return warn(step, "The weights of the other head are not known yet");
  }
  if (from->conceals(Stage::Weights, *c.from)) {
    return warn(step, "The lesson asks about weights: reveal them first");
  }
  const HeadPattern given{c.at, whole_stage(*from, Stage::Weights, *c.from)};
  edit(step, with_patterns(step.document, {&given, 1}), "give a head other weights");
}

void apply(Step& step, const command::SetEdge& c) {
  edit(step, with_edges(step.document, {&c.edge, 1}, c.is_cut),
       c.is_cut ? "cut an edge between heads" : "restore an edge between heads");
}

void apply(Step& step, const command::SetPadding& c) {
  const AttentionShape shape = shown_shape(step);
  const std::size_t count = c.side == Side::Query ? shape.n_q : shape.n_k;
  if (c.sample >= shape.samples || c.index >= count) {
    return warn(step, "There is no such token to hide or show");
  }
  edit(step, with_padding(step.document, c.side, c.sample, c.index, c.real, shown_head(step)),
       c.real ? "show token" : "hide token");
}

void apply(Step& step, const command::PaintCell& c) {
  const AttentionShape shape = shown_shape(step);
  const std::uint64_t cells =
      c.alone ? element_count({shape.layers, shape.samples, shape.heads, shape.n_q, shape.n_k})
              : element_count({shape.n_q, shape.n_k});
  if (cells > kMostPainted && shown_mask(step).visible.size() < cells) {
    return warn(step, "Painting would need a flag for each of " + grouped_text(cells) +
                          " cells; hide tokens or use the other rules instead");
  }
  const HeadAddress head = shown_head(step).moved_to(c.head.layer, c.head.sample, c.head.head);
  edit(step, with_cell_visible(step.document, head, c.q, c.k, c.visible, c.alone), "paint mask",
       c.gesture);
}

void apply(Step& step, const command::ClearMask& c) {
  edit(step, with_mask_cleared(step.document, c.only_painted, shown_head(step)),
       c.only_painted ? "clear painted mask" : "clear all masks");
}

void apply(Step& step, const command::SetScoring& c) {
  if (!has_scores(step.document.model)) {
    return warn(step, "This document gives finished weights, so there is nothing to score");
  }
  edit(step, with_scoring(step.document, c.rules), change_of(step.document.scoring, c.rules),
       c.gesture);
}

void apply(Step& step, const command::SetMask& c) {
  edit(step, with_mask(step.document, c.rules, shown_head(step)), "change mask", c.gesture);
}

void apply(Step& step, const command::SetPosition& c) {
  edit(step, with_position(step.document, c.rules), "change positions", c.gesture);
}

void apply(Step& step, const command::SetModel& c) {
  const std::string reason = reason_against(step.document, c.rules);
  if (!reason.empty()) return warn(step, reason);
  edit(step, with_choice(step.document, c.rules), label_of(c.rules), c.gesture);
}

// Drops the description if it does not apply to the new text.
void apply(Step& step, const command::SetTokens& c) {
  if (has_tokens_of_text(step)) return;
  const Document& document = step.document;
  Result<Document> edited =
      with_tokens(document, c.side, c.sample, c.tokens, step.memory_limit_bytes);
  const std::size_t made = edited ? count_new(document, c) : 0;
  const TokenLists& lists = c.side == Side::Key ? document.key_tokens : document.query_tokens;
  // With own tokens for each sample, the description may apply to other samples.
  const bool is_other_text = lists.size() == 1 && made == c.tokens.size();
  const bool is_named = !document.title.empty() || !document.description.empty();
  if (edited && is_named && is_other_text) {
    edited->title = title_of(c);
    edited->description.clear();
  }
  edit(step, std::move(edited), "change tokens");
  notify_of_new_tokens(step, made);
}

void apply(Step& step, const command::SetStructure& c) {
  const Structure before = structure_of(step.document);
  const Structure wanted = normalised(step.document, c.structure);
  const std::string reason = reason_against(step.document, wanted, step.memory_limit_bytes);
  if (!reason.empty()) return warn(step, reason);
  if (must_wait(step, wanted)) {
    return warn(step,
                "The numbers to take over are still being computed: try again when they are ready");
  }
  if (predicted_numbers(step.document, wanted) > kMostNumbersAtOnce) {
    return begin_structure(step, wanted);
  }
  step.restructuring = 0;  // supersedes a running job
  take_structure(
      step,
      with_structure(step.document, wanted, present_result(step), nullptr, step.memory_limit_bytes),
      label_of(before, wanted));
}

// Edits since the job began would be lost, so a structure for an older revision is dropped.
void apply(Step& step, const command::StructureMade& c) {
  OpenDocument* document = open_document_named(step, c.job.id);
  if (document == nullptr || document->restructuring != c.job.ticket) return;
  document->restructuring = 0;
  if (document->revision != c.job.revision) {
    return warn(step, "The structure was not changed, as the document was edited meanwhile");
  }
  if (!c.made) return warn(step, c.made.error());
  const std::uint64_t shown = step.id;
  show_document(step, c.job.id);
  take_structure(step, c.made, label_of(structure_of(*c.job.document), c.job.wanted));
  if (is_asking(step)) show_document(step, shown);
}

void apply(Step& step, const Command& c, command::Edits list) { apply_one_of(step, c, list); }

}  // namespace attn
