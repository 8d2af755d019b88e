// Parsing and layout of the guide's Markdown, without loss of words.
#include "gui/ui/markdown.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "base/embedded_assets.h"
#include "support/fake_result.h"
#include "support/paths.h"
#include "support/shared_data.h"

namespace attn::gui {
namespace {

// Joins all pages, each followed by an empty line.
std::string guide_source() {
  std::string text;
  for (const std::string& page : test::guide_pages()) text += test::read_text(page) + "\n";
  return text;
}

// Runs of the first paragraph.
TextRuns runs_of(std::string_view text) {
  const auto blocks = parse_markdown(text);
  return blocks.empty() ? TextRuns() : blocks.front().rows.front().front();
}

TEST(Runs, OfEveryStyleStandInTheirOrder) {
  EXPECT_EQ(runs_of("a `b c` **d** *e f*, [g](#h)"), (TextRuns{{"a "},
                                                               {"b c", RunStyle::Code},
                                                               {" "},
                                                               {"d", RunStyle::Bold},
                                                               {" "},
                                                               {"e f", RunStyle::Emphasis},
                                                               {", "},
                                                               {"g", RunStyle::Link, "#h"}}));
}

TEST(Runs, MarksThatNothingClosesAreWhatTheyLookLike) {
  for (const char* text :
       {"2 * 3", "a ` b", "[W − 1, 0]", "s = [s_t; c_t] (x)", "b * a *", "``", ""}) {
    EXPECT_EQ(written_text(runs_of(text)), text);
    for (const TextRun& run : runs_of(text)) EXPECT_EQ(run.style, RunStyle::Plain) << text;
  }
}

TEST(Runs, HaveIndicesOutsideOfCode) {
  const auto lines = broken_lines(test::FixedMetrics(), runs_of("W_O `W_O`"), FontStyle{10.0}, 900);
  ASSERT_EQ(lines.front().size(), 2U);
  EXPECT_TRUE(lines.front()[0].font.formula);
  EXPECT_FALSE(lines.front()[1].font.formula);
}

TEST(Blocks, OfEveryKindAreTold) {
  const auto blocks = parse_markdown(
      "# One\nfirst\nsecond\n\n- item\n  goes on\n- other\n\n```json\n{ }\n\n# no heading\n```\n"
      "## Two\n| a | b |\n|---|---|\n| \\|x\\| | `y` |\n\nafter\n");
  ASSERT_EQ(blocks.size(), 8U);
  const BlockKind kinds[] = {BlockKind::Heading,  BlockKind::Paragraph, BlockKind::ListItem,
                             BlockKind::ListItem, BlockKind::Code,      BlockKind::Heading,
                             BlockKind::Table,    BlockKind::Paragraph};
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(blocks[i].kind, kinds[i]) << i;
  EXPECT_EQ(blocks[0].level, 1);
  EXPECT_EQ(blocks[5].level, 2);
  EXPECT_EQ(written_text(blocks[1].rows[0][0]), "first second");
  EXPECT_EQ(written_text(blocks[2].rows[0][0]), "item goes on");
  ASSERT_EQ(blocks[4].rows.size(), 3U);
  EXPECT_EQ(written_text(blocks[4].rows[2][0]), "# no heading");
  ASSERT_EQ(blocks[6].rows.size(), 2U);
  EXPECT_EQ(written_text(blocks[6].rows[1][0]), "|x|");
  EXPECT_EQ(blocks[6].rows[1][1], (TextRuns{{"y", RunStyle::Code}}));
}

TEST(Anchors, AreThoseThatLinksName) {
  EXPECT_EQ(anchor_of("Tokens without names"), "#tokens-without-names");
  EXPECT_EQ(anchor_of("ONNX's Attention"), "#onnxs-attention");
  EXPECT_EQ(anchor_in("#the-view"), "#the-view");
  EXPECT_EQ(anchor_in("guide/files.md#axes"), "#axes");
  EXPECT_EQ(anchor_in("PYTHON.md"), "");
}

TEST(GuideText, HasThePagesOfTheDocumentation) {
  const auto assets = embedded_assets();
  const auto guide = std::ranges::find(assets, "GUIDE.md", &EmbeddedAsset::name);
  ASSERT_NE(guide, assets.end());
  EXPECT_EQ(guide->bytes, guide_source());
}

// Drops spaces and markup.
std::string letters_of(std::string_view text) {
  std::string letters;
  for (const char letter : text) {
    if (std::string_view(" \n`*\\|").find(letter) == std::string_view::npos) letters += letter;
  }
  return letters;
}

std::string without_target(std::string line) {
  for (std::size_t at = line.find("]("); at != std::string::npos; at = line.find("](")) {
    line.erase(at, line.find(')', at) + 1 - at);
    line.erase(line.rfind('[', at), 1);
  }
  return line;
}

TEST(GuideText, ShowsEveryLine) {
  std::string shown;
  const PlacedText text =
      placed_text(test::FixedMetrics(), parse_markdown(guide_source()), 14.0, 700.0);
  for (const PlacedItem& item : text.items) {
    for (const PlacedCell& cell : item.cells) {
      for (const PlacedLine& line : cell.lines) {
        for (const PlacedRun& run : line) shown += letters_of(run.text);
      }
    }
  }
  std::istringstream source(guide_source());
  std::size_t at = 0, lines = 0;
  for (std::string line; std::getline(source, line); ++lines) {
    if (line.starts_with("```") || line.starts_with("|---")) continue;
    if (line.starts_with("#")) line.erase(0, line.find(' '));
    if (line.starts_with("- ")) line.erase(0, 2);
    // Cells of several lines keep their order too.
    const std::string wanted = letters_of(without_target(line));
    const std::size_t found = shown.find(wanted, at);
    ASSERT_EQ(found, at) << line << "\n" << shown.substr(at, 80);
    at += wanted.size();
  }
  EXPECT_GT(lines, 300U);
  EXPECT_EQ(at, shown.size());
}

bool is_of_guide(const std::string& target) {
  const std::string file = target.substr(0, target.find('#'));
  return std::ranges::any_of(test::guide_pages(), [&](const std::string& page) {
    return page.ends_with(file.substr(file.rfind('/') + 1));
  });
}

TEST(GuideText, LinksLeadToHeadings) {
  std::size_t links = 0;
  const auto blocks = parse_markdown(guide_source());
  const auto headings = [&](std::string_view anchor) {
    return std::ranges::count_if(blocks, [&](const TextBlock& block) {
      return block.kind == BlockKind::Heading &&
             anchor_of(written_text(block.rows[0][0])) == anchor;
    });
  };
  for (const TextBlock& block : blocks) {
    for (const auto& row : block.rows) {
      for (const TextRuns& cell : row) {
        for (const TextRun& run : cell) {
          if (run.style != RunStyle::Link) continue;
          const std::string_view anchor = anchor_in(run.target);
          // Other pages are not in the window, which shows links with an anchor as links.
          EXPECT_EQ(is_of_guide(run.target) ? headings(anchor) : 0, anchor.empty() ? 0 : 1)
              << run.target;
          links += is_of_guide(run.target) ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GE(links, 30U);
}

TEST(PlacedText, StaysWithinItsWidthAndFollowsFromTopToBottom) {
  const auto blocks = parse_markdown(guide_source());
  for (const double width : {160.0, 420.0, 900.0}) {
    const PlacedText text = placed_text(pango_metrics(), blocks, 13.5, width);
    double bottom = 0.0;
    for (const PlacedItem& item : text.items) {
      EXPECT_GE(item.top, bottom) << item.text;
      bottom = item.top + item.height;
      for (const PlacedCell& cell : item.cells) {
        for (const PlacedLine& line : cell.lines) {
          ASSERT_FALSE(line.empty()) << item.text;
          const PlacedRun& last = line.back();
          EXPECT_LE(cell.x + last.x + last.width, width + 14.0) << width << ": " << last.text;
        }
      }
    }
    EXPECT_GE(text.height, bottom);
  }
}

TEST(PlacedText, KeepsWhatNoBlankPartsOnOneLine) {
  const FontStyle font{10.0};
  const auto lines = broken_lines(test::FixedMetrics(), runs_of("aaaa bbbb `cc`, dd"), font, 62.0);
  for (const PlacedLine& line : lines) {
    EXPECT_NE(line.front().text.front(), ',');
    EXPECT_NE(line.front().text.front(), ' ');
  }
  EXPECT_GT(lines.size(), 1U);
  const auto long_word =
      broken_lines(test::FixedMetrics(), runs_of("abcdefghijklmnop"), font, 30.0);
  EXPECT_GT(long_word.size(), 3U);
}

}  // namespace
}  // namespace attn::gui
