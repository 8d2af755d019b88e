// Texts in HTML: Markdown as elements, numbers as base64, and what is not to be read before its
// time.
#pragma once

#include <string>
#include <string_view>

namespace attn {

// CommonMark with tables as HTML. HTML in it is text, links lead to http and https only, and of
// pictures there is the description.
std::string html_of_markdown(std::string_view markdown);

std::string base64_text(std::string_view bytes);

// A text that people do not find in the page before its script decodes it. No secret: whoever reads
// the script can decode it, too.
std::string encoded_text(std::string text);

}  // namespace attn
