// The guide for users names every key and option of documents, on pages that can be read.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "attention/position.h"
#include "attention/scoring.h"
#include "attention/stage.h"
#include "base/files.h"
#include "document/json/document_text.h"
#include "document/json/write.h"
#include "engine/measures.h"
#include "plot/all_plots.h"
#include "support/paths.h"
#include "text/known_names.h"

namespace attn {
namespace {

using nlohmann::json;

std::string text_of(const std::string& page) { return *read_file(page, std::uint64_t{1} << 20U); }

// A page of docs that has words in code style.
class Page {
 public:
  explicit Page(std::string_view name)
      : text_(text_of(test::source_folder() + "/docs/" + std::string(name))) {}
  bool names(std::string_view word) const {
    return text_.find("`" + std::string(word) + "`") != std::string::npos;
  }

 private:
  std::string text_;
};

// All pages that are written by hand.
std::string written_pages() {
  std::string text;
  for (const std::string& page : test::guide_pages()) {
    if (!page.ends_with("/DOCUMENT_KEYS.md")) text += text_of(page);
  }
  return text;
}

// Keys of all objects that the schema describes.
void collect_keys(const json& schema, std::vector<std::string>& keys) {
  if (!schema.is_structured()) return;
  for (const auto& [name, part] : schema.items()) {
    if (name == "properties" && part.is_object()) {
      for (const auto& [key, property] : part.items()) {
        if (property.contains("description")) keys.push_back(key);
      }
    }
    collect_keys(part, keys);
  }
}

TEST(Guide, NamesEveryKeyOfTheSchema) {
  std::vector<std::string> keys;
  collect_keys(json::parse(document_schema()), keys);
  EXPECT_GT(keys.size(), 60U);
  const Page page("DOCUMENT_KEYS.md");
  for (const std::string& key : keys) EXPECT_TRUE(page.names(key)) << key;
}

// With a link to its section of the page of keys, where it has one.
TEST(Guide, ExplainsEveryOutermostKey) {
  const std::string text = written_pages();
  const std::string sections = text_of(test::source_folder() + "/docs/DOCUMENT_KEYS.md");
  for (const Row& row : kDocumentObject.rows) {
    const std::string key(row.key);
    std::string heading = "\n## " + key + "\n";
    heading[4] = static_cast<char>(std::toupper(static_cast<unsigned char>(key[0])));
    const bool has_section = sections.find(heading) != sections.npos;
    const bool is_named = has_section ? text.find("DOCUMENT_KEYS.md#" + key + ")") != text.npos
                                      : text.find("`" + key + "`") != text.npos ||
                                            text.find("\"" + key + "\"") != text.npos;
    EXPECT_TRUE(is_named) << key;
  }
}

TEST(Guide, HasAQuestionForEveryPlot) {
  const std::string text = text_of(test::source_folder() + "/docs/GUIDE.md");
  for (const PlotEntry& plot : all_plots()) {
    const std::string row = "? | `" + std::string(plot.name) + "` | `";
    const bool is_there =
        text.find(row + "example:") != text.npos || text.find(row + "attnscope:") != text.npos;
    EXPECT_TRUE(is_there) << plot.name;
  }
}

TEST(Guide, NamesEveryChoiceStageAndMeasure) {
  const Page keys("DOCUMENT_KEYS.md"), stages("guide/stages.md");
  for (const auto& info : all_scoring_functions()) EXPECT_TRUE(keys.names(info.name)) << info.name;
  for (const auto& info : all_normalisers()) EXPECT_TRUE(keys.names(info.name)) << info.name;
  for (const auto& info : all_position_kinds()) EXPECT_TRUE(keys.names(info.name)) << info.name;
  for (const auto& info : all_stages()) EXPECT_TRUE(stages.names(info.name)) << info.name;
  for (const auto& info : all_measures()) EXPECT_TRUE(stages.names(info.name)) << info.name;
}

TEST(Guide, NamesEveryEndOfTheTableOfNames) {
  const Page files("guide/files.md");
  for (const KnownName& row : all_known_names()) EXPECT_TRUE(files.names(row.end)) << row.end;
}

// The page of keys has tables for reference.
TEST(Guide, HasPagesOfAtMostThreeHundredLines) {
  for (const std::string& page : test::guide_pages()) {
    if (page.ends_with("/DOCUMENT_KEYS.md")) continue;
    EXPECT_LE(std::ranges::count(text_of(page), '\n'), 300) << page;
  }
}

}  // namespace
}  // namespace attn
