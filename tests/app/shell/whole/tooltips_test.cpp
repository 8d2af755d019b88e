// Every control has a tooltip: in several documents and in every window.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "app/shell/app_fixture.h"
#include "plot/all_plots.h"
#include "support/ui_harness.h"

namespace attn::gui {
namespace {

// Self-explanatory items, and items that are not controls although ImGui gives them an id.
constexpr std::string_view kSpeakForThemselves[] = {
    "menu/File",  "menu/Edit", "menu/View", "menu/Help",  // they open
    "panel/",     "section/",                             // containers
    "inputs/grid"                                         // shows the content of its cells
};

// Pictures, whose parts have tags at the pointer; whole windows; choices of an open list, explained
// by the control that opens it.
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
      if (!drawn) continue;
      look_at_number(name, widget);
      if (speaks_for_itself(name) || ui.probe.tooltip_of(widget) != nullptr) continue;
      missing.insert(name);
    }
  }
  // "… (0 to 9, digits)": limits and unit.
  void look_at_number(const std::string& name, const ProbedWidget& widget) {
    if (!ui.probe.is_number(widget)) return;
    numbers.insert(name);
    const std::string* text = ui.probe.tooltip_of(widget);
    static const std::regex kLimits(
        R"re(\((any (whole )?number|above [-0-9.e+]+|at most [-0-9.e+]+|from [-0-9.e+]+ on|(above )?[-0-9.e+]+ to [-0-9.e+]+), [a-z][a-z -]*\)$)re");
    if (text == nullptr || !std::regex_search(*text, kLimits)) {
      missing.insert(name + " has no limits or unit: " + (text != nullptr ? *text : ""));
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
  std::set<std::string> numbers;  // all number fields seen
};

TEST_F(TooltipsTest, OfTheSignOfOtherEyes) {
  open("example:four-heads");
  app.apply(command::SetPreference{"simulate", "protanopia"});
  look();
  ASSERT_TRUE(ui.shows("status/vision"));
  EXPECT_EQ(listed(), "");
}

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
  for (const auto& [menu, help] : all_menus()) {
    ui.click("menu/" + std::string(menu));
    look();
    ui.key("Esc");
  }
  EXPECT_EQ(listed(), "");
}

TEST_F(TooltipsTest, OfEveryWindow) {
  open("example:four-heads");
  app.apply(command::SetCausal{true});
  for (int overlay = 0; overlay <= static_cast<int>(Overlay::Sentence); ++overlay) {
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

TEST_F(TooltipsTest, NameLimitsAndUnitOfEveryNumber) {
  open_text(R"({"tokens": ["a", "b", "c"], "d_model": 4, "position": {"kind": "rope"},
    "scoring": {"scale": 0.5, "temperature": 2, "softcap": 30},
    "mask": {"causal": true, "window": [1, 1]}})");
  for (const char* tab : {"rules/Scoring", "rules/Positions", "rules/Masks"}) {
    ui.click(tab);
    look();
  }
  ui.click("inputs/more");
  ui.click("inputs/scale");
  look();
  for (const PlotEntry& plot : all_plots()) {
    look_at(command::SelectPlot{std::string(plot.name)});
    ui.click("plot/options");
    look();
    ui.key("Esc");
  }
  look_at(command::ShowDialog{DialogKind::Export});
  EXPECT_EQ(listed(), "");
  for (const char* name :
       {"scoring/scale/value", "scoring/temperature/value", "scoring/softcap/value",
        "positions/base/value", "masks/offset", "masks/window_left/value", "masks/dilation/value",
        "masks/prefix/value", "inputs/factor", "plot/options/decimals", "plot/options/bins",
        "plot/options/range_low", "export/width", "export/export_dpi"}) {
    EXPECT_TRUE(numbers.contains(name)) << name;
  }
}

}  // namespace
}  // namespace attn::gui
