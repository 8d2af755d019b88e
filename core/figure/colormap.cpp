// Colour maps, hatching, colour vision and themes, and the colour of a value. Dichromats are
// simulated by the matrices of Machado, Oliveira and Fernandes (2009), lightness by the luminance
// of Rec. 709. Listed colours are interpolated in OKLab, and colours of heads have equal chroma in
// OKLCH: B. Ottosson, "A perceptual color space for image processing", 2020.
#include "figure/colormap.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <map>
#include <mutex>
#include <numbers>
#include <utility>
#include <vector>

#include "base/enum_table.h"
#include "base/joined.h"
#include "base/number_text.h"
#include "base/utf8.h"

namespace attn {
namespace {

using Entries = std::array<Color, 256>;

// The 256 entries of viridis and magma (van der Walt, Smith and Firing 2015, CC0), two hexadecimal
// digits per channel.
constexpr std::string_view kViridis =
    "44015444025645045745055946075a46085c460a5d460b5e470d60470e61471063471164471365481467481668"
    "48176948186a481a6c481b6d481c6e481d6f481f70482071482173482374482475482576482677482878482979"
    "472a7a472c7a472d7b472e7c472f7d46307e46327e46337f463480453581453781453882443983443a83443b84"
    "433d84433e85423f854240864241864142874144874045884046883f47883f48893e49893e4a893e4c8a3d4d8a"
    "3d4e8a3c4f8a3c508b3b518b3b528b3a538b3a548c39558c39568c38588c38598c375a8c375b8d365c8d365d8d"
    "355e8d355f8d34608d34618d33628d33638d32648e32658e31668e31678e31688e30698e306a8e2f6b8e2f6c8e"
    "2e6d8e2e6e8e2e6f8e2d708e2d718e2c718e2c728e2c738e2b748e2b758e2a768e2a778e2a788e29798e297a8e"
    "297b8e287c8e287d8e277e8e277f8e27808e26818e26828e26828e25838e25848e25858e24868e24878e23888e"
    "23898e238a8d228b8d228c8d228d8d218e8d218f8d21908d21918c20928c20928c20938c1f948c1f958b1f968b"
    "1f978b1f988b1f998a1f9a8a1e9b8a1e9c891e9d891f9e891f9f881fa0881fa1881fa1871fa28720a38620a486"
    "21a58521a68522a78522a88423a98324aa8325ab8225ac8226ad8127ad8128ae8029af7f2ab07f2cb17e2db27d"
    "2eb37c2fb47c31b57b32b67a34b67935b77937b87838b9773aba763bbb753dbc743fbc7340bd7242be7144bf70"
    "46c06f48c16e4ac16d4cc26c4ec36b50c46a52c56954c56856c66758c7655ac8645cc8635ec96260ca6063cb5f"
    "65cb5e67cc5c69cd5b6ccd5a6ece5870cf5773d05675d05477d1537ad1517cd2507fd34e81d34d84d44b86d549"
    "89d5488bd6468ed64590d74393d74195d84098d83e9bd93c9dd93ba0da39a2da37a5db36a8db34aadc32addc30"
    "b0dd2fb2dd2db5de2bb8de29bade28bddf26c0df25c2df23c5e021c8e020cae11fcde11dd0e11cd2e21bd5e21a"
    "d8e219dae319dde318dfe318e2e418e5e419e7e419eae51aece51befe51cf1e51df4e61ef6e620f8e621fbe723"
    "fde725";
constexpr std::string_view kMagma =
    "00000401000501010601010802010902020b02020d03030f03031204041405041606051806051a07061c08071e"
    "0907200a08220b09240c09260d0a290e0b2b100b2d110c2f120d31130d34140e36150e38160f3b180f3d19103f"
    "1a10421c10441d11471e114920114b21114e22115024125325125527125829115a2a115c2c115f2d11612f1163"
    "31116533106734106936106b38106c390f6e3b0f703d0f713f0f72400f74420f75440f76451077471078491078"
    "4a10794c117a4e117b4f127b51127c52137c54137d56147d57157e59157e5a167e5c167f5d177f5f187f601880"
    "621980641a80651a80671b80681c816a1c816b1d816d1d816e1e81701f81721f81732081752181762181782281"
    "7922827b23827c23827e24828025828125818326818426818627818827818928818b29818c29818e2a81902a81"
    "912b81932b80942c80962c80982d80992d809b2e7f9c2e7f9e2f7fa02f7fa1307ea3307ea5317ea6317da8327d"
    "aa337dab337cad347cae347bb0357bb2357bb3367ab5367ab73779b83779ba3878bc3978bd3977bf3a77c03a76"
    "c23b75c43c75c53c74c73d73c83e73ca3e72cc3f71cd4071cf4070d0416fd2426fd3436ed5446dd6456cd8456c"
    "d9466bdb476adc4869de4968df4a68e04c67e24d66e34e65e44f64e55064e75263e85362e95462ea5661eb5760"
    "ec5860ed5a5fee5b5eef5d5ef05f5ef1605df2625df2645cf3655cf4675cf4695cf56b5cf66c5cf66e5cf7705c"
    "f7725cf8745cf8765cf9785df9795df97b5dfa7d5efa7f5efa815ffb835ffb8560fb8761fc8961fc8a62fc8c63"
    "fc8e64fc9065fd9266fd9467fd9668fd9869fd9a6afd9b6bfe9d6cfe9f6dfea16efea36ffea571fea772fea973"
    "feaa74feac76feae77feb078feb27afeb47bfeb67cfeb77efeb97ffebb81febd82febf84fec185fec287fec488"
    "fec68afec88cfeca8dfecc8ffecd90fecf92fed194fed395fed597fed799fed89afdda9cfddc9efddea0fde0a1"
    "fde2a3fde3a5fde5a7fde7a9fde9aafdebacfcecaefceeb0fcf0b2fcf2b4fcf4b6fcf6b8fcf7b9fcf9bbfcfbbd"
    "fcfdbf";

// Every fifth entry of inferno and plasma, by the same authors (CC0).
constexpr std::string_view kInferno =
    "00000402020c0504170a072210092d160b391e0c45260c512f0a5b380962400a67490b6a510e6c59106e61136e"
    "69166e71196e781c6d801f6c88226a902568982766a02a63a82e5fb0315bb73557bf3952c63d4dcc4248d34743"
    "d94d3ddf5337e45a31e9612bed6925f1711ff47918f78212f98b0bfa9407fb9d07fca60cfcb014fbba1ffac42a"
    "f8cd37f6d746f4e156f2ea69f2f27df5f992fcffa4";
constexpr std::string_view kPlasma =
    "0d08871b068d2605912f059638049a41049d4903a05102a35901a56100a76900a87100a87801a88004a88707a6"
    "8e0ca49511a19c179ea21d9aa82296ae2892b42e8dba3388bf3984c43e7fc9447acd4a76d24f71d6556dda5b69"
    "de6164e26660e66c5ce97257ed7953f07f4ff3854bf58c46f79342f99a3efba139fca835fdaf31feb72dfebe2a"
    "fdc627fcce25fbd724f8df25f6e826f3f027f0f921";
// The 33 colours of cool and warm (Moreland 2009).
constexpr std::string_view kCoolWarm =
    "3b4cc0445acc4d68d75775e16282ea6c8ef1779af782a5fb8db0fe98b9ffa3c2ffaec9fdb8d0f9c2d5f4ccd9ee"
    "d5dbe6dddddde5d8d1ecd3c5f1ccb9f5c4adf7bba0f7b194f7a687f49a7bf18d6fec7f63e57058de604dd55042"
    "cb3e38c0282fb40426";

Color color_of_hex(std::string_view rrggbb) {
  const unsigned long rgb = std::stoul(std::string(rrggbb), nullptr, 16);
  return {static_cast<std::uint8_t>(rgb >> 16U), static_cast<std::uint8_t>(rgb >> 8U),
          static_cast<std::uint8_t>(rgb), 255};
}

std::uint8_t to_byte(double value) {
  return static_cast<std::uint8_t>(std::clamp(value, 0.0, 255.0) + 0.5);
}

// Entries between evenly spaced colours, which may be all 256: between(a, b, share of b).
template <class Between>
Entries interpolated(const std::vector<Color>& colors, const Between& between) {
  Entries entries;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const double place = static_cast<double>((colors.size() - 1) * i) / 255.0;
    const std::size_t below = std::min(static_cast<std::size_t>(place), colors.size() - 2);
    entries[i] = between(colors[below], colors[below + 1], place - static_cast<double>(below));
  }
  return entries;
}

Entries from_table(std::string_view table) {
  std::vector<Color> colors;
  for (; !table.empty(); table.remove_prefix(6)) colors.push_back(color_of_hex(table.substr(0, 6)));
  return interpolated(colors, mix);
}

// Horner's scheme, constant term first.
double polynomial(std::initializer_list<double> coefficients, double t) {
  double sum = 0.0;
  for (auto c = std::rbegin(coefficients); c != std::rend(coefficients); ++c) sum = sum * t + *c;
  return sum;
}

// Polynomial approximation of the table of cividis (Nuñez, Anderton and Renslow 2018).
Entries cividis() {
  Entries entries;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const double t = static_cast<double>(i) / 255.0;
    entries[i] = {to_byte(polynomial({-4.54, -35.34, 2381.73, -6402.7, 7024.72, -2710.57}, t)),
                  to_byte(polynomial({32.49, 170.73, 52.82, -131.46, 176.58, -67.37}, t)),
                  to_byte(polynomial({81.24, 442.36, -2482.43, 6167.24, -6614.94, 2475.67}, t)),
                  255};
  }
  return entries;
}

