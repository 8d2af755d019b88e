// Every control explains itself: all that is drawn of several documents, in every window, says what
// it does when it is pointed at.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "app/shell/app_fixture.h"
#include "plot/all_plots.h"
#include "support/ui_harness.h"

namespace attn::gui {
namespace {

// What shows by itself what it is, or is no control although ImGui gives it an id.
constexpr std::string_view kSpeakForThemselves[] = {
    "menu/File",  "menu/Edit", "menu/View", "menu/Help",  // they open
    "panel/",     "section/",                             // what holds others
    "inputs/grid"                                         // its cells are what they show
};

// Pictures, whose parts say their numbers at the pointer; windows as wholes; choices of an open
// list, which the control that opens it explains.
bool speaks_for_itself(const std::string& name) {
  if (name.find('/') == name.npos) return true;
  const std::size_t picture = name.rfind("plot/");
  if (picture != name.npos && plot_named(name.substr(picture + 5)) != nullptr) return true;
  return std::ranges::any_of(
      kSpeakForThemselves, [&](std::string_view beginning) { return name.starts_with(beginning); });
}

class TooltipsTest : public test::AppTest {
 protected:
  TooltipsTest() : AppTest({.width = 2200, .height = 1600}) {}

  void look() {
    show(1);
    const int frame = ImGui::GetFrameCount();
    for (const auto& [name, widget] : ui.probe.all()) {
      const bool drawn = widget.frame >= frame - 1 && widget.is_control;
      if (!drawn || speaks_for_itself(name) || ui.probe.has_tooltip(widget)) continue;
      missing.insert(name);
    }
  }
  void look_at(const Command& command) {
    app.apply(command);
    app.wait_until_idle();
    look();
  }
  void look_everywhere() {
    for (const PlotEntry& plot : all_plots()) {
      look_at(command::SelectPlot{std::string(plot.name)});
    }
  }
  std::string listed() const {
    std::string text;
    for (const std::string& name : missing) text += name + "\n";
    return text;
  }

  std::set<std::string> missing;
};

TEST_F(TooltipsTest, OfEveryPanelAndPlot) {
  for (const char* example : {"i-love-cats", "four-heads"}) {
    open("example:" + std::string(example));
    look_everywhere();
    for (const char* tab : {"rules/Scoring", "rules/Positions", "rules/Masks"}) {
      ui.click(tab);
      look();
    }
  }
  EXPECT_EQ(listed(), "");
}

TEST_F(TooltipsTest, OfEveryKindOfModel) {
  for (const char* example : {"transformer-decoder", "encoder-decoder", "rope", "mask-and-bias",
                              "padding-batch", "cross-attention-own-widths"}) {
    open("example:" + std::string(example));
    for (const std::string& tab : ui.names("rules/")) {
      if (tab.find('/', 6) != tab.npos) continue;
      ui.click(tab);
      look();
    }
    ui.click("plot/options");
    look();
    ui.key("Esc");
  }
  EXPECT_EQ(listed(), "");
}

TEST_F(TooltipsTest, OfEveryMenu) {
  open("example:four-heads");
  for (const std::string_view menu : menu_names()) {
    ui.click("menu/" + std::string(menu));
    look();
    ui.key("Esc");
  }
  EXPECT_EQ(listed(), "");
}

TEST_F(TooltipsTest, OfEveryWindow) {
  open("example:four-heads");
  app.apply(command::SaveLayout{"mine"});
  app.apply(command::SetCausal{true});
  for (int overlay = 0; overlay <= static_cast<int>(Overlay::Layouts); ++overlay) {
    look_at(command::ShowOverlay{static_cast<Overlay>(overlay)});
  }
  app.apply(command::ShowOverlay{});
  for (const DialogKind dialog : {DialogKind::Open, DialogKind::SaveAs, DialogKind::Export,
                                  DialogKind::ExportFile, DialogKind::Compare}) {
    look_at(command::ShowDialog{dialog});
  }
  app.apply(command::ShowDialog{});
  look_at(command::Notify{Notice::Level::Error, "What went wrong", "all of it"});
  look_at(command::ShowFind{true});
  look_at(command::Quit{});
  EXPECT_EQ(listed(), "");
}

}  // namespace
}  // namespace attn::gui
