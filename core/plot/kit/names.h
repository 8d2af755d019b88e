// Tokens, heads, numbers and hits in words.
#pragma once

#include <string>

#include "attention/problem.h"
#include "attention/stage.h"
#include "document/document.h"
#include "figure/figure.h"

namespace attn {

// The token of one side of the attention at an address, made visible; its index when the document
// has no such token.
std::string token_label(const Document& document, Side side, const HeadAddress& at,
                        std::size_t index);

// “sat”, for sentences, shortened. What is written from right to left is kept from turning the
// sentence around it. Without a name “token 10914”, the number that stands at its axis and in its
// list, without quotation marks.
std::string quoted_token(const Document& document, Side side, const HeadAddress& at,
                         std::size_t index);

// “sat” (query 3), counted from 1; without a name the number that it has alone: token 10914.
std::string placed_token(const Document& document, Side side, const HeadAddress& at,
                         std::size_t index);

// The same with what the vocabulary writes for it, where that is another text than the one shown:
// “␣cat”, written “Ġcat”.
std::string spelled_token(const Document& document, Side side, const HeadAddress& at,
                          std::size_t index);

// The name of a feature made visible, of several heads with its head; without a name its number.
std::string feature_label(const Document& document, const FeatureColumns& columns,
                          std::size_t column);

// “animal”, shortened as tokens are; without a name its number.
std::string quoted_feature(const Document& document, const FeatureColumns& columns,
                           std::size_t column);

// For sentences: “animal” (feature 3), or feature 3. Features are counted from 0, as on axes.
std::string feature_words(const Document& document, const FeatureColumns& columns,
                          std::size_t column);

// What one number of the stage is: "Scaled score", "Feature value".
std::string value_name(Stage stage);

// "key-value head 4" for the keys and values that `head` shares with others; "" where it has its
// own, and for other stages.
std::string key_value_head(const AttentionShape& shape, Stage stage, std::size_t head);

// "1 head", "12 heads".
std::string counted(std::size_t count, const char* one, const char* many);

// ", layer 2 of 12", counted from 1; "" where there is one only.
std::string numbered(const char* what, std::size_t index, std::size_t count);

// Which attention of the problem it is, after `before`: ", self-attention"; "" where there is one
// only.
std::string which_attention(const AttentionProblem& problem, const HeadAddress& at,
                            const std::string& before = "");

// A path counted from 0: "token/query/2", "stage/weights", "input/X", "head/3", "label/3/local",
// "colorbar"; "" of nothing and of cells, which are named by whoever knows their matrix.
std::string hit_name(const HitId& hit);

// Words counted from 1, as sentences do: "query 3", "Weights", "head 4"; "" also of colour
// bars, which their ticks explain.
std::string hit_words(const HitId& hit);

}  // namespace attn
