// A kind of model is one folder: few files outside of it name it, as the others loop over the lists
// that each kind gives. Few files distinguish the two attentions of a decoder.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "support/paths.h"

namespace {

namespace fs = std::filesystem;

// To add or to change a kind shall touch few files outside of its own folder.
constexpr std::size_t kMost = 6;

// A folder of core/kinds, and the number of files outside of it that include its files.
struct Kind {
  std::string folder;
  std::size_t files;
};

const std::vector<Kind> kKinds = {
    {"given_weights", 2}, {"given_qkv", 1}, {"layer", 1}, {"blocks", 1}, {"recurrent", 1},
};

bool includes(const fs::path& file, const std::string& folder) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("#include \"" + folder)) return true;
  }
  return false;
}

std::set<std::string> files_outside_that_include(const std::string& folder) {
  const fs::path root = attn::test::source_folder();
  std::set<std::string> files;
  for (const char* part : {"core", "app"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / part)) {
      const std::string path = fs::relative(entry.path(), root).string();
      if (!entry.is_regular_file() || path.starts_with("core/" + folder)) continue;
      if (includes(entry.path(), folder)) files.insert(path);
    }
  }
  return files;
}

// Returns a file without its comments.
std::string code_of(const fs::path& file) {
  std::ifstream stream(file);
  std::string code;
  for (std::string line; std::getline(stream, line);)
    code += line.substr(0, line.find("//")) + "\n";
  return code;
}

std::string lines_of(const std::set<std::string>& files) {
  std::string text;
  for (const std::string& file : files) text += "  " + file + "\n";
  return text;
}

TEST(Kinds, AreIncludedByFewFilesOutsideOfTheirFolder) {
  for (const Kind& kind : kKinds) {
    const auto files = files_outside_that_include("kinds/" + kind.folder + "/");
    EXPECT_LE(kind.files, kMost);
    EXPECT_EQ(files.size(), kind.files) << kind.folder << " is included by\n" << lines_of(files);
  }
}

TEST(Kinds, AreTheFoldersBesideWhatTheyShare) {
  std::set<std::string> folders{"parts"}, found;
  for (const Kind& kind : kKinds) folders.insert(kind.folder);
  for (const auto& entry :
       fs::directory_iterator(fs::path(attn::test::source_folder()) / "core/kinds")) {
    if (entry.is_directory()) found.insert(entry.path().filename().string());
  }
  EXPECT_EQ(found, folders);
}

// Regular expressions over whole files take long where sanitizers watch them.
bool any_line_has(const std::string& code, const std::string& word, const std::regex& pattern) {
  std::istringstream lines(code);
  for (std::string line; std::getline(lines, line);) {
    if (line.find(word) != std::string::npos && std::regex_search(line, pattern)) return true;
  }
  return false;
}

// The address that is handed on selects the attention, so few files need to name one.
TEST(Attentions, AreToldApartByFewFiles) {
  constexpr std::size_t kMostFiles = 14;
  const std::regex told(
      R"(kSelfAttention|kLastAttention|\{\.attention|\b(?!text\.|f\.|of\.|usual\.|means\.)\w+\.attention\b)");
  const fs::path root = attn::test::source_folder();
  std::set<std::string> files;
  for (const char* folder : {"core", "app"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".h" && extension != ".cpp") continue;
      if (!any_line_has(code_of(entry.path()), "ttention", told)) continue;
      files.insert(fs::relative(entry.path(), root).string());
    }
  }
  EXPECT_LE(files.size(), kMostFiles) << lines_of(files);
}

}  // namespace
