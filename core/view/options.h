// Everything that a person can set of a plot, as one value. Saved with the document, set from the
// command line and the window; fields.h describes each of them once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "attention/block.h"
#include "attention/stage.h"
#include "engine/matrix/derived.h"
#include "engine/matrix/head_range.h"
#include "engine/matrix/pool.h"
#include "figure/theme.h"

namespace attn {

// What can be set of a plot, in the order of plot_option_fields().
// clang-format off
enum class Option : std::uint8_t {
  Stage, Attention, Layer, Sample, Head, Colormap, Values, Decimals, Range, OwnRange, Log, RangeLow,
  RangeHigh, Histogram, Overview, Pooling, PixelBudget, Step, Kernel, Matrix, Residual,
  WithoutFirst, AllSamples, Sort, Tint, HeadRange, Page, Layers, Heads, RowShare, Least,
  Orientation, Token, FirstQuery, FirstKey, TokensShown, Minus, MinusStage, MinusLayer, MinusSample,
  MinusHead, Show, Changes, TokensAsWritten, AxisFrom, AxisTo, AxisLog, Bins, Axes, ColorBar, Title,
  Theme, Width, Height, FontSize
};
// clang-format on

class OptionSet {
 public:
  constexpr OptionSet() = default;
  constexpr OptionSet(Option option) : bits_(std::uint64_t{1} << static_cast<unsigned>(option)) {}
  constexpr bool contains(Option option) const { return (bits_ & OptionSet(option).bits_) != 0; }
  friend constexpr bool operator==(OptionSet, OptionSet) = default;
  friend constexpr OptionSet operator|(OptionSet a, OptionSet b) {
    a.bits_ |= b.bits_;
    return a;
  }

