// Finds models, also those that are installed with the program.
#include "document/model_places.h"

#include <algorithm>
#include <filesystem>

#include "base/files.h"
#include "base/joined.h"
#include "kinds/parts/findings.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

// Seen from the folder above the program's, where it is installed or built; it may not exist.
// Without links, as it is compared with folders that are opened by their path.
const fs::path& models_folder() {
  static const fs::path kFolder = [] {
    std::error_code failed;
    const fs::path program = fs::read_symlink("/proc/self/exe", failed);
    return fs::weakly_canonical(program.parent_path().parent_path() / "share/attnscope/models",
                                failed);
  }();
  return kFolder;
}

}  // namespace

bool is_model_folder(const std::string& path) {
  std::error_code failed;
  return fs::is_directory(path, failed) && fs::exists(fs::path(path) / "config.json", failed);
}

std::vector<std::string> files_of_model(const std::string& folder) {
  std::vector<std::string> files;
  for (const char* name :
       {"config.json", "tokenizer.json", "vocab.json", "tokenizer_config.json", "vocab.txt",
        "merges.txt", "special_tokens_map.json", "added_tokens.json", "model.safetensors",
        "model.safetensors.index.json"}) {
    files.push_back((fs::path(folder) / name).string());
  }
  return files;
}

bool is_file_of_model(const std::string& path, const std::string& folder) {
  const std::string in_folder = (fs::path(folder) / file_name(path)).string();
  const std::vector<std::string> files = files_of_model(folder);
  std::error_code failed;
  return std::ranges::count(files, in_folder) > 0 && is_model_folder(folder) &&
         fs::equivalent(fs::absolute(path, failed).parent_path(), folder, failed);
}

std::vector<std::string> packaged_models() {
  std::vector<std::string> names;
  std::error_code failed;
  for (fs::directory_iterator at(models_folder(), failed), end; !failed && at != end;
       at.increment(failed)) {
    const std::string folder = at->path().string();
    if (is_model_folder(folder)) names.push_back(portable_folder(folder));
  }
  std::ranges::sort(names);
  return names;
}

Result<std::string> packaged_folder(const std::string& name) {
  std::string folder = (models_folder() / name.substr(kModelPrefix.size())).string();
  if (portable_folder(folder) == name && is_model_folder(folder)) return folder;
  const std::vector<std::string> models = packaged_models();
  if (!models.empty()) {
    return refusal_at("/model/folder", "the program has no such model", name,
                      "one of " + joined(models));
  }
  return refusal_at("/model/folder", "the models of the program are not installed",
                    "nothing in " + models_folder().string(), "the folder of " + name,
                    "install the program together with its folder share/attnscope, or name the "
                    "folder of another model");
}

std::string portable_folder(const std::string& folder) {
  std::error_code failed;
  const fs::path path = fs::weakly_canonical(folder, failed);
  const bool is_packaged = path.parent_path() == models_folder();
  return is_packaged ? std::string(kModelPrefix) + path.filename().string() : folder;
}

}  // namespace attn
