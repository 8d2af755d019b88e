// Every option of the plot in the pane with the focus, made from the description of its field.
#include "gui/shell/actions/action_lists.h"
#include "plot/all_plots.h"
#include "view/fields.h"

namespace attn::gui {
namespace {

// What has actions of its own.
bool is_listed_elsewhere(std::string_view field) {
  constexpr std::string_view kElsewhere[] = {"stage", "attention", "layer",  "sample",
                                             "head",  "colormap",  "values", "step",
                                             "show",  "overview"};
  return std::ranges::find(kElsewhere, field) != std::end(kElsewhere);
}

Action action_of(const Field<ViewOptions>& field, const std::string& menu) {
  return {.id = "option/" + std::string(field.name),
          .menu = menu,
          .label = control_label(field.name, field.label),
          .help = std::string(field.help)};
}

void add_flag(Actions& actions, const AppState& state, const Field<ViewOptions>& field,
              const std::string& menu) {
  Action action = action_of(field, menu);
  action.checked = field.get(focused_view(state).options) == "true";
  action.run = sends(flipped(state, field.name));
  actions.push_back(std::move(action));
}

void add_choices(Actions& actions, const AppState& state, const Field<ViewOptions>& field,
                 const std::string& menu) {
  const Action whole = action_of(field, menu);
  const std::string chosen = field.get(focused_view(state).options);
  const std::vector<std::string> words = choice_words(field);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string choice(field.choices[i]);
    Action action = whole;
    action.id += "/" + choice;
    action.menu += "/" + whole.label;
    action.label = words[i];
    action.checked = choice == chosen;
    action.run = sends(command::SetOption{std::string(field.name), choice});
    actions.push_back(std::move(action));
  }
}

// Numbers and texts are typed into their control.
void add_typed(Actions& actions, const Field<ViewOptions>& field, const std::string& menu) {
  Action action = action_of(field, menu);
  action.label += "…";
  action.run = sends(command::ShowOption{std::string(field.name)});
  actions.push_back(std::move(action));
}

}  // namespace

void add_options(Actions& actions, const AppState& state) {
  for (const Field<ViewOptions>& field : plot_option_fields()) {
    if (field.alias || !shown_plot_uses(state, *option_named(field.name)) ||
        is_listed_elsewhere(field.name)) {
      continue;
    }
    const std::string menu = is_of_a_file(field.name) ? "View/Exported figure" : "View/Options";
    if (field.kind == FieldKind::Flag) {
      add_flag(actions, state, field, menu);
    } else if (field.kind == FieldKind::Choice) {
      add_choices(actions, state, field, menu);
    } else {
      add_typed(actions, field, menu);
    }
  }
}

}  // namespace attn::gui
