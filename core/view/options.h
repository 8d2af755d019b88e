// Options of plots as one value. Saved with the document, set from the command line and the window;
// fields.h describes each of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "attention/block.h"
#include "attention/stage.h"
#include "engine/matrix/derived.h"
#include "engine/matrix/pool.h"
#include "figure/colormap.h"

namespace attn {

// Options of plots, in the order of plot_option_fields().
// clang-format off
enum class Option : std::uint8_t {
  Stage, Attention, Layer, Sample, Head, Colormap, Values, Annotate, Decimals, Range, OwnRange, Log,
  RangeLow, RangeHigh, Histogram, Overview, Pooling, PixelBudget, Step, Kernel, Matrix, Residual,
  WithoutFirst, AllSamples, Sort, Tint, HeadRange, Page, Layers, Heads, RowShare, Least,
  Orientation, Token, FirstQuery, FirstKey, TokensShown, Direction, Words, Minus, MinusStage, MinusLayer, MinusSample,
  MinusHead, Show, Changes, TokensAsWritten, AxisFrom, AxisTo, AxisLog, Bins, Axes, MapRows, XTitle,
  YTitle, ColorBar, Title,
  Notes, Theme, Width, Height, FontSize, Font, Letters, ByEffect, FromReference
};
// clang-format on

class OptionSet {
 public:
  constexpr OptionSet() = default;
  constexpr OptionSet(Option option) {
    const auto number = static_cast<unsigned>(option);
    bits_[number / 64U] = std::uint64_t{1} << number % 64U;
  }
  constexpr bool contains(Option option) const { return (*this | OptionSet(option)) == *this; }
  friend constexpr bool operator==(OptionSet, OptionSet) = default;
  friend constexpr OptionSet operator|(OptionSet a, OptionSet b) {
    for (std::size_t i = 0; i < a.bits_.size(); ++i) a.bits_[i] |= b.bits_[i];
    return a;
  }

