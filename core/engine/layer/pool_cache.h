// Maps of weights made small, kept while the rows under them stay the same. Internal to the engine.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "attention/mask.h"
#include "engine/matrix/pool.h"

namespace attn {

// Safe to use from several threads. Forgets what was not asked for longest when all together take
// more than 32 MiB.
class PoolCache {
 public:
  struct Question {
    std::size_t head = 0;  // by number
    CellRange range;
    std::size_t row_step = 1, col_step = 1;
    friend bool operator==(const Question&, const Question&) = default;
  };

  // Copies what is known to `out`, which has the extents of the answer, and returns the rows of it
  // that are not.
  std::vector<RowSpan> read(const Question& question, PooledCells& out);

  void keep(const Question& question, const PooledCells& cells);

  // Takes over what another cache knows of a head, but for what lies over some rows of its map.
  void take_over(std::size_t head, PoolCache& before, std::span<const std::size_t> changed_rows);

 private:
  struct Entry {
    Question question;
    std::shared_ptr<const PooledCells> cells;
    std::vector<std::size_t> stale;  // rows of the cells
  };
  void put_in_front(Entry entry);

  std::mutex mutex_;
  std::list<Entry> entries_;  // what was asked for last stands in front
  std::size_t bytes_ = 0;
};

}  // namespace attn
