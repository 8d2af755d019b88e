// Tokens that values of flags name by their texts: as shown, decoded or written, without blanks
// around them, or as "it#2", the second such token. Quotation marks keep what looks like a number.
#pragma once

#include "document/document.h"
#include "figure/figure.h"

namespace attn::cli {

// Returns the token of these sides; of one side, numbers are places. Usage error for no token or
// several, with those that may be meant.
Result<TokenHit> token_named(const std::string& flag, const std::string& text,
                             const Document& document, HeadAddress at,
                             const std::vector<Side>& sides);

// Returns the places of all tokens of this text, or of the one that is named in another way.
Result<std::vector<std::size_t>> tokens_named(const std::string& flag, const std::string& text,
                                              const Document& document, const HeadAddress& at,
                                              Side side);

// Returns the value of "token", "first_query" or "first_key" with a number: "query 3" for "query
// it", and for "it" unless two sequences both have it.
Result<std::string> with_number(std::string_view option, const std::string& text,
                                const Document& document, const HeadAddress& at);

}  // namespace attn::cli
