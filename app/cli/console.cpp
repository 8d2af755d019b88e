// Standard streams, with handling of interruption, full disks and closed readers.
#include "cli/console.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "base/descriptor.h"
#include "base/number_text.h"
#include "base/utf8.h"

namespace attn::cli {
namespace {

constexpr int kInterruptedCode = 130;

// Signal handlers can only access globals.
volatile std::sig_atomic_t g_writing = 0;
volatile std::sig_atomic_t g_interrupted = 0;

void on_interrupt(int /*signal*/) {
  g_interrupted = 1;
  if (g_writing != 0) return;
  constexpr char kText[] = "attnscope: interrupted\n";
  if (::write(STDERR_FILENO, kText, sizeof kText - 1) < 0) ::_exit(kInterruptedCode);
  ::_exit(kInterruptedCode);
}

// True if it was closed.
bool fill_in(int descriptor) {
  if (::fcntl(descriptor, F_GETFD) != -1) return false;
  const int null = ::open("/dev/null", O_RDWR);
  if (null >= 0 && null != descriptor) {
    ::dup2(null, descriptor);
    ::close(null);
  }
  return true;
}

Error cannot_write(const char* reason) {
  return {.kind = ErrorKind::CannotWrite,
          .message = std::string("standard output cannot be written: ") + reason};
}

}  // namespace

std::string spoken_name(const std::string& file) { return file == "-" ? "standard input" : file; }

Console::Console() {
  fill_in(STDIN_FILENO);
  output_closed_ = fill_in(STDOUT_FILENO);
  fill_in(STDERR_FILENO);
  terminal_ = ::isatty(STDERR_FILENO) == 1;
  const char* no_color = std::getenv("NO_COLOR");
  colors_ = terminal_ && (no_color == nullptr || no_color[0] == '\0');
}

Status Console::write(std::string_view bytes) {
  if (output_closed_) return cannot_write("it is closed");
  if (write_all(STDOUT_FILENO, bytes)) return ok_status();
  reader_left_ = errno == EPIPE;
  return cannot_write(std::strerror(errno));
}

Status Console::print(std::string_view text) { return write(printable_text(text)); }

void Console::put(std::string_view label, std::string_view color, std::string_view line) {
  std::string text = "attnscope: ";
  if (colors_) text += color;
  text += label;
  if (colors_ && !color.empty()) text += "\033[0m";
  text += printable_line(line);
  text += '\n';
  write_all(STDERR_FILENO, text);
}

std::string Console::time_label() const {
  if (!verbose_) return {};
  const std::chrono::duration<double> since = std::chrono::steady_clock::now() - start_;
  return "[" + fixed_text(since.count(), 3) + " s] ";
}

void Console::message(std::string_view line) {
  if (!quiet_) put(time_label(), "", line);
}

void Console::detail(std::string_view line) {
  if (verbose_) put(time_label(), "", line);
}

void Console::warning(std::string_view line) {
  if (!quiet_) put("warning: ", "\033[33m", line);
}

void Console::error(const Error& error) {
  Error shown = error;
  shown.file = spoken_name(error.file);
  put("error: ", "\033[31m", describe(shown));
}

void Console::progress(std::string_view text) {
  if (shows_progress()) write_all(STDERR_FILENO, "\r\033[K" + printable_line(text));
}

WriteGuard::WriteGuard() { g_writing = 1; }
WriteGuard::~WriteGuard() { g_writing = 0; }

void watch_interruptions() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // exceeding a file size limit is reported as an error of write()
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  ::sigaction(SIGINT, &action, nullptr);
}

bool interrupted() { return g_interrupted != 0; }

}  // namespace attn::cli
