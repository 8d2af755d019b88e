// Edits of matrices and tokens.
#include "document/edit.h"

#include <algorithm>

#include "numbers/read_numbers.h"
#include "session/reduce/handlers.h"

namespace attn {
namespace {

std::string about(std::string_view what, const Document& document, const MatrixRef& matrix) {
  return std::string(what) + " " + label_of(document, matrix.tensor);
}

bool is_there(const Document& document, const MatrixRef& ref) {
  const std::optional<TensorInfo> info = tensor_at(document, ref.tensor);
  if (!info || !info->is_there()) return false;
  const AttentionShape shape = shape_of(document);
  return ref.at.layer < shape.layers && ref.at.sample < shape.samples &&
         ref.at.head < heads_of(*info, shape);
}

// Says why there is nothing to edit; true when there is something.
bool require(AppState& state, const MatrixRef& ref) {
  if (is_there(state.document, ref)) return true;
  notify(state, Notice::Level::Warning,
         "This document has no such matrix " + label_of(state.document, ref.tensor) + " to edit");
  return false;
}

std::string cells_text(const NumberTable& table) {
  const bool one = table.rows == 1 && table.cols == 1;
  return std::to_string(table.rows) + " × " + std::to_string(table.cols) +
         (one ? " cell does" : " cells do");
}

std::string counted(std::size_t count, const char* noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

// Why the table does not fit at (row, col); empty when it does.
std::string misfit(const Document& document, const MatrixRef& ref, std::size_t row, std::size_t col,
                   const NumberTable& table) {
  const MatrixView matrix = matrix_of(document, ref);
  const std::size_t rows = matrix.rows - std::min(row, matrix.rows);
  const std::size_t cols = matrix.cols - std::min(col, matrix.cols);
  if (table.rows <= rows && table.cols <= cols) return "";
  return cells_text(table) + " not fit: from row " + std::to_string(row + 1) + ", column " +
         std::to_string(col + 1) + " " + label_of(document, ref.tensor) + " has " +
         counted(rows, "row") + " and " + counted(cols, "column");
}

Result<Document> with_pasted(const Document& document, const MatrixRef& matrix, std::size_t row,
                             std::size_t col, const NumberTable& table) {
  return with_numbers(document, matrix, row, col, table.rows, table.cols, table.values);
}

// What of a pasted table is no number, and stays outside of the matrix; empty where all are.
std::string labels_note(const NumberTable& table) {
  const bool rows = !table.row_labels.empty(), columns = !table.column_labels.empty();
  if (!rows && !columns) return "";
  const std::string where = rows && columns ? "first row and the first column"
                            : rows          ? "first column"
                                            : "first row";
  return "Pasted without the labels in the " + where;
}

std::string fill_label(Fill fill, const Document& document, const MatrixRef& matrix) {
  switch (fill) {
    case Fill::RandomNormal:
      return about("randomize", document, matrix);
    case Fill::Zeros:
      return about("zero", document, matrix);
    case Fill::Identity:
      return about("identity in", document, matrix);
  }
  return about("fill", document, matrix);
}

}  // namespace

void apply(Step& step, const command::SetCell& c) {
  AppState& state = step.state;
  if (!require(state, c.matrix)) return;
  edit(step, with_cell(state.document, c.matrix, c.row, c.col, c.value),
       about("edit", state.document, c.matrix), c.stroke);
}

void apply(Step& step, const command::PasteText& c) {
  AppState& state = step.state;
  if (!require(state, c.matrix)) return;
  if (const Status fits = check_reading_memory(c.text, state.memory_limit_bytes); !fits) {
    return notify(state, Notice::Level::Warning, fits.error());
  }
  const Result<NumberTable> table = read_numbers(c.text, NonFinite::Refused);
  if (!table) return notify(state, Notice::Level::Warning, table.error());
  const std::string reason = misfit(state.document, c.matrix, c.row, c.col, *table);
  if (!reason.empty()) return notify(state, Notice::Level::Warning, reason);
  const std::uint64_t before = state.revision;
  edit(step, with_pasted(state.document, c.matrix, c.row, c.col, *table),
       about("paste into", state.document, c.matrix));
  const std::string note = labels_note(*table);
  if (!note.empty()) notify(state, Notice::Level::Info, note);
  if (state.revision == before) return;
  state.grid = {c.matrix, c.row + table->rows - 1, c.col + table->cols - 1, c.row, c.col};
}

void apply(Step& step, const command::SetBlock& c) {
  AppState& state = step.state;
  if (!require(state, c.matrix)) return;
  edit(step, with_numbers(state.document, c.matrix, c.row, c.col, c.rows, c.cols, c.values),
       about(c.verb.c_str(), state.document, c.matrix));
}

void apply(Step& step, const command::FillMatrix& c) {
  AppState& state = step.state;
  if (!require(state, c.matrix)) return;
  edit(step, with_fill(state.document, c.matrix, c.fill),
       fill_label(c.fill, state.document, c.matrix));
}

void apply(Step& step, const command::ScaleMatrix& c) {
  AppState& state = step.state;
  if (!require(state, c.matrix)) return;
  edit(step, with_matrix_scaled(state.document, c.matrix, c.factor),
       about("scale", state.document, c.matrix));
}

void apply(Step& step, const command::InsertToken& c) {
  Result<Document> longer = with_token_inserted(step.state.document, c.side, c.index, c.text);
  const std::size_t made = longer ? 1 : 0;
  edit(step, std::move(longer), "add token");
  notify_of_new_tokens(step.state, made);
}

void apply(Step& step, const command::RenameToken& c) {
  edit(step, with_token_renamed(step.state.document, c.side, c.sample, c.index, c.text),
       "rename token");
}

void apply(Step& step, const command::RenameFeature& c) {
  edit(step, with_feature_renamed(step.state.document, c.axis, c.column, c.name), "rename feature");
}

void apply(Step& step, const command::DeleteToken& c) {
  edit(step, with_token_deleted(step.state.document, c.side, c.index), "delete token");
}

void apply(Step& step, const command::MoveToken& c) {
  edit(step, with_token_moved(step.state.document, c.side, c.from, c.to), "move token");
}

void apply(Step& step, const command::SetTitle& c) {
  if (auto refused = utf8_refusal(c.title, "the title")) {
    return notify(step.state, Notice::Level::Warning, *refused);
  }
  Document document = step.state.document;
  document.title = c.title;
  edit(step, std::move(document), "change title");
}

}  // namespace attn
