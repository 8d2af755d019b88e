// Bytes of binary files, and members of a ZIP archive, as NumPy writes .npz: stored or deflated,
// with 64-bit sizes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace attn {

// BadInput about a file that is damaged. `place` is a JSON pointer.
Error damaged_file(const std::string& message, const std::string& found,
                   const std::string& expected, const std::string& place = "");

// Little-endian number of all the bytes, at most eight.
std::uint64_t little_endian(std::string_view bytes);

struct ZipMember {
  std::string name;
  bool deflated = false;
  std::uint32_t checksum = 0;  // CRC-32 of the unpacked bytes
  std::uint64_t size = 0;      // of the unpacked bytes
  std::string_view data;       // in the archive; not packed if stored
};

// BadInput for anything but a whole archive on one disk with members that do not overlap, are
// unencrypted and have different names. Follows no path and unpacks nothing. Calls `count` for each
// member, which may refuse it.
Result<std::vector<ZipMember>> list_zip(std::string_view bytes,
                                        const std::function<Status(const ZipMember&)>& count);

// Returns at most the first `most` unpacked bytes. BadInput if the packed bytes are damaged, longer
// or shorter than the header states, or if all of it was unpacked and has another checksum.
Result<std::string> unpacked(const ZipMember& member, std::uint64_t most);

}  // namespace attn
