// Reads the desktop's theme, names and writes pictures of the window, and runs the helper program
// of the clipboard.
#include "session/desktop.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "base/descriptor.h"
#include "base/files.h"
#include "base/utf8.h"
#include "session/figure_file.h"
#include "session/log_file.h"

namespace attn {
namespace {

namespace fs = std::filesystem;
constexpr std::uint64_t kLargestSettings = 1U << 20U;
constexpr int kMostOfAName = 1000;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Text of a file below the folder in which programs keep their settings.
Result<std::string> read_setting(const std::string& file) {
  const std::string config = variable("XDG_CONFIG_HOME");
  const std::string folder = config.empty() ? variable("HOME") + "/.config" : config;
  return read_regular_file(folder + file, kLargestSettings);
}

constexpr const char* kAskPortal =
    "gdbus call --session --timeout 1 --dest org.freedesktop.portal.Desktop"
    " --object-path /org/freedesktop/portal/desktop"
    " --method org.freedesktop.portal.Settings.Read"
    " org.freedesktop.appearance color-scheme 2>/dev/null";

// Returns nothing without a session bus, as gdbus would start one.
std::string answer_of_portal() {
  if (variable("DBUS_SESSION_BUS_ADDRESS").empty()) return "";
  std::FILE* pipe = ::popen(kAskPortal, "re");  // NOLINT(cert-env33-c): a fixed command
  if (pipe == nullptr) return "";
  std::string answer(200, '\0');
  answer.resize(std::fread(answer.data(), 1, answer.size(), pipe));
  ::pclose(pipe);
  return answer;
}

// Value of XDG_PICTURES_DIR="$HOME/Pictures" in user-dirs.dirs; empty if absent.
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
  const Result<std::string> list = read_setting("/user-dirs.dirs");
  return list ? listed_folder(*list, home) : "";
}

constexpr std::string_view kWayland = "wl-copy", kX11 = "xclip";

// Absolute path of a program in PATH; empty if absent.
std::string in_path(std::string_view program) {
  std::istringstream folders(variable("PATH"));
  for (std::string file; std::getline(folders, file, ':');) {
    file.append("/").append(program);
    if (file.front() == '/' && access(file.c_str(), X_OK) == 0) return file;
  }
  return "";
}

Error failure(const std::string& helper, std::string why) {
  return {.kind = ErrorKind::Internal,
          .message = "the picture could not be copied",
          .found = helper + ": " + std::move(why)};
}

// Anonymous file with the bytes, at its beginning; none on failure.
Descriptor file_of(std::string_view bytes) {
  Descriptor file(memfd_create("picture", MFD_CLOEXEC));
  const bool is_whole = write_all(file.get(), bytes) && lseek(file.get(), 0, SEEK_SET) == 0;
  return is_whole ? std::move(file) : Descriptor();
}

}  // namespace

std::optional<ThemeKind> theme_in(std::string_view text) {
  std::string lines = in_small_letters(text);
  std::erase(lines, ' ');
  const auto has = [&](const char* words) { return lines.find(words) != std::string::npos; };
  if (has("uint321") || has("prefer-dark-theme=1") || has("prefer-dark-theme=true")) {
    return ThemeKind::Dark;
  }
  if (has("uint322")) return ThemeKind::Light;
  for (const char* key : {"gtk-theme-name=", "\ncolorscheme="}) {
    const std::size_t at = lines.find(key);
    if (at == std::string::npos) continue;
    const std::string line = lines.substr(at, lines.find('\n', at + 1) - at);
    return line.find("dark") == std::string::npos ? ThemeKind::Light : ThemeKind::Dark;
  }
  return std::nullopt;
}

ThemeKind theme_of_desktop() {
  const std::string named = variable("GTK_THEME");
  if (!named.empty()) return *theme_in("gtk-theme-name=" + named);
  if (const auto theme = theme_in(answer_of_portal())) return *theme;
  for (const char* file : {"/gtk-4.0/settings.ini", "/gtk-3.0/settings.ini", "/kdeglobals"}) {
    const Result<std::string> text = read_setting(file);
    if (const auto theme = text ? theme_in(*text) : std::nullopt) return *theme;
  }
  return ThemeKind::Dark;
}

std::string pictures_folder() {
  std::string home = variable("HOME");
  for (const std::string& folder : {variable("XDG_PICTURES_DIR"), folder_of_desktop(home)}) {
    std::error_code failed;
    if (!folder.empty() && fs::is_directory(folder, failed)) return folder;
  }
  return home;
}

std::string screenshot_name(std::string_view document, std::int64_t seconds) {
  constexpr std::size_t kMostBytes = 100;
  std::string name(cut_to_bytes(document.substr(0, document.find('.')), kMostBytes));
  std::ranges::replace_if(
      name, [](char c) { return c == '/' || (c >= 0 && c < ' ') || c == 127; }, '-');
  return (name.empty() ? "attnscope" : name) + time_text(seconds, " %Y-%m-%d %H.%M.%S");
}

Result<std::string> write_screenshot(const std::string& folder, const std::string& name,
                                     const Raster& raster) {
  if (folder.empty()) {
    return Error{.kind = ErrorKind::CannotWrite,
                 .message = "there is no folder for pictures of the window",
                 .hint = "set HOME or XDG_PICTURES_DIR"};
  }
  const Result<std::string> png = encode_png(raster);
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

std::string find_picture_helper() {
  if (!variable("WAYLAND_DISPLAY").empty()) {
    if (std::string helper = in_path(kWayland); !helper.empty()) return helper;
  }
  return !variable("DISPLAY").empty() ? in_path(kX11) : "";
}

// A shell waits for the helper, which reads the picture through the file of this process.
Status copy_picture(const std::string& helper, std::string_view png) {
  constexpr int kNotRun = 126, kUnknown = 127;  // exit codes
  const Descriptor input = file_of(png);
  if (input.get() < 0) return failure(helper, "there is no room for the picture");
  const std::string file =
      "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(input.get());
  const char* options =
      helper.ends_with(kWayland) ? " --type image/png" : " -selection clipboard -t image/png -i";
  const std::string command =
      "exec timeout -s KILL 5 " + shell_word(helper) + options + " <" + file + " >/dev/null 2>&1";
  std::FILE* pipe = ::popen(command.c_str(), "re");  // NOLINT(cert-env33-c): quoted
  const int status = pipe == nullptr ? kUnknown << 8 : ::pclose(pipe);
  if (status == 0) return ok_status();
  if (!WIFEXITED(status)) return failure(helper, "it does not answer");
  const bool is_run = WEXITSTATUS(status) != kNotRun && WEXITSTATUS(status) != kUnknown;
  return failure(helper, is_run ? "it ended with an error" : "it could not be started");
}

}  // namespace attn
