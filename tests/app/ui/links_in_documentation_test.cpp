// Every link of the documentation leads to an existing file and heading.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "gui/ui/markdown.h"
#include "support/paths.h"
#include "support/shared_data.h"

namespace attn::gui {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> documentation() {
  std::vector<fs::path> pages;
  const fs::path root = test::source_folder();
  for (const fs::path& folder : {root, root / "docs", root / "docs/guide", root / "docs/design"}) {
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (entry.path().extension() == ".md") pages.push_back(entry.path());
    }
  }
  return pages;
}

std::vector<TextBlock> blocks_of(const fs::path& page) {
  return parse_markdown(test::read_text(page.string()));
}

// Equal headings would be numbered.
std::multiset<std::string> anchors_of(const fs::path& page) {
  std::multiset<std::string> anchors;
  for (const TextBlock& block : blocks_of(page)) {
    if (block.kind == BlockKind::Heading) anchors.insert(anchor_of(written_text(block.rows[0][0])));
  }
  return anchors;
}

std::vector<std::string> targets_of(const fs::path& page) {
  std::vector<std::string> targets;
  for (const TextBlock& block : blocks_of(page)) {
    for (const auto& row : block.rows) {
      for (const TextRuns& cell : row) {
        for (const TextRun& run : cell) {
          if (run.style == RunStyle::Link) targets.push_back(run.target);
        }
      }
    }
  }
  return targets;
}

TEST(Documentation, HasNoLinkThatLeadsNowhere) {
  std::size_t links = 0;
  for (const fs::path& page : documentation()) {
    for (const std::string& target : targets_of(page)) {
      if (target.starts_with("https://")) continue;
      const std::string file = target.substr(0, target.find('#'));
      const fs::path there = file.empty() ? page : page.parent_path() / file;
      EXPECT_TRUE(fs::exists(there)) << page << " links to " << target;
      if (file.size() < target.size() && fs::exists(there)) {
        EXPECT_EQ(anchors_of(there).count(target.substr(file.size())), 1U)
            << page << " links to " << target;
      }
      ++links;
    }
  }
  EXPECT_GT(links, 30U);
}

TEST(Documentation, HasNoPageThatNobodyLinksTo) {
  std::set<fs::path> linked;
  for (const fs::path& page : documentation()) {
    for (const std::string& target : targets_of(page)) {
      linked.insert((page.parent_path() / target.substr(0, target.find('#'))).lexically_normal());
    }
  }
  for (const fs::path& page : documentation()) {
    const bool begins = page.filename() == "README.md" || page.filename() == "CHANGELOG.md";
    EXPECT_TRUE(begins || linked.contains(page.lexically_normal())) << page;
  }
}

}  // namespace
}  // namespace attn::gui
