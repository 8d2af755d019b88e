// Finds shared cases and skips, saying so, where there are none.
#include "support/shared_data.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/paths.h"

namespace attn::test {

namespace fs = std::filesystem;

std::optional<std::string> shared_file(const std::string& relative) {
  const fs::path path = fs::path(shared_folder()) / relative;
  if (!fs::exists(path)) return std::nullopt;
  return path.string();
}

std::vector<std::string> shared_files(const std::string& folder, const std::string& suffix) {
  std::vector<std::string> files;
  const fs::path path = fs::path(shared_folder()) / folder;
  if (!fs::is_directory(path)) return files;
  for (const auto& entry : fs::directory_iterator(path)) {
    const std::string name = entry.path().string();
    if (name.ends_with(suffix)) files.push_back(name);
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string read_text(const std::string& path) {
  const std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    std::fprintf(stderr, "cannot read %s\n", path.c_str());
    std::abort();
  }
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

}  // namespace attn::test
