// Directory of a ZIP archive (PKWARE's APPNOTE 6.3, sections 4.3.7 to 4.5.3), and inflation.
#include "document/tensors/zip.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <set>

#include "base/number_text.h"
#include "base/utf8.h"

namespace attn {
namespace {

constexpr std::uint32_t kSaturated = 0xFFFFFFFFU;  // the value is among the extra fields
constexpr std::uint16_t kStored = 0, kDeflated = 8;

Error damaged(const std::string& what, const std::string& found, const std::string& expected) {
  return damaged_file("the archive is damaged: " + what, found, expected);
}

// Number in `bytes` bytes, which are within the text.
std::uint64_t number(std::string_view text, std::uint64_t at, std::size_t bytes) {
  return little_endian(text.substr(static_cast<std::size_t>(at), bytes));
}

bool holds(std::string_view bytes, std::uint64_t at, std::uint64_t size) {
  return at <= bytes.size() && size <= bytes.size() - at;
}

struct Directory {
  std::uint64_t at = 0, size = 0, members = 0;
};

// The record of archives beyond 32 bits, which a locator before the last record points to.
std::optional<Directory> large_directory(std::string_view bytes, std::uint64_t end) {
  constexpr std::uint64_t kLocatorBytes = 20, kRecordBytes = 56;
  if (end < kLocatorBytes || !bytes.substr(end - kLocatorBytes).starts_with("PK\x06\x07")) {
    return std::nullopt;
  }
  const std::uint64_t record = number(bytes, end - kLocatorBytes + 8, 8);
  const bool is_record =
      holds(bytes, record, kRecordBytes) && bytes.substr(record).starts_with("PK\x06\x06");
  if (!is_record) return Directory{bytes.size(), 1, 1};
  return Directory{number(bytes, record + 48, 8), number(bytes, record + 40, 8),
                   number(bytes, record + 32, 8)};
}

Result<Directory> find_directory(std::string_view bytes) {
  constexpr std::size_t kRecordBytes = 22, kMostComment = 65535;
  const std::size_t from = bytes.size() - std::min(bytes.size(), kRecordBytes + kMostComment);
  const std::size_t end = bytes.rfind("PK\x05\x06");
  if (end == bytes.npos || end < from || bytes.size() - end < kRecordBytes) {
    return damaged("it has no directory", "the end of the file", "the record at its end");
  }
  const Directory small{number(bytes, end + 16, 4), number(bytes, end + 12, 4),
                        number(bytes, end + 10, 2)};
  const Directory directory = large_directory(bytes, end).value_or(small);
  if (number(bytes, end + 4, 4) != 0 || !holds(bytes, directory.at, directory.size)) {
    return damaged("its directory is outside of the file",
                   "at byte " + std::to_string(directory.at), "within " + bytes_text(bytes.size()));
  }
  return directory;
}

// Takes sizes and offset that do not fit 32 bits from field 1 of the extra ones, in this order.
bool take_large_values(std::string_view extra, std::initializer_list<std::uint64_t*> values) {
  constexpr std::size_t kHead = 4, kValue = 8;
  const auto is_large = [](const std::uint64_t* value) { return *value == kSaturated; };
  if (std::ranges::none_of(values, is_large)) return true;
  while (extra.size() >= kHead) {
    const std::uint64_t id = number(extra, 0, 2), size = number(extra, 2, 2);
    extra.remove_prefix(kHead);
    if (size > extra.size()) return false;
    std::string_view field = extra.substr(0, size);
    extra.remove_prefix(size);
    if (id != 1) continue;
    for (std::uint64_t* value : values) {
      if (!is_large(value)) continue;
      if (field.size() < kValue) return false;
      *value = number(field, 0, kValue);
      field.remove_prefix(kValue);
    }
    return true;
  }
  return false;
}

// The bytes of a member after its own header, whose names may be longer than in the directory.
std::optional<std::string_view> data_of(std::string_view bytes, std::uint64_t header,
                                        std::uint64_t size) {
  constexpr std::uint64_t kHeaderBytes = 30;
  if (!holds(bytes, header, kHeaderBytes) || !bytes.substr(header).starts_with("PK\x03\x04")) {
    return std::nullopt;
  }
  const std::uint64_t data =
      header + kHeaderBytes + number(bytes, header + 26, 2) + number(bytes, header + 28, 2);
  if (!holds(bytes, data, size)) return std::nullopt;
  return bytes.substr(data, size);
}

// Takes the next entry of the directory off `left`.
Result<ZipMember> take_member(std::string_view bytes, std::string_view& left) {
  constexpr std::uint64_t kEntryBytes = 46;
  const auto torn = [&] {
    return damaged("an entry of its directory is cut off", bytes_text(left.size()) + " left",
                   "a name, sizes and a place within the file");
  };
  if (left.size() < kEntryBytes || !left.starts_with("PK\x01\x02")) return torn();
  const std::uint64_t name = number(left, 28, 2), extra = number(left, 30, 2),
                      entry = kEntryBytes + name + extra + number(left, 32, 2);
  if (left.size() < entry) return torn();
  ZipMember member;
  member.name = left.substr(kEntryBytes, name);
  const std::string shown = "“" + shortened(printable_line(member.name), 60) + "”";
  const std::uint64_t flags = number(left, 8, 2), method = number(left, 10, 2);
  member.checksum = static_cast<std::uint32_t>(number(left, 16, 4));
  std::uint64_t packed = number(left, 20, 4), header = number(left, 42, 4);
  member.size = number(left, 24, 4);
  const std::string_view fields = left.substr(kEntryBytes + name, extra);
  left.remove_prefix(entry);
  if ((flags & 1U) != 0 || (method != kStored && method != kDeflated)) {
    return refusal_at("", "a member of the archive is compressed by an unknown method", shown,
                      "stored or deflated, without encryption", "save it with numpy.savez");
  }
  if (!take_large_values(fields, {&member.size, &packed, &header})) return torn();
  member.deflated = method == kDeflated;
  const std::optional<std::string_view> data = data_of(bytes, header, packed);
  if (!data || (!member.deflated && packed != member.size)) {
    return damaged("a member is outside of the file", shown, "its bytes within the file");
  }
  constexpr std::uint64_t kMostGrowth = 1040;  // of deflate: 258 bytes by two bits
  if (member.deflated && member.size / kMostGrowth > packed) {
    return damaged("the stated size of a member is impossible",
                   shown + " of " + bytes_text(member.size),
                   "at most " + bytes_text(packed * kMostGrowth));
  }
  member.data = *data;
  return member;
}

Status check_members(const std::vector<ZipMember>& members) {
  std::set<std::string_view> names;
  std::vector<std::string_view> places;
  for (const ZipMember& member : members) {
    if (!names.insert(member.name).second) {
      return damaged("two members have one name",
                     "“" + shortened(printable_line(member.name), 60) + "”", "different names");
    }
    places.push_back(member.data);
  }
  std::ranges::sort(places, {}, [](std::string_view place) { return place.data(); });
  for (std::size_t i = 1; i < places.size(); ++i) {
    if (places[i - 1].data() + places[i - 1].size() <= places[i].data()) continue;
    return damaged("two members share bytes", "an overlap", "members apart from each other");
  }
  return ok_status();
}

}  // namespace

Error damaged_file(const std::string& message, const std::string& found,
                   const std::string& expected, const std::string& place) {
  return refusal_at(place, message, found, expected, "copy or save the file again");
}

std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  bytes.copy(reinterpret_cast<char*>(&value), sizeof value);
  return value;
}

