// Status bar: facts about the document, and progress of jobs.
#include "gui/panels/status_bar.h"

#include <algorithm>

#include "base/number_text.h"
#include "figure/colormap.h"
#include "session/command.h"

namespace attn::gui {
namespace {

std::string time_text(double seconds) {
  if (seconds < 1e-3) return short_text(seconds * 1e6, 3) + " µs";
  if (seconds < 1.0) return short_text(seconds * 1e3, 3) + " ms";
  return short_text(seconds, 3) + " s";
}

float status_gap(const Ui& ui) { return ui.px(18); }

// Skipped when it would leave less than `behind` pixels for the following parts.
void part(Ui& ui, std::string_view name, const std::string& text, float behind) {
  ImGui::SameLine(0, status_gap(ui));
  const std::string_view shown = ui.text(Wording::Fragment, text);
  if (text_size(shown).x + behind > ImGui::GetContentRegionAvail().x) return;
  text_line(shown);
  ui.mark(name, text);
}

// Text that can be pressed, aligned like plain text.
bool pressable(Ui& ui, const std::string& name, const std::string& text) {
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0.0F);
  ImGui::PushStyleColor(ImGuiCol_Button, ImVec4(0, 0, 0, 0));
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() - ImGui::GetStyle().FramePadding.x);
  const bool pressed =
      ImGui::SmallButton(item_label(ui.text(Wording::Fragment, text), name).c_str());
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  ui.mark(name, text);
  return pressed;
}

// The simulation persists between runs, so a forgotten one must be visible.
void vision_part(Ui& ui, ColorVision vision) {
  if (vision == ColorVision::Usual) return;
  const ColorVisionInfo& info = color_vision_info(vision);
  ImGui::SameLine(0, status_gap(ui));
  ImGui::PushStyleColor(ImGuiCol_Text, to_imgui(ui.colors().ink));
  const bool pressed = pressable(ui, "status/vision", "Simulating " + std::string(info.name));
  ImGui::PopStyleColor();
  tooltip(ui, std::string(info.help) + ". Files keep their colours; a click shows the usual ones");
  const std::string usual(color_vision_info(ColorVision::Usual).name);
  if (pressed) ui.send(command::SetPreference{"simulate", usual});
}

// Given weights are their own stage, so their bytes are added here.
std::uint64_t memory_of(const AttentionResult& result) {
  const AttentionProblem& problem = result.problem();
  const bool given = !has_scores(problem);
  return materialised_bytes(problem) + (given ? problem.weights.size() * sizeof(float) : 0);
}

std::string job_words(Ui& ui, const JobQueue::Status& job) {
  const std::string waiting =
      job.waiting > 0 ? " (" + std::to_string(job.waiting) + " waiting)" : "";
  return std::string(ui.text(Wording::Label, job.label)) + waiting;
}

constexpr float kJobBarWidth = 150.0F;
constexpr const char* kCancelJob = "Cancel";

// Width of the gap and the button behind a job's label.
float cancel_width(Ui& ui) {
  return ImGui::GetStyle().ItemSpacing.x + button_width(ui, kCancelJob);
}

// Includes the gap before it.
float job_width(Ui& ui, const JobQueue::Status& job) {
  if (job.label.empty()) return 0.0F;
  return status_gap(ui) + ui.px(kJobBarWidth) + ImGui::GetStyle().ItemSpacing.x +
         text_size(job_words(ui, job)).x + cancel_width(ui);
}

bool job_part(Ui& ui, const JobQueue::Status& job) {
  if (job.label.empty()) return false;
  ImGui::SameLine(0, status_gap(ui));
  const std::string text = job_words(ui, job);
  // With a field's padding the bar would push the following items out of the window.
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ImGui::GetStyle().FramePadding.x, 0));
  ImGui::ProgressBar(job.fraction, ImVec2(ui.px(kJobBarWidth), ImGui::GetTextLineHeight()), "");
  ui.mark("status/progress", fixed_text(static_cast<double>(job.fraction), 2));
  ImGui::SameLine();
  const float space = ImGui::GetContentRegionAvail().x - cancel_width(ui);
  elided_text(ui, text, std::max(space, 0.0F), ui.colors().muted);
  ui.mark("status/job", text);
  ImGui::SameLine();
  const bool cancelled =
      ImGui::SmallButton(item_label(ui.text(Wording::Label, kCancelJob), "status/cancel").c_str());
  ui.mark("status/cancel");
  ImGui::PopStyleVar();
  tooltip(ui, "Cancels the work in progress; nothing is changed or written");
  return cancelled;
}

// "3 queries × 3 keys, d_k 2, 1 head"
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

}  // namespace

bool status_bar(Ui& ui, const AppState& state, const JobQueue::Status& job) {
  ImGui::PushStyleColor(ImGuiCol_Text, to_imgui(ui.colors().muted));
  const bool pressed = pressable(ui, "status/shape", shape_summary(shown_shape(state)));
  tooltip(ui, "Changes the kind of model, heads, widths, layers or samples");
  if (pressed) ui.send(command::ShowOverlay{Overlay::Structure});
  vision_part(ui, state.preferences.vision);
  if (state.result) {
    const float behind = job_width(ui, job);
    part(ui, "status/time", "computed in " + time_text(state.compute_seconds), behind);
    const std::uint64_t bytes = memory_of(*state.result);
    if (bytes > 0) part(ui, "status/memory", "memory " + bytes_text(bytes), behind);
  }
  const bool cancelled = job_part(ui, job);
  ImGui::PopStyleColor();
  return cancelled;
}

}  // namespace attn::gui
