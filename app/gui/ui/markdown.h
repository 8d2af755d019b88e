// Markdown as blocks of styled text: headings, paragraphs, lists, tables, blocks of code, and in
// lines code, emphasis and links; and where their words stand, for a width.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "figure/text.h"

namespace attn::gui {

enum class RunStyle { Plain, Bold, Emphasis, Code, Link };

// A piece of a text in one style.
struct TextRun {
  std::string text;
  RunStyle style = RunStyle::Plain;
  std::string target{};  // of a link: "#the-view"
  friend bool operator==(const TextRun&, const TextRun&) = default;
};
using TextRuns = std::vector<TextRun>;

// What is written in it, without marks.
std::string written_text(const TextRuns& runs);

enum class BlockKind { Heading, Paragraph, ListItem, Table, Code };

struct TextBlock {
  BlockKind kind = BlockKind::Paragraph;
  int level = 0;  // of a heading, from 1
  // Of cells. A table has its header first, code a row for each line; all others have one cell.
  std::vector<std::vector<TextRuns>> rows;
};

// CommonMark with tables. Lines of a paragraph or list item are joined.
std::vector<TextBlock> parse_markdown(std::string_view text);

// What links name a heading by: "#tokens-without-names" is “Tokens without names”.
std::string anchor_of(std::string_view heading);

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
