// The window in another language: what widgets show, and what they are still called.
#include <gtest/gtest.h>

#include <array>

#include "gui/shell/windows/palette.h"
#include "gui/ui/widgets.h"
#include "session/reduce.h"
#include "support/ui_harness.h"

namespace attn::test {
namespace {

using namespace gui;  // NOLINT(google-build-using-namespace)

const Catalogue kGerman{{{"Fit", "In das Fenster einpassen"},
                         {"{1} of {2} cells hidden", "Von {2} Zellen sind {1} verborgen"},
                         {"Causal mask", "Kausale Maske"}}};

TEST(SpokenWords, AreTheCataloguesAndStayUntilTheFrameEnds) {
  UiHarness ui;
  ui.frame([](Ui& u) {
    EXPECT_EQ(u.say(Wording::Label, "Fit"), "Fit");
    u.catalogue = &kGerman;
    const std::string_view fit = u.say(Wording::Label, "Fit");
    const std::string_view hidden = u.say(Wording::Explanation, "3 of 25 cells hidden");
    for (int i = 0; i < 1000; ++i) u.say(Wording::Label, "Causal mask");
    EXPECT_EQ(fit, "In das Fenster einpassen");
    EXPECT_EQ(hidden, "Von 25 Zellen sind 3 verborgen");
    EXPECT_EQ(u.say(Wording::Label, "Zoom in"), "Zoom in");
    EXPECT_EQ(u.say(Wording::Label, ""), "");
  });
}

TEST(SpokenWords, MakeControlsAsWideAsTheyAre) {
  UiHarness ui;
  float english = 0.0F, german = 0.0F;
  const auto width_of = [&](const Catalogue* catalogue) {
    ui.frame([&](Ui& u) {
      u.catalogue = catalogue;
      button(u, "plot/fit", "Fit");
      if (catalogue == &kGerman) german = text_size("In das Fenster einpassen").x;
      if (catalogue == nullptr) english = text_size("Fit").x;
    });
    ui.frames(1);
    return ui.find("plot/fit")->max.x - ui.find("plot/fit")->min.x;
  };
  const float before = width_of(nullptr);
  const float after = width_of(&kGerman);
  EXPECT_FLOAT_EQ(after - before, german - english);
}

TEST(SpokenWords, LeaveControlsAndChoicesTheirNames) {
  UiHarness ui;
  constexpr std::array<std::string_view, 2> kChoices = {"Fit", "Causal mask"};
  std::optional<std::size_t> chosen;
  ui.frame([&](Ui& u) {
    u.catalogue = &kGerman;
    if (const auto now = combo(u, "what", "", kChoices, 0)) chosen = now;
  });
  EXPECT_EQ(ui.value("what"), "Fit");
  ui.click("what");
  ui.click("what/Causal mask");
  EXPECT_EQ(chosen, 1U);
}

TEST(SpokenWords, AreWhatThePaletteIsSearchedFor) {
  const std::vector<Action> actions = all_actions(initial_state());
  const auto found = matching_actions(actions, "Kausale", &kGerman);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(actions[found[0]].id, "causal");
  EXPECT_TRUE(matching_actions(actions, "Kausale").empty());
  const Catalogue umlaut{{{"Causal mask", "Übliche Maske"}}};
  EXPECT_FALSE(matching_actions(actions, "übl", &umlaut).empty());
}

}  // namespace
}  // namespace attn::test
