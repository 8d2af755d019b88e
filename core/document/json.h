// Documents as JSON: tolerant on input, exact on output.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_stream.h"
#include "base/file_version.h"
#include "base/progress.h"
#include "base/result.h"
#include "document/document.h"

namespace attn {

class ObjectWriter;

struct ReadOptions {
  std::uint64_t memory_limit_bytes = std::uint64_t{4} << 30;
  std::size_t depth_limit = 64;
  std::string folder = {};       // where references to files start; empty: the working folder
  bool allows_outside = false;   // files that they refer to may lie outside of that folder
  Progress* progress = nullptr;  // of reading from files; may be cancelled
  std::optional<std::uint64_t> seed = {};  // in place of the document's
};

// Notes of reading that an edit of the mask can make untrue.
inline constexpr std::string_view kMaskOfWeightsNote =
    "the mask marks cells of the given weights and changes none";
inline constexpr std::string_view kReadAsCausalNote =
    "the weights above the diagonal are all 0: read as causal; "
    "\"mask\": {\"causal\": false} says otherwise";

struct ReadReport {
  Document document;
  std::string reading;             // which form and which axes were chosen, one sentence
  std::vector<std::string> notes;  // what was generated, assumed or is worth knowing
  // Of the file of a document; empty when it came from a stream, or from a format that is never
  // saved to.
  std::optional<FileVersion> version;
  bool assumed_causal = false;  // finished weights look so, and the text does not say
  bool is_saved_back = true;    // false where saving must ask for a name
  bool is_read_once = false;    // of a pipe or a device, which is not there to be opened again
};

// A document that was read, or all that is wrong with it: the first error is what matters most.
struct Reading {
  ReadReport report;
  std::vector<Error> errors;
};

// Takes the whole text. Where the stream fails, its error is the only one: BadInput for
// a file that was cut short meanwhile, Interrupted when the progress was cancelled.
Reading read_document(ByteStream& stream, const std::string& file, const ReadOptions& options = {});

// `file` is only named in errors. Refuses with file, line, column, JSON pointer, found and
// expected: syntax, depth, duplicate and unknown keys (with the nearest known one), invalid UTF-8,
// ragged rows, wrong depth, counts that do not agree, what would exceed the memory limit.
Result<ReadReport> read_document(std::string_view text, const std::string& file,
                                 const ReadOptions& options = {});

// Every problem found, not only the first; empty when the document is good.
std::vector<Error> validate_document(std::string_view text, const std::string& file,
                                     const ReadOptions& options = {});

// Reading what was written gives an equal document, bit for bit. Ends in a line break. Matrices are
// laid out one row per line; those that stem from files are references, which lead there from the
// folder of their origin (see moved_to). `progress` may be null; the text of one that was cancelled
// is not to be used.
std::string write_document(const Document& document, Progress* progress = nullptr);

// A tree of panes as documents have it, on its own: one object.
std::string panes_text(const Panes& panes);
// Panes are numbered as they are read; what is not known is as usual. Nothing where the text is no
// such object.
std::optional<Panes> parse_panes(std::string_view text);

// The members that say what the tokens are, as in documents.
void write_tokens(ObjectWriter& object, const Document& document);

// The JSON Schema (draft-07) of documents.
std::string_view document_schema();

}  // namespace attn
