// Arrays of .npz: a .npy in each member of an archive.
#include "base/descriptor.h"
#include "base/utf8.h"
#include "document/problem.h"
#include "document/tensors/array_file.h"

namespace attn {
namespace {

constexpr std::string_view kMemberEnding = ".npy";
constexpr std::string_view kNote = "attnscope";  // array of one text
constexpr std::uint64_t kMostNoteBytes = std::uint64_t{64} << 20U;

Error in_member(Error error, const std::string& name) {
  error.message = "“" + shortened(printable_line(name), 60) + "”: " + error.message;
  return error;
}

// Unpacks only the header; the data follow when the array is taken.
Result<StoredArray> packed_npy(const ZipMember& member) {
  constexpr std::uint64_t kMostHeader = 65536 + 64;
  const Result<std::string> start = unpacked(member, kMostHeader);
  if (!start) return start.error();
  Result<StoredArray> array = stored_npy(*start, member.size);
  if (!array) return array.error();
  array->data = {};
  array->packed = member;
  return array;
}

}  // namespace

Result<ArrayListing> list_npz(std::string_view bytes, const ReadOptions& options) {
  ArrayListing listing;
  const Result<std::vector<ZipMember>> members = list_zip(
      bytes, [&](const ZipMember& member) { return count_array(listing, member.name, options); });
  if (!members) return members.error();
  std::optional<Error> odd;
  for (const ZipMember& member : *members) {
    if (is_cancelled(options.progress)) return reading_stopped("");
    if (!member.name.ends_with(kMemberEnding)) {
      listing.left_out.push_back(shortened(printable_line(member.name), 60));
      continue;
    }
    Result<StoredArray> array =
        member.deflated ? packed_npy(member) : stored_npy(member.data, member.size);
    const std::string name = member.name.substr(0, member.name.size() - kMemberEnding.size());
    if (!array) {
      const Error& error = array.error();
      if (!odd) odd = in_member(error, member.name);
      listing.left_out.push_back(shortened(printable_line(name), 60) + ": " + error.message + ", " +
                                 error.found);
      continue;
    }
    array->name = name;
    if (array->name != kNote) {
      listing.arrays.push_back(*std::move(array));
      continue;
    }
    const Result<std::vector<std::string>> texts =
        texts_of(*array, std::min(kMostNoteBytes, options.memory_limit_bytes));
    if (!texts) return in_member(texts.error(), member.name);
    if (texts->size() == 1) listing.note = texts->front();
  }
  if (odd && listing.arrays.empty()) return *odd;
  return listing;
}

}  // namespace attn
