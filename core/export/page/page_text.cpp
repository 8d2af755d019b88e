// Markdown parsed by md4c, as elements.
#include "export/page/page_text.h"

#include <glib.h>
#include <libdeflate.h>
#include <md4c.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <new>
#include <utility>

#include "base/utf8.h"
#include "export/svg.h"
#include "figure/pango_layout.h"

namespace attn {
namespace {

struct HtmlText {
  std::string out{};
  std::string links{};  // for each link around the text 'a' if it leads somewhere, else '-'

  void tag(std::string_view name, bool opens) {
    if (!name.empty()) out.append(opens ? "<" : "</").append(name).append(">");
  }
};

template <class Type>
using Tags = std::pair<Type, std::string_view>;

constexpr Tags<MD_BLOCKTYPE> kBlockTags[] = {{MD_BLOCK_QUOTE, "blockquote"},
                                             {MD_BLOCK_UL, "ul"},
                                             {MD_BLOCK_OL, "ol"},
                                             {MD_BLOCK_LI, "li"},
                                             {MD_BLOCK_P, "p"},
                                             {MD_BLOCK_CODE, "pre"},
                                             {MD_BLOCK_TABLE, "table"},
                                             {MD_BLOCK_TR, "tr"},
                                             {MD_BLOCK_TH, "th"},
                                             {MD_BLOCK_TD, "td"}};
constexpr Tags<MD_SPANTYPE> kSpanTags[] = {
    {MD_SPAN_EM, "em"}, {MD_SPAN_STRONG, "strong"}, {MD_SPAN_CODE, "code"}};

// "" for what has no element of its own.
template <class Table, class Type>
std::string_view name_in(const Table& table, Type type) {
  const auto found = std::ranges::find(table, type, &Tags<Type>::first);
  return found == std::end(table) ? "" : found->second;
}

// The title of the page is above all headings.
std::string heading_of(void* detail) {
  return "h" + std::to_string(std::min(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level + 1, 6U));
}

int on_block(MD_BLOCKTYPE type, void* detail, HtmlText& text, bool opens) {
  if (type == MD_BLOCK_HR && opens) text.out += "<hr>";
  text.tag(type == MD_BLOCK_H ? heading_of(detail) : std::string(name_in(kBlockTags, type)), opens);
  return 0;
}

bool leads_to_web(std::string_view target) {
  const std::string small = in_small_letters(std::string(target));
  return small.starts_with("https://") || small.starts_with("http://");
}

int enter_span(MD_SPANTYPE type, void* detail, void* data) {
  auto& text = *static_cast<HtmlText*>(data);
  if (type == MD_SPAN_A) {
    const MD_ATTRIBUTE& target = static_cast<MD_SPAN_A_DETAIL*>(detail)->href;
    const std::string_view href(target.text, target.size);
    const bool leads = leads_to_web(href);
    text.links += leads ? 'a' : '-';
    if (leads) text.out += "<a rel=\"noreferrer\" href=\"" + xml_text(href) + "\">";
  }
  text.tag(name_in(kSpanTags, type), true);
  return 0;
}

int leave_span(MD_SPANTYPE type, void* /*detail*/, void* data) {
  auto& text = *static_cast<HtmlText*>(data);
  text.tag(name_in(kSpanTags, type), false);
  if (type == MD_SPAN_A) {
    if (text.links.back() == 'a') text.out += "</a>";
    text.links.pop_back();
  }
  return 0;
}

// Entities are left as they are: md4c has checked their form.
int add_text(MD_TEXTTYPE type, const MD_CHAR* letters, MD_SIZE size, void* data) {
  auto& text = *static_cast<HtmlText*>(data);
  const std::string_view written(letters, size);
  if (type == MD_TEXT_BR) {
    text.out += "<br>";
  } else if (type == MD_TEXT_SOFTBR || written == "\n") {
    text.out += '\n';
  } else {
    text.out += type == MD_TEXT_ENTITY ? std::string(written) : xml_text(written);
  }
  return 0;
}

}  // namespace

std::string html_of_markdown(std::string_view markdown) {
  constexpr unsigned kFlags =
      MD_FLAG_TABLES | MD_FLAG_COLLAPSEWHITESPACE | MD_FLAG_NOHTML | MD_FLAG_NOINDENTEDCODEBLOCKS;
  const auto enter_block = [](MD_BLOCKTYPE type, void* detail, void* data) {
    return on_block(type, detail, *static_cast<HtmlText*>(data), true);
  };
  const auto leave_block = [](MD_BLOCKTYPE type, void* detail, void* data) {
    return on_block(type, detail, *static_cast<HtmlText*>(data), false);
  };
  const MD_PARSER parser{0,          kFlags,   enter_block, leave_block, enter_span,
                         leave_span, add_text, nullptr,     nullptr};
  HtmlText text;
  md_parse(markdown.data(), static_cast<MD_SIZE>(markdown.size()), &parser, &text);
  return std::move(text.out);
}

std::string base64_text(std::string_view bytes) {
  if (bytes.empty()) return "";
  const std::unique_ptr<gchar, Releaser<g_free>> text(
      g_base64_encode(reinterpret_cast<const guchar*>(bytes.data()), bytes.size()));
  return text.get();
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