Result<std::vector<ZipMember>> list_zip(std::string_view bytes,
                                        const std::function<Status(const ZipMember&)>& count) {
  const Result<Directory> directory = find_directory(bytes);
  if (!directory) return directory.error();
  std::string_view left = bytes.substr(directory->at, directory->size);
  std::vector<ZipMember> members;
  for (std::uint64_t i = 0; i < directory->members; ++i) {
    Result<ZipMember> member = take_member(bytes, left);
    if (!member) return member.error();
    if (const Status counted = count(*member); !counted) return counted.error();
    members.push_back(*std::move(member));
  }
  const Status sound = check_members(members);
  return sound ? Result<std::vector<ZipMember>>(std::move(members)) : sound.error();
}

Result<std::string> unpacked(const ZipMember& member, std::uint64_t most) {
  const auto wanted = static_cast<std::size_t>(std::min(member.size, most));
  if (!member.deflated) return std::string(member.data.substr(0, wanted));
  std::string out(wanted, '\0');
  z_stream stream{};
  constexpr int kWithoutHeader = -15;
  if (inflateInit2(&stream, kWithoutHeader) != Z_OK) throw std::bad_alloc();
  constexpr std::size_t kPortion = std::numeric_limits<uInt>::max() / 2;
  std::size_t read = 0, written = 0;
  int state = Z_OK;
  while (state == Z_OK && written < wanted) {
    const std::size_t input = std::min(member.data.size() - read, kPortion);
    const std::size_t space = std::min(wanted - written, kPortion);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(member.data.data() + read));
    stream.avail_in = static_cast<uInt>(input);
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + written);
    stream.avail_out = static_cast<uInt>(space);
    state = inflate(&stream, Z_NO_FLUSH);
    read += input - stream.avail_in;
    written += space - stream.avail_out;
  }
  inflateEnd(&stream);
  const bool is_whole = wanted == member.size;
  const bool is_sound =
      written == wanted && (!is_whole || crc32_z(0, reinterpret_cast<Bytef*>(out.data()),
                                                 out.size()) == member.checksum);
  if (is_sound) return out;
  return damaged("the size or checksum of a member does not match",
                 bytes_text(written) + " unpacked",
                 bytes_text(wanted) + " with the stored checksum");
}

}  // namespace attn
