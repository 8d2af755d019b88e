// Where the words of a text with headings, tables and code stand, for a width.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "figure/text.h"
#include "gui/ui/markdown.h"

namespace attn::gui {

// All lengths are in units.

// A piece of a line in one style.
struct PlacedRun {
  std::string text;
  RunStyle style = RunStyle::Plain;
  FontStyle font;
  double x = 0.0, width = 0.0;
  std::string target{};  // of a link
};
struct PlacedLine {
  std::vector<PlacedRun> runs;
};

struct PlacedCell {
  double x = 0.0;
  std::vector<PlacedLine> lines;
};

// What is drawn or left out as a whole: a block, a row of a table, or a line of code.
struct PlacedItem {
  BlockKind kind = BlockKind::Paragraph;
  int level = 0;           // of a heading
  bool is_header = false;  // of a table
  std::string text;        // what is written in it
  std::vector<PlacedCell> cells;
  double line_height = 0.0;
  double top = 0.0, height = 0.0;
};

struct PlacedText {
  std::vector<PlacedItem> items;  // from top to bottom
  double height = 0.0;
};

// Words are broken only where one alone is wider than its line.
std::vector<PlacedLine> broken_lines(const TextMetrics& metrics, const TextRuns& runs,
                                     const FontStyle& font, double width);

// `size` is that of plain letters.
PlacedText placed_text(const TextMetrics& metrics, const std::vector<TextBlock>& blocks,
                       double size, double width);

}  // namespace attn::gui
