// Where the data of a subcommand goes: standard output or a file that appears whole or not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/files.h"
#include "base/result.h"
#include "cli/console.h"

namespace attn::cli {

struct Destination {
  std::string path = "-";  // "-" is standard output
  bool force = false;      // replace an existing file
};

// Refuses, before anything has been computed, an existing file without `force`, one of the `files`
// that are read even with it, and a name with braces, which would stand for several.
Status check_destination(const Destination& destination, std::span<const std::string> files = {});

// Refuses (Usage) a name whose ending promises another format than `format` ("JSON"), which names
// end in as `ending` says ("json"). What is no word of at most five letters is no ending.
Status check_ending(const Destination& destination, std::string_view ending,
                    std::string_view format);

// Refuses (CannotWrite) so many bytes without `force`, unless they go to a pipe or a device.
Status check_size(const Destination& destination, std::uint64_t bytes);

// How much is written at once.
inline constexpr std::size_t kPortionBytes = std::size_t{1} << 16U;

// Borrows the console. Write in any portions, then finish(); what is not finished leaves no file.
class Output {
 public:
  Output(Console& console, Destination destination);
  Status write(std::string_view bytes);
  // Says on standard error what was written.
  Status finish();

 private:
  Status hand_on();

  Console& console_;
  Destination destination_;
  std::string pending_;
  std::optional<WriteGuard> guard_;   // as long as there is a file,
  std::optional<FileWriter> writer_;  // which is gone before an interruption ends the program
};

// All of it at once, with what went well or wrong as Output has it.
Status write_output(Console& console, const Destination& destination, std::string_view bytes);

}  // namespace attn::cli
