// Header of .safetensors: its length in eight bytes, then JSON that gives each array a type, a
// shape and a range of the bytes after the header. Index of several such files.
#include <algorithm>

#include "base/descriptor.h"
#include "base/number_text.h"
#include "base/utf8.h"
#include "document/problem.h"
#include "document/tensors/array_file.h"
#include "text/forms.h"

namespace attn {
namespace {

constexpr std::string_view kMetadata = "__metadata__";
constexpr std::string_view kNoteKey = "attnscope";  // key of the metadata
constexpr std::uint64_t kMostJsonBytes = 100'000'000;

struct TensorEntry {
  std::string type;
  Shape shape;
  std::vector<std::size_t> range;  // first byte, and the one after the last
};

bool read_counts(JsonValue list, std::vector<std::size_t>& counts) {
  return list.each_item(
      [&](JsonValue item) { return read_item(item, counts, sizeof(std::size_t), read_index); });
}

void read_entry(JsonValue value, TensorEntry& entry) {
  value.each_member([&](const std::string& key, JsonValue member) {
    if (key == "dtype") member.read_text(entry.type);
    if (key == "shape") read_counts(member, entry.shape);
    if (key == "data_offsets") read_counts(member, entry.range);
  });
}

Result<StoredArray> array_of(const std::string& name, const TensorEntry& entry,
                             std::string_view data) {
  const std::string place = "/" + name;
  const bool is_range =
      entry.range.size() == 2 && entry.range[0] <= entry.range[1] && entry.range[1] <= data.size();
  if (!is_range) {
    return damaged_file("the array lies outside of the file", shape_text(entry.range),
                        "two offsets within " + bytes_text(data.size()), place);
  }
  StoredArray array;
  array.name = name;
  array.shape = entry.shape;
  array.data = data.substr(entry.range[0], entry.range[1] - entry.range[0]);
  array.type = element_type_by(&ElementType::safetensors, std::string_view(entry.type));
  if (array.type == nullptr || stored_bytes(array) == array.data.size()) return array;
  return damaged_file("the bytes of the array do not match its shape",
                      counted(array.data.size(), "byte"),
                      shape_text(array.shape) + " of " + type_text(array) + ", which is " +
                          counted(stored_bytes(array), "byte"),
                      place);
}

// The format allows no gaps, so that a file can hide nothing.
Status check_places(std::vector<TensorEntry> entries, std::size_t size) {
  std::ranges::sort(entries, {}, &TensorEntry::range);
  std::size_t end = 0;
  for (const TensorEntry& entry : entries) {
    if (entry.range[0] != end) {
      return damaged_file("arrays overlap or leave a gap",
                          "one at byte " + std::to_string(entry.range[0]),
                          "one at byte " + std::to_string(end));
    }
    end = entry.range[1];
  }
  if (end == size) return ok_status();
  return damaged_file("the file is not as long as its header says",
                      grouped_text(size) + " bytes of numbers", grouped_text(end));
}

Result<std::string_view> header_of(std::string_view bytes) {
  constexpr std::size_t kLengthBytes = 8;
  const std::uint64_t length = little_endian(bytes.substr(0, kLengthBytes));
  if (bytes.size() >= kLengthBytes &&
      length <= std::min<std::uint64_t>(kMostJsonBytes, bytes.size() - kLengthBytes)) {
    return bytes.substr(kLengthBytes, static_cast<std::size_t>(length));
  }
  if (length > kMostJsonBytes && length < bytes.size()) {
    return refusal_at("", "the header of the file is longer than the format allows",
                      counted(length, "byte"), "at most " + counted(kMostJsonBytes, "byte"),
                      "write fewer arrays to one file: save the model in shards with an index");
  }
  return damaged_file("the file ends within its header", bytes_text(bytes.size()),
                      "a header of " + bytes_text(length));
}

std::optional<Error> error_of(JsonReader& reader) {
  if (is_cancelled(reader.options().progress)) return reading_stopped("");
  if (reader.broken()) return *reader.broken();
  if (reader.errors().empty()) return std::nullopt;
  return reader.errors().front();
}

}  // namespace

Result<ArrayListing> list_safetensors(std::string_view bytes, const ReadOptions& options) {
  if (auto pointer = lfs_refusal(bytes)) return *std::move(pointer);
  const Result<std::string_view> header = header_of(bytes);
  if (!header) return header.error();
  if (auto invalid = utf8_refusal(*header, "the header")) return *std::move(invalid);
  const std::string_view data =
      bytes.substr(static_cast<std::size_t>(header->data() - bytes.data()) + header->size());
  JsonReader reader(*header, options);
  ArrayListing listing;
  std::vector<TensorEntry> entries;
  Status sound = ok_status();
  if (!reader.is_empty()) {
    reader.root().each_member([&](const std::string& name, JsonValue value) {
      if (name == kMetadata) {
        value.each_member([&](const std::string& key, JsonValue text) {
          std::string other;
          text.read_text(key == kNoteKey ? listing.note : other);
        });
        return;
      }
      TensorEntry entry;
      read_entry(value, entry);
      if (sound) sound = count_array(listing, name, options);
      if (!sound || !reader.errors().empty()) return;
      Result<StoredArray> array = array_of(name, entry, data);
      if (!array) return void(sound = array.error());
      list_array(listing, *std::move(array), shortened(printable_line(entry.type), 20));
      entries.push_back(std::move(entry));
    });
  }
  if (const auto error = error_of(reader)) return *error;
  if (sound) sound = check_places(entries, data.size());
  return sound ? Result<ArrayListing>(std::move(listing)) : sound.error();
}

bool is_shard_index(std::string_view start, std::string_view name) {
  constexpr std::string_view kBlanks = " \t\r\n", kKey = "\"weight_map\"";
  const auto next = [&](std::size_t from) {
    const std::size_t at = start.find_first_not_of(kBlanks, from);
    return at == start.npos ? '\0' : start[at];
  };
  if (start.find('\0') != start.npos) return false;  // the length of a header
  if (name.ends_with(".safetensors.index.json")) return true;
  const std::size_t key = start.find(kKey);
  return next(0) == '{' && key != start.npos && next(key + kKey.size()) == ':';
}

Result<std::vector<std::pair<std::string, std::string>>> read_shard_index(
    std::string_view json, const ReadOptions& options) {
  if (auto invalid = utf8_refusal(json, "the index")) return *std::move(invalid);
  JsonReader reader(json, options);
  std::vector<std::pair<std::string, std::string>> places;
  std::string found = "no \"weight_map\"";
  if (!reader.is_empty()) {
    reader.root().each_member([&](const std::string& name, JsonValue value) {
      if (name != "weight_map") return;
      found = "an empty object";
      value.each_member([&](const std::string& array, JsonValue file) {
        std::string shard;
        if (!file.read_text(shard)) return;
        const bool is_name = shard.find_first_of(std::string_view("/\0", 2)) == shard.npos;
        if (shard.empty() || !is_name || shard == "..") {
          file.refuse("a shard must be in the folder of its index",
                      "\"" + shortened(printable_line(shard), 60) + "\"",
                      "a file name without a folder");
          return;
        }
        places.emplace_back(array, std::move(shard));
      });
    });
  }
  if (const auto error = error_of(reader)) return *error;
  if (!places.empty()) return places;
  return refusal_at("/weight_map", "the index names no arrays", found,
                    "\"weight_map\": {\"NAME\": \"FILE.safetensors\", …}");
}

}  // namespace attn
