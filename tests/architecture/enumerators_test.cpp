// Scoring functions, normalisers, positions, activations and cells are rows: only the files of the
// rows name one of them, so that a new one cannot fall through somewhere in silence.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "support/paths.h"

namespace {

namespace fs = std::filesystem;

// Files that define the rows, and that choose their defaults.
const std::set<std::string> kFilesOfRows = {
    "core/attention/scoring.h",
    "core/attention/scoring.cpp",
    "core/engine/kernels/score.cpp",
    "core/engine/kernels/normalise.cpp",
    "core/attention/position.h",
    "core/attention/position.cpp",
    "core/attention/block.h",
    "core/attention/block.cpp",
    "core/attention/recurrent.h",
    "core/attention/recurrent.cpp",
    "core/engine/kernels/recurrent_cell.cpp",
};

// True if the line has "Enum::A…": one of its enumerators, and not another name that ends alike.
bool names_enumerator_of(const std::string& line, std::string_view scope) {
  for (std::size_t at = line.find(scope); at != std::string::npos; at = line.find(scope, at + 1)) {
    const char before = at == 0 ? ' ' : line[at - 1];
    const char after = line[std::min(at + scope.size(), line.size() - 1)];
    if (std::isalnum(static_cast<unsigned char>(before)) == 0 && before != '_' &&
        std::isupper(static_cast<unsigned char>(after)) != 0) {
      return true;
    }
  }
  return false;
}

// "file:line: text" of each line that names an enumerator.
std::vector<std::string> named_in(const fs::path& file) {
  const auto is_named = [](const std::string& line) {
    if (line.find("::") == std::string::npos) return false;
    return std::ranges::any_of(std::array{"ScoringFunction::", "Normaliser::", "PositionKind::",
                                          "Activation::", "CellKind::"},
                               [&](const char* scope) { return names_enumerator_of(line, scope); });
  };
  std::vector<std::string> lines;
  std::ifstream stream(file);
  std::string line;
  for (int number = 1; std::getline(stream, line); ++number) {
    if (is_named(line)) lines.push_back(file.string() + ":" + std::to_string(number) + ": " + line);
  }
  return lines;
}

TEST(Rows, AreNamedInTheirOwnFilesAlone) {
  const fs::path root = attn::test::source_folder();
  std::set<std::string> naming;
  for (const char* folder : {"core", "app"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".h" && extension != ".cpp") continue;
      const std::string name = fs::relative(entry.path(), root).string();
      const std::vector<std::string> lines = named_in(entry.path());
      if (!lines.empty()) naming.insert(name);
      EXPECT_TRUE(lines.empty() || kFilesOfRows.contains(name)) << lines.front();
    }
  }
  EXPECT_EQ(naming, kFilesOfRows) << "the list names a file that has no rows any more";
}

}  // namespace
