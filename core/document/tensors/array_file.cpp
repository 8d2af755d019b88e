// The list of array formats.
#include "document/tensors/array_file.h"

#include "base/utf8.h"
#include "kinds/parts/findings.h"

namespace attn {
namespace {

bool is_npy(std::string_view start) { return start.starts_with(kNpyMagic); }

// PyTorch's files are archives too, with pickles as members.
bool is_npz(std::string_view start) {
  const bool is_archive = start.starts_with("PK\x03\x04") || start.starts_with("PK\x05\x06");
  return is_archive && start.find("data.pkl") == start.npos;
}

// Recognises the header's length in eight bytes, of which no file needs more than four, and then
// the header in JSON. The lower bytes are not checked: some lengths begin like another format.
bool is_safetensors(std::string_view start) {
  using namespace std::string_view_literals;
  return start.substr(std::min<std::size_t>(start.size(), 4)).starts_with("\0\0\0\0{"sv);
}

bool is_gguf(std::string_view start) { return start.starts_with("GGUF"); }

constexpr ArrayFormat kFormats[] = {
    {".npy file", "\\x93NUMPY", is_npy, list_npy},
    {".safetensors file", "8 bytes of length, then {", is_safetensors, list_safetensors},
    {".npz archive", "PK", is_npz, list_npz},
    {".gguf file", "GGUF", is_gguf, list_gguf}};

}  // namespace

const ArrayFormat* array_format_of(std::string_view start) {
  const auto format =
      std::ranges::find_if(kFormats, [&](const ArrayFormat& known) { return known.sniff(start); });
  return format == std::end(kFormats) ? nullptr : format;
}

const ArrayFormat& array_format_called(std::string_view name) {
  const std::string small = in_small_letters(name);
  for (const ArrayFormat& known : kFormats) {
    if (small.ends_with(known.name.substr(0, known.name.find(' ')))) return known;
  }
  return kFormats[0];
}

std::optional<Error> lfs_refusal(std::string_view start) {
  if (!start.starts_with("version https://git-lfs.github.com/")) return std::nullopt;
  return refusal_at("", "this is a pointer of Git LFS, not the file itself",
                    "\"version https://git-lfs…\"", "the content of the file",
                    "download it: git lfs install, and git lfs pull in its folder");
}

}  // namespace attn
