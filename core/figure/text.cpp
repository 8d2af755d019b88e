// Measuring, drawing, wrapping and shortening of text with Pango, and parsing of indices and
// exponents.
#include "figure/text.h"

#include <cctype>
#include <cmath>
#include <cstring>
#include <map>
#include <utility>

#include "base/joined.h"
#include "base/utf8.h"
#include "figure/letters.h"
#include "figure/pango_layout.h"

namespace attn {
namespace {

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// True if a letter of Latin or Cyrillic alphabets beyond ASCII ends there: "für_die" is a name, and
// "∂s_t" has an index.
bool ends_in_letter(std::string_view text, std::size_t end) {
  const auto lead = end > 1 ? static_cast<unsigned char>(text[end - 2]) : 0U;
  return (lead >= 0xC3 && lead <= 0xCA) || (lead >= 0xD0 && lead <= 0xD4);
}

// True if a single letter of the Greek alphabet ends there.
bool ends_in_greek_letter(std::string_view text, std::size_t end) {
  const auto is_greek = [&](std::size_t at) {
    return at > 1 && (text[at - 2] == '\xCE' || text[at - 2] == '\xCF');
  };
  if (!is_greek(end)) return false;
  const std::size_t begin = end - 2;
  return !is_greek(begin) && !ends_in_letter(text, begin) &&
         (begin == 0 || !is_word(text[begin - 1]));
}

// True for the rest of a file's name: ".json", "-2.json".
bool goes_on_as_name(std::string_view text, std::size_t at) {
  const std::size_t dot = text.find_first_not_of("-0123456789", at);
  return dot != text.npos && dot + 1 < text.size() && text[dot] == '.' && is_letter(text[dot + 1]);
}

std::size_t index_end(std::string_view text, std::size_t at) {
  while (at < text.size() && is_word(text[at]) && text[at] != '_') ++at;
  return at;
}

bool is_index_at(std::string_view text, std::size_t at) {
  if (text[at] != '_' || at + 1 >= text.size()) return false;
  std::size_t begin = at;
  while (begin > 0 && is_word(text[begin - 1])) --begin;
  const bool in_braces = text[at + 1] == '{' && text.find('}', at) != std::string_view::npos;
  const std::string_view base = text.substr(begin, at - begin);
  const bool in_name = begin > 0 && (text[begin - 1] == '/' || text[begin - 1] == '.' ||
                                     ends_in_letter(text, begin));
  const bool has_base = !in_name && ((base.size() == 1 && is_letter(base.front())) ||
                                     base == "log" || ends_in_greek_letter(text, at));
  if (!has_base || in_braces) return has_base;
  const std::size_t end = index_end(text, at + 1);
  const bool ends = end == text.size() || (text[end] != '_' && !goes_on_as_name(text, end));
  return end > at + 1 && ends;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A hyphen between or before operands; not within a word, nor before an option.
bool is_minus_at(std::string_view text, std::size_t at) {
  constexpr std::string_view kBefore = " ([:";
  if (text[at] != '-' || at + 1 >= text.size()) return false;
  const bool begins = at == 0 || kBefore.find(text[at - 1]) != std::string_view::npos;
  return begins && !is_letter(text[at + 1]) && text[at + 1] != '-';
}

// The number of characters of an exponent "e-05" behind a digit; 0 for anything else.
std::size_t exponent_length(std::string_view text, std::size_t at) {
  if (text[at] != 'e' || at == 0 || !is_digit(text[at - 1]) || at + 2 >= text.size()) return 0;
  if (text[at + 1] != '-' && text[at + 1] != '+') return 0;
  const std::size_t end = std::min(text.find_first_not_of("0123456789", at + 2), text.size());
  return end == at + 2 || (end < text.size() && is_letter(text[end])) ? 0 : end - at;
}

// "·10⁻⁵" for "e-05".
std::string power_of_ten(std::string_view exponent) {
  constexpr std::string_view kRaised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string_view digits = exponent.substr(2);
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size() - 1));
  std::string text = exponent[1] == '-' ? "·10⁻" : "·10";
  for (const char digit : digits) text += kRaised[digit - '0'];
  return text;
}

// Writes exponents as powers, and hyphens that are minus signs as such.
template <class IsMinus>
std::string with_signs(std::string_view text, const IsMinus& is_minus) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t length = exponent_length(text, at);
    if (length > 0) {
      out += power_of_ten(text.substr(at, length));
      at += length - 1;
    } else {
      out += is_minus(at) ? "−" : text.substr(at, 1);
    }
  }
  return out;
}

