// Output of a subcommand by way of a temporary file; refuses to overwrite without force.
#include "cli/output.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <utility>

#include "base/number_text.h"

namespace attn::cli {
namespace {

// Equal names, or names of one file.
bool is_same_file(const std::string& out, const std::string& file) {
  if (out == "-") return false;
  if (out == file) return true;
  struct stat written {};
  struct stat read {};
  const bool known =
      file == "-" ? ::fstat(STDIN_FILENO, &read) == 0 : ::stat(file.c_str(), &read) == 0;
  return known && S_ISREG(read.st_mode) && ::stat(out.c_str(), &written) == 0 &&
         written.st_dev == read.st_dev && written.st_ino == read.st_ino;
}

// "npy" of "w.NPY"; empty for names that imply no format: "-", "w", "run-0.9", ".hidden".
std::string ending_of(const std::string& path) {
  constexpr std::size_t kLongest = 5;
  const std::string name = path.substr(path.rfind('/') + 1);
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos || dot == 0) return {};
  std::string ending = name.substr(dot + 1);
  const auto is_letter = [](unsigned char c) { return std::isalpha(c) != 0; };
  const auto is_of_words = [](unsigned char c) { return std::isalnum(c) != 0; };
  const bool is_one = !ending.empty() && ending.size() <= kLongest &&
                      is_letter(static_cast<unsigned char>(ending[0])) &&
                      std::ranges::all_of(ending, is_of_words);
  if (!is_one) return {};
  std::ranges::transform(ending, ending.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending;
}

Error interruption() { return {.kind = ErrorKind::Interrupted, .message = "interrupted"}; }

// "fig-{layer}.pdf" is not expanded.
Status check_braces(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  const std::size_t open = name.find('{');
  if (open == std::string::npos || name.find('}', open) == std::string::npos) return ok_status();
  return Error{.kind = ErrorKind::Usage,
               .message = "the name " + name + " has braces, which stand for nothing",
               .expected = "the name of one file",
               .hint =
                   "call attnscope once for each, as in "
                   "for l in 0 1 2; do attnscope export FILE --layer $l -o fig-$l.pdf; done"};
}

// True for files and terminals, where large outputs are of no use.
bool is_kept(const std::string& path) {
  struct stat status {};
  if (path != "-") return ::stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode);
  return ::isatty(STDOUT_FILENO) == 1 ||
         (::fstat(STDOUT_FILENO, &status) == 0 && S_ISREG(status.st_mode));
}

}  // namespace

Status check_size(const Destination& destination, std::uint64_t bytes) {
  constexpr std::uint64_t kMost = 100'000'000;
  if (bytes <= kMost || destination.force || !is_kept(destination.path)) return ok_status();
  return Error{
      .kind = ErrorKind::CannotWrite,
      .message = "this would write about " + bytes_text(bytes) + " of text",
      .expected = "at most " + bytes_text(kMost),
      .hint = "add --force to write it all the same, or hand it to another program by a pipe"};
}

Status check_destination(const Destination& destination, std::span<const std::string> files) {
  if (Status plain = check_braces(destination.path); !plain) return plain;
  for (const std::string& file : files) {
    if (!is_same_file(destination.path, file)) continue;
    return usage_error(destination.path + " is the document itself, which would be lost",
                       "write to another file");
  }
  std::error_code failed;
  const bool taken = destination.path != "-" && !destination.force &&
                     std::filesystem::is_regular_file(destination.path, failed);
  if (!taken) return ok_status();
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
                          " promises something else",
               .expected = "a name that ends in ." + std::string(ending) + ", or has no ending",
               .hint = "name it " + path.substr(0, path.rfind('.') + 1) + std::string(ending)};
}

Output::Output(Console& console, Destination destination)
    : console_(console), destination_(std::move(destination)) {}

Status Output::write(std::string_view bytes) {
  pending_ += bytes;
  return pending_.size() < kPortionBytes ? ok_status() : hand_on();
}

Status Output::hand_on() {
  if (destination_.path == "-") return console_.write(std::exchange(pending_, {}));
  if (!writer_) {
    const Overwrite overwrite = destination_.force ? Overwrite::Replace : Overwrite::Refuse;
    guard_.emplace();
    Result<FileWriter> writer = FileWriter::open(destination_.path, overwrite);
    if (!writer) return writer.error();
    writer_.emplace(*std::move(writer));
  }
  if (interrupted()) return interruption();
  return writer_->write(std::exchange(pending_, {}));
}

Status Output::finish() {
  Status handed_on = hand_on();
  if (!handed_on || destination_.path == "-") return handed_on;
  const std::string remark = remark_on_other_names(destination_.path);
  if (const Status written = writer_->commit(); !written) return written.error();
  if (interrupted()) return interruption();
  console_.message("wrote " + destination_.path + (remark.empty() ? "" : "; " + remark));
  return ok_status();
}

Status write_output(Console& console, const Destination& destination, std::string_view bytes) {
  Output output(console, destination);
  const Status written = output.write(bytes);
  return written ? output.finish() : written;
}

}  // namespace attn::cli
