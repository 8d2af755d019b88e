// Standard streams and destinations, with handling of interruption, full disks and closed readers.
#include "cli/console.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/descriptor.h"
#include "base/number_text.h"
#include "base/utf8.h"
#include "document/model_places.h"

namespace attn::cli {
namespace {

constexpr int kSignalled = 128;

// Signal handlers can only access globals.
volatile std::sig_atomic_t g_writing = 0;
volatile std::sig_atomic_t g_interrupted = 0;

void on_interrupt(int signal) {
  g_interrupted = 1;
  if (g_writing != 0) return;
  constexpr char kText[] = "attnscope: interrupted\n";
  if (::write(STDERR_FILENO, kText, sizeof kText - 1) < 0) ::_exit(kSignalled + signal);
  ::_exit(kSignalled + signal);
}

// Opens /dev/null as this descriptor if it is closed, and all lower ones are open. True if it was.
bool fill_in(int descriptor) {
  if (::fcntl(descriptor, F_GETFD) != -1) return false;
  ::open("/dev/null", O_RDWR);  // takes the lowest that is free, which is this one
  return true;
}

Error cannot_write(const char* reason) {
  return {.kind = ErrorKind::CannotWrite,
          .message = std::string("standard output cannot be written: ") + reason};
}

// True for equal names, and for names of one file.
bool is_same_file(const std::string& out, const std::string& file) {
  std::error_code failed;
  return out == file || std::filesystem::equivalent(out, file == "-" ? "/dev/stdin" : file, failed);
}

Error interruption() { return {.kind = ErrorKind::Interrupted, .message = "interrupted"}; }

// True for files and terminals, where large outputs are of no use.
bool is_kept(const std::string& path) {
  struct stat status {};
  if (path != "-") return ::stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode);
  return ::isatty(STDOUT_FILENO) == 1 ||
         (::fstat(STDOUT_FILENO, &status) == 0 && S_ISREG(status.st_mode));
}

}  // namespace

std::string ending_of(const std::string& path) {
  constexpr std::size_t kLongest = 5;
  const std::string name = file_name(path);
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos || dot == 0) return {};
  const std::string ending = in_small_letters(name.substr(dot + 1));
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  const bool is_word =
      std::ranges::all_of(ending, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
  return is_word && is_letter(ending[0]) && (ending.size() <= kLongest || ending == "safetensors")
             ? ending
             : "";
}

std::string spoken_name(const std::string& file) { return file == "-" ? "standard input" : file; }

Console::Console() {
  fill_in(STDIN_FILENO);
  output_closed_ = fill_in(STDOUT_FILENO);
  fill_in(STDERR_FILENO);
  terminal_ = ::isatty(STDERR_FILENO) == 1;
  const char* no_color = std::getenv("NO_COLOR");
  colors = terminal_ && (no_color == nullptr || no_color[0] == '\0');
}

Status Console::write(std::string_view bytes) {
  if (!output_closed_ && write_all(STDOUT_FILENO, bytes)) return ok_status();
  write_failed = true;
  if (output_closed_) return cannot_write("it is closed");
  reader_left = errno == EPIPE;
  return cannot_write(std::strerror(errno));
}

Status Console::print(std::string_view text) { return write(printable_text(text)); }

void Console::put(std::string_view label, std::string_view color, std::string_view line) {
  std::string text = has_progress_ ? "\r\033[Kattnscope: " : "attnscope: ";
  if (colors) text += color;
  text += label;
  if (colors && !color.empty()) text += "\033[0m";
  text += printable_line(line);
  text += '\n';
  write_all(STDERR_FILENO, text);
}

std::string Console::time_label() const {
  if (!verbose) return {};
  const std::chrono::duration<double> since = std::chrono::steady_clock::now() - start_;
  return "[" + fixed_text(since.count(), 3) + " s] ";
}

void Console::message(std::string_view line) {
  if (!quiet) put(time_label(), "", line);
}

void Console::detail(std::string_view line) {
  if (verbose) put(time_label(), "", line);
}

void Console::warning(std::string_view line) {
  if (!quiet) put("warning: ", "\033[33m", line);
}

void Console::error(const Error& error) {
  Error shown = error;
  shown.file = spoken_name(error.file);
  put("error: ", "\033[31m", describe(shown));
}

void Console::progress(std::string_view text) {
  if (!shows_progress()) return;
  has_progress_ = !text.empty();
  write_all(STDERR_FILENO, "\r\033[K" + printable_line(text));
}

