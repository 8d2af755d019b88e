// Detection of generated numbers: generates the first ones again and compares, so that no
// provenance is stored.
#include "document/provenance.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/joined.h"
#include "document/edit.h"
#include "document/generate.h"

namespace attn {
namespace {

constexpr std::size_t kFewest = 4, kMost = 32;  // numbers compared
constexpr std::size_t kMostMade = 4096;         // numbers generated to find resized matrices
constexpr std::size_t kRows = 4, kExactRows = 64;
constexpr std::uint64_t kSeeds = 3;  // a new document uses one each for Q, K and V
constexpr std::size_t kMostNamed = 5;
constexpr float kRounding = 1e-6F;

// Number of elements of `there` that equal generated ones times the factor given by `pivot`.
std::size_t in_step(std::span<const float> made, std::span<const float> there, std::size_t pivot) {
  const float scale = there[pivot] / made[pivot];
  if (!std::isfinite(scale) || scale == 0.0F) return 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < there.size(); ++i) {
    const float off = std::abs(there[i] - scale * made[i]);
    count += off <= kRounding * std::abs(there[i]) ? 1U : 0U;
  }
  return count;
}

// True if the numbers begin with generated ones. `made`: at least as many numbers as are compared.
bool begins_as(std::span<const float> made, std::span<const float> there) {
  there = there.first(std::min(there.size(), kMost));
  if (there.size() < kFewest) return false;
  for (std::size_t pivot = 0; pivot < kFewest; ++pivot) {
    if (2 * in_step(made, there, pivot) >= there.size()) return true;
  }
  return false;
}

// True if most of `there` are among the generated ones, as after inserting or removing columns.
// Slow, so called only if the first numbers match.
bool are_some_of(std::span<const float> made, std::span<const float> there, std::size_t pivot) {
  const float scale = there[pivot] / made[pivot];
  std::vector<float> scaled(made.begin(), made.end());
  for (float& number : scaled) number *= scale;
  std::ranges::sort(scaled);
  const auto is_made = [&](float number) {
    const float rounding = kRounding * std::abs(number);
    const auto next = std::ranges::lower_bound(scaled, number - rounding);
    return next != scaled.end() && *next <= number + rounding;
  };
  return 2 * static_cast<std::size_t>(std::ranges::count_if(there, is_made)) >= there.size();
}

// A matrix that was generated for other extents and resized.
bool was_made_larger(const Document& document, const TensorInfo& info,
                     std::span<const float> made) {
  const std::span<const float> there =
      info.tensor->values().first(std::min(info.tensor->size(), kMost));
  if (info.use != TensorUse::Matrix || there.size() < kFewest) return false;
  for (std::size_t pivot = 0; pivot < kFewest; ++pivot) {
    if (in_step(made, there.first(kFewest), pivot) < 2) continue;
    const Tensor more = generated_projection(document.seed, info.name, 1, kMostMade);
    if (are_some_of(more.values(), there, pivot)) return true;
  }
  return false;
}

// Row of a token, or of a position, whose name is its number.
bool is_generated_row(std::uint64_t seed, const TensorInfo& info, const std::string& token,
                      std::span<const float> there) {
  if (begins_as(generated_row(seed, info.name, 0, token, kMost), there)) return true;
  for (std::uint64_t i = 0; i < kSeeds; ++i) {
    if (begins_as(generated_embedding(seed + i, token, kMost), there)) return true;
  }
  return false;
}

std::string name_of_row(const Document& document, const TensorInfo& info, std::size_t row) {
  if (info.use == TensorUse::Table) return std::to_string(row);
  const bool of_queries = info.has_axis(Extent::Queries);
  const TokenList& tokens = tokens_of(document, of_queries ? Side::Query : Side::Key);
  return row < tokens.size() ? tokens[row] : std::string();
}

// Generated as for new tokens; also detects short rows.
bool has_new_row(const Document& document, const TensorInfo& info) {
  const std::span<const float> values = info.tensor->values();
  const std::size_t width = info.tensor->shape().back();
  const bool of_tokens = info.has_axis(Extent::Queries) || info.has_axis(Extent::Keys);
  for (std::size_t row = 0; of_tokens && row < kExactRows; ++row) {
    if ((row + 1) * width > values.size()) return false;
    const std::string token = name_of_row(document, info, row);
    if (std::ranges::equal(values.subspan(row * width, width),
                           generated_row_of(document, info, 0, token, width))) {
      return true;
    }
  }
  return false;
}

bool is_generated(const Document& document, const TensorInfo& info) {
  if (has_new_row(document, info)) return true;
  const std::span<const float> values = info.tensor->values();
  const Tensor made = generated_projection(document.seed, info.name, 1, kMost);
  if (begins_as(made.values(), values)) return true;
  if (was_made_larger(document, info, made.values())) return true;
  const std::size_t width = info.tensor->shape().back();
  for (std::size_t row = 0; row < kRows && (row + 1) * width <= values.size(); ++row) {
    const std::span<const float> there = values.subspan(row * width, width);
    if (is_generated_row(document.seed, info, name_of_row(document, info, row), there)) return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> generated_labels(const Document& document) {
  std::vector<std::string> labels;
  for (const TensorInfo& info : tensors_of(document)) {
    const bool known = std::ranges::find(labels, info.label) != labels.end();
    if (info.is_there() && !known && is_generated(document, info)) labels.push_back(info.label);
  }
  return labels;
}

std::string generated_sentence(const Document& document) {
  const std::vector<std::string> labels = generated_labels(document);
  if (labels.empty()) return {};
  return "Generated from seed " + std::to_string(document.seed) + ": " +
         joined_first(labels, kMostNamed);
}

std::string footnote(const Document& document) {
  std::string note = list_of(document.what_if, shape_of(document));
  if (!note.empty()) note = "Changed: " + note;
  const std::string rest = document.remark.empty() ? generated_sentence(document) : document.remark;
  return note + (note.empty() || rest.empty() ? "" : ". ") + rest;
}

}  // namespace attn
