// Shows and edits cells, directions and the asking state of a recurrent model.
#include "gui/panels/rules/recurrent.h"

#include <algorithm>

#include "gui/panels/controls.h"
#include "session/command.h"

namespace attn::gui {
namespace {

// More units make the derivatives too slow to look at.
constexpr std::uint64_t kMostHidden = 512;

const Recurrent& model_of(const AppState& state) {
  return std::get<RecurrentModel>(state.document.model).recurrent;
}

template <class Change>
void change_recurrent(Ui& ui, const AppState& state, Change part) {
  RecurrentChoice choice = choice_of(model_of(state));
  part(choice);
  ui.send(command::SetModel{choice, ui.field_gesture});
}

void cell_row(Ui& ui, const AppState& state) {
  std::vector<std::string_view> labels;
  for (const CellInfo& info : all_cells()) labels.push_back(info.label);
  const CellInfo& current = cell_info(model_of(state).cell);
  const auto selected = static_cast<std::size_t>(current.kind);
  if (const auto chosen = segmented(ui, "recurrent/cell", labels, selected, [](auto i) {
        const CellInfo& info = all_cells()[i];
        return std::to_string(info.gates) + " gates" +
               (info.has_memory ? ", and a memory beside the state" : ", and no memory");
      })) {
    change_recurrent(ui, state, [&](RecurrentChoice& c) { c.cell = all_cells()[*chosen].kind; });
  }
  formula_lines(ui, current.formula, "The state after one more token");
}

void encoder_rows(Ui& ui, const AppState& state, FieldInteractions& fields) {
  const RecurrentChoice choice = choice_of(model_of(state));
  if (const auto both =
          checkbox(ui, "recurrent/bidirectional", "Encoder reads in both directions",
                   choice.bidirectional, "Its states side by side are keys and values")) {
    change_recurrent(ui, state, [&](RecurrentChoice& c) { c.bidirectional = *both; });
  }
  const RowWords words{"recurrent/hidden", "Units",
                       "Of each cell, 512 at most; matrices that no longer fit are generated "
                       "from the seed, biases are left out",
                       "units"};
  if (const auto hidden = count_row(ui, words, choice.hidden, 1, fields, false)) {
    change_recurrent(ui, state, [&](RecurrentChoice& c) {
      c.hidden = static_cast<std::size_t>(std::min(*hidden, kMostHidden));
    });
  }
}

void decoder_rows(Ui& ui, const AppState& state) {
  const Recurrent& model = model_of(state);
  std::vector<std::string_view> labels;
  for (const AskingInfo& info : all_asking_states()) labels.push_back(info.label);
  const auto selected = static_cast<std::size_t>(model.asks);
  if (const auto chosen = combo(ui, "recurrent/asks", "", labels, selected, 0.0F,
                                "Which state of the decoder is the query of a step")) {
    change_recurrent(ui, state,
                     [&](RecurrentChoice& c) { c.asks = all_asking_states()[*chosen].asks; });
  }
  rich_text(ui, ui.say(Wording::Explanation, asking_info(model.asks).sentence), kTextSize - 1,
            ui.colors().muted);
  if (const auto outputs = checkbox(ui, "recurrent/outputs", "Outputs o_t", !model.w_output.empty(),
                                    "tanh([s_t; c_t] · W + b)")) {
    change_recurrent(ui, state, [&](RecurrentChoice& c) { c.outputs = *outputs; });
  }
}

}  // namespace

bool is_recurrent(const Document& document) {
  return std::holds_alternative<RecurrentModel>(document.model);
}

void recurrent_panel(Ui& ui, const AppState& state, FieldInteractions& fields) {
  cell_row(ui, state);
  section_header(ui, "Encoder");
  encoder_rows(ui, state, fields);
  section_header(ui, "Decoder");
  decoder_rows(ui, state);
}

}  // namespace attn::gui