// Maps as they are published, then all of them the other way round, as NAME_r.
std::vector<ColorMap> make_colormaps() {
  std::vector<ColorMap> maps = {
      {"viridis", "Viridis", false, from_table(kViridis)},
      {"magma", "Magma", false, from_table(kMagma)},
      {"inferno", "Inferno", false, from_table(kInferno)},
      {"plasma", "Plasma", false, from_table(kPlasma)},
      {"cividis", "Cividis", false, cividis()},
      // ColorBrewer's nine-class YlOrRd and eleven-class RdBu, with blue on the negative side.
      {"ylorrd", "YlOrRd", false,
       from_table("ffffccffeda0fed976feb24cfd8d3cfc4e2ae31a1cbd0026800026")},
      {"grey", "Grey", false, from_table("ffffff000000")},
      {"redblue", "Red–blue", true,
       from_table("0530612166ac4393c392c5ded1e5f0f7f7f7fddbc7f4a582d6604db2182b67001f")},
      {"coolwarm", "Cool–warm", true, from_table(kCoolWarm)}};
  const std::size_t published = maps.size();
  maps.reserve(2 * published);
  for (std::size_t i = 0; i < published; ++i) {
    ColorMap& map = maps.emplace_back(maps[i]);
    map.name += kReversedSuffix;
    map.label += ", reversed";
    std::ranges::reverse(map.colors);
  }
  return maps;
}

