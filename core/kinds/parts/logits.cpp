// Products of rows with the head of a language model.
#include "kinds/parts/logits.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/mapped_file.h"
#include "base/quotient_up.h"
#include "engine/kernels/block_rows.h"
#include "engine/kernels/parallel.h"

namespace attn {
namespace {

constexpr std::size_t kTokensAtOnce = 1024, kRowsAtOnce = 256;  // of the head, packed, and of text

struct Rows {
  std::size_t count, width;
  std::vector<float> values;
  MutableMatrix all() { return {values.data(), count, width, width}; }
  MatrixView part(std::size_t first, std::size_t rows) const {
    return {values.data() + first * width, rows, width, width};
  }
};

// Reads the rows and norms them as the model does after its last block.
Rows normed_rows(const AttentionResult& result, const PredictedRows& wanted) {
  const AttentionProblem& problem = result.problem();
  const Stack& stack = problem.stack;
  Rows rows{wanted.count(), problem.shape.d_model, {}};
  rows.values.resize(rows.count * rows.width);
  float* out = rows.values.data();
  for (std::size_t depth = wanted.first_depth; depth < wanted.first_depth + wanted.depths;
       ++depth, out += wanted.rows * rows.width) {
    const Stage stage = depth == 0 ? Stage::BlockInput : Stage::BlockOutput;
    const HeadAddress at{.layer = depth == 0 ? 0 : depth - 1, .sample = wanted.sample};
    result.read(stage, at, {wanted.first_row, 0, wanted.rows, rows.width}, out);
  }
  if (stack.final_norm) norm_rows(view_of(rows.all()), stack, *stack.final_norm, rows.all());
  return rows;
}

// Applies the layer in front of the head, if the model has one.
Rows transformed(Rows rows, const Vocabulary& vocabulary, const NormRules& rules) {
  if (vocabulary.transform.empty()) return rows;
  Rows made{rows.count, rows.width, std::vector<float>(rows.values.size())};
  const MutableMatrix out = made.all();
  map_rows(view_of(rows.all()), vocabulary.transform, vocabulary.transform_bias, out, Sums::Float);
  activate_rows(vocabulary.activation, view_of(out), {}, out, Sums::Float);
  norm_rows(view_of(out), rules, vocabulary.transform_norm, out);
  return made;
}

// Adds biases and bends the logits of tokens from `first` on.
void finish(const Vocabulary& vocabulary, std::size_t first, const MutableMatrix& logits) {
  for (std::size_t r = 0; r < logits.rows; ++r) {
    for (std::size_t c = 0; c < logits.cols; ++c) {
      float& logit = logits.row(r)[c];
      if (!vocabulary.head_bias.empty()) logit += vocabulary.head_bias[first + c];
      if (vocabulary.softcap) logit = *vocabulary.softcap * std::tanh(logit / *vocabulary.softcap);
    }
  }
}

// Logits of all rows for some tokens.
void predict_tokens(const Vocabulary& vocabulary, const Rows& rows, std::size_t first,
                    const std::function<void(const LogitsPart&)>& each) {
  const std::size_t count = std::min(kTokensAtOnce, vocabulary.head.extent(0) - first);
  const float* const head = vocabulary.head.data() + first * rows.width;
  PackedPanels packed;
  packed.pack_rows({head, count, rows.width, rows.width});
  give_back(head, count * rows.width * sizeof(float));
  std::vector<float> logits(std::min(kRowsAtOnce, rows.count) * count);
  for (std::size_t row = 0; row < rows.count; row += kRowsAtOnce) {
    const std::size_t some = std::min(kRowsAtOnce, rows.count - row);
    const MutableMatrix out{logits.data(), some, count, count};
    multiply_packed(rows.part(row, some), packed, 0, out);
    finish(vocabulary, first, out);
    each({row, first, view_of(out)});
  }
}

// The sum of exponentials of numbers that come in any number of parts, as a logarithm.
struct LogSum {
  static constexpr double kNothing = -std::numeric_limits<double>::infinity();
  double largest = kNothing, sum = 0.0;  // sum of e^(x − largest)
  void add(double x) {
    if (x != kNothing) add(LogSum{x, 1.0});
  }
  void add(const LogSum& more) {
    if (more.sum == 0.0) return;
    if (more.largest > largest) {
      sum *= std::exp(largest - more.largest);
      largest = more.largest;
    }
    sum += more.sum * std::exp(more.largest - largest);
  }
  double value() const { return largest + std::log(sum); }
};

bool is_likelier(float a, std::uint32_t id_a, float b, std::uint32_t id_b) {
  if (std::isnan(a) || std::isnan(b)) return !std::isnan(a) && std::isnan(b);
  return a != b ? a > b : id_a < id_b;
}

// Sorts the first of the tokens, the likeliest ones.
void sort_likeliest(std::vector<Predictions::Token>& tokens, std::size_t most) {
  const auto end = tokens.begin() + static_cast<std::ptrdiff_t>(std::min(most, tokens.size()));
  std::partial_sort(tokens.begin(), end, tokens.end(), [](const auto& a, const auto& b) {
    return is_likelier(a.logit, a.id, b.logit, b.id);
  });
  tokens.erase(end, tokens.end());
}

// The likeliest tokens of a row among those of some parts.
struct Candidates {
  LogSum sum;
  std::vector<Predictions::Token> tokens;
};

Candidates candidates_in(const LogitsPart& part, std::size_t row, std::size_t most) {
  Candidates found;
  for (std::size_t c = 0; c < part.logits.cols; ++c) {
    const float logit = part.logits.at(row, c);
    found.sum.add(static_cast<double>(logit));
    found.tokens.push_back({static_cast<std::uint32_t>(part.first + c), logit});
  }
  sort_likeliest(found.tokens, most);
  return found;
}

}  // namespace

bool conceals_predictions(const AttentionResult& result, std::size_t sample) {
  for (std::size_t layer = 0; layer < result.shape().layers; ++layer) {
    if (result.conceals(Stage::BlockOutput, {layer, sample, 0})) return true;
  }
  return false;
}

std::string nothing_predicted(const AttentionProblem& problem, const HeadAddress& /*at*/) {
  if (problem.vocabulary == nullptr) {
    return "Only models from a folder have a vocabulary, and say what comes next";
  }
  const Tensor& head = problem.vocabulary->head;
  if (head.empty())
    return "This model has no head that turns its rows into tokens, as its notes say";
  if (head.extent(1) == problem.shape.d_model && !problem.stack.blocks.empty()) return "";
  return "The blocks no longer fit the head of the model";
}

PredictedRows last_rows(const AttentionProblem& problem, std::size_t sample, std::size_t first,
                        std::size_t rows) {
  return {sample, problem.stack.blocks.size(), 1, first, rows};
}

bool for_each_logits(const AttentionResult& result, const PredictedRows& wanted, Progress* progress,
                     const std::function<void(const LogitsPart&)>& each) {
  const Vocabulary& vocabulary = *result.problem().vocabulary;
  const Rows rows = transformed(normed_rows(result, wanted), vocabulary, result.problem().stack);
  const std::size_t jobs = quotient_up(vocabulary.head.extent(0), kTokensAtOnce);
  return parallel_for(jobs, 0, progress, [&](std::size_t job) {
    predict_tokens(vocabulary, rows, job * kTokensAtOnce, each);
  });
}

std::uint64_t nanoseconds_to_predict(const AttentionProblem& problem, std::size_t rows) {
  constexpr std::size_t kNumbersRead = 2, kProducts = 40;  // per nanosecond
  const std::size_t numbers = problem.vocabulary->head.size();
  return numbers / kNumbersRead + element_count({numbers / kProducts, rows});
}

std::uint64_t bytes_to_predict(const AttentionProblem& problem, std::size_t rows,
                               std::size_t most) {
  const std::size_t parts = quotient_up(problem.vocabulary->head.extent(0), kTokensAtOnce);
  const std::size_t of_candidates =
      parts * (sizeof(Candidates) + most * sizeof(Predictions::Token));
  const std::size_t of_row = 2 * problem.shape.d_model * sizeof(float);
  return element_count({rows, of_row + of_candidates});
}

std::shared_ptr<LogitsRows> logits_of(const AttentionResult& result, const PredictedRows& rows,
                                      Progress* progress) {
  const std::size_t size = result.problem().vocabulary->head.extent(0);
  auto made = std::make_shared<LogitsRows>();
  made->vocabulary = size;
  made->logits.resize(rows.count() * size);
  for_each_logits(result, rows, progress, [&](const LogitsPart& part) {
    for (std::size_t r = 0; r < part.logits.rows; ++r) {
      std::copy_n(
          part.logits.data + r * part.logits.row_stride, part.logits.cols,
          made->logits.begin() + static_cast<std::ptrdiff_t>((part.row + r) * size + part.first));
    }
  });
  for (std::size_t row = 0; row < rows.count(); ++row) {
    LogSum sum;
    for (std::size_t id = 0; id < size; ++id) {
      sum.add(static_cast<double>(made->logits[row * size + id]));
    }
    made->log_sums.push_back(sum.value());
  }
  return made;
}

double LogitsRows::share(std::size_t row, std::uint32_t id) const {
  return std::exp(static_cast<double>(logits[row * vocabulary + id]) - log_sums[row]);
}

std::vector<std::uint32_t> likeliest(const LogitsRows& rows, std::size_t row, std::size_t most) {
  const MatrixView all{rows.logits.data() + row * rows.vocabulary, 1, rows.vocabulary,
                       rows.vocabulary};
  std::vector<std::uint32_t> ids;
  for (const Predictions::Token& token : candidates_in({0, 0, all}, 0, most).tokens) {
    ids.push_back(token.id);
  }
  return ids;
}

std::shared_ptr<Predictions> predictions_of(const AttentionResult& result,
                                            const PredictedRows& rows, std::size_t most,
                                            Progress* progress) {
  const std::size_t size = result.problem().vocabulary->head.extent(0);
  const std::size_t parts = quotient_up(size, kTokensAtOnce);
  std::vector<Candidates> found(rows.count() * parts);
  auto made = std::make_shared<Predictions>();
  made->most = std::min(most, size);
  for_each_logits(result, rows, progress, [&](const LogitsPart& part) {
    for (std::size_t r = 0; r < part.logits.rows; ++r) {
      found[(part.row + r) * parts + part.first / kTokensAtOnce] =
          candidates_in(part, r, made->most);
    }
  });
  if (is_cancelled(progress)) return made;
  for (std::size_t row = 0; row < rows.count(); ++row) {
    Candidates all;
    for (std::size_t part = 0; part < parts; ++part) {
      const Candidates& some = found[row * parts + part];
      all.sum.add(some.sum);
      all.tokens.insert(all.tokens.end(), some.tokens.begin(), some.tokens.end());
    }
    sort_likeliest(all.tokens, made->most);
    for (Predictions::Token token : all.tokens) {
      token.share = std::exp(static_cast<double>(token.logit) - all.sum.value());
      made->tokens.push_back(token);
    }
  }
  return made;
}

}  // namespace attn
