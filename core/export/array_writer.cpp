// Headers of NumPy, of archives and of safetensors.
#include "export/array_writer.h"

#include <libdeflate.h>

#include <cassert>

#include "base/json.h"
#include "base/utf8.h"

namespace attn {
namespace {

constexpr std::string_view kNote = "attnscope";  // name of the note among arrays or metadata

std::string little_endian(std::uint64_t value, std::size_t bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xFFU);
  return text;
}

// Version 1.0 of the format: numbers begin at a multiple of 64 bytes.
std::string npy_header(const std::string& descr, const Shape& shape) {
  constexpr std::size_t kBefore = 10, kAlignment = 64;
  std::string extents = shape_text(shape);
  if (shape.size() == 1) extents.insert(extents.size() - 1, ",");
  std::string header =
      "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + extents + ", }";
  header.resize((kBefore + header.size() + kAlignment) / kAlignment * kAlignment - kBefore - 1,
                ' ');
  header += '\n';
  return "\x93NUMPY\x01" + std::string(1, '\0') + little_endian(header.size(), 2) + header;
}

// An array without axes of one text, in UTF-32.
std::string npy_of_text(const std::string& text) {
  std::string numbers;
  const std::vector<char32_t> letters = code_points(text);
  for (const char32_t letter : letters) numbers += little_endian(letter, 4);
  return npy_header("<U" + std::to_string(letters.size()), {}) + numbers;
}

std::uint64_t float_bytes(const Shape& shape) { return element_count(shape) * sizeof(float); }

std::string safetensors_header(const std::vector<WrittenArray>& arrays, const std::string& note) {
  Json header = Json::object();
  if (!note.empty()) header["__metadata__"] = {{std::string(kNote), note}};
  std::uint64_t begin = 0;
  for (const WrittenArray& array : arrays) {
    const std::uint64_t end = begin + float_bytes(array.shape);
    header[array.name] = {{"dtype", "F32"}, {"shape", array.shape}, {"data_offsets", {begin, end}}};
    begin = end;
  }
  std::string text = header.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.resize((text.size() + 7) / 8 * 8, ' ');
  return little_endian(text.size(), 8) + text;
}

// Sizes are 64 bits wide; the checksum of streamed bytes follows them.
constexpr std::uint64_t kVersion = 45, kChecksumFollows = 8, kInExtra = 0xFFFFFFFFU;

std::string member_header(const std::string& name, std::uint64_t size) {
  const std::string extra =
      little_endian(1, 2) + little_endian(16, 2) + little_endian(size, 8) + little_endian(size, 8);
  return "PK\x03\x04" + little_endian(kVersion, 2) + little_endian(kChecksumFollows, 2) +
         little_endian(0, 2) + little_endian(0x00210000, 4) + little_endian(0, 4) +
         little_endian(kInExtra, 4) + little_endian(kInExtra, 4) + little_endian(name.size(), 2) +
         little_endian(extra.size(), 2) + name + extra;
}

}  // namespace

ArrayWriter::ArrayWriter(ArrayFileFormat format, std::vector<WrittenArray> arrays,
                         const std::string& note, std::string& out)
    : format_(format), arrays_(std::move(arrays)), out_(out) {
  if (format_ == ArrayFileFormat::Safetensors) write(safetensors_header(arrays_, note));
  if (format_ == ArrayFileFormat::Npz && !note.empty()) {
    const std::string array = npy_of_text(note);
    begin_member(std::string(kNote), array.size());
    write(array);
    end_member();
  }
}

void ArrayWriter::write(std::string_view bytes) {
  out_ += bytes;
  written_ += bytes.size();
  if (members_.empty()) return;
  Member& member = members_.back();
  member.checksum = libdeflate_crc32(member.checksum, bytes.data(), bytes.size());
}

void ArrayWriter::begin_member(const std::string& name, std::uint64_t size) {
  members_.push_back({name + ".npy", written_, size, 0});
  write(member_header(members_.back().name, size));
  members_.back().checksum = 0;
}

void ArrayWriter::end_member() {
  const Member& member = members_.back();
  out_ += "PK\x07\x08" + little_endian(member.checksum, 4) + little_endian(member.size, 8) +
          little_endian(member.size, 8);
  written_ += 24;
}

void ArrayWriter::begin_array() {
  const WrittenArray& array = arrays_[array_];
  left_ = element_count(array.shape);
  if (format_ == ArrayFileFormat::Safetensors) return;
  const std::string header = npy_header("<f4", array.shape);
  if (format_ == ArrayFileFormat::Npz) {
    begin_member(array.name, header.size() + float_bytes(array.shape));
  }
  write(header);
}

void ArrayWriter::append(std::span<const float> numbers) {
  if (left_ == 0) begin_array();
  assert(numbers.size() <= left_);
  write({reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()});
  left_ -= numbers.size();
  if (left_ > 0) return;
  ++array_;
  if (format_ == ArrayFileFormat::Npz) end_member();
}

void ArrayWriter::finish() {
  if (format_ != ArrayFileFormat::Npz) return;
  const std::uint64_t begin = written_;
  for (const Member& member : members_) {
    const std::string extra = little_endian(1, 2) + little_endian(24, 2) +
                              little_endian(member.size, 8) + little_endian(member.size, 8) +
                              little_endian(member.begin, 8);
    const std::string entry = "PK\x01\x02" + little_endian(kVersion, 2) +
                              little_endian(kVersion, 2) + little_endian(kChecksumFollows, 2) +
                              little_endian(0, 2) + little_endian(0x00210000, 4) +
                              little_endian(member.checksum, 4) + little_endian(kInExtra, 4) +
                              little_endian(kInExtra, 4) + little_endian(member.name.size(), 2) +
                              little_endian(extra.size(), 2) + std::string(10, '\0') +
                              little_endian(kInExtra, 4) + member.name + extra;
    out_ += entry;
    written_ += entry.size();
  }
  const std::uint64_t size = written_ - begin, count = members_.size();
  out_ += "PK\x06\x06" + little_endian(44, 8) + little_endian(kVersion, 2) +
          little_endian(kVersion, 2) + little_endian(0, 8) + little_endian(count, 8) +
          little_endian(count, 8) + little_endian(size, 8) + little_endian(begin, 8);
  out_ += "PK\x06\x07" + little_endian(0, 4) + little_endian(written_, 8) + little_endian(1, 4);
  out_ += "PK\x05\x06" + little_endian(0, 4) + little_endian(0xFFFF, 2) + little_endian(0xFFFF, 2) +
          little_endian(kInExtra, 4) + little_endian(kInExtra, 4) + little_endian(0, 2);
}

}  // namespace attn