 private:
  std::uint64_t bits_ = 0;
};
constexpr OptionSet operator|(Option a, Option b) { return OptionSet(a) | OptionSet(b); }

// How many tokens a convolution may see at once.
inline constexpr std::size_t kLeastKernel = 2, kMostKernel = 1000;

// How many tokens of a side the links plot draws at once.
inline constexpr std::size_t kUsualTokensShown = 200, kMostTokensShown = 1000;

// Into how many parts the range of numbers is cut to count them.
inline constexpr std::size_t kFewestBins = 2, kUsualBins = 40, kMostBins = 500;

inline constexpr std::string_view kNoTitle = "none";  // in place of a title

// The part of a matrix in view, in cells; fractions while zooming. Empty (rows 0): all of it.
struct CellWindow {
  double row = 0.0, col = 0.0, rows = 0.0, cols = 0.0;
  friend bool operator==(const CellWindow&, const CellWindow&) = default;
};

// How tokens of the links plot follow each other.
enum class Orientation { Automatic, Columns, Rows };

// What the colours of weights span: 0 to the largest weight that is seen, on a scale that bends
// where most would vanish in one colour; 0 to 1, the values of the head or of all heads of its
// layer, each row its own, or 0 to the 99.5th percentile. Other stages span their own values.
enum class ColorSpan { Automatic, Unit, Head, Heads, Rows, Percentile };

// Where what is subtracted is from: the reference where there is one, else the same document; or
// one of them in any case.
enum class MinusFrom { Automatic, Document, Reference };
enum class Compared { Difference, A, B };

// Which numbers are shown.
struct CommonOptions {
  Stage stage = Stage::Weights;
  HeadAddress at{};
  std::string heads = "all";       // of plots of several, or "0,3-5"
  std::size_t step = 0;            // decoder steps that are drawn; 0: all
  bool tokens_as_written = false;  // "Ġcat" or "▁cat", not " cat"
  friend bool operator==(const CommonOptions&, const CommonOptions&) = default;
};

// Matrices as coloured cells.
struct MapOptions {
  CellWindow window{};
  std::string colormap = "auto";           // one of the choices of colour maps
  bool values = true;                      // numbers in the cells when they fit
  int decimals = 2;                        // of those numbers
  ColorSpan range = ColorSpan::Automatic;  // of the colours of weights
  bool log = false;                        // they go by the logarithm
  std::optional<double> range_low{};   // of the colours; either alone leaves the other end as it
  std::optional<double> range_high{};  // was
  bool histogram = false;              // beside the colour bar of a file
  bool overview = true;                // all of the matrix in a corner, while a part is in view
  Pooling pooling = Pooling::Maximum;  // when a pixel holds several cells
  std::size_t pixel_budget = 1200;     // texels per side before cells are pooled
  bool axes = true;                    // titles and labels of the axes
  bool color_bar = true;
  friend bool operator==(const MapOptions&, const MapOptions&) = default;
};

struct DerivedPlotOptions {
  Derived derived = Derived::Rollout;  // which matrix made from weights
  double residual = 0.5;               // what part of a layer's input goes past its attention
  bool without_first = false;          // a rollout leaves the first token out
  friend bool operator==(const DerivedPlotOptions&, const DerivedPlotOptions&) = default;
};

struct HeadsOptions {
  bool all_samples = false;                   // heads of all samples, not of one
  std::string sort = "layer";                 // or the name of a measure, from the largest down
  std::string tint = "normalised_entropy";    // what is under each head: a measure or "none"
  HeadRange head_range = HeadRange::Largest;  // of the colours of each head
  std::size_t page = 1;                       // where there are more heads than one holds, from 1
  std::string layers = "all";                 // that are drawn, or their indices: "0,3-5"
  friend bool operator==(const HeadsOptions&, const HeadsOptions&) = default;
};

struct LinkOptions {
  double row_share = 0.7;         // of each row: the largest weights that make it up
  std::optional<double> least{};  // in its place: the smallest weight that is drawn
  Orientation orientation = Orientation::Automatic;  // of tokens
  std::string token{};  // whose links alone are drawn: "query 2"; empty: all are
  // The part in view: its first tokens, from 0, and how many follow on each side at most.
  std::size_t first_query = 0, first_key = 0;
  std::size_t tokens_shown = kUsualTokensShown;
  friend bool operator==(const LinkOptions&, const LinkOptions&) = default;
};

// What is subtracted: where it is from, and in what it is another matrix than the one that stage
// and address name.
struct DifferenceOptions {
  MinusFrom minus = MinusFrom::Automatic;
  std::optional<std::size_t> minus_layer{}, minus_sample{}, minus_head{};
  std::optional<Stage> minus_stage{};
  Compared show = Compared::Difference;  // the difference, or one side in its place
  std::size_t changes = 5;               // that are listed below it
  friend bool operator==(const DifferenceOptions&, const DifferenceOptions&) = default;
};

struct ChartOptions {
  std::size_t kernel = 3;                        // tokens that a convolution sees at once
  std::optional<double> axis_from{}, axis_to{};  // ends of the level axis; either alone leaves the
                                                 // other end as it was
  bool axis_log = false;                         // the upright axis goes by the logarithm
  std::size_t bins = kUsualBins;                 // that numbers are counted in
  friend bool operator==(const ChartOptions&, const ChartOptions&) = default;
};

struct FigureOptions {
  std::string title{};  // instead of the document's; "none": no title at all
  ThemeKind theme = ThemeKind::Paper;
  double width = 576.0;     // units; 8 inches on paper
  double height = 0.0;      // 0: as the content wants
  double font_size = 10.0;  // units
  friend bool operator==(const FigureOptions&, const FigureOptions&) = default;
};

// A view has the options of all plots, so that none is forgotten while the plot changes; a plot
// ignores those that it does not list as its own.
struct ViewOptions : CommonOptions,
                     MapOptions,
                     DerivedPlotOptions,
                     HeadsOptions,
                     LinkOptions,
                     DifferenceOptions,
                     ChartOptions,
                     FigureOptions {
  friend bool operator==(const ViewOptions&, const ViewOptions&) = default;
};

}  // namespace attn
