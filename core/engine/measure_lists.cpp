// Tables of measures and of head labels with their conditions.
#include <array>

#include "engine/measures.h"

namespace attn {
namespace {

std::optional<double> weight_of(const Share& share) {
  return share.rows > 0 ? std::optional(share.weight) : std::nullopt;
}

// Thresholds are well above the value of uniform weights, so that short sequences do not mislead.
bool stands_out(const Share& share, double least) {
  return share.rows > 0 && share.weight >= least && share.weight >= 2.0 * share.equal;
}

constexpr double kMost = 0.5;
constexpr double kInduction = 0.4;
constexpr double kNear = 2.0;
constexpr double kUniform = 0.95;

bool is_local(const HeadMeasures& m) {
  return m.distance && *m.equal_distance > 0.0 && *m.distance <= kNear &&
         *m.distance <= 0.5 * *m.equal_distance;
}

using M = HeadMeasures;

constexpr std::array<std::string_view, 2> lines(std::string_view first, std::string_view second) {
  return {first, second};
}

constexpr auto kMeasures = std::to_array<MeasureInfo>({
    {"entropy", lines("Entropy,", "nats"), "Mean entropy of the queries' weights in nats", false,
     [](const M& m) { return m.entropy; }},
    {"normalised_entropy", lines("Entropy,", "of largest"),
     "Mean entropy as a share of the largest possible, ln(number of visible keys)", true,
     [](const M& m) { return m.normalised_entropy; }},
    {"largest_weight", lines("Largest", "weight"), "Mean of each query's largest weight", true,
     [](const M& m) { return m.largest_weight; }},
    {"distance", lines("Mean", "distance"), "Mean distance between query and key in tokens", false,
     [](const M& m) { return m.distance; }},
    {"first_token", lines("First", "token"), "Mean weight on the first token", true,
     [](const M& m) { return weight_of(m.first_token); }},
    {"same_token", lines("Same", "token"), "Mean weight on the query's own position", true,
     [](const M& m) { return weight_of(m.same_token); }},
    {"previous_token", lines("Previous", "token"), "Mean weight on the position before the query",
     true, [](const M& m) { return weight_of(m.previous_token); }},
    {"next_token", lines("Next", "token"), "Mean weight on the position after the query", true,
     [](const M& m) { return weight_of(m.next_token); }},
    {"induction", lines("", "Induction"),
     "Mean weight on the tokens that followed earlier occurrences of the query's token", true,
     [](const M& m) { return weight_of(m.induction); }},
    {"symmetry", lines("", "Symmetry"),
     "1 for a symmetric matrix of weights, 0 when no two tokens attend to each other", true,
     [](const M& m) { return m.symmetry; }},
});

constexpr auto kLabels = std::to_array<HeadLabelInfo>({
    {"previous_token", "previous token",
     "The token before the query gets at least half of the weight and twice what equal weights "
     "would give it",
     [](const M& m) { return stands_out(m.previous_token, kMost); }},
    {"next_token", "next token",
     "The token after the query gets at least half of the weight and twice what equal weights "
     "would give it",
     [](const M& m) { return stands_out(m.next_token, kMost); }},
    {"same_token", "same token",
     "The query's own position gets at least half of the weight and twice what equal weights "
     "would give it",
     [](const M& m) { return stands_out(m.same_token, kMost); }},
    {"first_token", "first token",
     "The first token gets at least half of the weight and twice what equal weights would give it",
     [](const M& m) { return stands_out(m.first_token, kMost); }},
    {"local", "local",
     "The mean distance is at most 2 tokens and half of what equal weights would give", is_local},
    {"uniform", "uniform", "The entropy is at least 95 % of the largest possible",
     [](const M& m) { return m.normalised_entropy && *m.normalised_entropy >= kUniform; }},
    {"induction", "induction",
     "Queries whose token occurred before give at least 40 % of their weight, and twice what equal "
     "weights would give, to the tokens that followed it",
     [](const M& m) { return stands_out(m.induction, kInduction); }},
});

}  // namespace

std::span<const MeasureInfo> all_measures() { return kMeasures; }

std::span<const HeadLabelInfo> all_head_labels() { return kLabels; }

std::vector<const HeadLabelInfo*> labels_of(const HeadMeasures& measures) {
  std::vector<const HeadLabelInfo*> labels;
  for (const HeadLabelInfo& info : kLabels) {
    if (info.holds(measures)) labels.push_back(&info);
  }
  return labels;
}

LeftOutRows& LeftOutRows::operator+=(const LeftOutRows& other) {
  unseeing += other.unseeing;
  all_zero += other.all_zero;
  negative += other.negative;
  non_finite += other.non_finite;
  return *this;
}

std::string left_out_words(const LeftOutRows& rows) {
  std::vector<std::string> parts;
  const auto add = [&](std::size_t count, const char* of_one, const char* of_some) {
    if (count == 0) return;
    parts.push_back(std::to_string(count) + (count == 1 ? " row " : " rows ") +
                    (count == 1 ? of_one : of_some));
  };
  add(rows.unseeing, "that sees no key", "that see no key");
  add(rows.all_zero, "of zeros", "of zeros");
  add(rows.negative, "with negative weights", "with negative weights");
  add(rows.non_finite, "with NaN or infinite weights", "with NaN or infinite weights");
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    text += i == 0 ? "left out: " : i + 1 < parts.size() ? ", " : " and ";
    text += parts[i];
  }
  return text;
}

}  // namespace attn