std::string with_minus_signs(std::string_view text) {
  return with_signs(text, [&](std::size_t at) { return is_minus_at(text, at); });
}

// Position of the next index or exponent; the end of the text when there is none.
std::size_t find_script(std::string_view text, std::size_t from) {
  constexpr std::string_view kOpen = "“", kClose = "”";
  bool quoted = false;
  for (std::size_t at = from; at < text.size(); ++at) {
    if (text.substr(at).starts_with(kOpen)) quoted = true;
    if (text.substr(at).starts_with(kClose)) quoted = false;
    if (text[at] == '`') quoted = !quoted;
    const bool is_exponent =
        text.substr(at).starts_with("^(") && text.find(')', at) != std::string_view::npos;
    if (!quoted && (is_index_at(text, at) || is_exponent)) return at;
  }
  return text.size();
}

constexpr double kUnit = PANGO_SCALE;
constexpr int kLargestPicturePx = 16384;
constexpr std::size_t kLargestCache = 20000;

using FontMapPtr = std::unique_ptr<PangoFontMap, Releaser<g_object_unref>>;
using PangoContextPtr = std::unique_ptr<PangoContext, Releaser<g_object_unref>>;

PangoContextPtr make_context(PangoFontMap* fonts) {
  PangoContextPtr context(pango_font_map_create_context(fonts));
  cairo_font_options_t* options = cairo_font_options_create();
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  pango_cairo_context_set_font_options(context.get(), options);
  cairo_font_options_destroy(options);
  pango_context_set_round_glyph_positions(context.get(), FALSE);
  pango_context_set_base_dir(context.get(), PANGO_DIRECTION_LTR);
  return context;
}

// Pango's objects belong to one thread.
PangoContext* thread_context() {
  thread_local const FontMapPtr kFonts(pango_cairo_font_map_new());
  thread_local const PangoContextPtr kContext = make_context(kFonts.get());
  return kContext.get();
}

// The first bytes of a text without blanks at their end.
std::string cut_at(const std::string& text, std::size_t bytes) {
  return text.substr(0, text.find_last_not_of(' ', bytes - 1) + 1);
}

// Number of bytes at which a text may be cut so that it fits `width` with `end` behind it; 0: none.
std::size_t longest_cut(const TextMetrics& metrics, const std::string& text, const FontStyle& font,
                        double width, std::string_view end) {
  std::vector<std::size_t> cuts = letter_borders(text);
  std::erase_if(cuts, [&](std::size_t at) { return at == 0 || at == text.size(); });
  const auto too_wide = std::partition_point(cuts.begin(), cuts.end(), [&](std::size_t bytes) {
    return metrics.measure(cut_at(text, bytes).append(end), font).width <= width;
  });
  return too_wide == cuts.begin() ? 0 : *(too_wide - 1);
}

// " (12)" at the end of a text, which tells tokens of equal text apart; "" if there is none.
std::string_view number_at_end(std::string_view text) {
  const std::size_t open = text.rfind(" (");
  if (open == text.npos || open == 0 || !text.ends_with(')')) return "";
  const std::string_view inside = text.substr(open + 2, text.size() - open - 3);
  const bool is_number = !inside.empty() && std::ranges::all_of(inside, is_digit);
  return is_number ? text.substr(open) : "";
}

// The last position within the first `most` bytes, next to an ideograph, where a line may begin; 0:
// none.
std::size_t last_break(std::string_view text, std::size_t most) {
  constexpr std::size_t kMore = 8;  // bytes of what follows, with which no line may begin
  const std::vector<std::size_t> breaks = line_breaks(text.substr(0, most + kMore));
  const auto beyond = std::ranges::upper_bound(breaks, most);
  return beyond == breaks.begin() ? 0 : *(beyond - 1);
}

