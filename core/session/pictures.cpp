// Naming and writing of window pictures, and the helper program of the clipboard.
#include "session/pictures.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <thread>
#include <vector>

#include "base/descriptor.h"
#include "base/files.h"
#include "base/utf8.h"

namespace attn {
namespace {

namespace fs = std::filesystem;
constexpr std::uint64_t kLargestList = 1U << 16U;
constexpr int kMostOfAName = 1000;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
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
  const std::string config = variable("XDG_CONFIG_HOME");
  const std::string folder = config.empty() ? home + "/.config" : config;
  const Result<std::string> list = read_regular_file(folder + "/user-dirs.dirs", kLargestList);
  return list ? listed_folder(*list, home) : "";
}

constexpr std::string_view kWayland = "wl-copy", kX11 = "xclip";
constexpr auto kTimeout = std::chrono::seconds(5);

// Absolute path of a program in PATH; empty if absent.
std::string in_path(std::string_view program) {
  const std::string path = variable("PATH");
  std::string_view rest = path;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    std::string file = std::string(rest.substr(0, end)) + "/" + std::string(program);
    if (file.front() == '/' && access(file.c_str(), X_OK) == 0) return file;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return "";
}

Error failure(const std::string& helper, std::string why) {
  return {.kind = ErrorKind::Internal,
          .message = "the picture could not be copied",
          .found = helper + ": " + std::move(why)};
}

// Descriptor of an anonymous file with the bytes, at its beginning; -1 on failure.
int file_of(std::string_view bytes) {
  const int file = memfd_create("picture", MFD_CLOEXEC);
  if (file >= 0 && write_all(file, bytes)) {
    lseek(file, 0, SEEK_SET);
    return file;
  }
  if (file >= 0) close(file);
  return -1;
}

// Starts the helper; returns its process id, or 0.
pid_t start(const std::string& helper, int input) {
  std::vector<std::string> arguments{helper, "-selection", "clipboard", "-t", "image/png", "-i"};
  if (helper.ends_with(kWayland)) arguments = {helper, "--type", "image/png"};
  std::vector<char*> pointers;
  pointers.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  for (const int output : {STDOUT_FILENO, STDERR_FILENO}) {
    posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0);
  }
  pid_t process = 0;
  const int failed =
      posix_spawn(&process, helper.c_str(), &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return failed == 0 ? process : 0;
}

Status wait_for(const std::string& helper, pid_t process) {
  const auto end = std::chrono::steady_clock::now() + kTimeout;
  int status = 0;
  while (waitpid(process, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > end) {
      kill(process, SIGKILL);
      waitpid(process, &status, 0);
      return failure(helper, "it does not answer");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return ok_status();
  return failure(helper, "it ended with an error");
}

}  // namespace

std::string pictures_folder() {
  std::string home = variable("HOME");
  for (const std::string& folder : {variable("XDG_PICTURES_DIR"), folder_of_desktop(home)}) {
    std::error_code failed;
    if (!folder.empty() && fs::is_directory(folder, failed)) return folder;
  }
  return home;
}

std::string screenshot_name(std::string_view document, const std::tm& time) {
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d %H.%M.%S", &time);
  constexpr std::size_t kMostBytes = 100;
  std::string name(cut_to_bytes(document.substr(0, document.find('.')), kMostBytes));
  std::ranges::replace_if(
      name, [](char c) { return c == '/' || (c >= 0 && c < ' ') || c == 127; }, '-');
  return (name.empty() ? "attnscope" : name) + " " + text.data();
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

Status copy_picture(const std::string& helper, std::string_view png) {
  const int input = file_of(png);
  if (input < 0) return failure(helper, "there is no room for the picture");
  const pid_t process = start(helper, input);
  close(input);
  if (process == 0) return failure(helper, "it could not be started");
  return wait_for(helper, process);
}

}  // namespace attn