 private:
  std::array<std::uint64_t, 2> bits_{};
};
constexpr OptionSet operator|(Option a, Option b) { return OptionSet(a) | OptionSet(b); }

// Bounds of the number of tokens that a convolution sees at once.
inline constexpr std::size_t kLeastKernel = 2, kMostKernel = 1000;

// Number of tokens per side that the links plot draws at once.
inline constexpr std::size_t kUsualTokensShown = 200, kMostTokensShown = 1000;

// Number of bins of a histogram of numbers.
inline constexpr std::size_t kFewestBins = 2, kUsualBins = 40, kMostBins = 500;

inline constexpr std::string_view kNoTitle = "none";  // as title: no title

// The part of a matrix in view, in cells; fractions while zooming. Empty (rows 0): all of it.
struct CellWindow {
  double row = 0.0, col = 0.0, rows = 0.0, cols = 0.0;
  friend bool operator==(const CellWindow&, const CellWindow&) = default;
};

// Arrangement of the tokens of the links plot.
enum class Orientation { Automatic, Columns, Rows };

// Range of the colours of weights: 0 to 1, bent by the number of keys, or even; the values of the
// head or of all heads of its layer; each row separately. Other stages span their values.
enum class ColorSpan { Automatic, Unit, Head, Heads, Rows };

// Range of the colours of thumbnails: that of a map; each head to its own largest weight; all to
// the largest of the heads shown; 0 to 1, even.
enum class HeadRange { Automatic, Head, Shared, Unit };

// Choice of the rows of a map in a file: queries, as usual, or keys, with the first one at the top
// or, if up, at the bottom.
enum class MapRows { Queries, QueriesUp, Keys, KeysUp };

// Source of the subtrahend: the reference if there is one, else the document; or a fixed choice.
enum class MinusFrom { Automatic, Document, Reference };
enum class Compared { Difference, A, B };

// Choice of the numbers that are shown.
struct CommonOptions {
  Stage stage = Stage::Weights;
  HeadAddress at{};
  std::string heads = "all";       // of plots of several heads, or "0,3-5"
  std::size_t step = 0;            // decoder steps drawn; 0: all
  bool tokens_as_written = false;  // spelling of the vocabulary: "Ġcat" or "▁cat", not " cat"
  friend bool operator==(const CommonOptions&, const CommonOptions&) = default;
};

struct MapOptions {
  CellWindow window{};
  std::string colormap = "auto";           // name of a choice of colour map
  bool values = true;                      // numbers in the cells when they fit
  std::string annotate = "all";            // cells with numbers: all, none, "top 5", "above 0.3"
  int decimals = 2;                        // of those numbers
  ColorSpan range = ColorSpan::Automatic;  // of the colours of weights
  bool log = false;                        // logarithmic
  std::optional<double> range_low{};       // of the colours; a single one does not change
  std::optional<double> range_high{};      // the other end
  bool histogram = false;                  // next to the colour bar of a file
  bool overview = true;                    // overview in a corner while a part is in view
  Pooling pooling = Pooling::Maximum;      // when a pixel holds several cells
  std::size_t pixel_budget = 1200;         // texels per side before cells are pooled
  bool axes = true;                        // titles and labels of the axes
  MapRows map_rows = MapRows::Queries;     // of a file
  std::string x_title{}, y_title{};        // of its axes, instead of their own; "none": none
  bool color_bar = true;
  friend bool operator==(const MapOptions&, const MapOptions&) = default;
};

struct HeadsOptions {
  bool all_samples = false;                 // of all samples instead of one
  std::string sort = "layer";               // or the name of a measure, in descending order
  std::string tint = "normalised_entropy";  // shown under each head: a measure or "none"
  HeadRange head_range = HeadRange::Automatic;
  std::size_t page = 1;        // from 1, when one page does not hold all heads
  std::string layers = "all";  // layers drawn, or their indices: "0,3-5"
  friend bool operator==(const HeadsOptions&, const HeadsOptions&) = default;
};

struct AtlasOptions {
  bool by_effect = false;       // rows from the largest effect down
  bool from_reference = false;  // heads give what they give in the reference; else they are out
  friend bool operator==(const AtlasOptions&, const AtlasOptions&) = default;
};

struct LinkOptions {
  double row_share = 0.7;         // the largest weights that make up this share of a row
  std::optional<double> least{};  // instead: the smallest weight drawn
  Orientation orientation = Orientation::Automatic;  // of tokens
  std::string token{};  // limits the links to one token: "query 2"; empty: all
  // The part in view: its first tokens, from 0, and the largest number of tokens per side.
  std::size_t first_query = 0, first_key = 0;
  std::size_t tokens_shown = kUsualTokensShown;
  friend bool operator==(const LinkOptions&, const LinkOptions&) = default;
};

// Sums of weights that tint a text: those of both directions or of one.
enum class TextDirection { Both, Gives, Gets };

struct TextOptions {
  TextDirection direction = TextDirection::Both;
  bool words = false;  // pieces of words joined
  friend bool operator==(const TextOptions&, const TextOptions&) = default;
};

// The subtrahend: its source, and how it differs from the matrix of stage and address.
struct DifferenceOptions {
  MinusFrom minus = MinusFrom::Automatic;
  std::optional<std::size_t> minus_layer{}, minus_sample{}, minus_head{};
  std::optional<Stage> minus_stage{};
  Compared show = Compared::Difference;  // the difference, or one side instead
  std::size_t changes = 5;               // number of changes listed below
  friend bool operator==(const DifferenceOptions&, const DifferenceOptions&) = default;
};

struct ChartOptions {
  std::size_t kernel = 3;                        // tokens that a convolution sees at once
  std::optional<double> axis_from{}, axis_to{};  // x axis; an end that is not set is automatic
  bool axis_log = false;                         // logarithmic y axis
  std::size_t bins = kUsualBins;                 // of the histogram
  friend bool operator==(const ChartOptions&, const ChartOptions&) = default;
};

struct FigureOptions {
  std::string title{};  // instead of the document's; "none": no title
  bool notes = true;    // sentences below the figure, and those of the range next to colour bars
  ThemeKind theme = ThemeKind::Paper;
  double width = 576.0;     // units; 8 inches on paper
  double height = 0.0;      // 0: as high as the content
  double font_size = 10.0;  // units
  std::string font{};       // family; empty or unknown: the usual one
  bool letters = true;      // of several plots on one page
  friend bool operator==(const FigureOptions&, const FigureOptions&) = default;
};

// Options of all plots, so that they survive a change of the plot; a plot ignores options that it
// does not list.
struct ViewOptions : CommonOptions,
                     MapOptions,
                     made::FromWeights,
                     HeadsOptions,
                     AtlasOptions,
                     LinkOptions,
                     TextOptions,
                     DifferenceOptions,
                     ChartOptions,
                     FigureOptions {
  friend bool operator==(const ViewOptions&, const ViewOptions&) = default;
};

}  // namespace attn
