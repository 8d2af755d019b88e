// Header of GGUF, versions 2 and 3: metadata, which is skipped, then the name, shape, type and
// place of each tensor; extents come innermost first.
#include <algorithm>
#include <set>

#include "base/number_text.h"
#include "base/utf8.h"
#include "document/tensors/array_file.h"

namespace attn {
namespace {

// Cursor that returns zeros after its first failure.
class Cursor {
 public:
  explicit Cursor(std::string_view bytes) : bytes_(bytes) {}

  std::uint64_t number(std::size_t size) { return little_endian(take(size)); }
  std::string_view text() { return take(number(8)); }
  std::string_view take(std::uint64_t size) {
    failed_ = failed_ || size > bytes_.size() - at_;
    if (failed_) return {};
    const std::string_view taken = bytes_.substr(at_, static_cast<std::size_t>(size));
    at_ += taken.size();
    return taken;
  }
  bool failed() const { return failed_; }
  std::size_t at() const { return at_; }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

constexpr std::uint64_t kText = 8, kList = 9;

// Size by type of metadata; 0 for texts, lists and unknown types.
std::uint64_t metadata_bytes(std::uint64_t type) {
  constexpr std::uint64_t kBytes[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
  return type < std::size(kBytes) ? kBytes[type] : 0;
}

// Skips a value of metadata; false for an unknown type. Lists of lists are unknown, as no program
// writes them.
bool skip_value(Cursor& cursor, std::uint64_t type) {
  if (type == kText) return cursor.text(), true;
  if (type != kList) return metadata_bytes(type) != 0 && (cursor.take(metadata_bytes(type)), true);
  const std::uint64_t of = cursor.number(4), count = cursor.number(8);
  if (of == kText) {
    for (std::uint64_t i = 0; i < count && !cursor.failed(); ++i) cursor.text();
    return true;
  }
  const std::size_t bytes = element_count({static_cast<std::size_t>(count), metadata_bytes(of)});
  return metadata_bytes(of) != 0 && (cursor.take(bytes), true);
}

// The alignment of tensors, or 0 if the metadata is cut off.
std::uint64_t skip_metadata(Cursor& cursor, std::uint64_t count) {
  constexpr std::uint64_t kUsualAlignment = 32, kUnsigned = 4;
  std::uint64_t alignment = kUsualAlignment;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string_view key = cursor.text();
    const std::uint64_t type = cursor.number(4);
    if (key == "general.alignment" && type == kUnsigned) {
      alignment = cursor.number(4);
    } else if (!skip_value(cursor, type)) {
      return 0;
    }
    if (cursor.failed()) return 0;
  }
  return alignment;
}

struct Entry {
  StoredArray array;
  std::uint64_t type = 0, offset = 0;
};

// Reads the fields after the name.
Entry take_entry(Cursor& cursor, std::string_view name) {
  constexpr std::uint64_t kMostAxes = 4;
  Entry entry;
  entry.array.name = name;
  const std::uint64_t axes = cursor.number(4);
  if (axes > kMostAxes) cursor.take(std::uint64_t(-1));
  for (std::uint64_t i = 0; i < axes && !cursor.failed(); ++i) {
    entry.array.shape.insert(entry.array.shape.begin(), static_cast<std::size_t>(cursor.number(8)));
  }
  entry.type = cursor.number(4);
  entry.offset = cursor.number(8);
  return entry;
}

Error torn(std::string_view bytes, const std::string& expected) {
  return damaged_file("the header of the GGUF file is damaged", bytes_text(bytes.size()), expected);
}

// Sets type and data; null for types that are not read.
Status place_array(Entry& entry, std::string_view data) {
  entry.array.type = element_type_by(&ElementType::gguf, static_cast<std::int64_t>(entry.type));
  if (entry.array.type == nullptr) return ok_status();
  const std::size_t bytes = stored_bytes(entry.array);
  const bool is_whole_blocks =
      entry.array.shape.empty() || entry.array.shape.back() % entry.array.type->block == 0;
  if (!is_whole_blocks || entry.offset > data.size() || bytes > data.size() - entry.offset) {
    return damaged_file("the tensor lies outside of the file",
                        bytes_text(bytes) + " at byte " + std::to_string(entry.offset),
                        "within " + bytes_text(data.size()), "/" + entry.array.name);
  }
  entry.array.data = data.substr(static_cast<std::size_t>(entry.offset), bytes);
  return ok_status();
}

}  // namespace

Result<ArrayListing> list_gguf(std::string_view bytes, const ReadOptions& options) {
  Cursor cursor(bytes);
  cursor.take(4);
  const std::uint64_t version = cursor.number(4);
  if (version != 2 && version != 3) {
    return refusal_at("", "this version of GGUF is not known", std::to_string(version), "2 or 3",
                      "convert the file with the tools of llama.cpp");
  }
  const std::uint64_t tensors = cursor.number(8), values = cursor.number(8);
  if (cursor.failed()) return torn(bytes, "the numbers of tensors and of metadata");
  const std::uint64_t alignment = skip_metadata(cursor, values);
  if (alignment == 0 || alignment % 8 != 0) return torn(bytes, "metadata of known types");
  ArrayListing listing;
  std::vector<Entry> entries;
  std::set<std::string_view> names;
  for (std::uint64_t i = 0; i < tensors; ++i) {
    const std::string_view name = cursor.text();
    if (const Status counted = count_array(listing, name, options); !counted) {
      return counted.error();
    }
    entries.push_back(take_entry(cursor, name));
    if (cursor.failed()) return torn(bytes, std::to_string(tensors) + " tensors");
    if (!names.insert(name).second) {
      return torn(bytes, "every name once, not twice " + printable_line(name));
    }
  }
  const std::size_t begin = (cursor.at() + alignment - 1) / alignment * alignment;
  const std::string_view data = bytes.substr(std::min(begin, bytes.size()));
  for (Entry& entry : entries) {
    if (const Status placed = place_array(entry, data); !placed) return placed.error();
    list_array(listing, std::move(entry.array), "type " + std::to_string(entry.type));
  }
  return listing;
}

}  // namespace attn
