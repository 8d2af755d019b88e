// The longest common subsequence of what differs between the common beginning and end.
#include "document/edit/matching.h"

#include <algorithm>
#include <cstdint>
#include <map>

#include "document/edit/rearrange.h"

namespace attn {
namespace {

// Cells of the table below, one byte each.
constexpr std::size_t kMostCells = std::size_t{1} << 22U;

using Texts = std::vector<std::string>;

// Both without their common beginning and end.
struct Middle {
  std::size_t first = 0;  // of both
  std::size_t before_end, after_end;
  std::size_t rows() const { return before_end - first; }
  std::size_t cols() const { return after_end - first; }
};

Middle middle_of(const Texts& before, const Texts& after) {
  Middle middle{0, before.size(), after.size()};
  while (middle.first < std::min(before.size(), after.size()) &&
         before[middle.first] == after[middle.first]) {
    ++middle.first;
  }
  while (middle.rows() > 0 && middle.cols() > 0 &&
         before[middle.before_end - 1] == after[middle.after_end - 1]) {
    --middle.before_end;
    --middle.after_end;
  }
  return middle;
}

enum class Step : std::uint8_t { Both, Before, After };

// The way through the table from each cell, found from its end: row by row of lengths.
std::vector<Step> steps_through(const Texts& before, const Texts& after, const Middle& middle) {
  const std::size_t rows = middle.rows(), cols = middle.cols();
  std::vector<Step> steps(rows * cols);
  std::vector<std::uint32_t> below(cols + 1), here(cols + 1);
  for (std::size_t i = rows; i-- > 0;) {
    for (std::size_t j = cols; j-- > 0;) {
      const bool same = before[middle.first + i] == after[middle.first + j];
      const Step step = same ? Step::Both : below[j] >= here[j + 1] ? Step::Before : Step::After;
      here[j] = same ? below[j + 1] + 1 : std::max(below[j], here[j + 1]);
      steps[i * cols + j] = step;
    }
    std::swap(below, here);
  }
  return steps;
}

void match_best(const Texts& before, const Texts& after, const Middle& middle,
                std::vector<std::size_t>& places) {
  const std::vector<Step> steps = steps_through(before, after, middle);
  for (std::size_t i = 0, j = 0; i < middle.rows() && j < middle.cols();) {
    const Step step = steps[i * middle.cols() + j];
    if (step == Step::Both) places[middle.first + j] = middle.first + i;
    if (step != Step::After) ++i;
    if (step != Step::Before) ++j;
  }
}

void match_next(const Texts& before, const Texts& after, const Middle& middle,
                std::vector<std::size_t>& places) {
  std::map<std::string, std::vector<std::size_t>> where;
  for (std::size_t i = middle.first; i < middle.before_end; ++i) where[before[i]].push_back(i);
  std::size_t next = middle.first;
  for (std::size_t j = middle.first; j < middle.after_end; ++j) {
    const auto found = where.find(after[j]);
    if (found == where.end()) continue;
    const auto place = std::ranges::lower_bound(found->second, next);
    if (place == found->second.end()) continue;
    places[j] = *place;
    next = *place + 1;
  }
}

}  // namespace

std::vector<std::size_t> matched_tokens(const TokenList& before, const Texts& after) {
  const Texts texts(before.begin(), before.end());
  const Middle middle = middle_of(texts, after);
  std::vector<std::size_t> places(after.size(), kNewPlace);
  for (std::size_t j = 0; j < middle.first; ++j) places[j] = j;
  for (std::size_t j = middle.after_end; j < after.size(); ++j) {
    places[j] = j - middle.after_end + middle.before_end;
  }
  const bool small = middle.cols() == 0 || middle.rows() <= kMostCells / middle.cols();
  (small ? match_best : match_next)(texts, after, middle, places);
  return places;
}

}  // namespace attn
