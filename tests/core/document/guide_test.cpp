// The guide for users names everything that a document can say.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "attention/position.h"
#include "attention/scoring.h"
#include "attention/stage.h"
#include "base/files.h"
#include "document/json/write.h"
#include "engine/measures.h"
#include "support/paths.h"
#include "text/known_names.h"

namespace attn {
namespace {

using nlohmann::json;

const std::string& guide() {
  static const std::string text =
      *read_file(test::source_folder() + "/docs/GUIDE.md", std::uint64_t{1} << 20U);
  return text;
}

bool names(std::string_view word) {
  return guide().find("`" + std::string(word) + "`") != std::string::npos;
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
  for (const std::string& key : keys) EXPECT_TRUE(names(key)) << key;
}

TEST(Guide, NamesEveryChoiceStageAndMeasure) {
  for (const auto& info : all_scoring_functions()) EXPECT_TRUE(names(info.name)) << info.name;
  for (const auto& info : all_normalisers()) EXPECT_TRUE(names(info.name)) << info.name;
  for (const auto& info : all_position_kinds()) EXPECT_TRUE(names(info.name)) << info.name;
  for (const auto& info : all_stages()) EXPECT_TRUE(names(info.name)) << info.name;
  for (const auto& info : all_measures()) EXPECT_TRUE(names(info.name)) << info.name;
}

TEST(Guide, NamesEveryEndOfTheTableOfNames) {
  for (const KnownName& row : all_known_names()) EXPECT_TRUE(names(row.end)) << row.end;
}

}  // namespace
}  // namespace attn
