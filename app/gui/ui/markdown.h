// Markdown as blocks of styled text (headings, paragraphs, lists, tables, code; inline code,
// emphasis, links) and its layout for a width.
#pragma once

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

// Text without markup.
std::string written_text(const TextRuns& runs);

enum class BlockKind { Heading, Paragraph, ListItem, Table, Code };

struct TextBlock {
  BlockKind kind = BlockKind::Paragraph;
  int level = 0;  // of a heading, from 1
  // Cells. The header is the first row of a table; code has a row per line; other blocks have one
  // cell.
  std::vector<std::vector<TextRuns>> rows;
};

// Parses CommonMark with tables. Lines of a paragraph or list item are joined.
std::vector<TextBlock> parse_markdown(std::string_view text);

// Link target of a heading: "#tokens-without-names" is “Tokens without names”.
std::string anchor_of(std::string_view heading);
// "#masks" of "documents.md#masks"; empty for a link to a whole page.
std::string_view anchor_in(std::string_view target);

// All lengths are in units.

// A piece of a line in one style.
struct PlacedRun : TextRun {
  FontStyle font;
  double x = 0.0, width = 0.0;
};
using PlacedLine = std::vector<PlacedRun>;

struct PlacedCell {
  double x = 0.0;
  std::vector<PlacedLine> lines;
};

// Unit that is drawn or skipped: a block, a row of a table, or a line of code.
struct PlacedItem {
  BlockKind kind = BlockKind::Paragraph;
  int level = 0;           // of a heading
  bool is_header = false;  // of a table
  std::string text;        // without markup
  std::vector<PlacedCell> cells;
  double line_height = 0.0;
  double top = 0.0, height = 0.0;
};

struct PlacedText {
  std::vector<PlacedItem> items;  // from top to bottom
  double height = 0.0;
};

// Breaks words only if a single word is wider than the line.
std::vector<PlacedLine> broken_lines(const TextMetrics& metrics, const TextRuns& runs,
                                     const FontStyle& font, double width);

// `size` is the font size of plain text.
PlacedText placed_text(const TextMetrics& metrics, const std::vector<TextBlock>& blocks,
                       double size, double width);

}  // namespace attn::gui
