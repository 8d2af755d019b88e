// Looks for the schema, installs it, and names it as editors open it.
#include "session/schema_place.h"

#include <filesystem>
#include <system_error>

#include "base/file_errors.h"
#include "base/files.h"
#include "document/document.h"
#include "document/json.h"

namespace attn {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view kFileScheme = "file://";

bool is_plain_in_uri(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return letter || (c >= '0' && c <= '9') || std::string_view("/-._~").find(c) != std::string::npos;
}

// "file:///home/ada/attnscope.schema.json", of an absolute path.
std::string file_uri(const std::string& path) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string uri(kFileScheme);
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (is_plain_in_uri(c)) {
      uri += c;
    } else {
      uri += {'%', kHex[byte >> 4U], kHex[byte & 15U]};
    }
  }
  return uri;
}

// Written by schema_seen_from(), here or on another machine.
bool is_ours(const std::string& schema) {
  return schema == usual_schema() ||
         (schema.starts_with(kFileScheme) && schema.ends_with("/attnscope/" + usual_schema()));
}

bool is_in(const std::string& folder) {
  std::error_code failed;
  return !folder.empty() && fs::is_regular_file(folder + "/" + usual_schema(), failed);
}

}  // namespace

std::string usual_schema() { return KeptText{}.schema; }

Result<std::string> install_schema() {
  const std::string folder = data_folders().front();
  if (folder.empty()) {
    return file_error(ErrorKind::CannotWrite, usual_schema(), "there is no folder for data",
                      "set XDG_DATA_HOME or HOME");
  }
  std::error_code failed;
  fs::create_directories(folder, failed);
  std::string path = folder + "/" + usual_schema();
  const Status written = write_file_atomically(path, document_schema(), Overwrite::Replace);
  return written ? Result<std::string>(std::move(path)) : written.error();
}

std::string schema_seen_from(const std::string& schema, const std::string& folder) {
  if (!is_ours(schema)) return schema;
  if (is_in(folder)) return usual_schema();
  for (const std::string& data : data_folders()) {
    if (is_in(data)) return file_uri(data + "/" + usual_schema());
  }
  return usual_schema();
}

}  // namespace attn
