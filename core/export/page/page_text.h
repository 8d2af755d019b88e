// Texts in HTML: Markdown as elements, and long texts packed.
#pragma once

#include <string>
#include <string_view>

namespace attn {

// CommonMark with tables as HTML. HTML in it is text, links lead to http and https only, and of
// pictures there is the description.
std::string html_of_markdown(std::string_view markdown);

// A text packed by zlib, as base64: small, and not to be found in the page before its script
// unpacks it. No secret: everybody who has the script can unpack it, too.
std::string packed_text(std::string_view text);

}  // namespace attn
