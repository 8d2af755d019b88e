// The numbers that the inspector reads off the result, cached while the same cells are selected: a
// row may have a hundred thousand numbers, and frames follow each other quickly.
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

// A computed stage of queries and keys has one.
bool has_chain(const CellHit& cell);

// A bar: an index (key or dimension, or row where bars_are_rows) and its value.
struct Bar {
  std::size_t index;
  float value;
};

// Whether the stage has a single column of features, whose rows say more than one bar would.
bool bars_are_rows(const AttentionResult& result, Stage stage);

inline constexpr std::size_t kInspectedBars = 12;
inline constexpr std::size_t kInspectedTerms = 16;

// Summands; of many the largest.
struct LargestTerms {
  std::vector<ScoreTerm> terms;
  std::size_t all = 0;
};

struct InspectedNumbers {
  std::vector<std::vector<SumLine>> sums;  // of the cells that have one
  // Of the first cell:
  std::vector<Bar> bars;
  std::optional<RowEntropy> entropy;
  std::optional<RowRank> rank;
  std::optional<double> difference;  // of the first two cells, of one stage
  LargestTerms product, output;
  LargestTerms linear;  // of what a matrix makes of a row
};

class InspectedMemo {
 public:
  // Null while rows of very many keys are read on another thread, so that no frame waits for them.
  // Precondition: `result` is one of the state's.
  const InspectedNumbers* numbers(const AppState& state, const AttentionResult& result,
                                  const std::vector<CellHit>& cells, bool by_position);

  // Something is being read, and no frame has to ask again before it is there.
  bool is_reading() const;

 private:
  struct Key {
    ResultPtr result;
    std::uint64_t derivations = 0;  // their version
    std::vector<CellHit> cells;
    bool by_position = false;
    FirstNumbers first{};
    friend bool operator==(const Key&, const Key&) = default;
  };
  // What the other thread has read.
  struct Inbox {
    std::mutex mutex;
    std::optional<std::pair<Key, InspectedNumbers>> read;
  };
  void ask(const Key& key, const AttentionResult& result);
  void take_what_was_read();

  std::optional<Key> key_;    // of numbers_
  std::optional<Key> asked_;  // what is being read
  InspectedNumbers numbers_;
  std::unique_ptr<Inbox> inbox_ = std::make_unique<Inbox>();
  std::unique_ptr<JobQueue> jobs_;  // made when it is needed; last, so that it stops first
};

}  // namespace attn::gui
