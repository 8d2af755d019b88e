// Markdown as blocks of styled text: headings, paragraphs, lists, tables, blocks of code, and in
// lines code, emphasis and links.
#pragma once

#include <string>
#include <string_view>
#include <vector>

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

}  // namespace attn::gui
