// Lets md4c parse, and collects what it reports.
#include "gui/ui/markdown.h"

#include <md4c.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace attn::gui {
namespace {

struct Reading {
  std::vector<TextBlock> blocks;
  std::vector<RunStyle> styles;  // of the spans around what is read
  std::string target;            // of the link around it
  bool begins_item = false;      // whose paragraph is the item itself

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

// Code is read as one text, and becomes a row for each line.
int leave_block(MD_BLOCKTYPE type, void* /*detail*/, void* data) {
  auto& reading = *static_cast<Reading*>(data);
  reading.begins_item = false;
  if (type != MD_BLOCK_CODE) return 0;
  TextBlock& code = reading.blocks.back();
  const std::string text = written_text(code.rows.front().front());
  code.rows.clear();
  for (std::size_t at = 0, end = 0; at < text.size(); at = end + 1) {
    end = std::min(text.find('\n', at), text.size());
    code.rows.push_back({{{text.substr(at, end - at), RunStyle::Code}}});
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

}  // namespace attn::gui
