// Detection of the format of pasted text, and conversion to a document.
#include <utility>
#include <vector>

#include "base/number_text.h"
#include "document/edit/sentence.h"
#include "document/load/text_file.h"

namespace attn {
namespace {

constexpr const char* kCopiedText = "the copied text";

Result<Reading> pasted_document(std::string_view text, const ReadOptions& options) {
  Result<Reading> reading = read_document(text, kCopiedText, options);
  if (reading) reading->taken_as = "a document: " + reading->reading;
  return reading;
}

Result<Reading> pasted_words(std::string_view text, const ReadOptions& options) {
  Result<std::vector<std::string>> words = split_sentence(text, SplitBy::Words);
  if (!words) return words.error();
  const std::string taken_as = "a text of " + counted(words->size(), "token");
  DocumentText document;
  document.tokens = TokenLists{TokenList(*std::move(words))};
  return document_of(std::move(document), taken_as, options);
}

}  // namespace

Result<Reading> read_pasted(std::string_view text, const ReadOptions& options) {
  constexpr double kMostNumbers = 0.75;
  const std::string_view start = without_blanks(text);
  if (is_json(start)) return pasted_document(text, options);
  if (const Status sound = check_encoding(text, kCopiedText); !sound) return sound.error();
  std::optional<Result<Reading>> reading = read_text(text, kMostNumbers, options);
  if (!reading) return pasted_words(text, options);
  if (*reading || reading->error().line == 0) return *std::move(reading);
  Error error = reading->error();
  error.file = kCopiedText;
  return error;
}

}  // namespace attn
