// Boxes of a computation from its stages and embeddings, and their dependencies.
#include <algorithm>

#include "base/joined.h"
#include "base/tensor.h"
#include "plot/charts/charts.h"

namespace attn {
namespace {

// Symbols and extents, outermost first.
struct ShapeWords {
  std::vector<std::string> names{};
  Shape shape{};

  ShapeWords& add(const std::string& symbol, std::size_t extent) {
    names.push_back(symbol);
    shape.push_back(extent);
    return *this;
  }
  std::string symbols() const { return "(" + joined(names) + ")"; }
  std::string extents() const { return shape_text(shape); }
};

bool is_projected(Stage stage) {
  return stage == Stage::Query || stage == Stage::Key || stage == Stage::Value;
}

struct Maker {
  const PlotInput& input;
  const FigureTheme& theme;
  const HeadAddress of;
  const HeadAddress at = of.moved_to(0, 0, 0);  // of the first layer
  const AttentionShape shape = input.result.shape(of);
  const bool cross = !keys_are_queries(input.document, of);

  ShapeWords leading(std::size_t layers) const {
    ShapeWords words;
    if (layers > 1) words.add("layers", layers);
    if (shape.samples > 1) words.add("samples", shape.samples);
    return words;
  }

  ShapeWords words(Stage stage) const {
    const StageInfo& info = stage_info(stage);
    const StageShape extent = stage_shape(shape, stage);
    ShapeWords all = leading(layers_of(shape, stage));
    const bool shared = info.rows_are_keys() && shape.kv_heads != shape.heads;
    if (info.per_head) all.add(shared ? "h_kv" : "h", shared ? shape.kv_heads : shape.heads);
    if (info.token_by_token()) return all.add("n_q", extent.rows).add("n_k", extent.cols);
    const std::string rows = !cross ? "n" : info.rows_are_keys() ? "n_k" : "n_q";
    return all.add(rows, extent.rows).add(column_symbol(shape, stage), extent.cols);
  }

  // Returns the formula of the stage, without an output bias that is absent.
  std::string formula(Stage stage) const {
    constexpr std::string_view kBias = " + b_O";
    std::string text = formula_of(input.result.problem(), stage);
    if (projections_of(input.result.problem(), at).b_o.empty() && text.ends_with(kBias)) {
      text.resize(text.size() - kBias.size());
    }
    return text;
  }

  // Returns the projection of queries, keys or values: "W_Q (8, 4)"; empty when they are given.
  // Positions may be added, and rows normalised, before it.
  std::string projection(Stage stage) const {
    const Projections& p = projections_of(input.result.problem(), at);
    const Tensor& matrix = stage == Stage::Query ? p.w_q : stage == Stage::Key ? p.w_k : p.w_v;
    if (matrix.empty()) return "";
    return "W_" + std::string(stage_info(stage).formula) + " " + shape_text(matrix.shape());
  }

  FlowBox box(Stage stage) const {
    const StageInfo& info = stage_info(stage);
    const bool given = !has_scores(input.result.problem());
    const ShapeWords shape_words = words(stage);
    return {StageHit{stage},
            info.role,
            flow_title(stage),
            is_projected(stage) ? projection(stage)
            : given             ? std::string("given")
                                : formula(stage),
            shape_words.symbols(),
            shape_words.extents(),
            stage_color(theme, stage)};
  }

