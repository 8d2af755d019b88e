// The steps by which a weight and the output are computed, a row each: where a step exists, its
// words in the flow, and its formula in sums. Numbers and reasons in these texts are written alike.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "attention/notation.h"
#include "plot/account/account.h"

namespace attn {

enum class AccountStep {
  Meet,          // the rows of query and key
  Products,      // their products, and the score
  Scaled,        // × scale
  Softcapped,    // c · tanh(x / c)
  Bias,          // + bias
  Masked,        // hidden cells −∞
  Exponentials,  // e^(x − m)
  Weights,       // ÷ Σ, or another normaliser
  Values,        // weight × row of V
  Output,        // their sum
};

// The words of a step: a formula as a title, a sentence, and the label of a row of numbers, if any.
struct StepWords {
  std::string title, sentence, row = {};
};

// The numbers that the formula of a step is written with.
struct CellFormula {
  const AttentionProblem& problem;
  const Account& account;
};

struct StepText;

struct StepInfo {
  AccountStep step;
  Stage stage;                                                   // the step exists where this does
  bool (*changes)(const AttentionProblem&, const HeadAddress&);  // null: always
  StepWords (*words)(const StepText&);
  std::string (*formula)(const CellFormula&, const Notation&);  // null: sums have no line for it
};
const StepInfo& step_info(AccountStep step);

// Returns the steps of an attention in order, without those that change nothing.
std::vector<AccountStep> steps_of(const AttentionProblem& problem, const HeadAddress& at);

StepWords words_of(const FittedView& view, const Account& account, AccountStep step);

// Returns a number as plots of a cell write it: "−∞" for hidden cells, "?" for what a lesson
// conceals, "0" for nothing else than 0. `fine`: a number whose decimals would all be 0 keeps its
// first digits.
std::string story_number(double number, int decimals, bool fine = true);

// Return "unit" or "dimension", by which the terms of a score are counted, and the name of a term.
std::string_view word_for_terms(const AttentionProblem& problem);
std::string name_of_term(const FittedView& view, std::size_t index);
// Returns the columns whose names the terms have; none for hidden units.
FeatureColumns columns_of_terms(const AttentionProblem& problem);

// Returns "the logit of “cats” is NaN" for a row that lacks_number().
std::string no_number_reason(const Account& account, const std::string& key);
std::string no_number_reason(const Document& document, const Account& account);
// Returns "This row does not sum to a number: the logit of “cats” is NaN."
inline std::string without_number(const Document& document, const Account& account) {
  return "This row does not sum to a number: " + no_number_reason(document, account) + ".";
}

}  // namespace attn
