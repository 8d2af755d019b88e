// The list of targets, and what they share.
#include "fuzz.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <filesystem>

#include "base/descriptor.h"
#include "base/utf8.h"
#include "cli/cli.h"
#include "support/process.h"

namespace attn::fuzz {
namespace {

constexpr Target kTargets[] = {
    {"arguments", fuzz_arguments},     {"arrays", fuzz_arrays},
    {"config", fuzz_config},           {"documents", fuzz_documents},
    {"folder", fuzz_folder},           {"notes", fuzz_notes},
    {"pasted_text", fuzz_pasted_text}, {"preferences", fuzz_preferences},
    {"tokenizers", fuzz_tokenizers},   {"unsaved_work", fuzz_unsaved_work},
    {"writers", fuzz_writers},
};

// Puts another file in place of a standard stream until it goes.
class Redirected {
 public:
  Redirected(int stream, int file) : stream_(stream), kept_(::dup(stream)) { ::dup2(file, stream); }
  ~Redirected() {
    ::dup2(kept_, stream_);
    ::close(kept_);
  }
  Redirected(const Redirected&) = delete;
  Redirected& operator=(const Redirected&) = delete;

 private:
  int stream_, kept_;
};

// A file in memory.
class Caught {
 public:
  Caught() : file_(::memfd_create("caught", MFD_CLOEXEC)) {}
  ~Caught() { ::close(file_); }
  Caught(const Caught&) = delete;
  Caught& operator=(const Caught&) = delete;
  int file() const { return file_; }

  std::string text() const {
    std::string all(static_cast<std::size_t>(::lseek(file_, 0, SEEK_END)), '\0');
    const ssize_t count = ::pread(file_, all.data(), all.size(), 0);
    expect(count == static_cast<ssize_t>(all.size()), "what was printed can be read");
    return all;
  }

 private:
  int file_;
};

class WorkingFolder {
 public:
  explicit WorkingFolder(const std::string& folder) : before_(std::filesystem::current_path()) {
    std::filesystem::current_path(folder);
  }
  ~WorkingFolder() { std::filesystem::current_path(before_); }
  WorkingFolder(const WorkingFolder&) = delete;
  WorkingFolder& operator=(const WorkingFolder&) = delete;

 private:
  std::filesystem::path before_;
};

int run_in(const Caught& out, const Caught& err, const std::vector<std::string>& arguments) {
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const Redirected in(STDIN_FILENO, nothing);
  const Redirected to_out(STDOUT_FILENO, out.file()), to_err(STDERR_FILENO, err.file());
  ::close(nothing);
  const WorkingFolder here(scratch_folder());
  return cli::run(arguments, [](const cli::ViewRequest&) { return 0; });
}

}  // namespace

std::span<const Target> all_targets() { return kTargets; }

void expect(bool holds, const std::string& promise) {
  if (!holds) throw BrokenPromise("broken: " + promise);
}

void expect_clear(const Error& error) {
  expect(!error.message.empty(), "an error has a message");
  for (const std::string& text : {error.message, error.found, error.expected, error.hint}) {
    expect(printable_line(text) == text, "an error is one printable line: " + text);
  }
  const std::string described = describe(error);
  expect(printable_line(described) == described, "described in one printable line: " + described);
  expect(!described.empty() && !describe_in_full(error).empty(), "errors are described");
}

std::size_t Bytes::below(std::size_t count) {
  if (rest_.empty()) return 0;
  const auto byte = static_cast<unsigned char>(rest_.front());
  rest_.remove_prefix(1);
  return byte % count;
}

std::string_view Bytes::line() {
  const std::size_t end = rest_.find('\n');
  const std::string_view taken = rest_.substr(0, end);
  rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  return taken;
}

const std::string& scratch_folder() {
  static const test::TemporaryFolder kFolder;
  return kFolder.path();
}

QuickFiles::QuickFiles() {
  file_calls().sync = [](int) { return 0; };
}

QuickFiles::~QuickFiles() { file_calls() = FileCalls(); }

Printed run_quietly(const std::vector<std::string>& arguments) {
  const QuickFiles quick;
  const Caught out, err;
  const int code = run_in(out, err, arguments);
  return {code, out.text(), err.text()};
}

}  // namespace attn::fuzz
