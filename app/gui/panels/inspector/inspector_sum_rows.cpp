// The sum of the inspector as rows of a table.
#include <algorithm>

#include "gui/panels/inspector/inspection.h"
#include "gui/panels/inspector/inspector_numbers.h"
#include "gui/panels/inspector/inspector_sum.h"
#include "gui/panels/inspector/sum_text.h"
#include "gui/ui/style.h"
#include "session/command.h"

namespace attn::gui {
namespace {

// Each cell in a column of its own.
using Sums = std::vector<std::vector<SumLine>>;

const SumLine* line_named(const std::vector<SumLine>& lines, const std::string& name) {
  const auto found = std::ranges::find(lines, name, &SumLine::name);
  return found == lines.end() ? nullptr : &*found;
}

// Whether the label is true of all cells; else each has its own above its number.
bool is_shared(const Sums& sums, const SumLine& line) {
  return std::ranges::all_of(sums, [&](const std::vector<SumLine>& lines) {
    const SumLine* of_cell = line_named(lines, line.name);
    return of_cell == nullptr || of_cell->label == line.label;
  });
}

Color ink_of(const Inspection& in, SumLine::Kind kind) {
  if (kind == SumLine::Kind::Aside) return in.ui.colors().muted;
  if (kind == SumLine::Kind::After) return stage_color(in.ui.colors(), Stage::Output);
  return in.ui.colors().ink;
}

bool ends_with_sign(std::string_view text) {
  return text.ends_with("÷") || text.ends_with("Σ") || text.ends_with("·");
}

// In lines that fit `room_px`, broken between words but not behind a sign: ImGui breaks numbers at
// their points too.
std::string broken_at_blanks(std::string text, float room_px) {
  std::size_t begin = 0, last = text.npos;
  for (std::size_t blank = text.find(' '); begin < text.size(); blank = text.find(' ', blank + 1)) {
    const std::size_t end = std::min(blank, text.size());
    const bool fits = ImGui::CalcTextSize(text.data() + begin, text.data() + end).x <= room_px;
    if (!fits && last != text.npos) {
      text[last] = '\n';
      begin = last + 1;
    }
    if (blank == text.npos) break;
    if (!ends_with_sign(std::string_view(text).substr(0, blank))) last = blank;
  }
  return text;
}

// At the right end of its column, in as many lines as it takes.
void sum_text(const std::string& text, Color ink) {
  const float room = ImGui::GetContentRegionAvail().x;
  const std::string lines = broken_at_blanks(text, room);
  const float width = ImGui::CalcTextSize(lines.c_str()).x;
  if (width < room) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room - width);
  ImGui::PushStyleColor(ImGuiCol_Text, to_imgui(ink));
  ImGui::TextUnformatted(lines.c_str());
  ImGui::PopStyleColor();
}

void sum_value(const Inspection& in, const SumLine& line) {
  sum_text(line.value,
           line.kind == SumLine::Kind::Aside ? in.ui.colors().muted : in.ui.colors().ink);
}

void rule_above(const Ui& ui) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
  ImGui::GetWindowDrawList()->AddLine(ImVec2(at.x, at.y - ui.px(1)), ImVec2(right, at.y - ui.px(1)),
                                      to_imgui(ui_colors(ui.theme).border));
}

void sum_row(Inspection& in, const SumLine& line, const Sums& sums) {
  const bool bold = line.kind == SumLine::Kind::Total;
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  if (bold) rule_above(in.ui);
  if (bold) ImGui::PushFont(in.ui.fonts.bold);
  const bool shared = is_shared(sums, line);
  if (shared) {
    const std::string label(in.ui.say(Wording::Fragment, line.label));
    ImGui::PushStyleColor(ImGuiCol_Text, to_imgui(ink_of(in, line.kind)));
    ImGui::TextUnformatted(broken_at_blanks(label, ImGui::GetContentRegionAvail().x).c_str());
    ImGui::PopStyleColor();
  }
  for (std::size_t c = 0; c < sums.size(); ++c) {
    ImGui::TableNextColumn();
    const SumLine* of_cell = line_named(sums[c], line.name);
    if (of_cell == nullptr) continue;
    const std::string name =
        "inspector/chain/" + line.name + (c == 0 ? "" : "/" + std::to_string(c));
    if (!shared) {
      sum_text(std::string(in.ui.say(Wording::Fragment, of_cell->label)), ink_of(in, line.kind));
      in.ui.mark(name + "/label", of_cell->label);
    }
    sum_value(in, *of_cell);
    in.ui.mark(name, of_cell->value);
  }
  if (bold) ImGui::PopFont();
}

