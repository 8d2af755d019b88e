// Goes through the lines once, and through each line once for its marks.
#include "gui/ui/markdown.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

namespace attn::gui {
namespace {

constexpr std::string_view kFence = "```";

// At both ends.
std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// What stands between two equal marks at the beginning of `rest`; nothing where it is empty or
// nothing closes it.
std::optional<std::string_view> enclosed(std::string_view rest, std::string_view mark) {
  if (!rest.starts_with(mark)) return std::nullopt;
  const std::size_t end = rest.find(mark, mark.size());
  if (end == std::string_view::npos || end == mark.size()) return std::nullopt;
  return rest.substr(mark.size(), end - mark.size());
}

struct FoundRun {
  TextRun run;
  std::size_t length = 0;  // of its source, marks included
};

std::optional<FoundRun> link_at(std::string_view rest) {
  const std::size_t middle = rest.find("](");
  if (!rest.starts_with('[') || middle == std::string_view::npos) return std::nullopt;
  const std::size_t end = rest.find(')', middle);
  const std::string_view words = rest.substr(1, middle - 1);
  if (end == std::string_view::npos || words.find_first_of("[]") != std::string_view::npos) {
    return std::nullopt;
  }
  return FoundRun{
      {std::string(words), RunStyle::Link, std::string(rest.substr(middle + 2, end - middle - 2))},
      end + 1};
}

struct MarkedStyle {
  std::string_view mark;
  RunStyle style;
};
constexpr MarkedStyle kMarkedStyles[] = {
    {"`", RunStyle::Code}, {"**", RunStyle::Bold}, {"*", RunStyle::Emphasis}};

std::optional<FoundRun> run_at(std::string_view rest) {
  for (const MarkedStyle& marked : kMarkedStyles) {
    const auto inside = enclosed(rest, marked.mark);
    if (!inside || inside->starts_with(' ')) continue;
    return FoundRun{{std::string(*inside), marked.style}, inside->size() + 2 * marked.mark.size()};
  }
  return link_at(rest);
}

void append_plain(TextRuns& runs, char letter) {
  if (runs.empty() || runs.back().style != RunStyle::Plain) runs.push_back({});
  runs.back().text += letter;
}

// Between bars, of which those with a backslash before them are no borders.
std::vector<TextRuns> cells_of(std::string_view line) {
  std::vector<TextRuns> cells;
  std::string cell;
  line.remove_prefix(1);
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool escaped = line.substr(i).starts_with("\\|");
    if (line[i] != '|') {
      cell += escaped ? line[++i] : line[i];
      continue;
    }
    cells.push_back(parse_runs(without_blanks(std::exchange(cell, {}))));
  }
  return cells;
}

bool is_ruler(std::string_view line) {
  return line.find_first_not_of("|-: ") == std::string_view::npos;
}

int heading_level(std::string_view line) {
  const std::size_t marks = std::min(line.find_first_not_of('#'), line.size());
  return marks < line.size() && line[marks] == ' ' ? static_cast<int>(marks) : 0;
}

class BlockReader {
 public:
  void read(std::string_view line);
  std::vector<TextBlock> take();

 private:
  void read_code(std::string_view line);
  void read_row(std::string_view line);
  void read_words(std::string_view words);
  void end_text();

  std::vector<TextBlock> blocks_;
  std::string text_;  // of the paragraph or item that is being read
  BlockKind kind_ = BlockKind::Paragraph;
  bool in_code_ = false, in_table_ = false;
};

void BlockReader::end_text() {
  in_table_ = false;
  if (text_.empty()) return;
  blocks_.push_back({kind_, 0, {{parse_runs(std::exchange(text_, {}))}}});
  kind_ = BlockKind::Paragraph;
}

void BlockReader::read_code(std::string_view line) {
  if (line.starts_with(kFence)) {
    in_code_ = false;
    return;
  }
  blocks_.back().rows.push_back({{{std::string(line), RunStyle::Code}}});
}

void BlockReader::read_row(std::string_view line) {
  if (!in_table_) {
    end_text();
    blocks_.push_back({BlockKind::Table, 0, {}});
    in_table_ = true;
  }
  if (!is_ruler(line)) blocks_.back().rows.push_back(cells_of(line));
}

void BlockReader::read_words(std::string_view words) {
  const int level = heading_level(words);
  const bool is_item = words.starts_with("- ");
  if (level > 0 || is_item) end_text();
  in_table_ = false;
  if (level > 0) {
    const std::string_view title = words.substr(static_cast<std::size_t>(level) + 1);
    blocks_.push_back({BlockKind::Heading, level, {{parse_runs(title)}}});
    return;
  }
  if (is_item) kind_ = BlockKind::ListItem;
  text_ += (text_.empty() ? "" : " ") + std::string(is_item ? words.substr(2) : words);
}

void BlockReader::read(std::string_view line) {
  if (in_code_) return read_code(line);
  const std::string_view words = without_blanks(line);
  if (words.starts_with('|')) return read_row(words);
  if (words.empty()) return end_text();
  if (words.starts_with(kFence)) {
    end_text();
    blocks_.push_back({BlockKind::Code, 0, {}});
    in_code_ = true;
    return;
  }
  read_words(words);
}

std::vector<TextBlock> BlockReader::take() {
  end_text();
  return std::move(blocks_);
}

}  // namespace

std::string written_text(const TextRuns& runs) {
  std::string text;
  for (const TextRun& run : runs) text += run.text;
  return text;
}

TextRuns parse_runs(std::string_view line) {
  TextRuns runs;
  for (std::size_t at = 0; at < line.size();) {
    const std::optional<FoundRun> found = run_at(line.substr(at));
    if (found) {
      runs.push_back(found->run);
      at += found->length;
    } else {
      append_plain(runs, line[at++]);
    }
  }
  return runs;
}

std::vector<TextBlock> parse_markdown(std::string_view text) {
  BlockReader reader;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    reader.read(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.take();
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

}  // namespace attn::gui
