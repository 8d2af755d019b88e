// Checks of recurrent encoder–decoders.
#include "document/findings.h"

namespace attn {
namespace {

// A cell must be there and square in its state before anything is measured by it.
bool has_state(Findings& findings, const RecurrentCell& cell, const std::string& name,
               std::size_t gates) {
  const std::string pointer = "/recurrent/" + name + "/w_h";
  if (!rank_between(findings, cell.w_h, pointer, 2, 2)) return false;
  const std::size_t hidden = cell.w_h.extent(0);
  return findings.require(hidden > 0 && cell.w_h.extent(1) == gates * hidden, pointer,
                          "the gates do not fit the state", shape_text(cell.w_h.shape()),
                          "(hidden, " + std::to_string(gates) + " · hidden)");
}

}  // namespace

Error refused_recurrent_shape(const RecurrentTensorInfo& info, const Shape& found,
                              const Shape& expected) {
  const std::string cell = info.cell.empty() ? "" : std::string(info.cell) + "/";
  const std::string fits = expected.empty() ? "no such tensor in this model" : shape_text(expected);
  return refusal_at("/recurrent/" + cell + std::string(info.name),
                    info.name.starts_with("b_")
                        ? "the bias does not fit the model"
                        : "the matrix does not fit the model (it is stored as inputs × outputs)",
                    shape_text(found), fits, "");
}

void check_recurrent(Findings& findings, const RecurrentModel& kind, ScoringFunction function) {
  const Recurrent& model = kind.recurrent;
  const std::size_t gates = cell_info(model.cell).gates;
  findings.require(kind.embeddings.value.empty(), "/value_embeddings",
                   "the states of a recurrent encoder are keys and values", "value_embeddings",
                   "no value_embeddings with recurrent");
  findings.require(kind.heads == 1, "/heads", "a recurrent decoder asks once at every step",
                   counted(kind.heads, "head"), "1, or no heads");
  has_state(findings, model.encoder, "encoder", gates);
  has_state(findings, model.decoder, "decoder", gates);
  if (is_bidirectional(model)) has_state(findings, model.backward, "backward", gates);
  if (!findings.none()) return;
  const RecurrentWidths widths = widths_of(kind);
  for (const RecurrentTensorInfo& info : all_recurrent_tensors()) {
    const Tensor& tensor = info.read(model);
    const Shape shape = recurrent_shape(info, widths);
    const bool fits =
        tensor.empty() ? shape.empty() || may_be_absent(info, widths) : tensor.shape() == shape;
    if (!fits) findings.add(refused_recurrent_shape(info, tensor.shape(), shape));
  }
  if (!scoring_info(function).needs_equal_widths) return;
  findings.require(
      widths.decoder == widths.encoder_width(), "/scoring/function",
      "a dot product needs decoder and encoder states of one width",
      std::to_string(widths.decoder) + " and " + std::to_string(widths.encoder_width()),
      "equal widths", "choose additive, concat or general");
}

}  // namespace attn
