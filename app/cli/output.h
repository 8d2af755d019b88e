// Destination of data: standard output, or a file that is written atomically.
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

// Refuses, before computing: an existing file without `force`, one of the input `files` even with
// it, and names with braces, which suggest several files.
Status check_destination(const Destination& destination, std::span<const std::string> files = {});

// Errors: Usage if the extension implies another format than `format` ("JSON") with its extension
// `ending` ("json"). Only extensions of one to five letters count.
Status check_ending(const Destination& destination, std::string_view ending,
                    std::string_view format);

// Errors: CannotWrite for so many bytes without `force`, unless to a pipe or device.
Status check_size(const Destination& destination, std::uint64_t bytes);

// Bytes per write.
inline constexpr std::size_t kPortionBytes = std::size_t{1} << 16U;

// Borrows the console. Write in any portions, then finish(); otherwise no file is left.
class Output {
 public:
  Output(Console& console, Destination destination);
  Status write(std::string_view bytes);
  // Reports the written file on standard error.
  Status finish();

 private:
  Status hand_on();

  Console& console_;
  Destination destination_;
  std::string pending_;
  std::optional<WriteGuard> guard_;   // outlives the temporary file,
  std::optional<FileWriter> writer_;  // which is removed before an interruption ends the program
};

// Writes all bytes; errors and messages as of Output.
Status write_output(Console& console, const Destination& destination, std::string_view bytes);

}  // namespace attn::cli
