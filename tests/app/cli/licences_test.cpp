// Files on authors and licences agree with the program's own texts.
#include <gtest/gtest.h>

#include "session/build_information.h"
#include "support/paths.h"
#include "support/shared_data.h"

namespace attn {
namespace {

std::string page(const std::string& name) {
  return test::read_text(test::source_folder() + "/" + name);
}

bool has_line(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

TEST(Licences, ThePageListsTheLibrariesOfTheProgram) {
  const std::string text = page("docs/THIRD_PARTY.md");
  for (const LibraryLicence& library : library_licences()) {
    const std::string row = "\n| " + std::string(library.library) + " | " +
                            std::string(library.licence) + " | " + std::string(library.package) +
                            " | ";
    EXPECT_NE(text.find(row), std::string::npos) << row;
  }
  std::size_t rows = 0;
  for (std::size_t at = text.find("\n| "); at != std::string::npos;
       at = text.find("\n| ", at + 1)) {
    ++rows;
  }
  EXPECT_EQ(rows, library_licences().size() + 1) << "with the head of the table";
}

TEST(Licences, OfEveryLibraryOfTheBuildAreKnown) {
  std::size_t found = 0;
  for (const LibraryLicence& library : library_licences()) {
    for (const auto& [name, value] : build_information()) found += name == library.library ? 1 : 0;
    EXPECT_FALSE(library.licence.empty() || library.package.empty()) << library.library;
  }
  EXPECT_EQ(found, library_licences().size());
}

TEST(Licences, TheCitationHasTheVersionOfTheProgram) {
  const std::string text = page("CITATION.cff");
  EXPECT_TRUE(has_line(text, "cff-version: 1.2.0")) << text;
  EXPECT_TRUE(has_line(text, "version: " + std::string(program_version()))) << text;
  EXPECT_TRUE(has_line(text, "license: MIT")) << text;
  EXPECT_TRUE(page("LICENSE").starts_with("MIT License\n"));
}

}  // namespace
}  // namespace attn
