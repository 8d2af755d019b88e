// Few files know which kinds of model there are: the others loop over the lists that each gives.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "support/paths.h"

namespace {

namespace fs = std::filesystem;

// To add or to change a kind shall touch few files beside its own.
constexpr std::size_t kMost = 10;

// How a kind is named in code, the files of the kind, its panel and its plots by parts of their
// paths, and how many other files name it.
struct Kind {
  const char* name;
  const char* words;
  const char* homes;
  std::size_t files;
};

const std::vector<Kind> kKinds = {
    {"finished weights", R"(\bGivenWeights\b|Source::Weights)", "given_weights", 6},
    {"Q, K and V", R"(\bGivenQkv\b|Source::Qkv)", "given_qkv", 6},
    {"layer", R"(\bAttentionLayer\b|Source::Embeddings)", "attention_layer", 8},
    {"stack", R"(\b[Ss]tack\b|has_blocks|stack_of|TransformerBlock|EncoderStack)", "stack|block",
     8},
    {"decoder", "DecoderStack|is_decoder|attends_across|CrossAttention|self_mask|self_shape",
     "decoder|stack|block", 6},
    {"recurrent", "[Rr]ecurren", "recurrent|influence|alignment", 10},
};

std::string code_of(const fs::path& file) {
  std::ifstream stream(file);
  std::string code;
  for (std::string line; std::getline(stream, line);)
    code += line.substr(0, line.find("//")) + "\n";
  return code;
}

bool is_of_a_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == ':';
}

// Names and qualified names in the code of a file, each once.
std::set<std::string> names_in(const fs::path& file) {
  const std::string code = code_of(file);
  std::set<std::string> names;
  for (auto from = code.begin(); from != code.end();) {
    from = std::find_if(from, code.end(), is_of_a_name);
    const auto to = std::find_if_not(from, code.end(), is_of_a_name);
    if (from != to) names.emplace(from, to);
    from = to;
  }
  return names;
}

// The files that have a name, by the name: few names are in many files.
using Names = std::map<std::string, std::vector<std::string>>;

Names names_of_all_files() {
  const fs::path root = attn::test::source_folder();
  Names names;
  for (const char* folder : {"core", "app"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".h" && extension != ".cpp") continue;
      const std::string path = fs::relative(entry.path(), root).string();
      for (const std::string& name : names_in(entry.path())) names[name].push_back(path);
    }
  }
  return names;
}

std::set<std::string> strangers_naming(const Kind& kind, const Names& names) {
  const std::regex words(kind.words), homes(kind.homes);
  std::set<std::string> files;
  for (const auto& [name, places] : names) {
    if (!std::regex_search(name, words)) continue;
    for (const std::string& path : places) {
      if (!std::regex_search(path, homes)) files.insert(path);
    }
  }
  return files;
}

std::string lines_of(const std::set<std::string>& files) {
  std::string text;
  for (const std::string& file : files) text += "  " + file + "\n";
  return text;
}

TEST(Kinds, AreNamedByFewFilesBesideTheirOwn) {
  const Names names = names_of_all_files();
  for (const Kind& kind : kKinds) {
    const std::set<std::string> files = strangers_naming(kind, names);
    EXPECT_LE(kind.files, kMost);
    EXPECT_LE(files.size(), kind.files) << kind.name << " is named in\n" << lines_of(files);
    EXPECT_GE(files.size(), kind.files) << kind.name << ": lower the number";
  }
}

// Which of two attentions is meant is in the address that goes from hand to hand: few files say it.
TEST(Attentions, AreToldApartByFewFiles) {
  constexpr std::size_t kMostFiles = 15;
  const std::regex told(
      R"(kSelfAttention|kLastAttention|\{\.attention|\b(?!fields\.|f\.)\w+\.attention\b)");
  const fs::path root = attn::test::source_folder();
  std::set<std::string> files;
  for (const char* folder : {"core", "app"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".h" && extension != ".cpp") continue;
      if (!std::regex_search(code_of(entry.path()), told)) continue;
      files.insert(fs::relative(entry.path(), root).string());
    }
  }
  EXPECT_LE(files.size(), kMostFiles) << lines_of(files);
}

}  // namespace
