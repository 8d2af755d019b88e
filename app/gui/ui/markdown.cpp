// Markdown parsed by md4c, and its layout: line breaking, column widths of tables, vertical
// stacking.
#include "gui/ui/markdown.h"

#include <md4c.h>

#include <algorithm>
#include <cctype>
#include <span>
#include <utility>

#include "base/joined.h"
#include "figure/letters.h"

namespace attn::gui {
namespace {

struct Reading {
  std::vector<TextBlock> blocks;
  std::vector<RunStyle> styles;  // of the enclosing spans
  std::string target;            // of the enclosing link
  bool begins_item = false;      // its paragraph is the item itself

  void begin(BlockKind kind, int level = 0) {
    blocks.push_back({kind, level, {}});
    if (kind != BlockKind::Table) blocks.back().rows.push_back({{}});
    begins_item = kind == BlockKind::ListItem;
  }
  void append(std::string_view text, RunStyle style) {
    TextRuns& runs = blocks.back().rows.back().back();
    const bool goes_on =
        !runs.empty() && runs.back().style == style && runs.back().target == target;
    if (!goes_on) runs.push_back({"", style, target});
    runs.back().text += text;
  }
};

int enter_block(MD_BLOCKTYPE type, void* detail, void* data) {
  auto& reading = *static_cast<Reading*>(data);
  switch (type) {
    case MD_BLOCK_H:
      reading.begin(BlockKind::Heading,
                    static_cast<int>(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level));
      break;
    case MD_BLOCK_P:
      if (!reading.begins_item) reading.begin(BlockKind::Paragraph);
      reading.begins_item = false;
      break;
    case MD_BLOCK_LI:
      reading.begin(BlockKind::ListItem);
      break;
    case MD_BLOCK_TABLE:
      reading.begin(BlockKind::Table);
      break;
    case MD_BLOCK_TR:
      reading.blocks.back().rows.emplace_back();
      break;
    case MD_BLOCK_TH:
    case MD_BLOCK_TD:
      reading.blocks.back().rows.back().emplace_back();
      break;
    case MD_BLOCK_CODE:
      reading.begin(BlockKind::Code);
      break;
    default:
      break;
  }
  return 0;
}

// Splits code, which is read as one text, into a row per line.
int leave_block(MD_BLOCKTYPE type, void* /*detail*/, void* data) {
  auto& reading = *static_cast<Reading*>(data);
  reading.begins_item = false;
  if (type != MD_BLOCK_CODE) return 0;
  TextBlock& code = reading.blocks.back();
  const std::string text = written_text(code.rows.front().front());
  code.rows.clear();
  for (std::string_view left = text; !left.empty();) {
    code.rows.push_back({{{std::string(take_before(left, "\n")), RunStyle::Code}}});
  }
  return 0;
}

std::string text_of(const MD_ATTRIBUTE& attribute) { return {attribute.text, attribute.size}; }

int enter_span(MD_SPANTYPE type, void* detail, void* data) {
  auto& reading = *static_cast<Reading*>(data);
  RunStyle style = RunStyle::Plain;
  if (type == MD_SPAN_STRONG) style = RunStyle::Bold;
  if (type == MD_SPAN_EM) style = RunStyle::Emphasis;
  if (type == MD_SPAN_CODE) style = RunStyle::Code;
  if (type == MD_SPAN_A) reading.target = text_of(static_cast<MD_SPAN_A_DETAIL*>(detail)->href);
  if (type == MD_SPAN_IMG) reading.target = text_of(static_cast<MD_SPAN_IMG_DETAIL*>(detail)->src);
  reading.styles.push_back(style);
  return 0;
}

int leave_span(MD_SPANTYPE type, void* /*detail*/, void* data) {
  auto& reading = *static_cast<Reading*>(data);
  if (type == MD_SPAN_A || type == MD_SPAN_IMG) reading.target.clear();
  reading.styles.pop_back();
  return 0;
}

int read_text(MD_TEXTTYPE type, const MD_CHAR* letters, MD_SIZE size, void* data) {
  auto& reading = *static_cast<Reading*>(data);
  if (reading.blocks.empty()) return 0;
  const bool breaks = type == MD_TEXT_SOFTBR || type == MD_TEXT_BR;
  const RunStyle around = reading.styles.empty() ? RunStyle::Plain : reading.styles.back();
  reading.append(breaks ? " " : std::string_view(letters, size),
                 reading.target.empty() ? around : RunStyle::Link);
  return 0;
}

constexpr double kLeading = 1.45;  // line height, in font sizes
constexpr double kCodeSize = 0.93;
constexpr double kItemIndent = 1.2, kCodeIndent = 0.8, kColumnGap = 1.4;
constexpr double kStyleBlank = 1.25;  // between words of two styles, in spaces
constexpr double kHeadingSizes[] = {1.55, 1.25, 1.08};

FontStyle font_of(const FontStyle& base, RunStyle style) {
  FontStyle font = base;
  font.formula = style != RunStyle::Code;  // W_O with an index
  if (style == RunStyle::Bold) font.bold = true;
  if (style == RunStyle::Emphasis) font.italic = true;
  if (style == RunStyle::Code) {
    font.monospace = true;
    font.size *= kCodeSize;
  }
  return font;
}

// A word in one style; words without a space between them belong to one line.
struct Word {
  const TextRun* run = nullptr;
  std::string text;
  bool after_blank = false;
  bool may_begin_line = false;  // also without a blank before it
};

// Splits runs at blanks, and where Unicode allows a line to begin within ideographs.
std::vector<Word> words_of(const TextRuns& runs) {
  const std::vector<std::size_t> breaks = line_breaks(written_text(runs));
  std::vector<Word> words;
  bool blank = false;
  std::size_t start = 0;  // of the run in the text
  for (const TextRun& run : runs) {
    for (std::size_t at = 0; at < run.text.size();) {
      if (run.text[at] == ' ') {
        blank = true;
        ++at;
        continue;
      }
      const auto next = std::ranges::upper_bound(breaks, start + at);
      const std::size_t split = next == breaks.end() ? run.text.size() : *next - start;
      const std::size_t end = std::min({run.text.find(' ', at), split, run.text.size()});
      const bool may_begin = std::ranges::binary_search(breaks, start + at);
      words.push_back(
          {&run, run.text.substr(at, end - at), std::exchange(blank, false), may_begin});
      at = end;
    }
    start += run.text.size();
  }
  return words;
}

// Builds lines one after the other.
struct LineBreaker {
  const TextMetrics& metrics;
  FontStyle base;
  double width;
  std::vector<PlacedLine> lines{};
  double x = 0.0;  // end of the last line

