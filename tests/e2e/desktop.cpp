// Starts a virtual display and the program on it, and moves its mouse and keys.
#include "e2e/desktop.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <fstream>

namespace attn::test {
namespace {

VirtualDisplay& display() {
  static VirtualDisplay shared;
  return shared;
}

}  // namespace

VirtualDisplay::VirtualDisplay() {
  std::array<int, 2> pipe{};
  if (::pipe(pipe.data()) != 0) return;
  const std::string descriptor = std::to_string(pipe[1]);
  server_ = ::fork();
  if (server_ == 0) {
    // Ends with a test program that crashes, and holds no pipe that another process reads to its
    // end.
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    const int nowhere = ::open("/dev/null", O_WRONLY);
    for (const int output : {STDOUT_FILENO, STDERR_FILENO}) ::dup2(nowhere, output);
    ::execlp("Xvfb", "Xvfb", "-displayfd", descriptor.c_str(), "-screen", "0", "1600x1000x24",
             "-nolisten", "tcp", static_cast<char*>(nullptr));
    ::_exit(127);
  }
  ::close(pipe[1]);
  std::array<char, 16> number{};
  const ssize_t got = ::read(pipe[0], number.data(), number.size() - 1);
  ::close(pipe[0]);
  if (got > 0) name_ = ":" + std::to_string(std::atoi(number.data()));
}

VirtualDisplay::~VirtualDisplay() {
  if (server_ > 0) stop_process(server_);
}

void Desktop::SetUp() {
  if (display().name().empty()) GTEST_SKIP() << "Xvfb is not installed";
}

ProcessOptions Desktop::environment() const {
  ProcessOptions options;
  options.set["DISPLAY"] = display().name();
  options.set["XDG_CONFIG_HOME"] = folder_.file("config");
  options.set["XDG_STATE_HOME"] = folder_.file("state");
  options.unset = {"WAYLAND_DISPLAY"};
  return options;
}

ProcessResult Desktop::replay(const std::string& document, const std::string& script,
                              const std::vector<std::string>& more_arguments) const {
  const std::string path = folder_.file("script.txt");
  std::ofstream(path) << script;
  std::vector<std::string> arguments{"view", document, "--force", "--replay", path};
  arguments.insert(arguments.end(), more_arguments.begin(), more_arguments.end());
  ProcessResult result = run_attnscope(arguments, environment());
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return result;
}

}  // namespace attn::test
