// Draws the line of facts at the bottom and the progress of jobs.
#include "gui/panels/status_bar.h"

#include "base/number_text.h"
#include "gui/panels/strip/selectors.h"

namespace attn::gui {
namespace {

std::string counted(std::size_t count, const char* noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string time_text(double seconds) {
  if (seconds < 1e-3) return short_text(seconds * 1e6, 3) + " µs";
  if (seconds < 1.0) return short_text(seconds * 1e3, 3) + " ms";
  return short_text(seconds, 3) + " s";
}

void part(Ui& ui, std::string_view name, const std::string& text) {
  ImGui::SameLine(0, ui.px(18));
  text_line(ui.say(Wording::Fragment, text));
  ui.mark(name, text);
}

// What the document is built of leads to where that is changed.
void shape_part(Ui& ui, const std::string& text) {
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0.0F);
  ImGui::PushStyleColor(ImGuiCol_Button, ImVec4(0, 0, 0, 0));
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() - ImGui::GetStyle().FramePadding.x);
  const bool pressed =
      ImGui::SmallButton(item_label(ui.say(Wording::Fragment, text), "status/shape").c_str());
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  ui.mark("status/shape", text);
  tooltip(ui, "Changes the kind of model, heads, widths, layers or samples");
  if (pressed) ui.send(command::ShowOverlay{Overlay::Structure});
}

// Given weights are shown as they are, so no stage is computed from them.
std::uint64_t memory_of(const AttentionResult& result) {
  const AttentionProblem& problem = result.problem();
  const bool given = !has_scores(problem);
  return kept_bytes(problem) + (given ? problem.weights.size() * sizeof(float) : 0);
}

bool job_part(Ui& ui, const JobView& job) {
  if (job.label.empty()) return false;
  ImGui::SameLine(0, ui.px(18));
  std::string text(ui.say(Wording::Label, job.label));
  if (job.waiting > 0) text += " (" + std::to_string(job.waiting) + " waiting)";
  ImGui::ProgressBar(job.fraction, ImVec2(ui.px(150), ImGui::GetTextLineHeight()), "");
  ui.mark("status/progress", fixed_text(static_cast<double>(job.fraction), 2));
  ImGui::SameLine();
  ImGui::TextUnformatted(text.c_str());
  ui.mark("status/job", text);
  ImGui::SameLine();
  const bool cancelled =
      ImGui::SmallButton(item_label(ui.say(Wording::Label, "Cancel"), "status/cancel").c_str());
  ui.mark("status/cancel");
  tooltip(ui, "Ends what is being done; nothing is changed or written");
  return cancelled;
}

}  // namespace

std::string shape_summary(const AttentionShape& shape) {
  std::string text = std::to_string(shape.n_q) + (shape.n_q == 1 ? " query" : " queries") + " × " +
                     counted(shape.n_k, "key");
  if (shape.d_k > 0) text += ", d_k " + std::to_string(shape.d_k);
  if (shape.d_model > 0) text += ", d_model " + std::to_string(shape.d_model);
  if (shape.layers > 1) text += ", " + counted(shape.layers, "layer");
  text += ", " + counted(shape.heads, "head");
  if (shape.kv_heads != shape.heads) {
    text += " (" + std::to_string(shape.kv_heads) + " of keys and values)";
  }
  if (shape.samples > 1) text += ", " + counted(shape.samples, "sample");
  return text;
}

bool status_bar(Ui& ui, const AppState& state, const JobView& job) {
  ImGui::PushStyleColor(ImGuiCol_Text, to_imgui(ui.colors().muted));
  shape_part(ui, shape_summary(shown_shape(state)));
  if (state.result) {
    part(ui, "status/time", "computed in " + time_text(state.compute_seconds));
    const std::uint64_t bytes = memory_of(*state.result);
    if (bytes > 0) part(ui, "status/memory", "memory " + bytes_text(bytes));
  }
  const bool cancelled = job_part(ui, job);
  ImGui::PopStyleColor();
  return cancelled;
}

}  // namespace attn::gui
