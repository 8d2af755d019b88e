// Small heatmaps, and access to their figures.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "attention/problem.h"
#include "document/document.h"
#include "figure/figure.h"
#include "tests/support/figure_items.h"

namespace attn::test {

inline AttentionProblem problem_of(std::size_t n_q, std::size_t n_k, std::size_t heads = 1) {
  AttentionProblem problem;
  problem.shape.heads = problem.shape.kv_heads = heads;
  problem.shape.n_q = n_q;
  problem.shape.n_k = n_k;
  problem.shape.d_k = 3;
  problem.shape.d_v = 4;
  return problem;
}

// Different for every cell, and not symmetric.
inline float cell_value(const HeadAddress& at, std::size_t row, std::size_t col) {
  return static_cast<float>((7 * row + 3 * col + 11 * at.head) % 20) / 20.0F;
}

inline TokenList words(const std::string& stem, std::size_t count) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < count; ++i) texts.push_back(stem + std::to_string(i));
  return TokenList(std::move(texts));
}

inline Document cross_document(std::size_t n_q, std::size_t n_k) {
  Document document;
  document.title = "A title";
  document.cross = true;
  document.query_tokens = {words("q", n_q)};
  document.key_tokens = {words("k", n_k)};
  return document;
}

inline Point centre(const Rect& r) { return {r.x + r.width / 2, r.y + r.height / 2}; }

const TextItem* text_at(std::vector<TextItem>&& texts, Point p) = delete;
inline const TextItem* text_at(const std::vector<TextItem>& texts, Point p) {
  for (const TextItem& text : texts) {
    if (std::hypot(text.anchor.x - p.x, text.anchor.y - p.y) < 1e-6) return &text;
  }
  return nullptr;
}

inline std::string_view find_matrix_map(const Figure& figure) {
  return find_matrix(figure)->scale.map->name;
}

}  // namespace attn::test
