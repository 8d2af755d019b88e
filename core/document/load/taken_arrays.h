// What is taken of an opened file of arrays, step by step. Internal to core/document/load.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "document/json/document_text.h"
#include "document/load/array_reading.h"
#include "document/load/open.h"

namespace attn {

// A listed file. The bytes of what is no regular file are kept.
struct ArrayFile {
  const DocumentFile& file;
  std::shared_ptr<const void> owner;
  ArrayListing listing;

  std::uint64_t limit() const { return file.options.memory_limit_bytes; }
  Progress* progress() const { return file.options.progress; }
};

// Arrays with their axes and heads as they lie, of which none are said where they are in order.
template <class T>
Result<BasicTensor<T>> numbers_of(const ArrayFile& from, const std::vector<std::string>& names,
                                  const std::vector<std::string>& axes = {}, std::size_t heads = 0);

// Text, meanings and choices taken of a file.
struct TakenArrays {
  DocumentText text;
  ArrayMeanings meanings;
  ArrayChoices choices;
};

// What the note of the file says beside its arrays.
Status take_note(const ArrayListing& listing, DocumentText& text);
// Names of the axes of arrays in the note.
std::map<std::string, std::vector<std::string>> axes_in_note(const ArrayListing& listing);

// Tokens and ids of arrays, if the note has none, and what they say of the axes. BadInput for
// words that name arrays of tokens that are none.
Status take_tokens(const ArrayFile& from, TakenArrays& taken);

// Tokens of one list are those of rows, or of columns, if only these are as many; of no side if
// neither is.
void fit_tokens(TakenArrays& taken);

// Masks that fit the numbers of `taken.text`; why the others are not used. BadInput for those that
// words ask for and that are none.
Status take_masks(const ArrayFile& from, TakenArrays& taken);

}  // namespace attn
