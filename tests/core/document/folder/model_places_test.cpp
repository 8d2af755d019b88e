// Models of the package: documents name them the same way on every machine.
#include "document/model_places.h"

#include <gtest/gtest.h>

#include "document/document.h"
#include "document/json/write.h"
#include "document/load/open.h"
#include "document/tensors/tensor_file.h"
#include "support/paths.h"

namespace attn {
namespace {

constexpr const char* kName = "attnscope:pronoun-encoder";

TEST(PackagedModels, AreListedByName) {
  const std::vector<std::string> names = packaged_models();
  EXPECT_EQ(std::ranges::count(names, kName), 1);
  for (const std::string& name : names) EXPECT_TRUE(packaged_folder(name).ok()) << name;
}

TEST(PackagedModels, AreReadFromAnyFolderAndWrittenByName) {
  constexpr const char* kText =
      R"({"model": {"folder": "attnscope:pronoun-encoder"}, "text": "the dog was tired"})";
  ReadOptions options;
  options.folder = "/nowhere";
  const Result<Reading> reading = read_document(kText, "a.json", options);
  ASSERT_TRUE(reading.ok()) << describe(reading.error());
  EXPECT_EQ(reading->document.query_tokens.front().size(), 6U);
  for (const Document& document : {reading->document, moved_to(reading->document, "/elsewhere")}) {
    const std::string written = write_document(document);
    EXPECT_NE(written.find(R"("folder": "attnscope:pronoun-encoder")"), written.npos) << written;
    const Result<Reading> again = read_document(written, "b.json");
    ASSERT_TRUE(again.ok()) << describe(again.error());
    EXPECT_EQ(again->document, reading->document);
  }
}

TEST(PackagedModels, OpenByTheirNameWithAnyText) {
  ReadOptions options;
  options.input.text = "the dog";
  const Result<Reading> reading = open_document(kName, options);
  ASSERT_TRUE(reading.ok()) << describe(reading.error());
  EXPECT_EQ(reading->document.source_model->text, "the dog");
  EXPECT_FALSE(reading->is_saved_back) << "it is no file of the user";
  EXPECT_FALSE(reading->is_read_once);
}

TEST(PackagedModels, AreNamedAlsoWhereTheyAreOpenedByTheirFolder) {
  const std::string folder = test::source_folder() + "/assets/models/pronoun-encoder";
  const Result<Reading> reading = open_document(folder);
  ASSERT_TRUE(reading.ok()) << describe(reading.error());
  EXPECT_EQ(write_document(reading->document), write_document(open_document(kName)->document));
  EXPECT_EQ(portable_folder("/home/ada/gpt2"), "/home/ada/gpt2");
}

TEST(PackagedModels, OfOtherNamesAreRefusedWithThoseThatThereAre) {
  for (const char* name : {"attnscope:pronoun-decoder", "attnscope:", "attnscope:..",
                           "attnscope:../models/pronoun-encoder", "attnscope:pronoun-encoder/"}) {
    const Result<Reading> reading = open_document(name);
    ASSERT_FALSE(reading.ok()) << name;
    EXPECT_EQ(reading.error().kind, ErrorKind::BadInput);
    EXPECT_NE(describe(reading.error()).find(kName), std::string::npos);
  }
}

}  // namespace
}  // namespace attn
