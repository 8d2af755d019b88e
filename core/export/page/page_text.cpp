// Converts Markdown, parsed by md4c, to elements.
#include "export/page/page_text.h"

#include <libdeflate.h>
#include <md4c.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <new>

#include "base/utf8.h"
#include "export/svg.h"
#include "figure/text.h"

namespace attn {
namespace {

void add_tag(std::string& html, std::string_view name, bool opens) {
  if (!name.empty()) html.append(opens ? "<" : "</").append(name).append(">");
}

// Tags by the types of md4c; empty for types without an element.
constexpr std::string_view kBlockTags[] = {"", "blockquote", "ul",    "ol", "li", "",   "",   "pre",
                                           "", "p",          "table", "",   "",   "tr", "th", "td"};
constexpr std::string_view kSpanTags[] = {"em", "strong", "", "", "code"};
static_assert(MD_BLOCK_TD + 1 == std::size(kBlockTags) && MD_SPAN_CODE + 1 == std::size(kSpanTags));

// Headings are one level lower, as the title of the page is above them.
std::string heading_of(void* detail) {
  return "h" + std::to_string(std::min(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level + 1, 6U));
}

template <bool opens>
int on_block(MD_BLOCKTYPE type, void* detail, void* data) {
  auto& html = *static_cast<std::string*>(data);
  if (type == MD_BLOCK_HR && opens) html += "<hr>";
  add_tag(html, type == MD_BLOCK_H ? heading_of(detail) : std::string(kBlockTags[type]), opens);
  return 0;
}

bool leads_to_web(std::string_view target) {
  const std::string small = in_small_letters(target);
  return small.starts_with("https://") || small.starts_with("http://");
}

template <bool opens>
int on_span(MD_SPANTYPE type, void* detail, void* data) {
  auto& html = *static_cast<std::string*>(data);
  add_tag(html, kSpanTags[type], opens);
  if (type != MD_SPAN_A) return 0;
  const MD_ATTRIBUTE& target = static_cast<MD_SPAN_A_DETAIL*>(detail)->href;
  const std::string_view href(target.text, target.size);
  if (!leads_to_web(href)) return 0;
  html += opens ? "<a rel=\"noreferrer\" href=\"" + xml_text(href) + "\">" : "</a>";
  return 0;
}

// Writes indices and exponents as in figures: W_O.
void add_formula(std::string& html, std::string_view written) {
  for (const FormulaRun& run : formula_runs(written)) {
    const std::string_view tag = run.rise == 0.0 ? "" : run.rise < 0.0 ? "sub" : "sup";
    add_tag(html, tag, true);
    html += xml_text(run.text);
    add_tag(html, tag, false);
  }
}

// Entities are not escaped: md4c has checked their form.
int add_text(MD_TEXTTYPE type, const MD_CHAR* letters, MD_SIZE size, void* data) {
  auto& html = *static_cast<std::string*>(data);
  const std::string_view written(letters, size);
  if (type == MD_TEXT_BR) {
    html += "<br>";
  } else if (type == MD_TEXT_SOFTBR || written == "\n") {
    html += '\n';
  } else if (type == MD_TEXT_NORMAL) {
    add_formula(html, written);
  } else {
    html += type == MD_TEXT_ENTITY ? std::string(written) : xml_text(written);
  }
  return 0;
}

}  // namespace

std::string html_of_markdown(std::string_view markdown) {
  constexpr unsigned kFlags =
      MD_FLAG_TABLES | MD_FLAG_COLLAPSEWHITESPACE | MD_FLAG_NOHTML | MD_FLAG_NOINDENTEDCODEBLOCKS;
  const MD_PARSER parser{
      0,        kFlags,  on_block<true>, on_block<false>, on_span<true>, on_span<false>,
      add_text, nullptr, nullptr};
  std::string html;
  md_parse(markdown.data(), static_cast<MD_SIZE>(markdown.size()), &parser, &html);
  return html;
}

std::string packed_text(std::string_view text) {
  constexpr int kLevel = 9;
  const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> compressor(
      libdeflate_alloc_compressor(kLevel), libdeflate_free_compressor);
  if (compressor == nullptr) throw std::bad_alloc();
  std::string packed(libdeflate_zlib_compress_bound(compressor.get(), text.size()), '\0');
  packed.resize(libdeflate_zlib_compress(compressor.get(), text.data(), text.size(), packed.data(),
                                         packed.size()));
  return base64_text(packed);
}

}  // namespace attn
