// Names and writes pictures of the window.
#include "session/screenshot.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "base/files.h"

namespace attn {
namespace {

namespace fs = std::filesystem;
constexpr std::uint64_t kLargestList = 1U << 16U;
constexpr int kMostOfAName = 1000;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool is_folder(const std::string& path) {
  std::error_code failed;
  return !path.empty() && fs::is_directory(path, failed);
}

// The value of XDG_PICTURES_DIR="$HOME/Pictures" in a list of such lines; empty without one.
std::string listed_folder(std::string_view list, const std::string& home) {
  constexpr std::string_view kKey = "XDG_PICTURES_DIR=\"", kHome = "$HOME";
  std::size_t at = list.starts_with(kKey) ? 0 : list.find("\n" + std::string(kKey));
  if (at == std::string_view::npos) return "";
  at = list.find('"', at) + 1;
  const std::string_view value = list.substr(at, list.find('"', at) - at);
  if (value.starts_with(kHome)) return home + std::string(value.substr(kHome.size()));
  return value.starts_with("/") ? std::string(value) : "";
}

std::string folder_of_desktop(const std::string& home) {
  const std::string config = variable("XDG_CONFIG_HOME");
  const std::string folder = config.empty() ? home + "/.config" : config;
  const Result<std::string> list = read_regular_file(folder + "/user-dirs.dirs", kLargestList);
  return list ? listed_folder(*list, home) : "";
}

// Of a character in UTF-8 that began before.
bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

Error no_folder() {
  Error error;
  error.kind = ErrorKind::CannotWrite;
  error.message = "there is no folder for pictures of the window";
  error.hint = "set HOME or XDG_PICTURES_DIR";
  return error;
}

}  // namespace

std::string pictures_folder() {
  std::string home = variable("HOME");
  for (const std::string& folder : {variable("XDG_PICTURES_DIR"), folder_of_desktop(home)}) {
    if (is_folder(folder)) return folder;
  }
  return home;
}

std::string screenshot_name(std::string_view document, const std::tm& time) {
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d %H.%M.%S", &time);
  constexpr std::size_t kMostBytes = 100;
  std::string name(document.substr(0, document.find('.')));
  std::size_t end = std::min(name.size(), kMostBytes);
  while (end > 0 && end < name.size() && is_continuation(name[end])) --end;
  name.resize(end);
  std::ranges::replace_if(
      name, [](char c) { return c == '/' || (c >= 0 && c < ' ') || c == 127; }, '-');
  return (name.empty() ? "attnscope" : name) + " " + text.data();
}

Result<std::string> write_screenshot(const std::string& folder, const std::string& name,
                                     const Raster& raster) {
  if (folder.empty()) return no_folder();
  const Result<std::string> png = encode_png(raster, 0.0);
  if (!png) return png.error();
  for (int number = 1;; ++number) {
    const std::string count = number == 1 ? "" : " (" + std::to_string(number) + ")";
    std::string path = folder;
    path.append("/").append(name).append(count).append(".png");
    const Status written = write_file_atomically(path, *png, Overwrite::Refuse);
    if (written) return path;
    std::error_code failed;
    if (!fs::exists(path, failed) || number == kMostOfAName) return written.error();
  }
}

}  // namespace attn