// Linear light to sRGB, clamped.
std::uint8_t encoded_byte(double linear) {
  const double light = std::clamp(linear, 0.0, 1.0);
  return to_byte(255.0 *
                 (light <= 0.0031308 ? 12.92 * light : 1.055 * std::pow(light, 1.0 / 2.4) - 0.055));
}

// Clamped to the gamut of sRGB.
Color color_of_oklab(double lightness, double a, double b) {
  const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
  const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
  const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
  return {encoded_byte(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
          encoded_byte(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
          encoded_byte(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s), 255};
}

struct Lab {
  double lightness, a, b;
};

Lab lab_of(Color color) {
  const double r = linear_light(color.r / 255.0), g = linear_light(color.g / 255.0),
               b = linear_light(color.b / 255.0);
  const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

// "#fff" or "#ffffff".
std::optional<Color> color_of(std::string_view text) {
  if (!text.starts_with('#') || (text.size() != 4 && text.size() != 7)) return std::nullopt;
  std::string digits(text.substr(1));
  if (digits.find_first_not_of("0123456789abcdef") != digits.npos) return std::nullopt;
  if (digits.size() == 3)
    digits = {digits[0], digits[0], digits[1], digits[1], digits[2], digits[2]};
  return color_of_hex(digits);
}

Error list_error(std::string found, std::string expected) {
  return {.kind = ErrorKind::Usage,
          .message = "these colours do not make a colour map",
          .found = std::move(found),
          .expected = std::move(expected)};
}

Result<std::vector<Color>> colors_of(std::string_view list) {
  constexpr std::size_t kFewest = 2, kMost = 256;
  std::vector<Color> colors;
  for (const std::string& each : split(list, ',')) {
    const std::optional<Color> color = color_of(each);
    if (!color) return list_error("“" + each + "”", "colours as #RGB or #RRGGBB");
    colors.push_back(*color);
  }
  if (colors.size() >= kFewest && colors.size() <= kMost) return colors;
  return list_error(counted(colors.size(), "colour"), "2 to 256 colours, as in #ffffff,#08306b");
}

ColorMap map_through(std::string name, const std::vector<Color>& colors) {
  ColorMap map{std::move(name), "Own colours", false, {}};
  map.colors = interpolated(colors, [](Color a, Color b, double part) {
    const Lab from = lab_of(a), to = lab_of(b);
    return color_of_oklab(std::lerp(from.lightness, to.lightness, part),
                          std::lerp(from.a, to.a, part), std::lerp(from.b, to.b, part));
  });
  const double first = lab_of(colors.front()).lightness, last = lab_of(colors.back()).lightness,
               middle = lab_of(colors[colors.size() / 2]).lightness;
  map.diverging = colors.size() % 2 == 1 && (middle - first) * (middle - last) > 0.0;
  return map;
}

double relative_luminance(Color color) {
  return 0.2126 * linear_light(color.r / 255.0) + 0.7152 * linear_light(color.g / 255.0) +
         0.0722 * linear_light(color.b / 255.0);
}

bool on_line(double along, double period, double ink) {
  return along - std::floor(along / period) * period < ink;
}

// Rules of positions, padding, and rules given cell by cell.
constexpr std::array<Hatch, 3> kHatches{{
    {kRisingLines, kHiddenByCausal | kHiddenByWindow | kHiddenByDilation | kHiddenBySegment},
    {kFallingLines, kHiddenByKeyPadding | kHiddenByQueryPadding},
    {kLevelLines, kHiddenByHand | kHiddenByBias},
}};

constexpr ColorVisionInfo kVisions[] = {
    {ColorVision::Usual, "none", "None", "Colours as they are", {1, 0, 0, 0, 1, 0, 0, 0, 1}},
    {ColorVision::Protanopia,
     "protanopia",
     "Protanopia",
     "Without cones for long waves: red is dark, and like green",
     {0.152286F, 1.052583F, -0.204868F, 0.114503F, 0.786281F, 0.099216F, -0.003882F, -0.048116F,
      1.051998F}},
    {ColorVision::Deuteranopia,
     "deuteranopia",
     "Deuteranopia",
     "Without cones for middle waves: red is like green",
     {0.367322F, 0.860646F, -0.227968F, 0.280085F, 0.672501F, 0.047413F, -0.011820F, 0.042940F,
      0.968881F}},
    {ColorVision::Tritanopia,
     "tritanopia",
     "Tritanopia",
     "Without cones for short waves: blue is like green",
     {1.255528F, -0.076749F, -0.178779F, -0.078411F, 0.930809F, 0.147602F, 0.004733F, 0.691367F,
      0.303900F}},
    {ColorVision::Grey,
     "grey",
     "Grey",
     "Lightness only, as in a print without colours",
     {0.2126F, 0.7152F, 0.0722F, 0.2126F, 0.7152F, 0.0722F, 0.2126F, 0.7152F, 0.0722F}},
};
static_assert(static_cast<std::size_t>(ColorVision::Grey) + 1 == std::size(kVisions));

double bent(float power, double value) {
  if (power == 1.0F) return value;
  if (power != kLogarithm) {
    return std::copysign(std::pow(std::abs(value), static_cast<double>(power)), value);
  }
  return value > 0.0 ? std::log(value) : -std::numeric_limits<double>::infinity();
}

double straightened(float power, double value) {
  if (power == kLogarithm) return std::exp(value);
  return power == 1.0F ? value : bent(1.0F / power, value);
}

// A colour in all themes.
struct ThemeColor {
  Color FigureTheme::*use;
  Color paper, light, dark, contrast;
};

// Roles are mid-tones with a contrast of at least 3:1 against white and against the dark
// background; of the high contrast, white and strong colours on black with at least 7:1.
using T = FigureTheme;
constexpr ThemeColor kThemeColors[] = {
    {&T::background, {255, 255, 255}, {250, 250, 252}, {24, 26, 31}, {0, 0, 0}},
    {&T::ink, {26, 28, 33}, {26, 28, 33}, {232, 234, 238}, {255, 255, 255}},
    {&T::muted, {92, 98, 110}, {92, 98, 110}, {156, 163, 175}, {214, 218, 226}},
    {&T::grid, {208, 212, 219}, {208, 212, 219}, {62, 67, 77}, {150, 156, 166}},
    {&T::panel, {244, 245, 248}, {240, 241, 245}, {35, 38, 45}, {0, 0, 0}},
    {&T::accent, {217, 95, 2}, {205, 88, 0}, {255, 159, 67}, {255, 214, 10}},
    {&T::hatch, {168, 172, 180}, {168, 172, 180}, {92, 98, 110}, {170, 176, 186}},
    {&T::hatch_background, {238, 239, 242}, {232, 234, 238}, {46, 50, 58}, {32, 34, 38}},
    {&T::query, {44, 105, 191}, {44, 105, 191}, {96, 156, 240}, {122, 184, 255}},
    {&T::key, {200, 56, 60}, {200, 56, 60}, {240, 104, 106}, {255, 138, 138}},
    {&T::value, {45, 138, 72}, {45, 138, 72}, {88, 186, 118}, {110, 224, 140}},
    {&T::output, {130, 72, 178}, {130, 72, 178}, {178, 128, 228}, {212, 168, 255}},
};

constexpr FigureTheme theme_of(Color ThemeColor::*theme) {
  FigureTheme colors;
  for (const ThemeColor& color : kThemeColors) colors.*color.use = color.*theme;
  return colors;
}

// Paper whose axes, labels and notes are black.
constexpr FigureTheme black_theme() {
  FigureTheme colors = theme_of(&ThemeColor::paper);
  colors.ink = colors.muted = colors.query = colors.key = colors.value = colors.output = {0, 0, 0};
  return colors;
}

constexpr ThemeInfo kThemes[] = {
    {ThemeKind::Paper, "paper", "Paper", false, false, theme_of(&ThemeColor::paper)},
    {ThemeKind::Light, "light", "Light", true, false, theme_of(&ThemeColor::light)},
    {ThemeKind::Dark, "dark", "Dark", true, true, theme_of(&ThemeColor::dark)},
    {ThemeKind::Contrast, "contrast", "High contrast", true, true, theme_of(&ThemeColor::contrast)},
    {ThemeKind::Black, "black", "Paper, all black", false, false, black_theme()},
};

// `hue` in turns.
Color oklch(double lightness, double chroma, double hue) {
  return color_of_oklab(lightness, chroma * std::cos(2.0 * std::numbers::pi * hue),
                        chroma * std::sin(2.0 * std::numbers::pi * hue));
}

}  // namespace

Color mix(Color a, Color b, double part_of_b) {
  const auto at = [&](std::uint8_t x, std::uint8_t y) { return to_byte(x + part_of_b * (y - x)); };
  return {at(a.r, b.r), at(a.g, b.g), at(a.b, b.b), at(a.a, b.a)};
}

std::span<const ColorMap> all_colormaps() {
  static const std::vector<ColorMap> kMaps = make_colormaps();
  return kMaps;
}

const ColorMap* colormap_named(std::string_view name) {
  const std::string small = in_small_letters(name);
  for (const ColorMap& map : all_colormaps()) {
    if (map.name == small) return &map;
  }
  if (!lists_colors(name)) return nullptr;
  const Result<const ColorMap*> listed = listed_colormap(name);
  return listed ? *listed : nullptr;
}

Result<const ColorMap*> listed_colormap(std::string_view text) {
  static std::mutex mutex;
  static std::map<std::string, ColorMap> made;  // whose places stay
  std::string name = in_small_letters(text);
  std::erase(name, ' ');
  const std::lock_guard lock(mutex);
  if (const auto known = made.find(name); known != made.end()) return &known->second;
  std::string_view list = name;
  const bool reversed = list.ends_with(kReversedSuffix);
  if (reversed) list.remove_suffix(kReversedSuffix.size());
  Result<std::vector<Color>> colors = colors_of(list);
  if (!colors) return colors.error();
  if (reversed) std::ranges::reverse(*colors);
  return &made.emplace(name, map_through(name, *colors)).first->second;
}

double place_on(const ColorScale& scale, double value) {
  const double low = bent(scale.power, scale.low), high = bent(scale.power, scale.high);
  return (bent(scale.power, value) - low) / (high - low);
}

double value_at(const ColorScale& scale, double place) {
  const double low = bent(scale.power, scale.low), high = bent(scale.power, scale.high);
  return straightened(scale.power, low + place * (high - low));
}

std::uint8_t color_index(const ColorScale& scale, float value) {
  assert(!std::isnan(value));
  if (!(scale.high > scale.low) || value <= scale.low) return 0;
  if (value >= scale.high) return 255;
  return to_byte(255.0 * place_on(scale, value));
}

CellLook cell_look(float value, std::uint8_t hidden_rules) {
  if (hidden_rules != 0) return CellLook::Hidden;
  return std::isfinite(value) ? CellLook::Mapped : CellLook::NonFinite;
}

bool pattern_ink(CellLook look, double x, double y, HatchLines lines) {
  if (look == CellLook::Hidden) {
    return ((lines & kRisingLines) != 0 && on_line(x + y, kHatchPeriod, kHatchInk)) ||
           ((lines & kFallingLines) != 0 && on_line(x - y, kHatchPeriod, kHatchInk)) ||
           ((lines & kLevelLines) != 0 && on_line(y, kLevelPeriod, kLevelInk));
  }
  if (look == CellLook::Mapped) return false;
  const double squares = std::floor(x / kCheckSize) + std::floor(y / kCheckSize);
  return std::fmod(squares, 2.0) != 0.0;
}

Color readable_on(Color background) {
  // Equal contrast (L + 0.05) / 0.05 = 1.05 / (L + 0.05) lies at L = √(1.05 · 0.05) − 0.05.
  constexpr double kEqualContrast = 0.17912878474779;
  return relative_luminance(background) > kEqualContrast ? Color{0, 0, 0, 255}
                                                         : Color{255, 255, 255, 255};
}

double linear_light(double encoded) {
  return encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
}

std::span<const Hatch> all_hatches() { return kHatches; }

HatchLines hatch_lines(HiddenRules rules) {
  HatchLines lines = 0;
  for (const Hatch& hatch : kHatches) {
    if ((rules & hatch.rules) != 0) lines |= hatch.line;
  }
  return lines;
}

std::span<const ColorVisionInfo> all_color_visions() { return kVisions; }

const ColorVisionInfo& color_vision_info(ColorVision vision) {
  return kVisions[static_cast<std::size_t>(vision)];
}

Color seen_by(ColorVision vision, Color color) {
  const std::array<float, 9>& m = color_vision_info(vision).matrix;
  const double light[] = {linear_light(color.r / 255.0), linear_light(color.g / 255.0),
                          linear_light(color.b / 255.0)};
  const auto row = [&](std::size_t r) {
    double sum = 0.0;
    for (std::size_t c = 0; c < 3; ++c) sum += static_cast<double>(m[3 * r + c]) * light[c];
    return encoded_byte(sum);
  };
  return {row(0), row(1), row(2), color.a};
}

std::span<const ThemeInfo> all_themes() { return kThemes; }

const ThemeInfo& theme_info(ThemeKind kind) { return kThemes[static_cast<std::size_t>(kind)]; }

std::optional<ThemeKind> theme_named(std::string_view name) {
  const auto* found = std::ranges::find(kThemes, name, &ThemeInfo::name);
  return found == std::end(kThemes) ? std::nullopt : std::optional(found->kind);
}

const FigureTheme& figure_theme(ThemeKind kind) { return theme_info(kind).colors; }

Color stage_color(const FigureTheme& theme, Stage stage) {
  const StageRole role = stage_info(stage).role;
  const bool has_own = role != StageRole::Scores && role != StageRole::Influence;
  return has_own ? role_color(theme, role) : theme.ink;
}

Color role_color(const FigureTheme& theme, StageRole role) {
  constexpr std::array<Color T::*, count_of<StageRole>()> kColors = {
      &T::query, &T::key, &T::value, &T::accent, &T::output, &T::accent};
  return theme.*kColors[static_cast<std::size_t>(role)];
}

Color head_color(std::size_t head, std::size_t heads, ThemeKind theme) {
  constexpr double kFirstHue = 0.72;  // blue
  constexpr double kChroma = 0.15, kStep = 0.09;
  const double turn =
      static_cast<double>(head) / static_cast<double>(std::max<std::size_t>(heads, 1));
  const double lower = theme_info(theme).is_dark ? 0.68 : 0.50;
  return oklch(lower + (head % 2 == 0 ? 0.0 : kStep), kChroma, kFirstHue + turn);
}

}  // namespace attn
