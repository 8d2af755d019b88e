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

// BadInput about a file that was torn or changed on its way. `place` is a JSON pointer.
Error damaged_file(const std::string& message, const std::string& found,
                   const std::string& expected, const std::string& place = "");

// Number of all the bytes, at most eight.
std::uint64_t little_endian(std::string_view bytes);

struct ZipMember {
  std::string name;
  bool deflated = false;
  std::uint32_t checksum = 0;  // CRC-32 of the unpacked bytes
  std::uint64_t size = 0;      // of the unpacked bytes
  std::string_view data;       // in the archive; the bytes themselves where they are stored
};

// BadInput for anything but a whole archive on one disk whose members lie within it, apart from
// each other, unencrypted, and under different names. No path is followed, nothing is unpacked.
// `count` is called for each member and may refuse it.
Result<std::vector<ZipMember>> list_zip(std::string_view bytes,
                                        const std::function<Status(const ZipMember&)>& count);

// At most the first `most` unpacked bytes. BadInput if the packed bytes are damaged, longer or
// shorter than the header states, or if all of it was unpacked and has another checksum.
Result<std::string> unpacked(const ZipMember& member, std::uint64_t most);

}  // namespace attn
