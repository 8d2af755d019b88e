// Where models are: folders, and names of those that are installed with the program. Documents in
// the program have names, too.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace attn {

inline constexpr std::string_view kExamplePrefix = "example:", kModelPrefix = "attnscope:";

// True for a name that is the same on every machine, and no path.
inline bool is_built_in(std::string_view path) {
  return path.starts_with(kExamplePrefix) || path.starts_with(kModelPrefix);
}

// True for a folder with a config.json, which is not opened.
bool is_model_folder(const std::string& path);

// Paths in the folder of a model for its settings, weights and tokenizer; not all need to be there.
std::vector<std::string> files_of_model(const std::string& folder);
// True for one of them.
bool is_file_of_model(const std::string& path, const std::string& folder);

// Names of the models of the package, sorted: "attnscope:pronoun-encoder". Empty where none are
// installed.
std::vector<std::string> packaged_models();

// The folder with this name. BadInput with the names that there are, or with the folder that is
// missing.
Result<std::string> packaged_folder(const std::string& name);

// The name of a folder of the package; any other folder as it is.
std::string portable_folder(const std::string& folder);

}  // namespace attn
