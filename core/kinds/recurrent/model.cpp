// Recurrent encoder–decoders: extents, list of tensors and checks.
#include "kinds/recurrent/model.h"

#include <algorithm>

namespace attn {
namespace {

StageRole role_of(const RecurrentTensorInfo& info) {
  if (info.cell.empty())
    return info.name.ends_with("output") ? StageRole::Output : StageRole::Query;
  return info.cell == "decoder" ? StageRole::Query : StageRole::Key;
}

std::string label_of(const RecurrentTensorInfo& info) {
  const std::string letter = info.name.starts_with("b_") ? "b_" : "W_";
  if (info.name.ends_with("initial")) return letter + "0";
  if (info.name.ends_with("output")) return letter + "out";
  const std::string cell = info.cell == "encoder"    ? "enc "
                           : info.cell == "backward" ? "back "
                                                     : "dec ";
  return cell + letter + std::string(info.name.substr(2));
}

TensorInfo entry(const RecurrentTensorInfo& info, const Recurrent& model,
                 const RecurrentWidths& widths) {
  const std::string name(info.name);
  const std::string cell(info.cell);
  TensorInfo out;
  out.tensor = &info.read(model);
  out.path = "/recurrent/" + (cell.empty() ? name : cell + "/" + name);
  out.name = cell.empty() ? name : cell + " " + name;
  out.label = label_of(info);
  out.role = role_of(info);
  out.use = name.starts_with("b_") ? TensorUse::Bias : TensorUse::Matrix;
  for (const std::size_t count : recurrent_shape(info, widths)) {
    out.axes.push_back({Extent::One, std::to_string(count), count});
  }
  out.part = cell == "encoder" || cell == "backward" ? "encoder" : "decoder";
  out.applied = out.part == "encoder" ? Extent::Keys
                : name == "w_initial" ? Extent::One
                                      : Extent::Queries;
  out.needed = !out.axes.empty() && !may_be_absent(info, widths);
  return out;
}

// A cell must be given and square in its state before it determines widths.
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

const KindInfo RecurrentModel::kInfo{
    .name = "recurrent",
    .label = "Recurrent encoder–decoder",
    .sentence =
        "An RNN encoder reads one sequence; an RNN decoder writes the other and attends to it",
    .has_steps = true,
    .no_positions = "a recurrent model knows positions by reading in order",
    .usual_scoring = kScoringOfAnyWidths,
    .problems = &kLayerProblems,
    .numbers = [](const AttentionShape& s) {
      constexpr std::size_t kMostGates = 4, kCells = 3;
      const std::size_t inputs = std::max(s.d_model, key_embedding_columns(s));
      return saturating_sum({numbers_of_embeddings(s),
                             element_count({kCells, kMostGates, inputs + 2 * s.d_k, s.d_k})});
    }};

std::string words_of_cells(const RecurrentModel& model) {
  const Recurrent& recurrent = model.recurrent;
  return std::string(cell_info(recurrent.cell).label) + " encoder" +
         (is_bidirectional(recurrent) ? " in both directions" : "") + " and decoder of " +
         counted(hidden_columns(recurrent.decoder), "hidden unit");
}

RecurrentChoice choice_of(const Recurrent& model) {
  return {model.cell, model.asks, is_bidirectional(model), hidden_columns(model.decoder),
          !model.w_output.empty()};
}

RecurrentWidths widths_of(const RecurrentModel& model) {
  return widths_of(model.recurrent, model.embeddings.keys().shape().back(),
                   model.embeddings.query.shape().back());
}

AttentionShape RecurrentModel::shape() const {
  AttentionShape shape = shape_of(embeddings);
  shape.value_width = 0;
  shape.d_k = shape.d_v = encoder_width(recurrent);
  const std::size_t d_q = hidden_columns(recurrent.decoder);
  shape.d_q = d_q == shape.d_k ? 0 : d_q;
  shape.d_out = recurrent.w_output.empty() ? 0 : recurrent.w_output.extent(1);
  return shape;
}

TensorList RecurrentModel::tensors(const AttentionShape& shape,
                                   std::optional<std::size_t> /*block*/) const {
  TensorList list;
  list_embeddings(list, embeddings, shape);
  const RecurrentWidths widths = widths_of(*this);
  for (const RecurrentTensorInfo& info : all_recurrent_tensors()) {
    list.push_back(entry(info, recurrent, widths));
  }
  return list;
}

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

void RecurrentModel::check(Findings& findings, const Surroundings& around) const {
  if (!check_embeddings(findings, around, embeddings, heads)) return;
  const std::size_t gates = cell_info(recurrent.cell).gates;
  findings.require(embeddings.value.empty(), "/value_embeddings",
                   "the states of a recurrent encoder are keys and values", "value_embeddings",
                   "no value_embeddings with recurrent");
  findings.require(heads == 1, "/heads", "a recurrent decoder has one head of attention",
                   counted(heads, "head"), "1, or no heads");
  has_state(findings, recurrent.encoder, "encoder", gates);
  has_state(findings, recurrent.decoder, "decoder", gates);
  if (is_bidirectional(recurrent)) has_state(findings, recurrent.backward, "backward", gates);
  if (!findings.none()) return;
  const RecurrentWidths widths = widths_of(*this);
  for (const RecurrentTensorInfo& info : all_recurrent_tensors()) {
    const Tensor& tensor = info.read(recurrent);
    const Shape shape = recurrent_shape(info, widths);
    const bool fits =
        tensor.empty() ? shape.empty() || may_be_absent(info, widths) : tensor.shape() == shape;
    if (!fits) findings.add(refused_recurrent_shape(info, tensor.shape(), shape));
  }
  if (!scoring_info(around.function).needs_equal_widths) return;
  findings.require(
      widths.decoder == widths.encoder_width(), "/scoring/function",
      "a dot product needs decoder and encoder states of one width",
      std::to_string(widths.decoder) + " and " + std::to_string(widths.encoder_width()),
      "equal widths", "choose additive, concat or general");
}

void RecurrentModel::put_into(AttentionProblem& problem) const {
  attn::put_into(problem, embeddings);
  problem.kind = &kRecurrentProblems;
  problem.recurrent = recurrent;
}

}  // namespace attn
