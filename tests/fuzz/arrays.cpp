// Any bytes of an array file are listed or refused; listed arrays have as many numbers or texts as
// their shape states, or are refused, within the limit of memory; each of their names has one
// meaning.
#include <memory>
#include <set>

#include "document/load/array_facts.h"
#include "document/load/array_reading.h"
#include "document/tensors/array_file.h"
#include "fuzz.h"
#include "tests/core/document/arrays/array_bytes.h"

namespace attn::fuzz {
namespace {

constexpr std::size_t kLongestArrays = 1U << 14U;
constexpr std::uint64_t kMostArrayBytes = std::uint64_t{1} << 18U;

// An archive whose member, stored or deflated, has these bytes, and states another size if the
// first of them is odd: checksums, which random bytes do not have, do not keep them out.
std::string archive_of(std::string_view bytes, bool packed) {
  const bool lies = !bytes.empty() && (bytes.front() & 1) != 0;
  const std::uint64_t stated = lies ? bytes.size() * 7 + 1 : 0;
  return test::zip_of(
      {{"q.npy", std::string(bytes.substr(bytes.empty() ? 0 : 1)), packed, stated}});
}

// The first byte chooses the format.
Result<ArrayListing> listing_of(std::string_view bytes, std::string& made) {
  constexpr decltype(&list_npy) kLists[] = {list_npy, list_npz, list_safetensors, list_gguf};
  const std::size_t choice = static_cast<unsigned char>(bytes.front()) % (std::size(kLists) + 2);
  bytes.remove_prefix(1);
  if (choice < std::size(kLists)) return kLists[choice](bytes, {});
  made = archive_of(bytes, choice == std::size(kLists));
  return list_npz(made);
}

template <class T>
void expect_whole(const Result<T>& taken, const StoredArray& from) {
  if (!taken) return expect_clear(taken.error());
  expect(taken->size() == element_count(from.shape), "all elements are taken");
}

void expect_taken(const StoredArray& array) {
  expect_whole(floats_of(array, nullptr, kMostArrayBytes), array);
  expect_whole(flags_of(array, kMostArrayBytes), array);
  expect_whole(texts_of(array, kMostArrayBytes), array);
}

void expect_one_meaning_each(const ArrayListing& listing) {
  const ArrayMeanings of = meanings_of(choices_of(facts_of(listing)));
  std::multiset<std::string> names;
  for (const auto* some :
       {&of.attention, &of.q, &of.k, &of.v, &of.self_attention, &of.encoder_attention, &of.tokens,
        &of.query_tokens, &of.key_tokens, &of.ids}) {
    names.insert(some->begin(), some->end());
  }
  for (const StoredArray& listed : listing.arrays) {
    expect(names.count(listed.name) <= 1, "a name has one meaning: " + listed.name);
  }
}

}  // namespace

void fuzz_arrays(std::string_view bytes) {
  if (bytes.empty() || bytes.size() > kLongestArrays) return;
  std::string made;
  const Result<ArrayListing> listing = listing_of(bytes, made);
  if (!listing) return expect_clear(listing.error());
  for (const StoredArray& array : listing->arrays) expect_taken(array);
  expect_one_meaning_each(*listing);
}

}  // namespace attn::fuzz
