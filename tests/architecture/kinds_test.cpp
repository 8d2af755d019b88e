// Few files know which kinds of model there are: the others loop over the lists that each gives.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
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
    {"finished weights", R"(\bGivenWeights\b|Source::Weights)", "given_weights", 5},
    {"Q, K and V", R"(\bGivenQkv\b|Source::Qkv)", "given_qkv", 5},
    {"layer", R"(\bAttentionLayer\b|Source::Embeddings)", "attention_layer", 7},
    {"stack", R"(\b[Ss]tack\b|has_blocks|stack_of|TransformerBlock|EncoderStack)", "stack|block",
     7},
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

std::vector<std::string> strangers_naming(const Kind& kind) {
  const fs::path root = attn::test::source_folder();
  const std::regex words(kind.words), homes(kind.homes);
  std::vector<std::string> files;
  for (const char* folder : {"core", "app"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".h" && extension != ".cpp") continue;
      const std::string path = fs::relative(entry.path(), root).string();
      if (std::regex_search(path, homes)) continue;
      if (std::regex_search(code_of(entry.path()), words)) files.push_back(path);
    }
  }
  return files;
}

std::string lines_of(const std::vector<std::string>& files) {
  std::string text;
  for (const std::string& file : files) text += "  " + file + "\n";
  return text;
}

TEST(Kinds, AreNamedByFewFilesBesideTheirOwn) {
  for (const Kind& kind : kKinds) {
    const std::vector<std::string> files = strangers_naming(kind);
    EXPECT_LE(kind.files, kMost);
    EXPECT_LE(files.size(), kind.files) << kind.name << " is named in\n" << lines_of(files);
    EXPECT_GE(files.size(), kind.files) << kind.name << ": lower the number";
  }
}

}  // namespace
