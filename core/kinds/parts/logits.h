// Predictions of a language model: rows of its blocks as logits of tokens, computed when they are
// needed and never for a whole text at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "attention/problem.h"
#include "engine/read/result.h"
#include "kinds/parts/vocabulary.h"

namespace attn {

// Reason why the problem has no logits, as a sentence; "" if it has.
std::string nothing_predicted(const AttentionProblem& problem, const HeadAddress& at = {});

// Some rows of a sample after some blocks. Depth 0 is the input of the first block, depth d the
// output of block d; all depths go through the final norm (nostalgebraist 2020, the logit lens).
struct PredictedRows {
  std::size_t sample = 0;
  std::size_t first_depth = 0, depths = 1;
  std::size_t first_row = 0, rows = 1;
  std::size_t count() const { return depths * rows; }
};

// The rows of one sample as the model's head reads them: after the last block.
PredictedRows last_rows(const AttentionProblem& problem, std::size_t sample, std::size_t first,
                        std::size_t rows);

// True if a lesson conceals numbers from which predictions of the sample follow.
bool conceals_predictions(const AttentionResult& result, std::size_t sample);

// Logits of tokens [first, first + logits.cols) of rows [row, row + logits.rows).
struct LogitsPart {
  std::size_t row = 0, first = 0;
  MatrixView logits;
};

// Passes the logits of all rows to `each`, part by part in any order, on several threads. False if
// cancelled; `progress` may be null. Precondition: nothing_predicted() is empty, the rows exist.
bool for_each_logits(const AttentionResult& result, const PredictedRows& rows, Progress* progress,
                     const std::function<void(const LogitsPart&)>& each);

// Predicted nanoseconds, and bytes for so many likeliest tokens of each row; both saturate.
std::uint64_t nanoseconds_to_predict(const AttentionProblem& problem, std::size_t rows);
std::uint64_t bytes_to_predict(const AttentionProblem& problem, std::size_t rows, std::size_t most);

// The logits of whole rows, (rows, vocabulary).
struct LogitsRows final : Derivation {
  std::size_t vocabulary = 0;
  std::vector<float> logits;
  std::vector<double> log_sums;  // of each row: ln Σ e^logit
  double share(std::size_t row, std::uint32_t id) const;
  std::uint64_t bytes() const override { return logits.size() * sizeof(float); }
};
std::shared_ptr<LogitsRows> logits_of(const AttentionResult& result, const PredictedRows& rows,
                                      Progress* progress);

// The likeliest tokens of a row in descending order, equal ones by their number; NaN is never
// likely.
std::vector<std::uint32_t> likeliest(const LogitsRows& rows, std::size_t row, std::size_t most);

// The likeliest tokens of each row, (rows, most).
struct Predictions final : Derivation {
  struct Token {
    std::uint32_t id = 0;
    float logit = 0.0F;
    double share = 0.0;  // NaN if some logit of the row is no number
  };
  std::size_t most = 0;
  std::vector<Token> tokens;
  std::span<const Token> of(std::size_t row) const {
    return std::span(tokens).subspan(row * most, most);
  }
  std::uint64_t bytes() const override { return tokens.size() * sizeof(Token); }
};
std::shared_ptr<Predictions> predictions_of(const AttentionResult& result,
                                            const PredictedRows& rows, std::size_t most,
                                            Progress* progress);

}  // namespace attn