void watch_interruptions() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // exceeding a file size limit is reported as an error of write()
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    ::sigaction(signal, &action, &before);
    // nohup lets a call outlive its terminal.
    if (before.sa_handler == SIG_IGN) ::sigaction(signal, &before, nullptr);
  }
}

Status check_size(const Destination& destination, std::uint64_t bytes) {
  constexpr std::uint64_t kMost = 100'000'000;
  if (bytes <= kMost || destination.force || !is_kept(destination.path)) return ok_status();
  return Error{.kind = ErrorKind::CannotWrite,
               .message = "this would write about " + bytes_text(bytes) + " of text",
               .expected = "at most " + bytes_text(kMost),
               .hint = "add --force to write it all the same, or pipe it to another program"};
}

Status check_room(const Destination& destination, std::uint64_t bytes) {
  if (destination.path == "-" || !is_kept(destination.path)) return ok_status();
  const auto folder = std::filesystem::absolute(destination.path).parent_path();
  std::error_code failed;
  const std::uint64_t free = std::filesystem::space(folder, failed).available;
  if (failed || bytes <= free) return ok_status();
  return Error{
      .kind = ErrorKind::CannotWrite,
      .message = "this would write " + bytes_text(bytes) + ", more than its disk has room for",
      .file = destination.path,
      .expected = "at most " + bytes_text(free) + ", which are free",
      .hint = "choose fewer layers, heads or samples, or another disk"};
}

Status check_destination(const Destination& destination, std::span<const std::string> files,
                         std::string_view what) {
  if (destination.path == "-" || !is_regular_file(destination.path)) return ok_status();
  for (const std::string& file : files) {
    const bool is_of_model = is_file_of_model(destination.path, file);
    if (!is_of_model && !is_same_file(destination.path, file)) continue;
    const std::string is = is_of_model ? "a file of the model" : std::string(what);
    return usage_error(destination.path + " is " + is + ", which would be lost",
                       "write to another file");
  }
  if (destination.force) return ok_status();
  return Error{.kind = ErrorKind::CannotWrite,
               .message = "the file exists already",
               .file = destination.path,
               .hint = "add --force to replace it"};
}

Status check_ending(const Destination& destination, std::string_view ending,
                    std::string_view format) {
  const std::string promised = ending_of(destination.path);
  if (promised.empty() || promised == ending) return ok_status();
  const std::string& path = destination.path;
  return Error{.kind = ErrorKind::Usage,
               .message = "this writes " + std::string(format) + ", and the name " + path +
                          " has the ending of another format",
               .expected = "a name that ends in ." + std::string(ending) + ", or has no ending",
               .hint = "name it " + path.substr(0, path.rfind('.') + 1) + std::string(ending)};
}

Output::Output(Console& console, Destination destination)
    : console_(console), destination_(std::move(destination)) {}

// Removes the temporary file before an interruption can end the program.
Output::~Output() {
  writer_.reset();
  g_writing = 0;
}

bool Output::pass_on() {
  constexpr std::size_t kPortionBytes = std::size_t{1} << 16U;
  if (written_ && text_.size() >= kPortionBytes) written_ = write();
  return written_.ok();
}

Status Output::write() {
  const std::string text = std::exchange(text_, {});
  if (destination_.path == "-") return console_.write(text);
  if (!writer_) {
    g_writing = 1;
    Result<FileWriter> writer =
        FileWriter::open(destination_.path, overwrite_if(destination_.force));
    if (!writer) return writer.error();
    writer_.emplace(*std::move(writer));
  }
  if (g_interrupted != 0) return interruption();
  return writer_->write(text);
}

Status Output::finish() {
  if (written_) written_ = write();
  if (written_ && destination_.path != "-") written_ = put_in_place();
  console_.write_failed |= !written_.ok();
  return written_;
}

Status Output::put_in_place() {
  const std::string remark = remark_on_other_names(destination_.path);
  if (const Status written = writer_->commit(); !written) return written.error();
  if (g_interrupted != 0) return interruption();
  console_.message("wrote " + destination_.path + (remark.empty() ? "" : "; " + remark));
  return ok_status();
}

Status write_output(Console& console, const Destination& destination, std::string_view bytes) {
  Output output(console, destination);
  output.text() = bytes;
  return output.finish();
}

}  // namespace attn::cli