  FlowBox box(const EmbeddingsUsed& used) const {
    const std::size_t rank = used.x->rank();
    ShapeWords shape_words = leading(1);
    shape_words.add(used.length, used.x->extent(rank - 2)).add("d_model", used.x->extent(rank - 1));
    return {used.tensor,
            used.role,
            used.title,
            "",
            shape_words.symbols(),
            shape_words.extents(),
            cross ? role_color(theme, used.role) : theme.ink};
  }
};

// True if a stage shares the column of the one before: query, key and value of one step, a gate and
// its gated value, a cell's memory and state, and a state that is the query of its context.
bool stands_under_last(const AttentionProblem& problem, Stage stage) {
  const StageRole role = stage_info(stage).role;
  const bool before_context =
      stage == Stage::DecoderState && problem.recurrent.asks == QueryState::Current;
  return role == StageRole::Key || role == StageRole::Value || stage == Stage::Gate ||
         stage == Stage::DecoderCell || stage == Stage::FixedCell || before_context;
}

// Returns the stages with the encoder's memory after its states.
std::vector<Stage> drawn_order(std::vector<Stage> stages) {
  const auto memory = std::ranges::find(stages, Stage::EncoderCell);
  const auto value = std::ranges::find(stages, Stage::Value);
  if (memory < value && value != stages.end()) std::rotate(memory, memory + 1, value + 1);
  return stages;
}

bool is_stage(const FlowBox& box, Stage stage) { return box.tensor == TensorHit(StageHit{stage}); }

// Returns the role of a tensor; embeddings of self-attention and tensors of whole blocks have
// Output, which feeds all roles.
StageRole role_of(const FlowBox& box, bool cross) {
  const bool input = std::holds_alternative<InputHit>(box.tensor);
  return input && box.role == StageRole::Query && !cross ? StageRole::Output : box.role;
}

// Returns the role of the tensors of the column that make queries, keys or values: the target role
// when the column has it, keys for values, and otherwise Output.
StageRole source_of(const FlowColumn& column, StageRole target, bool cross) {
  const auto has = [&](StageRole role) {
    return std::ranges::any_of(column,
                               [&](const FlowBox& box) { return role_of(box, cross) == role; });
  };
  if (has(target)) return target;
  const bool of_keys = target == StageRole::Value && has(StageRole::Key);
  return of_keys ? StageRole::Key : StageRole::Output;
}

}  // namespace

std::string flow_title(Stage stage) {
  const StageInfo& info = stage_info(stage);
  return std::string(is_projected(stage) ? info.formula : info.label);
}

std::vector<EmbeddingsUsed> embeddings_of(const PlotInput& input, const HeadAddress& at) {
  const AttentionProblem& problem = input.result.problem();
  if (problem.query_embeddings.empty()) return {};
  if (keys_are_queries(input.document, at)) {
    return {{{"/embeddings", "X"}, StageRole::Query, "X", &problem.query_embeddings, "n"}};
  }
  std::vector<EmbeddingsUsed> used{
      {{"/query_embeddings", "X"},
       StageRole::Query,
       "X (queries)",
       &problem.query_embeddings,
       "n_q"},
      {{"/key_embeddings", "X_K"}, StageRole::Key, "X (keys)", &problem.key_embeddings, "n_k"}};
  const Embeddings* entered = embeddings_of(input.document.model);
  if (entered != nullptr && !entered->value.empty()) {
    used.push_back({{"/value_embeddings", "X_V"},
                    StageRole::Value,
                    "X (values)",
                    &problem.value_embeddings,
                    "n_k"});
  }
  return used;
}

std::vector<FlowColumn> flow_of(const PlotInput& input, const FigureTheme& theme,
                                const HeadAddress& at) {
  const AttentionProblem& problem = input.result.problem();
  const Maker make{input, theme, is_decoder(problem) ? HeadAddress{} : at};
  const Maker of_itself{input, theme, {0, 0, 0, 1}};  // self-attention of a decoder
  std::vector<FlowColumn> columns;
  const std::vector<EmbeddingsUsed> used = embeddings_of(input, make.at);
  // Keys that enter in the middle of a block are drawn next to the queries that attend to them.
  const bool asked_later = make.cross && input.result.has(Stage::BlockInput);
  for (const EmbeddingsUsed& embeddings : used) {
    if (asked_later && embeddings.role != StageRole::Query) continue;
    if (columns.empty()) columns.emplace_back();
    columns.front().push_back(make.box(embeddings));
  }
  const auto add = [&](const Maker& maker, Stage stage) {
    if (stage == Stage::Query && maker.cross && asked_later) {
      columns.back().push_back(maker.box(used.back()));
    }
    const bool is_under = stands_under_last(problem, stage) && !columns.empty();
    if (!is_under) columns.emplace_back();
    columns.back().push_back(maker.box(stage));
  };
  const Stage joins = input.result.has(Stage::AttentionOutNorm) ? Stage::AttentionOutNorm
                                                                : Stage::AttentionResidual;
  for (const Stage stage : drawn_order(input.result.stages(make.at))) {
    // A decoder's block attends to its own sequence first.
    if (is_decoder(problem) && stage == joins) {
      for (const Stage own : input.result.stages(of_itself.at)) {
        if (!stage_info(own).around_attention()) add(of_itself, own);
      }
    }
    add(make, stage);
  }
  return columns;
}

bool feeds(const FlowColumn& column, std::size_t from, const FlowBox& to) {
  const FlowBox& box = column[from];
  const bool is_memory = is_stage(box, Stage::EncoderCell) || is_stage(box, Stage::DecoderCell) ||
                         is_stage(box, Stage::FixedCell);
  const bool begins_again = is_stage(to, Stage::FixedState) || is_stage(to, Stage::FixedCell) ||
                            to.role == StageRole::Influence;
  if (is_memory || begins_again || std::holds_alternative<InputHit>(to.tensor)) return false;
  const bool cross = column.size() > 1;
  const StageRole source = role_of(box, cross);
  switch (const StageRole target = role_of(to, cross)) {
    case StageRole::Query:
    case StageRole::Key:
    case StageRole::Value:
      return source == source_of(column, target, cross);
    case StageRole::Scores:
      return source != StageRole::Value;
    default:
      // Keys act through scores, and V skips those: only the output uses it.
      return source != StageRole::Key &&
             (source != StageRole::Value || is_stage(to, Stage::Output));
  }
}

bool feeds(const FlowColumn& column, const FlowColumn& next) {
  for (std::size_t from = 0; from < column.size(); ++from) {
    if (std::ranges::any_of(next, [&](const FlowBox& to) { return feeds(column, from, to); })) {
      return true;
    }
  }
  return false;
}

}  // namespace attn