// What is only said has the whole width, of the first cell alone.
void sum_aside(Inspection& in, const SumLine& line) {
  sum_value(in, line);
  in.ui.mark("inspector/chain/" + line.name, line.value);
}

void sum_titles(Inspection& in) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  for (std::size_t c = 0; c < in.cells.size(); ++c) {
    if (!has_chain(in.cells[c])) continue;
    ImGui::TableNextColumn();
    empty_hint(in.ui, in.tag(c));
  }
}

void copy_sum(Inspection& in, const SumFormat& format) {
  const std::string sentence = cell_sentence({in.document, in.result, in.derivations}, in.focus());
  ImGui::SetClipboardText(format.write(sentence, in.numbers.sums.front()).c_str());
  in.ui.send(
      command::Notify{Notice::Level::Info, "Copied the sum as " + std::string(format.label), ""});
}

bool begin_sum_table(std::size_t cells) {
  const auto columns = static_cast<int>(cells) + 1;
  if (!ImGui::BeginTable("inspector/sum", columns, ImGuiTableFlags_NoPadOuterX)) return false;
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch, cells > 1 ? 0.4F : 0.55F);
  for (std::size_t c = 0; c < cells; ++c) {
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch,
                            (cells > 1 ? 0.6F : 0.45F) / static_cast<float>(cells));
  }
  return true;
}

// Of the first cell, at the right end of the title.
void copy_menu(Inspection& in) {
  constexpr const char* kPopup = "inspector/sum/formats";
  const char* label = "Copy";
  ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - button_width(in.ui, label));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ImGui::GetStyle().FramePadding.x, 0));
  if (button(in.ui, "inspector/sum/copy", label,
             {.kind = ButtonKind::Quiet, .tooltip = "Copies the sum with all of its numbers"})) {
    ImGui::OpenPopup(kPopup);
  }
  ImGui::PopStyleVar();
  if (!ImGui::BeginPopup(kPopup)) return;
  for (const SumFormat& format : all_sum_formats()) {
    const std::string words = "As " + std::string(format.label);
    const bool chosen =
        ImGui::MenuItem(item_label(in.ui.say(Wording::Label, words), format.name).c_str());
    in.ui.mark("inspector/sum/copy/" + std::string(format.name));
    if (chosen) copy_sum(in, format);
  }
  ImGui::EndPopup();
}

}  // namespace

void sum_section(Inspection& in) {
  const Sums& sums = in.numbers.sums;
  if (sums.empty()) return;
  section_header(in.ui, "The sum");
  copy_menu(in);
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2(in.ui.px(3), in.ui.px(1.5F)));
  bool open = begin_sum_table(sums.size());
  if (open && sums.size() > 1) sum_titles(in);
  // A hidden cell has fewer lines than the other one.
  for (const SumLine& line : *std::ranges::max_element(sums, {}, std::ranges::size)) {
    const bool whole = sums.size() == 1 && line.kind == SumLine::Kind::Aside;
    if (whole && open) ImGui::EndTable();
    if (whole) {
      sum_aside(in, line);
      open = begin_sum_table(1);
    } else if (open && line.name != "terms") {
      sum_row(in, line, sums);
    }
  }
  if (open) ImGui::EndTable();
  ImGui::PopStyleVar();
}

}  // namespace attn::gui
