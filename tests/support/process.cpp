// Starts programs with pipes and waits for their end.
#include "support/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "support/paths.h"

namespace attn::test {
namespace {

using Clock = std::chrono::steady_clock;

int exit_code_of(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

struct Pipes {
  std::array<int, 2> in{-1, -1}, out{-1, -1}, err{-1, -1};
};

void open_pipes(Pipes& pipes) {
  for (auto* pipe : {&pipes.in, &pipes.out, &pipes.err}) {
    if (::pipe2(pipe->data(), O_CLOEXEC) != 0) std::abort();
  }
}

[[noreturn]] void become(const std::vector<std::string>& arguments, const ProcessOptions& options,
                         const Pipes* pipes) {
  if (pipes != nullptr) {
    ::dup2(pipes->in[0], STDIN_FILENO);
    ::dup2(pipes->out[1], STDOUT_FILENO);
    ::dup2(pipes->err[1], STDERR_FILENO);
  } else {
    const int nowhere = ::open("/dev/null", O_RDWR);
    for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nowhere, fd);
  }
  if (options.close_output) ::close(STDOUT_FILENO);
  for (const auto& [name, value] : options.set) ::setenv(name.c_str(), value.c_str(), 1);
  for (const std::string& name : options.unset) ::unsetenv(name.c_str());
  if (!options.folder.empty() && ::chdir(options.folder.c_str()) != 0) ::_exit(126);
  ::signal(SIGPIPE, SIG_DFL);
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  ::execvp(argv[0], argv.data());
  ::_exit(127);
}

// Moves bytes both ways until both outputs are closed; false when time ran out.
bool exchange(Pipes& pipes, const ProcessOptions& options, ProcessResult& result) {
  const auto end = Clock::now() + std::chrono::seconds(options.timeout_seconds);
  std::size_t written = 0;
  ::fcntl(pipes.in[1], F_SETFL, O_NONBLOCK);
  std::array<pollfd, 3> polled{
      {{pipes.out[0], POLLIN, 0}, {pipes.err[0], POLLIN, 0}, {pipes.in[1], POLLOUT, 0}}};
  while (polled[0].fd >= 0 || polled[1].fd >= 0) {
    if (Clock::now() > end) return false;
    ::poll(polled.data(), polled.size(), 200);
    for (std::size_t i = 0; i < 2; ++i) {
      if (polled[i].fd < 0 || polled[i].revents == 0) continue;
      std::array<char, 65536> buffer{};
      const ssize_t got = ::read(polled[i].fd, buffer.data(), buffer.size());
      if (got > 0) {
        (i == 0 ? result.out : result.err).append(buffer.data(), static_cast<std::size_t>(got));
      } else {
        polled[i].fd = -1;
      }
    }
    if (polled[2].fd < 0) continue;
    const bool broken = (polled[2].revents & (POLLERR | POLLHUP)) != 0;
    if (!broken && written < options.input.size() && (polled[2].revents & POLLOUT) != 0) {
      const ssize_t put =
          ::write(pipes.in[1], options.input.data() + written, options.input.size() - written);
      if (put > 0) written += static_cast<std::size_t>(put);
    }
    if (broken || written == options.input.size()) {
      ::close(pipes.in[1]);
      pipes.in[1] = polled[2].fd = -1;
    }
  }
  return true;
}

}  // namespace

void write_in_place(const std::string& path, const std::string& bytes) {
  static int times = 0;
  std::ofstream(path, std::ios::binary) << bytes;
  const auto now = std::filesystem::file_time_type::clock::now();
  std::filesystem::last_write_time(path, now + std::chrono::seconds(++times));
}

ProcessResult run_process(const std::vector<std::string>& arguments,
                          const ProcessOptions& options) {
  ::signal(SIGPIPE, SIG_IGN);
  Pipes pipes;
  open_pipes(pipes);
  const pid_t child = ::fork();
  if (child == 0) become(arguments, options, &pipes);
  for (const int fd : {pipes.in[0], pipes.out[1], pipes.err[1]}) ::close(fd);
  ProcessResult result;
  const bool finished = exchange(pipes, options, result);
  if (!finished) ::kill(child, SIGKILL);
  for (const int fd : {pipes.in[1], pipes.out[0], pipes.err[0]}) {
    if (fd >= 0) ::close(fd);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  result.exit_code = exit_code_of(status);
  if (!finished) result.err += "\n(killed: it did not end in time)\n";
  return result;
}

ProcessResult run_attnscope(std::vector<std::string> arguments, const ProcessOptions& options) {
  arguments.insert(arguments.begin(), program_path());
  return run_process(arguments, options);
}

ProcessResult run_attnscope_on(const std::string& input, std::vector<std::string> arguments) {
  ProcessOptions options;
  options.input = input;
  return run_attnscope(std::move(arguments), options);
}

pid_t start_process(const std::vector<std::string>& arguments, const ProcessOptions& options) {
  const pid_t child = ::fork();
  if (child == 0) become(arguments, options, nullptr);
  return child;
}

int stop_process(pid_t process) {
  int status = 0;
  ::kill(process, SIGTERM);
  for (int tries = 0; tries < 50; ++tries) {
    if (::waitpid(process, &status, WNOHANG) == process) return exit_code_of(status);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  ::kill(process, SIGKILL);
  ::waitpid(process, &status, 0);
  return exit_code_of(status);
}

TemporaryFolder::TemporaryFolder() {
  path_ = (std::filesystem::temp_directory_path() / "attnscope-test-XXXXXX").string();
  if (::mkdtemp(path_.data()) == nullptr) std::abort();
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace attn::test