// Number of bytes that the first line takes of a text that is wider than a line: up to the last
// blank that no percent sign follows or the last break next to an ideograph, else after the last
// hyphen; or all that fit when this leaves half the line empty and the next word is longer than a
// line.
std::size_t line_end(const TextMetrics& metrics, const std::string& text, const FontStyle& font,
                     double width) {
  const std::size_t most = longest_cut(metrics, text, font, width, "");
  if (most == 0) return 0;
  std::size_t blank = text.rfind(' ', most);
  while (blank != text.npos && blank > 0 && text.compare(blank, 2, " %") == 0) {
    blank = text.rfind(' ', blank - 1);
  }
  const std::size_t beside = last_break(text, most);
  if (beside > 0 && (blank == text.npos || beside > blank + 1)) return beside;
  if (blank == std::string::npos || blank == 0) {
    const std::size_t hyphen = text.rfind('-', most - 1);
    return hyphen == std::string::npos || hyphen == 0 ? most : hyphen + 1;
  }
  if (blank > most / 2) return blank;
  std::string word = text.substr(blank + 1, text.find(' ', blank + 1) - blank - 1);
  const std::vector<std::size_t> breaks = line_breaks(std::string_view(word).substr(0, most + 8));
  if (!breaks.empty()) word.resize(breaks.front());
  return metrics.measure(word, font).width <= width ? blank : most;
}

class PangoMetrics final : public TextMetrics {
 public:
  TextExtent measure(std::string_view text, const FontStyle& font) const override {
    std::pair key(std::string(text), font);
    const auto known = cache_.find(key);
    if (known != cache_.end()) return known->second;
    if (cache_.size() >= kLargestCache) cache_.clear();
    return cache_.emplace(std::move(key), extent_of(text, font)).first->second;
  }

 private:
  static TextExtent extent_of(std::string_view text, const FontStyle& font) {
    const PangoLayoutPtr layout = make_layout(text, font);
    PangoRectangle logical;
    pango_layout_get_extents(layout.get(), nullptr, &logical);
    const double baseline = pango_layout_get_baseline(layout.get()) / kUnit;
    return {logical.width / kUnit, baseline, logical.height / kUnit - baseline};
  }

  mutable std::map<std::pair<std::string, FontStyle>, TextExtent> cache_;
};

// Bounds of ink and advance, which keep overhanging letters; pixels relative to the pen.
struct PixelBox {
  int left, top, right, bottom;
};

PixelBox picture_box(PangoLayout* layout, double scale) {
  PangoRectangle ink, logical;
  pango_layout_get_extents(layout, &ink, &logical);
  const int baseline = pango_layout_get_baseline(layout);
  const auto low = [&](int a, int b, int origin) {
    return static_cast<int>(std::floor((std::min(a, b) - origin) / kUnit * scale)) - 1;
  };
  const auto high = [&](int a, int b, int origin) {
    return static_cast<int>(std::ceil((std::max(a, b) - origin) / kUnit * scale)) + 1;
  };
  PixelBox box{low(ink.x, 0, 0), low(ink.y, logical.y, baseline),
               high(ink.x + ink.width, logical.width, 0),
               high(ink.y + ink.height, logical.y + logical.height, baseline)};
  box.right = std::min(box.right, box.left + kLargestPicturePx);
  box.bottom = std::min(box.bottom, box.top + kLargestPicturePx);
  return box;
}

// Attributes of an index or an exponent.
void shift(PangoAttrList* attributes, double font_size, double rise, std::size_t first,
           std::size_t end) {
  const auto units = [](double size) { return static_cast<int>(std::lround(size * kUnit)); };
  for (PangoAttribute* attribute : {pango_attr_size_new_absolute(units(script_size(font_size))),
                                    pango_attr_rise_new(units(rise * font_size))}) {
    attribute->start_index = static_cast<guint>(first);
    attribute->end_index = static_cast<guint>(end);
    pango_attr_list_insert(attributes, attribute);
  }
}

void set_formula(PangoLayout* layout, const std::string& valid, const FontStyle& font) {
  PangoAttrList* const attributes = pango_attr_list_new();
  std::string text;
  for (const FormulaRun& run : formula_runs(valid)) {
    const std::size_t first = text.size();
    text += run.text;
    if (run.rise != 0.0) shift(attributes, font.size, run.rise, first, text.size());
  }
  pango_layout_set_text(layout, text.c_str(), static_cast<int>(text.size()));
  pango_layout_set_attributes(layout, attributes);
  pango_attr_list_unref(attributes);
}

// The text with only `kept` letters, the larger half at its beginning.
std::string cut_to(const std::string& text, const std::vector<std::size_t>& borders,
                   std::size_t kept) {
  const std::size_t letters = borders.size() - 1;
  const std::size_t head = borders[(kept + 1) / 2], tail = borders[letters - kept / 2];
  return text.substr(0, head) + "…" + text.substr(tail);
}

