// Loading of the interface's fonts through fontconfig into ImGui's atlas.
#include "gui/platform/fonts.h"

#include <fontconfig/fontconfig.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/utf8.h"
#include "figure/text.h"

namespace attn::gui {
namespace {

constexpr std::uint64_t kLargestFontFile = 64ULL << 20U;

// Latin with extensions, Greek, Cyrillic, punctuation, superscript and subscript digits.
constexpr ImWchar kTextRanges[] = {0x20,   0x17F,  0x370,  0x3FF,  0x400,  0x4FF,  0x2010,
                                   0x2027, 0x2030, 0x205E, 0x2070, 0x2070, 0x2074, 0x207E,
                                   0x2080, 0x208E, 0x20AC, 0x20AC, 0x2100, 0x214F, 0};

// Superscript and subscript letters are scaled composites in Noto Sans, which stb_truetype scales
// twice; they are taken from a font that has outlines for them.
constexpr ImWchar kSmallLetters[] = {0x1D40, 0x1D62, 0x207F, 0x2095,
                                     0x2096, 0x2098, 0x2099, 0x2C7C};

// Symbols of formulas, keys and lists used by the interface, from any font.
constexpr ImWchar kSigns[] = {
    0x00B7, 0x00D7, 0x2013, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2026,
    0x2032, 0x2190, 0x2191, 0x2192, 0x2193, 0x2194, 0x21B5, 0x21B6, 0x21B7, 0x21D2,
    0x21E5, 0x2205, 0x2208, 0x2211, 0x2212, 0x221A, 0x221E, 0x2248, 0x2260, 0x2264,
    0x2265, 0x2297, 0x22C5, 0x22EF, 0x2318, 0x2320, 0x23CE, 0x2423, 0x25A0, 0x25A1,
    0x25B2, 0x25B8, 0x25BC, 0x25BE, 0x25C6, 0x25CB, 0x25CF, 0x2713, 0x2715, 0x26A0};

constexpr ImWchar kMinusSign = 0x2212;
constexpr int kMaxFallbacks = 8;

template <auto destroy>
struct Destroy {
  template <class T>
  void operator()(T* object) const {
    destroy(object);
  }
};
using Pattern = std::unique_ptr<FcPattern, Destroy<FcPatternDestroy>>;
using CharSet = std::unique_ptr<FcCharSet, Destroy<FcCharSetDestroy>>;

// The installed font closest to the family and weight, preferring one that covers `needed`.
Pattern find_font(const char* family, int weight, const FcCharSet* needed) {
  const Pattern pattern(FcPatternCreate());
  FcPatternAddString(pattern.get(), FC_FAMILY, reinterpret_cast<const FcChar8*>(family));
  FcPatternAddInteger(pattern.get(), FC_WEIGHT, weight);
  FcPatternAddBool(pattern.get(), FC_SCALABLE, FcTrue);
  FcPatternAddBool(pattern.get(), FC_COLOR, FcFalse);
  if (needed != nullptr) FcPatternAddCharSet(pattern.get(), FC_CHARSET, needed);
  FcConfigSubstitute(nullptr, pattern.get(), FcMatchPattern);
  FcDefaultSubstitute(pattern.get());
  FcResult result = FcResultNoMatch;
  return Pattern(FcFontMatch(nullptr, pattern.get(), &result));
}

bool has(const Pattern& font, ImWchar sign) {
  FcCharSet* set = nullptr;
  return FcPatternGetCharSet(font.get(), FC_CHARSET, 0, &set) == FcResultMatch &&
         FcCharSetHasChar(set, sign) == FcTrue;
}

// ImGui asserts on files that are not fonts, so the first bytes are checked here.
bool is_outline_font(const std::string& bytes) {
  constexpr std::string_view kTags[] = {{"\0\1\0\0", 4}, "OTTO", "ttcf", "true"};
  const auto begins_with = [&](std::string_view tag) { return bytes.starts_with(tag); };
  return bytes.size() >= 1024 && std::ranges::any_of(kTags, begins_with);
}

ImFont* add(ImFontAtlas& atlas, const Pattern& font, float size_px, const ImWchar* ranges,
            bool merge) {
  FcChar8* path = nullptr;
  int face = 0;
  if (FcPatternGetString(font.get(), FC_FILE, 0, &path) != FcResultMatch) return nullptr;
  FcPatternGetInteger(font.get(), FC_INDEX, 0, &face);
  const Result<std::string> bytes =
      read_file(reinterpret_cast<const char*>(path), kLargestFontFile);
  if (!bytes.ok() || !is_outline_font(bytes.value())) return nullptr;
  ImFontConfig config;
  config.OversampleH = 2;
  config.PixelSnapH = true;
  config.MergeMode = merge;
  config.FontNo = face & 0xFFFF;
  void* owned = IM_ALLOC(bytes.value().size());
  std::memcpy(owned, bytes.value().data(), bytes.value().size());
  return atlas.AddFontFromMemoryTTF(owned, static_cast<int>(bytes.value().size()), size_px, &config,
                                    ranges);
}

// Ranges of single symbols in ImGui's zero-terminated form.
std::vector<ImWchar> as_ranges(std::span<const ImWchar> signs) {
  std::vector<ImWchar> ranges;
  for (const ImWchar sign : signs) ranges.insert(ranges.end(), {sign, sign});
  ranges.push_back(0);
  return ranges;
}

// Adds symbols missing from `font` from at most kMaxFallbacks other fonts.
void add_missing_signs(ImFontAtlas& atlas, const Pattern& font, int weight, float size_px,
                       std::vector<ImWchar> missing,
                       std::vector<std::vector<ImWchar>>& stored_ranges) {
  missing.insert(missing.end(), std::begin(kSmallLetters), std::end(kSmallLetters));
  for (const ImWchar sign : kSigns) {
    if (!has(font, sign)) missing.push_back(sign);
  }
  for (int attempt = 0; attempt < kMaxFallbacks && !missing.empty(); ++attempt) {
    const CharSet needed(FcCharSetCreate());
    for (const ImWchar sign : missing) FcCharSetAddChar(needed.get(), sign);
    const Pattern other = find_font("DejaVu Sans", weight, needed.get());
    if (other == nullptr) return;
    const auto split = std::partition(missing.begin(), missing.end(),
                                      [&other](ImWchar sign) { return !has(other, sign); });
    const std::vector<ImWchar> found(split, missing.end());
    if (found.empty()) return;
    missing.erase(split, missing.end());
    stored_ranges.push_back(as_ranges(found));
    add(atlas, other, size_px, stored_ranges.back().data(), true);
  }
}

ImFont* add_family(ImFontAtlas& atlas, const char* family, int weight, float size_px,
                   const std::vector<ImWchar>& extra,
                   std::vector<std::vector<ImWchar>>& stored_ranges) {
  const Pattern font = find_font(family, weight, nullptr);
  if (font == nullptr) return nullptr;
  stored_ranges.push_back(as_ranges(kSigns));
  std::vector<ImWchar>& ranges = stored_ranges.back();
  ranges.insert(ranges.begin(), std::begin(kTextRanges), std::end(kTextRanges) - 1);
  ImFont* const added = add(atlas, font, size_px, ranges.data(), false);
  if (added != nullptr) add_missing_signs(atlas, font, weight, size_px, extra, stored_ranges);
  return added;
}

// Adds smaller copies of a font's letters, lower and higher on the line, which share its pictures.
void add_scripts(ImFont& font, float scale) {
  const float em = static_cast<float>(kLabelSize) * scale;
  const auto size = static_cast<float>(kScriptSize);
  std::vector<ImWchar> letters{kMinusSign};
  for (ImWchar c = '!'; c <= '~'; ++c) letters.push_back(c);
  for (const ImWchar letter : letters) {
    const ImFontGlyph* found = font.FindGlyphNoFallback(letter);
    if (found == nullptr) continue;
    const ImFontGlyph g = *found;  // adding others may move it
    for (const double rise : {kSubscriptRise, kSuperscriptRise}) {
      const float top = font.Ascent * (1.0F - size) - static_cast<float>(rise) * em;
      font.AddGlyph(nullptr, static_cast<ImWchar>(script_letter(letter, rise > 0.0)), g.X0 * size,
                    top + g.Y0 * size, g.X1 * size, top + g.Y1 * size, g.U0, g.V0, g.U1, g.V1,
                    g.AdvanceX * size);
    }
  }
  font.BuildLookupTable();
}

// The characters of `text` outside of the usual fonts, each once.
std::vector<ImWchar> unusual(std::string_view text) {
  std::set<ImWchar> found;
  for (const char32_t code_point : code_points(text)) {
    if (code_point >= 0x20 && code_point < 0xFFFD && !in_usual_fonts(code_point)) {
      found.insert(static_cast<ImWchar>(code_point));
    }
  }
  return {found.begin(), found.end()};
}

}  // namespace

bool in_usual_fonts(unsigned code_point) {
  for (const ImWchar* range = kTextRanges; *range != 0; range += 2) {
    if (code_point >= range[0] && code_point <= range[1]) return true;
  }
  return std::ranges::count(kSigns, code_point) + std::ranges::count(kSmallLetters, code_point) > 0;
}

char32_t script_letter(char32_t letter, bool raised) {
  constexpr char32_t kPrivateUse = 0xE000;
  const bool is_ascii = letter > ' ' && letter <= '~';
  if (!is_ascii && letter != kMinusSign) return letter;
  return kPrivateUse + (raised ? 0x80 : 0) + (is_ascii ? letter : '-');
}

Fonts load_fonts(ImFontAtlas& atlas, float scale, std::string_view extra) {
  atlas.Clear();
  const float size_px = std::round(kFontSize * scale);
  std::vector<std::vector<ImWchar>> stored_ranges;
  stored_ranges.reserve(32);
  Fonts fonts;
  fonts.regular =
      add_family(atlas, "Noto Sans", FC_WEIGHT_REGULAR, size_px, unusual(extra), stored_ranges);
  if (fonts.regular == nullptr) {
    ImFontConfig config;
    config.SizePixels = size_px;
    fonts.regular = atlas.AddFontDefault(&config);
  }
  fonts.bold = add_family(atlas, "Noto Sans", FC_WEIGHT_BOLD, size_px, {}, stored_ranges);
  if (fonts.bold == nullptr) fonts.bold = fonts.regular;
  fonts.mono = add_family(atlas, "Noto Sans Mono", FC_WEIGHT_REGULAR, size_px, {}, stored_ranges);
  if (fonts.mono == nullptr) fonts.mono = fonts.regular;
  atlas.Build();
  add_scripts(*fonts.regular, scale);
  if (fonts.bold != fonts.regular) add_scripts(*fonts.bold, scale);
  return fonts;
}

}  // namespace attn::gui