  // Adds words that are joined without spaces.
  void add(std::span<const Word> words) {
    double wanted = 0.0;
    for (const Word& word : words) wanted += width_of(word.text, word.run->style);
    const bool is_first = lines.empty() || x == 0.0;
    const bool same = !is_first && lines.back().back().style == words.front().run->style;
    const double blank = words.front().after_blank
                             ? (same ? 1.0 : kStyleBlank) * width_of(" ", RunStyle::Plain)
                             : 0.0;
    if (lines.empty() || (!is_first && x + blank + wanted > width)) {
      begin_line();
    } else if (!is_first && blank > 0.0) {
      same ? append(*words.front().run, " ") : void(x += blank);
    }
    for (const Word& word : words) put(word);
  }
  double width_of(std::string_view text, RunStyle style) const {
    return metrics.measure(text, font_of(base, style)).width;
  }
  void begin_line() {
    lines.emplace_back();
    x = 0.0;
  }
  void put(const Word& word) {
    const bool fits = x + width_of(word.text, word.run->style) <= width;
    fits ? append(*word.run, word.text) : put_in_parts(word);
  }
  void put_in_parts(const Word& word) {
    const std::vector<std::size_t> borders = letter_borders(word.text);
    for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
      const std::string letter = word.text.substr(borders[i], borders[i + 1] - borders[i]);
      if (x > 0.0 && x + width_of(letter, word.run->style) > width) begin_line();
      append(*word.run, letter);
    }
  }
  // Extends a run of equal style and target, so that a line has few runs.
  void append(const TextRun& run, const std::string& text) {
    PlacedLine& runs = lines.back();
    const bool goes_on =
        !runs.empty() && runs.back().style == run.style && runs.back().target == run.target;
    if (!goes_on) runs.push_back({{"", run.style, run.target}, font_of(base, run.style), x});
    PlacedRun& last = runs.back();
    last.text += text;
    x += width_of(text, run.style);  // words repeat, and their measurements are cached
    last.width = x - last.x;
  }
};

// End of the words from `first` on that stay on one line.
std::size_t chunk_end(std::span<const Word> words, std::size_t first) {
  std::size_t end = first + 1;
  while (end < words.size() && !words[end].after_blank && !words[end].may_begin_line) ++end;
  return end;
}

struct ColumnWidths {
  double least = 0.0;  // of the widest word
  double whole = 0.0;  // of the longest cell in one line
};

ColumnWidths widths_of(const TextMetrics& metrics, const TextRuns& runs, const FontStyle& font) {
  ColumnWidths widths;
  const std::vector<Word> words = words_of(runs);
  const double blank = metrics.measure(" ", font).width;
  for (std::size_t i = 0; i < words.size();) {
    double chunk = 0.0;
    if (widths.whole > 0.0 && words[i].after_blank) widths.whole += blank;
    for (const std::size_t end = chunk_end(words, i); i < end; ++i) {
      chunk += metrics.measure(words[i].text, font_of(font, words[i].run->style)).width;
    }
    widths.least = std::max(widths.least, chunk);
    widths.whole += chunk;
  }
  return widths;
}

// Shares `space` among columns: each gets its widest word if all fit, and the rest in proportion.
std::vector<double> shared(const std::vector<ColumnWidths>& columns, double space) {
  double least = 0.0, wanted = 0.0;
  for (const ColumnWidths& column : columns) {
    least += column.least;
    wanted += column.whole - column.least;
  }
  std::vector<double> widths;
  for (const ColumnWidths& column : columns) {
    if (least > space) {
      widths.push_back(column.least * space / least);
      continue;
    }
    const double part = wanted > 0.0 ? std::min(1.0, (space - least) / wanted) : 0.0;
    // Slightly more, because sums of widths are rounded.
    widths.push_back(column.least + part * (column.whole - column.least) + 0.5);
  }
  return widths;
}

std::vector<double> column_widths(const TextMetrics& metrics, const TextBlock& table,
                                  const FontStyle& font, double width) {
  std::vector<ColumnWidths> columns;
  for (const auto& row : table.rows) {
    columns.resize(std::max(columns.size(), row.size()));
    for (std::size_t c = 0; c < row.size(); ++c) {
      const bool header = &row == &table.rows.front();
      const ColumnWidths cell = widths_of(metrics, row[c], FontStyle{font.size, header});
      columns[c].least = std::max(columns[c].least, cell.least);
      columns[c].whole = std::max(columns[c].whole, cell.whole);
    }
  }
  const double gaps = kColumnGap * font.size * static_cast<double>(columns.size());
  return shared(columns, std::max(width - gaps, font.size));
}

// Places the rows of a block, which are cells in columns, below the items so far.
void add_block(PlacedText& text, const TextMetrics& metrics, const TextBlock& block, double size,
               double width) {
  const bool is_heading = block.kind == BlockKind::Heading,
             is_table = block.kind == BlockKind::Table;
  const bool is_code = block.kind == BlockKind::Code, is_item = block.kind == BlockKind::ListItem;
  const int level = std::min(block.level, static_cast<int>(std::size(kHeadingSizes)));
  const double font_size = is_heading ? size * kHeadingSizes[level - 1] : size;
  const double indent = is_code ? kCodeIndent * size : is_item ? kItemIndent * size : 0.0;
  const double padding = is_heading || is_item ? 0.35 : is_table || is_code ? 1.0 : 0.8;
  std::vector<double> widths{width - (is_code ? 2.0 : 1.0) * indent};
  if (is_table) widths = column_widths(metrics, block, FontStyle{size}, width);
  if (is_heading && !text.items.empty()) text.height += size * 0.9;
  for (const auto& row : block.rows) {
    const bool header = is_table && &row == &block.rows.front();
    PlacedItem item{block.kind, block.level, header, "", {}, font_size * kLeading, text.height};
    const FontStyle font{font_size, is_heading || header};
    std::size_t lines = 1;
    double x = indent;
    for (std::size_t c = 0; c < row.size(); ++c) {
      item.text += (c > 0 ? " " : "") + written_text(row[c]);
      item.cells.push_back({x, broken_lines(metrics, row[c], font, widths[c])});
      lines = std::max(lines, item.cells.back().lines.size());
      x += widths[c] + kColumnGap * size;
    }
    item.height = (is_table ? size * 0.7 : 0.0) + static_cast<double>(lines) * item.line_height;
    text.height += item.height + (&row == &block.rows.back() ? size * padding : 0.0);
    text.items.push_back(std::move(item));
  }
}

}  // namespace

