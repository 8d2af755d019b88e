// What the $schema of saved documents says.
#include "session/schema_place.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/files.h"
#include "document/json.h"
#include "session/effects.h"
#include "support/process.h"

namespace attn {
namespace {

constexpr std::uint64_t kPlentyOfText = std::uint64_t{1} << 24U;

// The data folders of the system and of the user are its own.
class SchemaPlace : public testing::Test {
 protected:
  void SetUp() override {
    ::setenv("XDG_DATA_HOME", folder_.file("da ta").c_str(), 1);
    ::setenv("XDG_DATA_DIRS", folder_.file("system").c_str(), 1);
    std::filesystem::create_directory(folder_.file("documents"));
  }
  void TearDown() override {
    ::unsetenv("XDG_DATA_HOME");
    ::unsetenv("XDG_DATA_DIRS");
  }
  std::string documents() const { return folder_.file("documents"); }
  std::string installed_uri() const {
    return "file://" + folder_.path() + "/da%20ta/attnscope/attnscope.schema.json";
  }
  // The $schema of a document that was saved there.
  std::string saved(const std::string& schema) const {
    Document document;
    document.kept.schema = schema;
    const std::string path = documents() + "/saved.attn.json";
    (void)run_effect(effect::Store{path, document, 1, true}, nullptr);
    const auto report = read_document(read_file(path, kPlentyOfText).value(), path);
    return report ? report->document.kept.schema : "unreadable";
  }

  test::TemporaryFolder folder_;
};

TEST_F(SchemaPlace, IsBesideTheDocumentWhereNothingElseIsKnown) {
  EXPECT_EQ(schema_seen_from(usual_schema(), documents()), "attnscope.schema.json");
}

TEST_F(SchemaPlace, IsTheInstalledOne) {
  const Result<std::string> path = install_schema();
  ASSERT_TRUE(path);
  EXPECT_EQ(*path, folder_.file("da ta/attnscope/attnscope.schema.json"));
  EXPECT_EQ(read_file(*path, kPlentyOfText).value(), document_schema());
  ASSERT_TRUE(install_schema()) << "once more";
  EXPECT_EQ(schema_seen_from(usual_schema(), documents()), installed_uri());
  EXPECT_EQ(schema_seen_from("file:///elsewhere/attnscope/attnscope.schema.json", documents()),
            installed_uri());
}

TEST_F(SchemaPlace, IsTheSystemsWhereTheUserHasNone) {
  const std::string system = folder_.file("system/attnscope");
  std::filesystem::create_directories(system);
  ASSERT_TRUE(write_file_atomically(system + "/attnscope.schema.json", "{}", Overwrite::Refuse));
  EXPECT_EQ(schema_seen_from(usual_schema(), documents()),
            "file://" + system + "/attnscope.schema.json");
}

TEST_F(SchemaPlace, BesideTheDocumentGoesFirst) {
  ASSERT_TRUE(install_schema());
  ASSERT_TRUE(
      write_file_atomically(documents() + "/attnscope.schema.json", "{}", Overwrite::Refuse));
  EXPECT_EQ(schema_seen_from(usual_schema(), documents()), "attnscope.schema.json");
  EXPECT_EQ(schema_seen_from(installed_uri(), documents()), "attnscope.schema.json");
}

TEST_F(SchemaPlace, WhatAPersonWroteStays) {
  ASSERT_TRUE(install_schema());
  for (const char* own : {"https://example.org/attnscope.schema.json", "../schemas/mine.json", "",
                          "file:///home/ada/mine.json"}) {
    EXPECT_EQ(schema_seen_from(own, documents()), own);
  }
}

TEST_F(SchemaPlace, OneThatIsGoneIsNamedNoMore) {
  EXPECT_EQ(schema_seen_from(installed_uri(), documents()), "attnscope.schema.json");
}

}  // namespace
}  // namespace attn
