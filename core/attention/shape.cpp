// One row for each extent: its symbol and where a shape has it.
#include "attention/shape.h"

#include <array>

#include "base/enum_table.h"

namespace attn {
namespace {

using S = AttentionShape;

struct ExtentInfo {
  Extent extent;
  std::string_view symbol;
  std::size_t (*of)(const S&);
};

template <auto Member>
constexpr ExtentInfo plain(Extent extent, std::string_view symbol) {
  return {extent, symbol, [](const S& s) { return s.*Member; }};
}

constexpr std::array kExtents = {
    ExtentInfo{Extent::One, "1", [](const S&) { return std::size_t{1}; }},
    plain<&S::layers>(Extent::Layers, "layers"),
    plain<&S::samples>(Extent::Samples, "samples"),
    plain<&S::heads>(Extent::Heads, "h"),
    plain<&S::kv_heads>(Extent::KeyHeads, "h_kv"),
    plain<&S::n_q>(Extent::Queries, "n_q"),
    plain<&S::n_k>(Extent::Keys, "n_k"),
    ExtentInfo{Extent::QueryWidth, "d_q", query_columns},
    plain<&S::d_k>(Extent::KeyWidth, "d_k"),
    plain<&S::d_v>(Extent::ValueWidth, "d_v"),
    ExtentInfo{Extent::AllQueryWidths, "h·d_q",
               [](const S& s) { return s.heads * query_columns(s); }},
    ExtentInfo{Extent::AllKeyWidths, "h_kv·d_k", [](const S& s) { return s.kv_heads * s.d_k; }},
    ExtentInfo{Extent::AllValueWidths, "h_kv·d_v", [](const S& s) { return s.kv_heads * s.d_v; }},
    ExtentInfo{Extent::ConcatWidth, "h·d_v", [](const S& s) { return s.heads * s.d_v; }},
    plain<&S::d_model>(Extent::ModelWidth, "d_model"),
    ExtentInfo{Extent::KeyInputWidth, "d_model", key_embedding_columns},
    ExtentInfo{Extent::ValueInputWidth, "d_model", value_embedding_columns},
    plain<&S::d_out>(Extent::OutputWidth, "d_out"),
    plain<&S::d_ff>(Extent::HiddenWidth, "d_ff"),
    plain<&S::d_a>(Extent::ScoringWidth, "d_a"),
    ExtentInfo{Extent::StateWidth, "d_q", query_columns},
};
static_assert(is_indexed_by(kExtents, &ExtentInfo::extent));

}  // namespace

std::size_t query_columns(const AttentionShape& s) { return s.d_q == 0 ? s.d_k : s.d_q; }

std::size_t key_embedding_columns(const AttentionShape& s) {
  return s.key_width == 0 ? s.d_model : s.key_width;
}

std::size_t value_embedding_columns(const AttentionShape& s) {
  return s.value_width == 0 ? key_embedding_columns(s) : s.value_width;
}

std::size_t extent_of(const AttentionShape& shape, Extent extent) {
  return kExtents[static_cast<std::size_t>(extent)].of(shape);
}

std::string_view symbol_of(const AttentionShape& shape, Extent extent) {
  if (extent == Extent::QueryWidth && query_columns(shape) == shape.d_k) return "d_k";
  return kExtents[static_cast<std::size_t>(extent)].symbol;
}

}  // namespace attn
