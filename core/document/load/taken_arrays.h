// Conversion of an opened file of arrays to a document's text, step by step. Internal to
// core/document/load.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "document/json/document_text.h"
#include "document/load/array_reading.h"
#include "document/load/open.h"

namespace attn {

// A listed file. The bytes of streams are kept.
struct ArrayFile {
  const DocumentFile& file;
  std::shared_ptr<const void> owner;
  ArrayListing listing;

  std::uint64_t limit() const { return file.options.memory_limit_bytes; }
  Progress* progress() const { return file.options.progress; }
};

// Reads arrays of one group as one tensor, with these axes and number of heads; no axes if they are
// in the order of documents.
template <class T>
Result<BasicTensor<T>> numbers_of(const ArrayFile& from, const std::vector<std::string>& names,
                                  const std::vector<std::string>& axes = {}, std::size_t heads = 0);

// Text, roles and choices of a file.
struct TakenArrays {
  DocumentText text;
  ArrayMeanings meanings;
  ArrayChoices choices;
};

// Takes everything of the file's note but the arrays.
Status take_note(const ArrayListing& listing, DocumentText& text);
std::map<std::string, std::vector<std::string>> axes_in_note(const ArrayListing& listing);

// Takes tokens and ids from arrays, if the note has none, as evidence for the axes. BadInput for
// words that name arrays as tokens that are none.
Status take_tokens(const ArrayFile& from, TakenArrays& taken);

// Assigns a single list of tokens to rows or columns if only these match its length; to no side if
// neither does.
void fit_tokens(TakenArrays& taken);

// Takes masks that fit the numbers of `taken.text`, and reports why others are not used. BadInput
// for arrays that words name as masks and that are none.
Status take_masks(const ArrayFile& from, TakenArrays& taken);

}  // namespace attn
