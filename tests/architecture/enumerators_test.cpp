// Scoring functions, normalisers, positions, activations and cells are rows: only the files of the
// rows name one of them, so that a new one cannot fall through somewhere in silence.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "support/paths.h"

namespace {

namespace fs = std::filesystem;

// Where the rows are, and where their defaults are chosen.
const std::set<std::string> kFilesOfRows = {
    "core/attention/scoring.h",
    "core/attention/scoring.cpp",
    "core/attention/reference_scoring.cpp",
    "core/attention/reference_normalise.cpp",
    "core/engine/kernels/score.cpp",
    "core/engine/kernels/normalise.cpp",
    "core/attention/position.h",
    "core/attention/position.cpp",
    "core/attention/block.h",
    "core/attention/block.cpp",
    "core/attention/recurrent.h",
    "core/attention/recurrent.cpp",
    "core/attention/reference_recurrent.cpp",
    "core/engine/kernels/recurrent_cell.cpp",
};

// "file:line: text" of each line that names an enumerator.
std::vector<std::string> named_in(const fs::path& file) {
  static const std::regex kName(
      R"(\b(ScoringFunction|Normaliser|PositionKind|Activation|CellKind)::[A-Z])");
  std::vector<std::string> lines;
  std::ifstream stream(file);
  std::string line;
  for (int number = 1; std::getline(stream, line); ++number) {
    if (line.find("::") == std::string::npos || !std::regex_search(line, kName)) continue;
    lines.push_back(file.string() + ":" + std::to_string(number) + ": " + line);
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
