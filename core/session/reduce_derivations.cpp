// What plots need beyond the result: asked for, taken, called off and forgotten.
#include <algorithm>
#include <cstdint>
#include <utility>

#include "plot/needs.h"
#include "session/handlers.h"

namespace attn {
namespace {

constexpr std::uint64_t kBudgetBytes = std::uint64_t{256} << 20U;

// The panes that are on screen.
std::vector<const Pane*> shown_panes(const AppState& state) {
  if (state.maximised) return {pane_of(state.layout, state.focus)};
  return panes_of(state.layout);
}

// Of the present document only: what an older one would need is not worth computing. Panes may need
// the same.
std::vector<Need> present_needs(const AppState& state) {
  std::vector<Need> needs;
  if (!state.result || state.result_revision != state.revision) return needs;
  const PlotInput input{*state.result_document, *state.result, &state.derivations};
  for (const Pane* pane : shown_panes(state)) {
    const PlotEntry* plot = plot_named(pane->view.plot);
    if (plot == nullptr) continue;
    for (Need& need : needs_of(*plot, input, plot_options(state, *pane))) {
      const bool known = std::ranges::find(needs, need.key, &Need::key) != needs.end();
      if (!known) needs.push_back(std::move(need));
    }
  }
  return needs;
}

// Saturates.
std::uint64_t steps_of(const std::vector<Need>& needs) {
  std::uint64_t sum = 0;
  for (const Need& need : needs) sum += std::min(need.steps, UINT64_MAX - sum);
  return sum;
}

void call_off(Step& step, const std::vector<std::string>& wanted) {
  std::erase_if(step.state.deriving, [&](const std::string& key) {
    if (std::ranges::find(wanted, key) != wanted.end()) return false;
    step.effects.push_back(effect::StopDeriving{key});
    return true;
  });
}

void forget_other_results(Step& step) {
  AppState& state = step.state;
  if (state.derived_from == state.result) return;
  call_off(step, {});
  state.derivations = {};
  state.derived_from = state.result;
}

// What documents aside were waiting for is asked for again when they are looked at.
void call_off_aside(Step& step) {
  for (std::vector<OpenDocument>* row : {&step.state.before, &step.state.after}) {
    for (OpenDocument& document : *row) {
      for (std::string& key : document.deriving) {
        step.effects.push_back(effect::StopDeriving{std::move(key)});
      }
      document.deriving.clear();
    }
  }
}

}  // namespace

void request_derivations(Step& step) {
  AppState& state = step.state;
  call_off_aside(step);
  forget_other_results(step);
  std::vector<Need> needs = present_needs(state);
  std::vector<std::string> wanted;
  for (const Need& need : needs) wanted.push_back(need.key);
  call_off(step, wanted);
  state.derivations.look_at(wanted, kBudgetBytes);
  std::erase_if(needs, [&](const Need& need) {
    const bool asked = std::ranges::find(state.deriving, need.key) != state.deriving.end();
    return asked || state.derivations.find(need.key) != nullptr;
  });
  const std::uint64_t steps = steps_of(needs);
  for (Need& need : needs) {
    state.deriving.push_back(need.key);
    step.effects.push_back(
        effect::Derive{state.result_document, state.result, std::move(need), steps});
  }
}

// What nobody waits for was called off, or is of a result that is gone.
void apply(Step& step, const command::DerivationDone& c) {
  AppState& state = step.state;
  const auto waiting = std::ranges::find(state.deriving, c.key);
  if (waiting == state.deriving.end() || c.result != state.result) return;
  state.deriving.erase(waiting);
  state.derivations.keep(c.key, c.made);
}

}  // namespace attn
