// Reads places of cells.
#include "cli/export_cells.h"

#include <charconv>
#include <cmath>

#include "cli/flags.h"
#include "engine/matrix/matrix.h"
#include "session/figure_file.h"

namespace attn::cli {
namespace {

constexpr std::size_t kMostPins = 2;

// So many numbers, none below 0, with commas between them.
Result<std::vector<double>> numbers_of(const std::string& flag, const std::string& text,
                                       std::size_t count, const std::string& expected) {
  std::vector<double> numbers;
  const char *at = text.data(), *end = at + text.size();
  bool more = true;
  while (more && numbers.size() < count) {
    double number = 0.0;
    const auto read = std::from_chars(at, end, number);
    if (read.ec != std::errc() || !std::isfinite(number) || number < 0.0) break;
    numbers.push_back(number);
    more = read.ptr != end && *read.ptr == ',';
    at = more ? read.ptr + 1 : read.ptr;
  }
  if (numbers.size() == count && !more && at == end) return numbers;
  Error error = usage_error(flag + " cannot have this value");
  error.found = text;
  error.expected = expected;
  return error;
}

Error no_cell(const std::string& text, const StageShape& extents) {
  Error error = usage_error("there is no cell " + text);
  error.expected = std::to_string(extents.rows) + " rows and " + std::to_string(extents.cols) +
                   " columns, counted from 0";
  return error;
}

}  // namespace

Status set_part(PlotOptions& options, const std::string& text) {
  if (text.empty()) return ok_status();
  const auto numbers = numbers_of("--part", text, 4, "ROW,COLUMN,ROWS,COLUMNS in cells, from 0 on");
  if (!numbers) return numbers.error();
  const auto& part = *numbers;
  options.window = {part[0], part[1], part[2], part[3]};
  if (part[2] > 0.0 && part[3] > 0.0) return ok_status();
  return usage_error("--part has no rows or no columns");
}

Status set_pins(PlotOptions& options, const std::vector<std::string>& texts,
                const Document& document, const ResultPtr& result, const std::string& plot,
                const DerivingOptions& how) {
  if (texts.empty()) return ok_status();
  if (texts.size() > kMostPins) return usage_error("--pin can be given twice, no more");
  const Result<Figure> drawn = figure_for_file(document, result, plot, options, 72.0, how);
  if (!drawn) return drawn.error();
  const MatrixItem* matrix = find_matrix(*drawn);
  if (matrix == nullptr || !matrix->origin) {
    return usage_error("the " + plot + " plot has no cells to mark");
  }
  for (const std::string& text : texts) {
    const auto place = numbers_of("--pin", text, 2, "ROW,COLUMN of a cell, counted from 0");
    if (!place) return place.error();
    const double row = (*place)[0], col = (*place)[1];
    const bool there = row < static_cast<double>(matrix->row_count) &&
                       col < static_cast<double>(matrix->col_count);
    if (!there || row != std::floor(row) || col != std::floor(col)) {
      return no_cell(text, {matrix->row_count, matrix->col_count});
    }
    options.pins.push_back(
        {*matrix->origin, static_cast<std::size_t>(row), static_cast<std::size_t>(col)});
  }
  return ok_status();
}

}  // namespace attn::cli
