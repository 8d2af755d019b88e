// Lower folders never include higher ones, the core sees no user interface, files stay small.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "support/paths.h"

namespace {

namespace fs = std::filesystem;

const fs::path kRoot = attn::test::source_folder();

// Lowest first; a folder may include itself and those before it. The command line and the window
// stand side by side, but the window is started with the command line's request.
const std::vector<std::string> kLayers = {
    "core/base",        "core/text",   "core/tokenizer", "core/numbers", "core/attention",
    "core/engine",      "core/kinds",  "core/figure",    "core/view",    "core/document",
    "core/plot",        "core/lesson", "core/export",    "core/session", "app/cli",
    "app/gui/platform", "app/gui/ui",  "app/gui/panels", "app/gui/shell"};

struct Include {
  std::string file;
  int line = 0;
  std::string target;
  bool quoted = false;
};

std::vector<fs::path> sources(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
    const std::string extension = entry.path().extension().string();
    if (extension == ".h" || extension == ".cpp") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<Include> includes_of(const fs::path& file) {
  static const std::regex kPattern(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"])");
  std::vector<Include> includes;
  std::ifstream stream(file);
  std::string line;
  for (int number = 1; std::getline(stream, line); ++number) {
    std::smatch match;
    if (line.find('#') != std::string::npos && std::regex_search(line, match, kPattern)) {
      includes.push_back({fs::relative(file, kRoot).string(), number, match[2], match[1] == "\""});
    }
  }
  return includes;
}

// Position in kLayers of a file of the project, or nothing for main.cpp and the like.
std::optional<std::size_t> layer_of(const std::string& file) {
  for (std::size_t i = 0; i < kLayers.size(); ++i) {
    if (file.starts_with(kLayers[i] + "/")) return i;
  }
  return std::nullopt;
}

// "base/tensor.h" as the compiler finds it: below core/ or below app/.
std::optional<std::size_t> layer_of_target(const std::string& target) {
  for (const char* root : {"core/", "app/"}) {
    if (const auto layer = layer_of(root + target); layer && fs::exists(kRoot / root / target)) {
      return layer;
    }
  }
  return std::nullopt;
}

std::string place(const Include& include) {
  return include.file + ":" + std::to_string(include.line) + " includes " + include.target;
}

TEST(Architecture, EveryFolderIsALayer) {
  for (const char* folder : {"core", "app"}) {
    for (const fs::path& file : sources(folder)) {
      const std::string name = fs::relative(file, kRoot).string();
      EXPECT_TRUE(layer_of(name) || name == "app/main.cpp") << name;
    }
  }
}

TEST(Architecture, LowerFoldersNeverIncludeHigherOnes) {
  std::size_t checked = 0;
  for (const char* folder : {"core", "app"}) {
    for (const fs::path& file : sources(folder)) {
      for (const Include& include : includes_of(file)) {
        const auto from = layer_of(include.file);
        const auto to = layer_of_target(include.target);
        if (!from || !to) continue;
        ++checked;
        EXPECT_LE(*to, *from) << place(include);
      }
    }
  }
  EXPECT_GT(checked, 50U) << "the test reads no includes any more";
}

// A header with its source, without the ending: "core/base/tensor".
std::string unit_of(const std::string& file) { return file.substr(0, file.rfind('.')); }

std::string folder_of(const std::string& file) { return file.substr(0, file.rfind('/')); }

// "base/tensor.h" as the compiler finds it, from the root of the project.
std::string found_target(const std::string& target) {
  return (fs::exists(kRoot / "core" / target) ? "core/" : "app/") + target;
}

using Graph = std::map<std::string, std::set<std::string>>;

void add_reached(const Graph& graph, const std::string& from, std::set<std::string>& reached) {
  const auto found = graph.find(from);
  if (found == graph.end()) return;
  for (const std::string& next : found->second) {
    if (next != from && reached.insert(next).second) add_reached(graph, next, reached);
  }
}

// The largest sets "a, b, c" of what includes one another, directly or through others.
std::set<std::string> circles_in(const Graph& graph) {
  std::map<std::string, std::set<std::string>> reached;
  for (const auto& [name, others] : graph) add_reached(graph, name, reached[name]);
  std::set<std::string> circles;
  for (const auto& [name, others] : reached) {
    if (!others.contains(name)) continue;
    std::string circle;
    for (const std::string& other : others) {
      const auto back = reached.find(other);
      if (back == reached.end() || !back->second.contains(name)) continue;
      circle += (circle.empty() ? "" : ", ") + other;
    }
    circles.insert(circle);
  }
  return circles;
}

// Maps a name for each file, such as that of its unit, to the names that it includes.
template <class NameOf>
Graph includes_by(NameOf name_of) {
  Graph included;
  for (const char* folder : {"core", "app"}) {
    for (const fs::path& file : sources(folder)) {
      for (const Include& include : includes_of(file)) {
        if (!include.quoted) continue;
        included[name_of(include.file)].insert(name_of(found_target(include.target)));
      }
    }
  }
  EXPECT_GT(included.size(), 20U) << "the test reads no includes any more";
  return included;
}

TEST(Architecture, CirclesAreFoundOfAnySize) {
  const Graph graph = {{"a", {"a", "b"}}, {"b", {"c"}}, {"c", {"a", "d"}}, {"d", {"e"}},
                       {"e", {"d", "e"}}, {"f", {"a"}}, {"g", {"g"}}};
  EXPECT_EQ(circles_in(graph), (std::set<std::string>{"a, b, c", "d, e"}));
}

// Units that need one another are one thing in several places.
TEST(Architecture, UnitsNeverIncludeOneAnotherInACircle) {
  EXPECT_EQ(circles_in(includes_by(unit_of)), std::set<std::string>());
}

// The folders within a folder stand in one order.
TEST(Architecture, FoldersNeverIncludeOneAnotherInACircle) {
  EXPECT_EQ(circles_in(includes_by(folder_of)), std::set<std::string>());
}

// Our headers that the header includes, directly or through others, are added to `found`.
void add_headers_behind(const std::string& file, std::set<std::string>& found) {
  for (const Include& include : includes_of(kRoot / file)) {
    const std::string target = found_target(include.target);
    if (include.quoted && found.insert(target).second) add_headers_behind(target, found);
  }
}

// Every panel includes it: what stands behind it is compiled again for each of them.
TEST(Architecture, FewHeadersStandBehindWhatEveryPanelIncludes) {
  std::set<std::string> found;
  add_headers_behind("app/gui/ui/context.h", found);
  EXPECT_GT(found.size(), 5U) << "the test reads no includes any more";
  EXPECT_LE(found.size(), 30U);
}

// Within a folder: what is above others, and the only parts of their folder that these may include.
TEST(Architecture, PartsOfTheEngineOfKindsOfDocumentsAndOfPlotsStandInOneOrder) {
  struct Inner {
    std::string folder, own_folder, reached;
  };
  const std::vector<Inner> inners = {
      {"core/engine/kernels", "engine/", "^engine/kernels/"},
      {"core/engine/read", "engine/", "^engine/(kernels|read)/"},
      {"core/engine/layer", "engine/", "^engine/(kernels|read|layer)/"},
      {"core/engine/matrix", "engine/", "^engine/(kernels|read|layer|matrix)/"},
      {"core/kinds/parts", "kinds/", "^kinds/parts/"},
      {"core/kinds/given_weights", "kinds/", "^kinds/(parts|given_weights)/"},
      {"core/kinds/given_qkv", "kinds/", "^kinds/(parts|given_qkv)/"},
      {"core/kinds/layer", "kinds/", "^kinds/(parts|layer)/"},
      {"core/kinds/blocks", "kinds/", "^kinds/(parts|blocks)/"},
      {"core/kinds/recurrent", "kinds/", "^kinds/(parts|recurrent)/"},
      {"core/document/edit", "document/", R"(^document/([a-z_]+\.h|edit/))"},
      {"core/document/tensors", "document/", R"(^document/([a-z_]+\.h|tensors/))"},
      {"core/document/json", "document/", R"(^document/([a-z_]+\.h|(tensors|json)/))"},
      {"core/document/draft", "document/", R"(^document/([a-z_]+\.h|(tensors|json|draft)/))"},
      {"core/document/folder", "document/",
       R"(^document/([a-z_]+\.h|(edit|tensors|json|folder)/))"},
      {"core/plot/kit", "plot/", "^plot/kit/"},
      {"core/plot/colors", "plot/", "^plot/(kit|colors)/"},
      {"core/plot/account", "plot/", "^plot/(kit|account)/"},
      {"core/plot/charts", "plot/", "^plot/(kit|colors|account|charts)/"},
      {"core/plot/maps", "plot/", "^plot/(kit|colors|maps)/"},
  };
  for (const Inner& inner : inners) {
    const std::regex reached(inner.reached);
    for (const fs::path& file : sources(inner.folder)) {
      for (const Include& include : includes_of(file)) {
        if (!include.quoted || !include.target.starts_with(inner.own_folder)) continue;
        EXPECT_TRUE(std::regex_search(include.target, reached)) << place(include);
      }
    }
  }
}

TEST(Architecture, FoldersStaySmall) {
  std::map<std::string, int> files;
  for (const char* folder : {"core", "app", "tests"}) {
    for (const fs::path& file : sources(folder)) ++files[file.parent_path().string()];
  }
  for (const auto& [folder, count] : files) EXPECT_LE(count, 36) << folder;
}

TEST(Architecture, QuotedIncludesAreOursAndExist) {
  for (const char* folder : {"core", "app"}) {
    for (const fs::path& file : sources(folder)) {
      for (const Include& include : includes_of(file)) {
        EXPECT_TRUE(!include.quoted || layer_of_target(include.target)) << place(include);
      }
    }
  }
}

// The comment above everything else, its lines joined.
std::string opening_of(const fs::path& file) {
  std::ifstream stream(file);
  std::string line, opening;
  while (std::getline(stream, line) && line.starts_with("// ")) {
    opening += (opening.empty() ? "" : " ") + line.substr(3);
  }
  return opening;
}

TEST(Architecture, EveryFileBeginsWithASentenceOnWhatItIsFor) {
  std::vector<std::string> silent;
  for (const char* folder : {"core", "app", "tests"}) {
    for (const fs::path& file : sources(folder)) {
      const std::string opening = opening_of(file);
      const auto words = std::count(opening.begin(), opening.end(), ' ') + 1;
      const bool is_sentence = words >= 3 && opening.find('.') != std::string::npos;
      if (!is_sentence) silent.push_back(fs::relative(file, kRoot).string());
    }
  }
  EXPECT_EQ(silent, std::vector<std::string>());
}

// The third-party headers that stay within one part, by the first letters of their names.
TEST(Architecture, LibrariesStayWhereTheyBelong) {
  const std::map<std::string, std::vector<std::string>> homes = {
      {"imgui", {"app/gui/"}},
      {"backends/imgui", {"app/gui/platform/"}},
      {"GLFW/", {"app/gui/platform/"}},
      {"GL/", {"app/gui/platform/"}},
      {"Eigen/", {"core/engine/"}},
      {"CLI/", {"app/cli/"}},
      {"md4c", {"app/gui/ui/", "core/export/page/"}},
      {"nlohmann/", {"core/base/"}},
      {"pango", {"core/figure/", "core/export/"}},
      {"cairo", {"core/figure/", "core/export/"}},
      {"png", {"core/export/"}},
      {"libdeflate", {"core/export/"}},
      {"zlib", {"core/document/tensors/"}},
      {"xxhash", {"core/export/"}},
      {"pcre2", {"core/tokenizer/"}},
      {"utf8proc", {"core/tokenizer/"}},
  };
  for (const char* folder : {"core", "app"}) {
    for (const fs::path& file : sources(folder)) {
      for (const Include& include : includes_of(file)) {
        if (include.quoted) continue;
        for (const auto& [library, allowed] : homes) {
          if (!include.target.starts_with(library)) continue;
          const bool at_home = std::any_of(allowed.begin(), allowed.end(), [&](const auto& home) {
            return include.file.starts_with(home);
          });
          EXPECT_TRUE(at_home) << place(include);
        }
      }
    }
  }
}

TEST(Architecture, HeadersSayWhatTheyAreForAndFilesStaySmall) {
  for (const char* folder : {"core", "app", "tests"}) {
    for (const fs::path& file : sources(folder)) {
      std::ifstream stream(file);
      std::string first;
      std::getline(stream, first);
      EXPECT_TRUE(file.extension() != ".h" || first.starts_with("// ")) << file;
      const auto lines = std::count(std::istreambuf_iterator<char>(stream), {}, '\n') + 1;
      EXPECT_LE(lines, 600) << file;
    }
  }
}

TEST(Architecture, TheTopLevelHoldsNothingElse) {
  const std::set<std::string> expected = {"app",
                                          "core",
                                          "assets",
                                          "tests",
                                          "docs",
                                          "CMakeLists.txt",
                                          "CMakePresets.json",
                                          "README.md",
                                          "LICENSE",
                                          "CITATION.cff",
                                          "SECURITY.md",
                                          "CHANGELOG.md",
                                          "dev",
                                          "build"};
  for (const auto& entry : fs::directory_iterator(kRoot)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(".") || name == "compile_commands.json") continue;
    EXPECT_TRUE(expected.contains(name)) << name;
  }
}

}  // namespace
