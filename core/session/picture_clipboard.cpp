// Finds the helper, and runs it with the picture as its input.
#include "session/picture_clipboard.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <thread>
#include <vector>

namespace attn {
namespace {

constexpr std::string_view kWayland = "wl-copy", kX11 = "xclip";
constexpr auto kPatience = std::chrono::seconds(5);

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

// Absolute, or empty.
std::string in_path(std::string_view program) {
  const char* path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "" : path;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    std::string file = std::string(rest.substr(0, end)) + "/" + std::string(program);
    if (file.front() == '/' && access(file.c_str(), X_OK) == 0) return file;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return "";
}

Error failure(const std::string& helper, std::string why) {
  Error error;
  error.kind = ErrorKind::Internal;
  error.message = "the picture could not be copied";
  error.found = helper + ": " + std::move(why);
  return error;
}

// A file without a name that holds the bytes, read from its beginning; -1 when there is none.
int file_of(std::string_view bytes) {
  const int file = memfd_create("picture", MFD_CLOEXEC);
  while (file >= 0 && !bytes.empty()) {
    const ssize_t written = write(file, bytes.data(), bytes.size());
    if (written <= 0) {
      close(file);
      return -1;
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  if (file >= 0) lseek(file, 0, SEEK_SET);
  return file;
}

std::vector<std::string> arguments_of(const std::string& helper) {
  if (helper.ends_with(kWayland)) return {helper, "--type", "image/png"};
  return {helper, "-selection", "clipboard", "-t", "image/png", "-i"};
}

// Its process, or 0.
pid_t start(const std::string& helper, int input) {
  std::vector<std::string> arguments = arguments_of(helper);
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
  const auto end = std::chrono::steady_clock::now() + kPatience;
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

std::string find_picture_helper() {
  if (is_set("WAYLAND_DISPLAY")) {
    if (std::string helper = in_path(kWayland); !helper.empty()) return helper;
  }
  return is_set("DISPLAY") ? in_path(kX11) : "";
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
