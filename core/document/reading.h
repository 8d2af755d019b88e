// Result of reading a document, whatever its format.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "document/document.h"

namespace attn {

// Notes that an edit of the mask can invalidate.
inline constexpr std::string_view kMaskOfWeightsNote =
    "these weights are given: the mask only marks cells";
inline constexpr std::string_view kReadAsCausalNote =  // end of the note
    ": read as causal; \"mask\": {\"causal\": false} says otherwise";

struct ArrayChoices;

// A document, or all of its errors, the most important one first.
struct Reading {
  Document document = {};
  std::string reading = {};             // chosen form and axes, one sentence
  std::string taken_as = {};            // of text: its interpretation, one sentence
  std::string other_words = {};         // of text: ReadOptions::arrays for the other reading
  std::vector<std::string> notes = {};  // generated or assumed values, remarks
  // Version of the document's file; empty for streams and for formats that are never written.
  std::optional<FileVersion> version = {};
  bool assumed_causal = false;  // given weights look causal, and the text has no key
  bool is_saved_back = true;    // false: saving needs a new name
  bool is_read_once = false;    // a pipe or a device, which cannot be opened again
  std::shared_ptr<const ArrayChoices> arrays = {};  // of a file of arrays, even if it is refused
  std::string hash = {};  // of the document before tokens were left out of it; empty: none were
  std::vector<Error> lesson_faults = {};  // which do not affect the other steps
  std::vector<Error> errors = {};
};

}  // namespace attn
