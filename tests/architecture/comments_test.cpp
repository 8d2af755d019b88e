// Comments say by a noun or a verb what they describe, in words that need no explanation.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "support/paths.h"

namespace {

namespace fs = std::filesystem;

constexpr std::array kUnfitBeginnings = {"also",  "beside",   "likewise", "of",
                                         "so",    "the same", "what",     "whatever",
                                         "which", "whoever",  "whose"};
constexpr std::array kUnfitWords = {"aside",     "asked",  "beside",   "called off", "likewise",
                                    "looked at", "nobody", "somebody", "told",       "unkept",
                                    "whoever",   "wish",   "wishes"};

// Where a comment begins, in C++, JavaScript or CSS; npos if the line has none.
std::size_t comment_start(std::string_view line) {
  return std::min(line.find("// "), line.find("/* "));
}

// The comment of a line in small letters with a space around each word, without quotations; empty
// if the line has none.
std::string words_of_comment(std::string_view line) {
  const std::size_t at = comment_start(line);
  if (at == std::string_view::npos || (at > 0 && line[at - 1] != ' ')) return "";
  std::string words = " ";
  bool is_quoted = false;
  for (const char c : line.substr(at + 3)) {
    if (c == '"' || c == '`') is_quoted = !is_quoted;
    if (is_quoted) continue;
    const auto letter = static_cast<unsigned char>(c);
    const bool is_part = std::isalnum(letter) != 0 || c == '_' || letter >= 0x80;
    words += is_part ? static_cast<char>(std::tolower(letter)) : ' ';
  }
  return words + " ";
}

// "word: line" of each unfit word in the comments of these lines.
std::vector<std::string> unfit_words_in(const std::vector<std::string>& lines) {
  std::vector<std::string> found;
  bool continues = false;
  for (const std::string& line : lines) {
    const std::string words = words_of_comment(line);
    for (const std::string word : kUnfitWords) {
      if (words.find(" " + word + " ") != std::string::npos) found.push_back(word + ": " + line);
    }
    const bool is_whole = !words.empty() && line.find_first_not_of(' ') == comment_start(line);
    for (const std::string word : kUnfitBeginnings) {
      const bool begins = is_whole && !continues && words.starts_with(" " + word + " ");
      if (begins) found.push_back(word + ": " + line);
    }
    continues = is_whole;
  }
  return found;
}

TEST(Comments, UnfitWordsAreFound) {
  const std::vector<std::string> lines = {"// Of SVG.",
                                          "",
                                          "// Columns, of which",
                                          "// what is `told`",
                                          "",
                                          "// The same for PNG.",
                                          std::string("int a;  /") + "/ likewise",
                                          "",
                                          "/* Whose sheets? */"};
  EXPECT_EQ(unfit_words_in(lines),
            (std::vector<std::string>{"of: " + lines.front(), "the same: " + lines[5],
                                      "likewise: " + lines[6], "whose: " + lines.back()}));
}

TEST(Comments, SayWhatTheyDescribeInPlainWords) {
  const fs::path root = attn::test::source_folder();
  std::size_t count = 0;
  constexpr std::array kExtensions = {".h", ".cpp", ".js", ".css"};
  for (const char* folder : {"core", "app", "assets/page", "tests"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string extension = entry.path().extension().string();
      const std::string name = fs::relative(entry.path(), root).string();
      if (std::ranges::find(kExtensions, extension) == kExtensions.end()) continue;
      std::vector<std::string> lines;
      std::ifstream stream(entry.path());
      for (std::string line; std::getline(stream, line);) lines.push_back(line);
      EXPECT_EQ(unfit_words_in(lines), std::vector<std::string>()) << name;
      ++count;
    }
  }
  EXPECT_GT(count, 500U) << "the test reads no files any more";
}

}  // namespace
