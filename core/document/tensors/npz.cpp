// Arrays of .npz: a .npy in each member of an archive.
#include "base/number_text.h"
#include "base/utf8.h"
#include "document/problem.h"
#include "document/tensors/array_file.h"
#include "document/tensors/npy.h"

namespace attn {
namespace {

constexpr std::string_view kMemberEnding = ".npy";
constexpr std::string_view kNote = "attnscope";  // array of one text
constexpr std::uint64_t kMostNoteBytes = std::uint64_t{64} << 20U;

Error in_member(Error error, const std::string& name) {
  error.message = "“" + shortened(printable_line(name), 60) + "”: " + error.message;
  return error;
}

// The header alone of what is packed; its data follow when the array is taken.
Result<ListedArray> listed(const ZipMember& member, const std::string& name) {
  constexpr std::uint64_t kMostHeader = 65536 + 64;
  ListedArray listed;
  Result<StoredArray> array = [&]() -> Result<StoredArray> {
    if (!member.deflated) return stored_npy(member.data, member.size);
    const Result<std::string> start = unpacked(member, kMostHeader);
    return start ? stored_npy(*start, member.size) : Result<StoredArray>(start.error());
  }();
  if (!array) return in_member(array.error(), member.name);
  listed.array = *std::move(array);
  if (member.deflated) listed.array.data = {};
  listed.array.name = name;
  if (member.deflated) listed.packed = member;
  return listed;
}

}  // namespace

Result<ArrayListing> list_npy(std::string_view bytes) {
  Result<StoredArray> array = stored_npy(bytes, bytes.size());
  if (!array) return array.error();
  return ArrayListing{{{*std::move(array), std::nullopt}}, "", {}};
}

Result<ArrayListing> list_npz(std::string_view bytes) {
  const Result<std::vector<ZipMember>> members = list_zip(bytes);
  if (!members) return members.error();
  ArrayListing listing;
  for (const ZipMember& member : *members) {
    if (!member.name.ends_with(kMemberEnding)) {
      listing.left_out.push_back(shortened(printable_line(member.name), 60));
      continue;
    }
    const std::string name = member.name.substr(0, member.name.size() - kMemberEnding.size());
    Result<ListedArray> array = listed(member, name);
    if (!array) return array.error();
    if (name != kNote) {
      listing.arrays.push_back(*std::move(array));
      continue;
    }
    const Result<std::vector<std::string>> texts = texts_in(*array, kMostNoteBytes);
    if (!texts) return in_member(texts.error(), member.name);
    if (texts->size() == 1) listing.note = texts->front();
  }
  return listing;
}

}  // namespace attn