std::string written_text(const TextRuns& runs) {
  std::string text;
  for (const TextRun& run : runs) text += run.text;
  return text;
}

std::vector<TextBlock> parse_markdown(std::string_view text) {
  constexpr unsigned kFlags =
      MD_FLAG_TABLES | MD_FLAG_COLLAPSEWHITESPACE | MD_FLAG_NOHTML | MD_FLAG_NOINDENTEDCODEBLOCKS;
  const MD_PARSER parser{0,          kFlags,    enter_block, leave_block, enter_span,
                         leave_span, read_text, nullptr,     nullptr};
  Reading reading;
  md_parse(text.data(), static_cast<MD_SIZE>(text.size()), &parser, &reading);
  return std::move(reading.blocks);
}

std::string anchor_of(std::string_view heading) {
  std::string anchor = "#";
  for (const char letter : heading) {
    const auto byte = static_cast<unsigned char>(letter);
    if (letter == ' ') anchor += '-';
    if (byte >= 0x80 || std::isalnum(byte) != 0 || letter == '-' || letter == '_') {
      anchor += static_cast<char>(std::tolower(byte));
    }
  }
  return anchor;
}

std::string_view anchor_in(std::string_view target) {
  return target.substr(std::min(target.find('#'), target.size()));
}

std::vector<PlacedLine> broken_lines(const TextMetrics& metrics, const TextRuns& runs,
                                     const FontStyle& font, double width) {
  LineBreaker breaker{metrics, font, width};
  const std::vector<Word> words = words_of(runs);
  for (std::size_t i = 0; i < words.size();) {
    const std::size_t end = chunk_end(words, i);
    breaker.add(std::span(words).subspan(i, end - i));
    i = end;
  }
  return std::move(breaker.lines);
}

PlacedText placed_text(const TextMetrics& metrics, const std::vector<TextBlock>& blocks,
                       double size, double width) {
  PlacedText text;
  for (const TextBlock& block : blocks) add_block(text, metrics, block, size, width);
  return text;
}

}  // namespace attn::gui
