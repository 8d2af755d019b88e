// Standard output for data, standard error for messages, and files that are written atomically.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/files.h"
#include "base/result.h"

namespace attn::cli {

// Returns the name of FILE in messages: "standard input" for "-".
std::string spoken_name(const std::string& file);

// The streams and messages of a run, which has one. Not thread-safe.
class Console {
 public:
  // Opens /dev/null for standard streams that were closed, so that no file opened later takes their
  // descriptors.
  Console();

  bool quiet = false;         // no messages but errors
  bool verbose = false;       // details, and the seconds since the start before each message
  bool colors = false;        // as the terminal and NO_COLOR say
  std::string file;           // in progress, for errors that name none
  bool reports = false;       // some work's progress is being shown
  bool write_failed = false;  // an output failed as others would: its disk is full, say
  bool reader_left = false;   // the reader of standard output closed it early, which is no error

  // Writes bytes to standard output, unbuffered; CannotWrite if it is closed or its disk is full.
  Status write(std::string_view bytes);
  // Writes text for people: control characters in titles and names are made visible.
  Status print(std::string_view text);

  // Writes a printable line to standard error, unless quiet. All begin with "attnscope: ".
  void message(std::string_view line);
  void detail(std::string_view line);  // only if verbose
  void warning(std::string_view line);
  void error(const Error& error);

  // Writes a line that the next one overwrites, only on a terminal. An empty text removes it.
  bool shows_progress() const { return terminal_ && !quiet; }
  void progress(std::string_view text);

 private:
  void put(std::string_view label, std::string_view color, std::string_view line);

  std::string time_label() const;  // "[0.012 s] "; empty unless verbose

  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  bool terminal_ = false;
  std::atomic<bool> has_progress_ = false;  // a line to be overwritten
  bool output_closed_ = false;
};

// While an Output writes a file, SIGINT, SIGTERM and SIGHUP take effect after the write; otherwise
// they end the program at once with 128 and their number.
void watch_interruptions();

struct Destination {
  std::string path = "-";  // "-" is standard output
  bool force = false;      // replace an existing file
  std::string format{};    // "png"; empty: by the ending of the path
};

// Refuses, before computing, an existing file without `force`, and one of the input `files` even
// with it. `what` names these in errors.
Status check_destination(const Destination& destination, std::span<const std::string> files = {},
                         std::string_view what = "the document itself");

// Refuses more bytes (CannotWrite) than are free on the disk of a file.
Status check_room(const Destination& destination, std::uint64_t bytes);

// "npy" of "w.NPY"; empty for names that imply no format: "-", "w", "run-0.9", ".hidden".
std::string ending_of(const std::string& path);

// Refuses an extension (Usage) that implies another format than `format` ("JSON") with its
// extension `ending` ("json"). Only extensions of one to five letters count.
Status check_ending(const Destination& destination, std::string_view ending,
                    std::string_view format);

// Refuses too many bytes (CannotWrite) without `force`, unless to a pipe or device.
Status check_size(const Destination& destination, std::uint64_t bytes);

// Borrows the console. Append to text() and call pass_on() between portions, then finish();
// otherwise no file is left.
class Output {
 public:
  Output(Console& console, Destination destination);
  ~Output();
  std::string& text() { return text_; }
  // Writes the text once it is long; false after a failure, which finish() returns.
  bool pass_on();
  // Reports the written file on standard error.
  Status finish();

 private:
  Status write();
  Status put_in_place();

  Console& console_;
  Destination destination_;
  std::string text_;
  Status written_ = ok_status();
  std::optional<FileWriter> writer_;
};

// Writes all bytes; errors and messages as of Output.
Status write_output(Console& console, const Destination& destination, std::string_view bytes);

}  // namespace attn::cli
