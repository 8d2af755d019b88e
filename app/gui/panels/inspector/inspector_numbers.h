// Numbers that the inspector reads from the result, cached while the inspected cells stay: a row
// may have a hundred thousand numbers, too many to read every frame.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "engine/job_queue.h"
#include "engine/read/result.h"
#include "figure/figure.h"
#include "gui/panels/inspector/inspector_sum.h"
#include "session/state.h"

namespace attn::gui {

// Whether the cell has a chain of numbers: it is in a computed stage of queries and keys.
bool has_chain(const CellHit& cell);

// A bar: an index (key or dimension, or row if bars_are_rows) and its value.
struct Bar {
  std::size_t index;
  float value;
};

// Whether the stage has a single column of features, so that its rows are shown as bars.
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
  // Of the first cell:
  std::vector<Bar> bars;
  std::optional<RowEntropy> entropy;
  std::optional<RowRank> rank;
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

  // Whether a row is being read; no further frame is needed until it is done.
  bool is_reading() const;

 private:
  struct Key {
    ResultPtr result;
    std::uint64_t derivations = 0;  // version of the derivations
    std::vector<CellHit> cells;
    bool by_position = false;
    FirstNumbers first{};
    friend bool operator==(const Key&, const Key&) = default;
  };
  // Numbers read by the other thread.
  struct Inbox {
    std::mutex mutex;
    std::optional<std::pair<Key, InspectedNumbers>> read;
  };
  void ask(const Key& key, const AttentionResult& result);
  void take_finished();

  std::optional<Key> key_;    // of numbers_
  std::optional<Key> asked_;  // being read
  InspectedNumbers numbers_;
  std::unique_ptr<Inbox> inbox_ = std::make_unique<Inbox>();
  std::unique_ptr<JobQueue> jobs_;  // created on demand; last, so that it stops first
};

}  // namespace attn::gui
