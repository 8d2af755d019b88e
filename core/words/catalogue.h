// What the window says in another language: a table from its English phrases to theirs.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace attn {

// Texts by phrases, none of them empty. What has none is said in English.
struct Catalogue {
  std::map<std::string, std::string, std::less<>> translations;
};

// What the words are one case of: numbers, with units of time and memory, and what stands
// within “ ” are left open, so that “3 of 25 cells hidden” is a case of “{1} of {2} cells hidden”.
// Digits within a name, as of W_1, stay.
std::string phrase_of(std::string_view words);

// The words as the catalogue has their phrase, with what that left open; nothing where it has none.
std::optional<std::string> translated(const Catalogue& catalogue, std::string_view words);

// The same or, where there is none, the words themselves. The catalogue may be null.
std::string spoken(const Catalogue* catalogue, std::string_view words);

// All phrases of the window, sorted.
std::span<const std::string> all_phrases();

// A JSON object of texts by phrases, also of such as the table lacks. Empty texts are passed over.
// BadInput, with `file`: it is none, or a text leaves open what its phrase does not ({3} of a
// phrase with two numbers), or has signs that a label cannot have: “##”, a last “#”, line breaks.
Result<Catalogue> read_catalogue(std::string_view json, const std::string& file);

// That of a file of at most a mebibyte.
Result<Catalogue> load_catalogue(const std::string& path);

// Every phrase of the window with its text of the catalogue, else with "": to be translated.
std::string catalogue_text(const Catalogue& catalogue = {});

}  // namespace attn
