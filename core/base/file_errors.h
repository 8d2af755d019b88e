// Errors of reading and writing files.
#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"

namespace attn {

Error file_error(ErrorKind kind, const std::string& path, std::string message, std::string hint);
// `code`: errno.
Error cannot_open(const std::string& path, int code);
Error cannot_read(const std::string& path, int code);
Error cannot_write(const std::string& path, int code);
Error is_a_folder(const std::string& path);
Error too_large(const std::string& path, std::uint64_t size, std::uint64_t limit);
Error cut_short(const std::string& path, std::uint64_t size, std::uint64_t before);
Error reading_stopped(const std::string& path);

}  // namespace attn
