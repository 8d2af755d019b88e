// Tables of numbers and alignments of words in text, as documents.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "document/json/document_text.h"
#include "document/load/open.h"

namespace attn {

// True where a document begins, or a list; lists of numbers without commas, and rows of numbers,
// are tables.
bool is_json(std::string_view start);

// Refuses invalid UTF-8 with line and column.
Status check_encoding(std::string_view text, const std::string& file);

Result<Reading> document_of(DocumentText text, std::string taken_as, const ReadOptions& options);

// A table is given weights where its rows sum to 1, or where it has columns for samples, layers or
// heads; else embeddings, unless ReadOptions::arrays says otherwise. Nothing if it is no table, and
// no more than this share of several words are numbers. BadInput without the name of a file.
std::optional<Result<Reading>> read_text(std::string_view text, double share,
                                         const ReadOptions& options);

// Its first note says what the text was taken for, and how it is read otherwise.
Reading read_text_file(const DocumentFile& file);

}  // namespace attn
