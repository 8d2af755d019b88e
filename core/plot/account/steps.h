// The steps by which a weight and the output come about, a row each: when there is one, the words
// of the flow, and the formula of the sum; and how numbers and reasons are written beside them.
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

// A formula as a title, a sentence, and the label of the row of numbers, if it has one.
struct StepWords {
  std::string title, sentence, row = {};
};

// Subscript of the first token: 0 for tokens without names, which are numbered from 0.
struct FirstNumbers {
  std::size_t query = 1, key = 1;
  friend bool operator==(const FirstNumbers&, const FirstNumbers&) = default;
};

// What the formula of a step has numbers of.
struct CellFormula {
  const AttentionProblem& problem;
  const Account& account;
  FirstNumbers first;
  SoftmaxSum row;
};

struct Telling;

struct StepInfo {
  AccountStep step;
  Stage stage;                                                   // without which it is not there
  bool (*changes)(const AttentionProblem&, const HeadAddress&);  // null: always
  StepWords (*words)(const Telling&);
  std::string (*formula)(const CellFormula&, const Notation&);  // null: sums have no such line
};
const StepInfo& step_info(AccountStep step);

// In order. Those alone that change something.
std::vector<AccountStep> steps_of(const AttentionProblem& problem, const HeadAddress& at);

StepWords words_of(const FittedView& view, const Account& account, AccountStep step);

// A number as plots of a cell write it; "−∞" of hidden cells, "?" of what a lesson conceals.
// `fine`: with its first digits where all decimals are 0.
std::string story_number(double number, int decimals, bool fine = true);

// "unit" or "dimension", what the terms of a score are counted by, and the name of one of them.
std::string_view word_for_terms(const AttentionProblem& problem);
std::string name_of_term(const FittedView& view, std::size_t index);
// Hidden units have no names.
FeatureColumns columns_of_terms(const AttentionProblem& problem);

// "the logit of “cats” is NaN", of a row that lacks_number().
std::string no_number_reason(const Account& account, const std::string& key);
std::string no_number_reason(const Document& document, const Account& account);
// "This row does not sum to a number: the logit of “cats” is NaN."
inline std::string without_number(const Document& document, const Account& account) {
  return "This row does not sum to a number: " + no_number_reason(document, account) + ".";
}

}  // namespace attn
