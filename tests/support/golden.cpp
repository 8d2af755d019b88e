// Compares a text with its golden, or rewrites that.
#include "tests/support/golden.h"

#include <cstdlib>

#include "base/files.h"
#include "base/number_text.h"
#include "document/edit.h"
#include "support/paths.h"

namespace attn::test {
namespace {

std::string number(double value) { return fixed_text(value, 1); }
std::string point(Point p) { return number(p.x) + "," + number(p.y); }
std::string rect(const Rect& r) {
  return point({r.x, r.y}) + " " + number(r.width) + "×" + number(r.height);
}
std::string color(Color c) {
  return "(" + std::to_string(c.r) + " " + std::to_string(c.g) + " " + std::to_string(c.b) + " " +
         std::to_string(c.a) + ")";
}

std::string hit(const HitId& id) {
  if (const auto* cell = std::get_if<CellHit>(&id)) {
    return " cell " + std::to_string(cell->row) + "," + std::to_string(cell->col);
  }
  if (const auto* token = std::get_if<TokenHit>(&id)) {
    return (token->side == Side::Query ? " query " : " key ") + std::to_string(token->index);
  }
  if (const auto* stage = std::get_if<StageHit>(&id)) {
    return " stage " + std::string(stage_info(stage->stage).name);
  }
  if (const auto* input = std::get_if<InputHit>(&id)) {
    return " input " + input->label;
  }
  if (const auto* head = std::get_if<HeadHit>(&id)) {
    return " head " + std::to_string(head->head.head);
  }
  if (const auto* label = std::get_if<HeadLabelHit>(&id)) {
    return " label " + std::to_string(label->label) + " of head " +
           std::to_string(label->head.head);
  }
  return std::holds_alternative<ColorBarHit>(id) ? " colour bar" : "";
}

std::string line(const RectItem& i) {
  return "rect " + rect(i.rect) + " fill " + color(i.fill) + " stroke " + color(i.stroke) + " " +
         number(i.stroke_width) + hit(i.hit);
}
std::string line(const LineItem& i) {
  return "line " + point(i.from) + " " + point(i.to) + " " + color(i.color) + " " + number(i.width);
}
std::string line(const PathItem& i) {
  std::string text = "path";
  for (const Point p : i.points) text += " " + point(p);
  return text + " fill " + color(i.fill) + " stroke " + color(i.stroke) + hit(i.hit);
}
std::string line(const TextItem& i) {
  constexpr const char* kHorizontal[] = {"left", "center", "right"};
  constexpr const char* kVertical[] = {"top", "middle", "baseline", "bottom"};
  return "text \"" + i.text + "\" " + point(i.anchor) + " size " + number(i.font.size) +
         (i.font.family != nullptr ? " " + *i.font.family : "") + (i.font.bold ? " bold " : " ") +
         kHorizontal[static_cast<int>(i.halign)] + " " + kVertical[static_cast<int>(i.valign)] +
         " " + number(i.degrees) + "° " + color(i.color) + hit(i.hit);
}
std::string line(const MatrixItem& i) {
  std::string text = "matrix " + rect(i.rect) + " clip " + rect(i.clip) + " from " +
                     std::to_string(i.first_row) + "," + std::to_string(i.first_col) + " of " +
                     std::to_string(i.row_count) + "×" + std::to_string(i.col_count) + " " +
                     std::string(i.scale.map->name) + " " + shortest_text(i.scale.low) + " to " +
                     shortest_text(i.scale.high);
  if (i.cells->values.size() > 64) return text;
  for (std::size_t c = 0; c < i.cells->values.size(); ++c) {
    const bool hidden = !i.cells->hidden.empty() && i.cells->hidden[c] != 0;
    text += (c % i.cells->cols == 0 ? "\n  " : " ") +
            (hidden ? std::string("hidden") : shortest_text(i.cells->values[c]));
  }
  return text;
}

// `path` from the folder of the sources.
::testing::AssertionResult matches_file(const std::string& text, const std::string& path) {
  const std::string file = source_folder() + "/" + path;
  const char* update = std::getenv("ATTNSCOPE_UPDATE_GOLDENS");
  if (update != nullptr && std::string(update) == "1") {
    const Status written = write_file_atomically(file, text, Overwrite::Replace);
    if (!written) return ::testing::AssertionFailure() << describe(written.error());
    return ::testing::AssertionSuccess();
  }
  const Result<std::string> golden = read_file(file, 64U << 20U);
  if (!golden) return ::testing::AssertionFailure() << describe(golden.error());
  if (*golden == text) return ::testing::AssertionSuccess();
  std::size_t at = 0;
  while (at < golden->size() && at < text.size() && (*golden)[at] == text[at]) ++at;
  const std::size_t start = text.rfind('\n', at > 0 ? at - 1 : 0);
  const std::size_t from = start == std::string::npos ? 0 : start + 1;
  const auto line_from = [&](const std::string& s) {
    return from < s.size() ? s.substr(from, s.find('\n', from) - from) : std::string();
  };
  return ::testing::AssertionFailure()
         << "differs from " << path
         << " (ATTNSCOPE_UPDATE_GOLDENS=1 rewrites it)\nexpected: " << line_from(*golden)
         << "\nfound:    " << line_from(text);
}

}  // namespace

std::string figure_text(const Figure& figure) {
  std::string text = "figure " + number(figure.width) + "×" + number(figure.height) + " on " +
                     color(figure.background) + "\ntitle " + figure.title + "\nalt " +
                     figure.alt_text + "\n";
  for (const FigureItem& item : figure.items) {
    text += std::visit([](const auto& shape) { return line(shape); }, item) + "\n";
  }
  return text;
}

::testing::AssertionResult matches_golden(const std::string& text, const std::string& path) {
  return matches_file(text, "tests/" + path);
}

::testing::AssertionResult matches_page(const std::string& text, const std::string& name) {
  return matches_file(text, "docs/" + name);
}

::testing::AssertionResult matches_asset(const std::string& text, const std::string& name) {
  return matches_file(text, "assets/" + name);
}

}  // namespace attn::test
