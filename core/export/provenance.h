// Record of how a picture was made, inside its file: painters write it, and any picture can be
// read.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "document/document.h"

namespace attn {

// Has no times and folders, so that the same document and options give the same bytes.
struct Provenance {
  std::string program;   // "AttnScope 0.1.0"
  std::string document;  // name of its file or example; empty: none
  std::string hash;      // hash_of() the document
  std::string call;      // without the output: "attnscope export cats.attn.json --plot heads"
  friend bool operator==(const Provenance&, const Provenance&) = default;
};

// XXH3 of 128 bits, in hexadecimal, of the document's text without its panes and reference,
// followed by the bytes of the files that hold its numbers. Files beyond 64 MiB contribute some
// blocks and their size, which kInParts at the end marks. Independent of the layout of its own
// file. Error when a file of numbers cannot be read, or changed since the document was.
Result<std::string> hash_of(Document document);
inline constexpr std::string_view kInParts = "-parts";

// The name of the record in each format: keyword in PNG, id in SVG and HTML.
inline constexpr std::string_view kRecordName = "AttnScope";

// One line of JSON in ASCII: Figure::provenance.
std::string provenance_text(const Provenance& made);

// The exporter's extension for a picture with these bytes, "png"; empty for other files.
std::string_view picture_format(std::string_view bytes);

// The record of a PNG, SVG, PDF, GIF or page; nothing when it has none.
std::optional<Provenance> provenance_in(std::string_view picture);

}  // namespace attn
