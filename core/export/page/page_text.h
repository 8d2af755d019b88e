// Texts in HTML: Markdown as elements, and long texts packed.
#pragma once

#include <string>
#include <string_view>

namespace attn {

// Converts CommonMark with tables to HTML. HTML in it is text, links lead only to http and https,
// and pictures are replaced by their description.
std::string html_of_markdown(std::string_view markdown);

// A text packed by zlib, as base64: small, and hidden from a search in the page until its script
// unpacks it. It is not secret: everybody who has the script can unpack it.
std::string packed_text(std::string_view text);

}  // namespace attn
