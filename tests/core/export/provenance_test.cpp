// The record of how a figure was made, in every format and back.
#include "export/provenance.h"

#include <gtest/gtest.h>

#include <string>

#include "base/files.h"
#include "document/json/write.h"
#include "document/load/open.h"
#include "export/export.h"
#include "support/process.h"
#include "tests/core/document/npy_bytes.h"
#include "tests/core/export/small_figures.h"

namespace attn {
namespace {

void put(const std::string& path, const std::string& text) {
  ASSERT_TRUE(write_file_atomically(path, text, Overwrite::Replace).ok());
}

const Provenance kMade{"AttnScope 9.9", "it's (a) \\ “猫” <&>.json", std::string(64, 'a'),
                       "attnscope export 'it'\\''s' --title 'a \"b\" & (c)'"};

std::string written(const Exporter& exporter, const Provenance& made) {
  Figure figure = test::labelled_figure();
  figure.provenance = provenance_text(made);
  return exporter.write(figure, {}, nullptr).value();
}

TEST(Provenance, ComesBackFromEveryFormat) {
  for (const Exporter& exporter : all_exporters()) {
    const std::string bytes = written(exporter, kMade);
    EXPECT_EQ(picture_format(bytes), exporter.extension);
    EXPECT_EQ(provenance_in(bytes), kMade) << exporter.extension;
    EXPECT_EQ(bytes, written(exporter, kMade)) << "the same bytes again";
  }
}

TEST(Provenance, ComesBackFromAnAnimation) {
  const std::string bytes = written(*exporter_for("a.gif"), kMade);
  EXPECT_EQ(picture_format(bytes), "gif");
  EXPECT_EQ(provenance_in(bytes), kMade);
  for (std::size_t size = 6; size < bytes.size(); ++size) {
    EXPECT_EQ(provenance_in(std::string_view(bytes).substr(0, size)).has_value(),
              size + 2 >= bytes.size());
    if (size == 200) size = bytes.size() - 1'000;
  }
}

TEST(Provenance, IsNotFoundWhereThereIsNone) {
  for (const Exporter& exporter : all_exporters()) {
    const std::string bytes = exporter.write(test::labelled_figure(), {}, nullptr).value();
    EXPECT_EQ(provenance_in(bytes), std::nullopt) << exporter.extension;
    EXPECT_EQ(provenance_in(written(exporter, {"Other 1.0", "", "", ""})), std::nullopt)
        << "not ours";
  }
  EXPECT_EQ(provenance_in(""), std::nullopt);
  EXPECT_EQ(provenance_in("{\"program\": \"AttnScope 1\"}"), std::nullopt);
  EXPECT_EQ(picture_format("{}"), "");
}

// Reads parts of a picture, and pictures with a changed byte, without harm.
TEST(Provenance, SurvivesBrokenPictures) {
  for (const Exporter& exporter : all_exporters()) {
    const std::string bytes = written(exporter, kMade);
    for (std::size_t i = 0; i < bytes.size(); i += 7) {
      provenance_in(std::string_view(bytes).substr(0, i));
      std::string changed = bytes;
      changed[i] = static_cast<char>(changed[i] ^ 0x55);
      provenance_in(changed);
    }
  }
}

TEST(Provenance, TheHashIsOfWhatTheDocumentSays) {
  Document document = open_document("example:i-love-cats").value().document;
  const std::string hash = hash_of(document).value();
  EXPECT_EQ(hash.size(), 32U);
  document.panes = Panes{};
  EXPECT_EQ(hash_of(document).value(), hash) << "views change nothing";
  const Document again = read_document(write_document(document), "again").value().document;
  EXPECT_EQ(hash_of(again).value(), hash);
  document.seed += 1;
  EXPECT_NE(hash_of(document).value(), hash);
}

TEST(Provenance, TheHashCoversFilesOfNumbers) {
  const test::TemporaryFolder folder;
  const auto npy = [&](char last) {
    std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }";
    header.resize(117, ' ');
    header += '\n';
    const std::string bytes = std::string("\x93NUMPY\x01\x00", 8) +
                              static_cast<char>(header.size()) + '\0' + header +
                              std::string(7, '\0') + last;
    put(folder.file("e.npy"), bytes);
    const std::string path = folder.file("d.json");
    put(path, R"({"tokens": ["a"], "embeddings": {"file": "e.npy"}})");
    const Document document = open_document(path).value().document;
    EXPECT_EQ(write_document(document).find(folder.path()), std::string::npos);
    return hash_of(document).value();
  };
  const std::string first = npy('\x3f');
  EXPECT_NE(npy('\x40'), first);
  EXPECT_EQ(npy('\x3f'), first);
}

TEST(Provenance, AFileThatWasWrittenSinceHasNoHash) {
  const test::TemporaryFolder folder;
  const std::string array = test::float_npy("(1, 2)", {1.0F, 2.0F});
  put(folder.file("e.npy"), array);
  put(folder.file("d.json"), R"({"tokens": ["a"], "embeddings": {"file": "e.npy"}})");
  const Document document = open_document(folder.file("d.json")).value().document;
  EXPECT_TRUE(hash_of(document).ok());
  put(folder.file("e.npy"), array.substr(0, array.size() - 4) + "abcd");
  const Result<std::string> hash = hash_of(document);
  ASSERT_FALSE(hash.ok());
  EXPECT_EQ(hash.error().file, folder.file("e.npy"));
}

}  // namespace
}  // namespace attn
