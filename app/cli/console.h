// Standard output and standard error: data on one, messages on the other, failures noticed.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace attn::cli {

// What a message calls a FILE: "-" is "standard input".
std::string spoken_name(const std::string& file);

// One per run. Not thread-safe.
class Console {
 public:
  // Puts /dev/null in place of standard streams that were closed, so that no file that is opened
  // later can be mistaken for one of them.
  Console();

  // Without messages other than errors.
  void set_quiet(bool quiet) { quiet_ = quiet; }
  bool quiet() const { return quiet_; }

  // With details, and with the seconds since the start before each message.
  void set_verbose(bool verbose) { verbose_ = verbose; }
  // Whatever the terminal and NO_COLOR say.
  void set_without_colors() { colors_ = false; }

  // The file that is at work, for errors that do not know it.
  void set_file(std::string file) { file_ = std::move(file); }
  const std::string& file() const { return file_; }

  // Bytes to standard output at once; CannotWrite when it is closed or its disk is full.
  Status write(std::string_view bytes);
  // Text for people: what a terminal would obey, in titles and names, is visible in it.
  Status print(std::string_view text);
  // True when the reader of standard output left before the end, which is its right.
  bool reader_left() const { return reader_left_; }

  // A line to standard error, unless quiet, made visible likewise. All start with "attnscope: ".
  void message(std::string_view line);
  void detail(std::string_view line);  // only where details are wanted
  void warning(std::string_view line);
  void error(const Error& error);

  // Overwrites itself on a terminal, silent elsewhere. An empty text takes it away.
  bool shows_progress() const { return terminal_ && !quiet_; }
  void progress(std::string_view text);

 private:
  void put(std::string_view label, std::string_view color, std::string_view line);

  std::string time_label() const;  // "[0.012 s] "; empty where details are not wanted

  std::string file_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  bool quiet_ = false;
  bool verbose_ = false;
  bool terminal_ = false;
  bool colors_ = false;
  bool output_closed_ = false;
  bool reader_left_ = false;
};

// While one lives, an interruption waits until what is being written is whole; otherwise it ends
// the program at once with 130.
class WriteGuard {
 public:
  WriteGuard();
  ~WriteGuard();
  WriteGuard(const WriteGuard&) = delete;
  WriteGuard& operator=(const WriteGuard&) = delete;
};
void watch_interruptions();
bool interrupted();

}  // namespace attn::cli
