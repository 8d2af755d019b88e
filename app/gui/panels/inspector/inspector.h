// Inspector of the hovered or pinned cell: its sentence, its row, its q·k product by dimension and
// the chain of numbers from score to weight; and numbers for the clipboard.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <future>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "engine/read/result.h"
#include "figure/figure.h"
#include "gui/panels/controls/controls.h"
#include "gui/panels/controls/field_control.h"
#include "numbers/number_table.h"
#include "plot/account/equation.h"
#include "plot/account/sums.h"
#include "plot/kit/plot.h"
#include "session/command.h"
#include "session/state.h"

namespace attn::gui {

// --- Numbers read from the result

// True if the cell has a chain of numbers: it is in a computed stage of queries and keys.
bool has_chain(const CellHit& cell);

// A bar: an index (key or dimension, or row if bars_are_rows) and its value.
struct Bar {
  std::size_t index;
  float value;
};

// True if the stage has a single column of features, so that its rows are shown as bars.
bool bars_are_rows(const AttentionResult& result, Stage stage);

inline constexpr std::size_t kInspectedBars = 12;
inline constexpr std::size_t kInspectedTerms = 16;

// Summands: the largest, if there are many.
struct LargestTerms {
  std::vector<ScoreTerm> terms;
  std::size_t all = 0;
};

struct InspectedNumbers {
  std::vector<std::vector<SumLine>> sums;  // of cells that have one
  // Numbers of the first cell:
  std::vector<Bar> bars;
  std::optional<WeightsRow> row;
  std::optional<double> difference;  // of the first two cells, of one stage
  LargestTerms product, output;
  LargestTerms linear;  // of a product of a row and a matrix
};

class InspectorCache {
 public:
  // Null while very long rows are read on another thread, so that no frame waits for them.
  // Precondition: `result` belongs to the state.
  const InspectedNumbers* numbers(const AppState& state, const AttentionResult& result,
                                  const std::vector<CellHit>& cells, bool by_position);

  // True if a row is being read; no further frame is needed until it is done.
  bool is_reading() const { return reading_.valid() && !has_read(); }

 private:
  struct Key {
    ResultPtr result;
    std::uint64_t derivations = 0;  // version of the derivations
    std::vector<CellHit> cells;
    bool by_position = false;
    friend bool operator==(const Key&, const Key&) = default;
  };
  bool has_read() const {
    return reading_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  }

  std::optional<Key> key_;    // of numbers_
  std::optional<Key> asked_;  // of reading_
  InspectedNumbers numbers_;
  std::future<InspectedNumbers> reading_;  // on another thread
};

// ---

// Heads by the variation of their weights from the reference, largest first.
struct ChangedHeads {
  struct Head {
    HeadAddress at;
    double change;
  };
  ResultPtr result;
  ReferencePtr reference;
  std::vector<Head> heads;           // all that changed
  std::size_t unchanged_layers = 0;  // the first ones
  bool is_known = false;
};

struct InspectorView {
  bool by_position = false;  // order of the row's bars; else largest first
  FieldInteractions fields;  // of gates
  ChangedHeads changed;
  InspectorCache memo;
};

// --- Sections of the panel, internal to it

// Everything that the sections read.
struct Inspection {
  Ui& ui;
  PlotInput input;
  std::vector<CellHit> cells;
  const std::vector<CellHit>& pins;
  const InspectedNumbers& numbers;

  const CellHit& focus() const { return cells.front(); }

  // Name of the cell's mark in the heatmap.
  std::string tag(std::size_t index) const {
    const auto pin = std::find(pins.begin(), pins.end(), cells[index]);
    if (pin == pins.end()) return "Pointer";
    return "Pin " + std::to_string(pin - pins.begin() + 1);
  }
};

// Numbers from query and key to the weight, one column per inspected cell. Probes:
// "inspector/chain/scores".
void sum_section(Inspection& in);
// Summands of a number of the output. Probes: "inspector/output/0".
void output_section(Inspection& in);
// Row of the cell as bars, with its entropy. Probes: "inspector/row/0", "inspector/entropy".
void line_section(Inspection& in, InspectorView& view);
// Summands of the score. Probes: "inspector/product/0".
void product_section(Inspection& in);

// ---

// The command that sets all gates of a document to 1.
command::SetGates reset_gates(const Document& document);
// Gates of heads with their factors, and the heads that they change most; nothing without gates.
// Probes: "what_if/0/value", "what_if/0/remove", "what_if/reset", "what_if/changed/0".
void what_if_section(Ui& ui, const AppState& state, InspectorView& view);

// The inspected cells: hovered first, then pinned; cells outside of the result are left out.
std::vector<CellHit> inspected_cells(const AppState& state);

// Sentence of the first inspected cell; empty without one.
std::string inspected_sentence(const AppState& state);

// Equation of the weight of the first cell, else of the largest one of the last query; empty when
// there is none.
std::string inspected_equation(const AppState& state, const SumFormat& format);

// Derivation of the first cell's number in one of all_sum_formats(); empty when there is none.
std::string inspected_sum_text(const AppState& state, const SumFormat& format);

// Probe names begin with "inspector/".
void inspector_panel(Ui& ui, const AppState& state, InspectorView& view);

enum class CopiedPart { Cell, Row, Column, Matrix };

struct CopiedPartInfo {
  CopiedPart part;
  std::string_view name;   // "row"
  std::string_view label;  // "Row"
  bool needs_cell;         // hovered or pinned
};
std::span<const CopiedPartInfo> all_copied_parts();

// Larger tables are refused: the clipboard is unsuitable for them.
inline constexpr std::size_t kMaxCopiedNumbers = 1'000'000;

// Numbers of the inspected cell, or of the visible matrix without one, with tokens as labels. Usage
// error when there is no such cell or no result, or too many numbers.
Result<NumberTable> copied_numbers(const AppState& state, CopiedPart part);

}  // namespace attn::gui