std::vector<std::uint8_t> unseen_pixels(Color color, std::size_t count) {
  std::vector<std::uint8_t> rgba(4 * count);
  for (std::size_t i = 0; i < count; ++i) {
    rgba[4 * i] = color.r;
    rgba[4 * i + 1] = color.g;
    rgba[4 * i + 2] = color.b;
  }
  return rgba;
}

}  // namespace

std::vector<FormulaRun> formula_runs(std::string_view text) {
  std::vector<FormulaRun> runs;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t script = find_script(text, at);
    if (script > at) runs.push_back({with_minus_signs(text.substr(at, script - at))});
    if (script == text.size()) break;
    const bool raised = text[script] == '^';
    const bool in_braces = !raised && text[script + 1] == '{';
    const std::size_t first = script + (raised || in_braces ? 2 : 1);
    const std::size_t end =
        raised || in_braces ? text.find(raised ? ')' : '}', first) : index_end(text, first);
    runs.push_back({with_minus_signs(text.substr(first, end - first)),
                    raised ? kSuperscriptRise : kSubscriptRise});
    at = end + (raised || in_braces ? 1 : 0);
  }
  return runs;
}

PangoLayoutPtr make_layout(std::string_view text, const FontStyle& font) {
  PangoLayoutPtr layout(pango_layout_new(thread_context()));
  PangoFontDescription* description = pango_font_description_new();
  pango_font_description_set_family(description, font_families(font).c_str());
  pango_font_description_set_weight(description,
                                    font.bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
  pango_font_description_set_style(description,
                                   font.italic ? PANGO_STYLE_ITALIC : PANGO_STYLE_NORMAL);
  pango_font_description_set_absolute_size(description, font.size * kUnit);
  pango_layout_set_font_description(layout.get(), description);
  pango_font_description_free(description);
  pango_layout_set_single_paragraph_mode(layout.get(), TRUE);
  const std::string drawable = drawable_text(text);
  if (font.formula) {
    set_formula(layout.get(), drawable, font);
  } else {
    pango_layout_set_text(layout.get(), drawable.c_str(), static_cast<int>(drawable.size()));
  }
  return layout;
}

void unpremultiply(const unsigned char* argb, std::size_t width, std::uint8_t* rgba) {
  for (std::size_t x = 0; x < width; ++x, argb += 4, rgba += 4) {
    std::uint32_t pixel = 0;
    std::memcpy(&pixel, argb, sizeof pixel);
    const std::uint32_t alpha = pixel >> 24U;
    if (alpha == 0) continue;
    for (unsigned c = 0; c < 3; ++c) {
      const std::uint32_t part = (pixel >> (16 - 8 * c)) & 0xFFU;
      rgba[c] = static_cast<std::uint8_t>(
          alpha == 255 ? part : std::min(255U, (part * 255 + alpha / 2) / alpha));
    }
    rgba[3] = static_cast<std::uint8_t>(alpha);
  }
}

const TextMetrics& pango_metrics() {
  thread_local const PangoMetrics kMetrics;
  return kMetrics;
}

std::string font_families(const FontStyle& font) {
  if (font.monospace) return "Noto Sans Mono, DejaVu Sans Mono, monospace";
  // The usual ones have the letters that a family lacks.
  return (font.family != nullptr ? *font.family + ", " : "") + "Noto Sans, DejaVu Sans, sans-serif";
}

std::span<const std::string> all_font_families() {
  static const std::vector<std::string> kFamilies = [] {
    const FontMapPtr fonts(pango_cairo_font_map_new());
    PangoFontFamily** families = nullptr;
    int count = 0;
    pango_font_map_list_families(fonts.get(), &families, &count);
    std::vector<std::string> names;
    names.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) names.emplace_back(pango_font_family_get_name(families[i]));
    g_free(families);
    std::ranges::sort(names);
    return names;
  }();
  return kFamilies;
}

const std::string* font_family_named(std::string_view name) {
  const auto same = [wanted = std::string(name)](const std::string& family) {
    return g_ascii_strcasecmp(family.c_str(), wanted.c_str()) == 0;
  };
  const auto found = std::ranges::find_if(all_font_families(), same);
  return found != all_font_families().end() ? &*found : nullptr;
}

bool runs_right_to_left(std::string_view text) {
  return has_right_to_left(text) && TextLine(text, {}).right_to_left();
}

