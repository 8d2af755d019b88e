// Hashes documents by xxHash, and finds records in pictures.
#include "export/provenance.h"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>

#include "base/joined.h"
#include "base/json.h"
#include "base/mapped_file.h"
#include "document/json/write.h"
#include "document/tensors/tensor_file.h"
#include "figure/pango_layout.h"

namespace attn {
namespace {

constexpr std::string_view kPngStart = "\x89PNG\r\n\x1a\n";
using HashPtr = std::unique_ptr<XXH3_state_t, Releaser<XXH3_freeState>>;

// Files up to this size are hashed whole; of larger ones only the size and evenly spread blocks,
// the first and the last among them.
constexpr std::size_t kMostHashed = std::size_t{1} << 26U, kBlock = std::size_t{1} << 14U;

Status add_file(XXH3_state_t* hash, const std::string& path, bool& in_parts) {
  const auto file = MappedFile::open(path);
  if (!file) return file.error();
  const std::string_view bytes = (*file)->bytes();
  if (bytes.size() <= kMostHashed) {
    XXH3_128bits_update(hash, bytes.data(), bytes.size());
    give_back(bytes.data(), bytes.size());
    return ok_status();
  }
  in_parts = true;
  const std::uint64_t size = bytes.size();
  XXH3_128bits_update(hash, &size, sizeof(size));
  constexpr std::size_t kBlocks = 1024;
  for (std::size_t i = 0; i < kBlocks; ++i) {
    const std::string_view block = bytes.substr((size - kBlock) * i / (kBlocks - 1), kBlock);
    XXH3_128bits_update(hash, block.data(), block.size());
    give_back(block.data(), block.size());
  }
  return ok_status();
}

std::size_t big_endian(std::string_view bytes) {
  std::size_t number = 0;
  for (const char c : bytes) number = number << 8U | static_cast<unsigned char>(c);
  return number;
}

// Chunks of PNG: length, type, data, checksum.
std::string record_in_png(std::string_view bytes) {
  constexpr std::size_t kFrame = 12;
  const std::string start = std::string(kRecordName) + '\0';
  bytes.remove_prefix(kPngStart.size());
  while (bytes.size() >= kFrame) {
    const std::size_t length = big_endian(bytes.substr(0, 4));
    if (length > bytes.size() - kFrame) break;
    const std::string_view data = bytes.substr(8, length);
    if (bytes.substr(4, 4) == "tEXt" && data.starts_with(start)) {
      return std::string(data.substr(start.size()));
    }
    bytes.remove_prefix(kFrame + length);
  }
  return "";
}

std::string record_in_svg(std::string_view bytes) {
  std::size_t at = bytes.find("id=\"" + std::string(kRecordName) + "\"");
  at = at == std::string_view::npos ? at : bytes.find('>', at);
  if (at == std::string_view::npos) return "";
  constexpr std::string_view kEntities[][2] = {
      {"&quot;", "\""}, {"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}};
  std::string text(bytes.substr(at + 1, bytes.find('<', at) - at - 1));
  for (const auto& [entity, letter] : kEntities) text = with_replaced(text, entity, letter);
  return text;
}

// Cairo writes a text with parentheses or backslashes in UTF-16, where every second byte is the
// character.
std::string record_in_pdf(std::string_view bytes) {
  constexpr std::string_view kPlain = "/Keywords (", kWide = "/Keywords <FEFF";
  std::string text;
  if (const std::size_t plain = bytes.rfind(kPlain); plain != bytes.npos) {
    return std::string(
        bytes.substr(plain + kPlain.size(), bytes.find(')', plain) - plain - kPlain.size()));
  }
  const std::size_t wide = bytes.rfind(kWide);
  if (wide == bytes.npos) return text;
  for (bytes.remove_prefix(wide + kWide.size()); bytes.starts_with("00"); bytes.remove_prefix(4)) {
    if (bytes.size() < 4) break;
    text += static_cast<char>(std::strtoul(std::string(bytes.substr(2, 2)).c_str(), nullptr, 16));
  }
  return text;
}

// The last extension is a comment in blocks, each after its length.
std::string record_in_gif(std::string_view bytes) {
  std::string text;
  bytes.remove_prefix(std::min(bytes.rfind("!\xFE"), bytes.size() - 2) + 2);
  while (bytes.size() > 1 && bytes.front() != '\0') {
    const std::size_t length = static_cast<unsigned char>(bytes.front());
    text += bytes.substr(1, length);
    bytes.remove_prefix(std::min(length + 1, bytes.size()));
  }
  return text;
}

}  // namespace

Result<std::string> hash_of(Document document) {
  document.panes.reset();
  document.reference.clear();
  if (document.source_model) document.source_model->base = document.source_model->folder;
  const HashPtr hash(XXH3_createState());
  if (hash == nullptr) throw std::bad_alloc();
  XXH3_128bits_reset(hash.get());
  const std::string text = write_document(document);
  XXH3_128bits_update(hash.get(), text.data(), text.size());
  bool in_parts = false;
  for (const std::string& file : files_of(document)) {
    if (const Status added = add_file(hash.get(), file, in_parts); !added) return added.error();
  }
  if (const Status whole = check_files(document); !whole) return whole.error();
  const XXH128_hash_t sum = XXH3_128bits_digest(hash.get());
  std::array<char, 33> digits{};
  std::snprintf(digits.data(), digits.size(), "%016" PRIx64 "%016" PRIx64, sum.high64, sum.low64);
  return digits.data() + std::string(in_parts ? kInParts : "");
}

std::string provenance_text(const Provenance& made) {
  const Json json{{"program", made.program},
                  {"document", made.document},
                  {"xxh3", made.hash},
                  {"call", made.call}};
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::string_view picture_format(std::string_view bytes) {
  constexpr std::size_t kBefore = 1024;  // a declaration, comments
  if (bytes.starts_with(kPngStart)) return "png";
  if (bytes.starts_with("%PDF-")) return "pdf";
  if (bytes.starts_with("GIF89a")) return "gif";
  constexpr std::string_view kPageStart = "<!doctype html>\n";
  if (bytes.starts_with(kPageStart)) return "html";
  const std::string_view text = bytes.substr(0, std::min(kBefore, bytes.find('\0')));
  const bool is_svg = text.starts_with('<') && text.find("<svg") != text.npos;
  return is_svg ? "svg" : "";
}

std::optional<Provenance> provenance_in(std::string_view picture) {
  const std::string_view format = picture_format(picture);
  const Json json = parse_own_json(format == "png"                       ? record_in_png(picture)
                                   : format == "svg" || format == "html" ? record_in_svg(picture)
                                   : format == "pdf"                     ? record_in_pdf(picture)
                                   : format == "gif"                     ? record_in_gif(picture)
                                                                         : "");
  if (!json.is_object()) return std::nullopt;
  const auto text = [&](const char* key) {
    return member_of(json, key, Json("")).get<std::string>();
  };
  Provenance made{text("program"), text("document"), text("xxh3"), text("call")};
  if (!made.program.starts_with(kRecordName)) return std::nullopt;
  return made;
}

}  // namespace attn