Point pen_offset(const TextItem& item, const TextExtent& extent) {
  // Half the height of Latin capitals, so that labels in all scripts share a line.
  constexpr double kHalfCapital = 0.36;
  Point pen;
  if (item.halign == HAlign::Center) pen.x = -extent.width / 2.0;
  if (item.halign == HAlign::Right) pen.x = -extent.width;
  if (item.valign == VAlign::Top) pen.y = extent.ascent;
  if (item.valign == VAlign::Middle) pen.y = kHalfCapital * item.font.size;
  return pen;
}

TextPicture draw_text(std::string_view text, const FontStyle& font, Color color, double scale) {
  const PangoLayoutPtr layout = make_layout(text, font);
  const PixelBox box = picture_box(layout.get(), scale);
  TextPicture picture;
  picture.width_px = box.right - box.left;
  picture.height_px = box.bottom - box.top;
  picture.pen_px = -box.left;
  picture.baseline_px = -box.top;
  picture.rgba = unseen_pixels(color, static_cast<std::size_t>(picture.width_px) *
                                          static_cast<std::size_t>(picture.height_px));
  const SurfacePtr surface(
      cairo_image_surface_create(CAIRO_FORMAT_ARGB32, picture.width_px, picture.height_px));
  const ContextPtr context(cairo_create(surface.get()));
  cairo_translate(context.get(), picture.pen_px, picture.baseline_px);
  cairo_scale(context.get(), scale, scale);
  cairo_move_to(context.get(), 0.0, 0.0);
  cairo_set_source_rgba(context.get(), color.r / 255.0, color.g / 255.0, color.b / 255.0,
                        color.a / 255.0);
  pango_cairo_show_layout_line(context.get(), only_line(layout.get()));
  cairo_surface_flush(surface.get());
  const unsigned char* row = cairo_image_surface_get_data(surface.get());
  const auto width = static_cast<std::size_t>(picture.width_px);
  for (std::size_t at = 0; at < picture.rgba.size(); at += 4 * width) {
    unpremultiply(row, width, &picture.rgba[at]);
    row += cairo_image_surface_get_stride(surface.get());
  }
  return picture;
}

std::string fitted(const TextMetrics& metrics, std::string_view text, const FontStyle& font,
                   double width) {
  if (metrics.measure(text, font).width <= width) return std::string(text);
  const std::string valid = drawable_text(text);
  const std::string number(number_at_end(valid));
  for (const std::string& kept : {number, std::string()}) {
    const std::string word = valid.substr(0, valid.size() - kept.size());
    const std::size_t bytes = longest_cut(metrics, word, font, width, "…" + kept);
    if (bytes > 0) return cut_at(word, bytes) + "…" + kept;
  }
  return metrics.measure("…", font).width <= width ? "…" : "";
}

std::vector<std::string> wrapped(const TextMetrics& metrics, std::string_view text,
                                 const FontStyle& font, double width, std::size_t lines) {
  std::vector<std::string> out;
  std::string rest = drawable_text(text);
  while (!rest.empty() && out.size() + 1 < lines && metrics.measure(rest, font).width > width) {
    const std::size_t end = line_end(metrics, rest, font, width);
    if (end == 0) break;
    out.push_back(cut_at(rest, end));
    rest.erase(0, std::min(rest.find_first_not_of(' ', end), rest.size()));
  }
  if (!rest.empty()) out.push_back(fitted(metrics, rest, font, width));
  return out;
}

std::string cut_in_middle(const TextMetrics& metrics, std::string_view text, const FontStyle& font,
                          double width) {
  if (metrics.measure(text, font).width <= width) return std::string(text);
  const std::string valid = drawable_text(text);
  const std::vector<std::size_t> borders = letter_borders(valid);
  const auto fits = [&](std::size_t kept) {
    return metrics.measure(cut_to(valid, borders, kept), font).width <= width;
  };
  if (!fits(0)) return "";
  std::size_t fitting = 0, too_many = borders.size() - 1;
  while (fitting + 1 < too_many) {
    const std::size_t middle = (fitting + too_many) / 2;
    (fits(middle) ? fitting : too_many) = middle;
  }
  return cut_to(valid, borders, fitting);
}

std::string with_minus(std::string_view number) {
  return with_signs(number, [&](std::size_t at) { return number[at] == '-'; });
}

}  // namespace attn
