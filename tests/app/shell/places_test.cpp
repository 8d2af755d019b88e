// Find, Go to, cells by keyboard, the tag at the pointer, context menus, lists of edits and
// messages, settings, the dialog of exports.
#include <gtest/gtest.h>

#include "app/shell/app_fixture.h"
#include "base/number_text.h"
#include "figure/text.h"
#include "gui/panels/inspector/inspector.h"
#include "gui/shell/windows/overlays.h"
#include "numbers/read_numbers.h"
#include "plot/all_plots.h"
#include "session/figure_file.h"
#include "session/preferences.h"

namespace attn::gui {
namespace {

class PlacesTest : public test::AppTest {
 protected:
  PlacesTest() { open("example:four-heads"); }
  std::string clipboard() const { return ImGui::GetClipboardText(); }
  const std::vector<CellHit>& pins() const { return state().pins; }
};

TEST_F(PlacesTest, TokensAreFoundAsOneTypesAndWalkedByEnter) {
  ui.key("Ctrl+F");
  ASSERT_TRUE(ui.shows("find/text"));
  ui.type("at");
  EXPECT_EQ(ui.value("find/count"), "1 of 3") << "cat, sat, mat";
  EXPECT_EQ(state().marked_token->index, 1U);
  ui.key("Enter");
  EXPECT_EQ(ui.value("find/count"), "2 of 3");
  ui.key("Shift+Enter");
  EXPECT_EQ(state().marked_token->index, 1U);
  ui.click("find/previous");
  EXPECT_EQ(state().marked_token->index, 5U) << "round and round";
  ui.type("x");
  EXPECT_EQ(ui.value("find/count"), "none");
  EXPECT_FALSE(ui.enabled("find/next"));
  ui.key("Esc");
  EXPECT_FALSE(ui.shows("find"));
  ui.key("F3");
  EXPECT_EQ(state().marked_token->index, 5U) << "what is not there is not found later either";
}

TEST_F(PlacesTest, AMarkedTokenIsMarkedInListAndPlot) {
  ui.click("tokens/2");
  EXPECT_EQ(state().marked_token, (TokenHit{Side::Query, 0, 2}));
  ui.click("plot/heatmap/token/key/4");
  EXPECT_EQ(state().marked_token, (TokenHit{Side::Query, 0, 4}));
  ui.click("plot/heatmap/token/query/4");
  EXPECT_FALSE(state().marked_token) << "a second click lets go";
  ui.hover("tokens/3");
  EXPECT_EQ(state().token_hover, (TokenHit{Side::Query, 0, 3}));
  ui.hover("section/Inspector");
  EXPECT_FALSE(state().token_hover);
  ui.click("tokens/2");
  ui.click("section/Inspector");
  ui.key("Esc");
  EXPECT_FALSE(state().marked_token);
}

TEST_F(PlacesTest, ATokenAddedByEnterIsUndoneAtOnce) {
  ui.click("tokens/new");
  ui.key("Enter");
  EXPECT_EQ(ui.count<command::InsertToken>(), 0U) << "nothing was typed";
  ui.type("dogs");
  ui.key("Enter");
  EXPECT_EQ(token(10), "dogs");
  ui.key("Ctrl+Z");
  EXPECT_EQ(state().document.query_tokens[0].size(), 10U);
  ui.key("Ctrl+Y");
  EXPECT_EQ(token(10), "dogs");
  ui.type("more");
  ui.key("Ctrl+Z");
  EXPECT_EQ(token(10), "dogs") << "the field has something of its own to undo";
  EXPECT_EQ(ui.value("tokens/new"), "");
}

TEST_F(PlacesTest, GoesToWhatIsTypedAndSaysWhatItMeans) {
  ui.key("Ctrl+G");
  ui.type("3, 7");
  EXPECT_EQ(ui.value("go_to/meaning"), "Row 3 (“sat”), column 7 (“because”)");
  ui.key("Enter");
  EXPECT_FALSE(state().overlay);
  ASSERT_EQ(pins().size(), 1U);
  EXPECT_EQ(pins()[0].row, 2U);
  EXPECT_EQ(pins()[0].col, 6U);
  ui.key("Ctrl+G");
  ui.type("head 9");
  EXPECT_NE(ui.value("go_to/meaning").find("count from 1 to 4"), std::string::npos);
  EXPECT_FALSE(ui.enabled("go_to/go"));
  ui.key("Enter");
  EXPECT_TRUE(state().overlay) << "there is no head 9";
  ui.key("Ctrl+A");
  ui.type("h3");
  ui.click("go_to/go");
  EXPECT_EQ(focused_view(state()).options.at.head, 2U);
}

TEST_F(PlacesTest, ArrowsWalkCellsAndThePartInView) {
  ui.key("Right");
  ASSERT_EQ(pins().size(), 1U) << "where walking begins";
  ui.key("Right");
  ui.key("Down");
  ui.key("Down");
  EXPECT_EQ(pins()[0].row, 2U);
  EXPECT_EQ(pins()[0].col, 1U);
  EXPECT_TRUE(ui.value("inspector/sentence").starts_with("“sat” (query 3)"));
  ui.key("End");
  EXPECT_EQ(pins()[0].col, 9U);
  ui.key("Shift+Left");
  ASSERT_EQ(pins().size(), 2U);
  EXPECT_EQ(pins()[1].col, 8U);
  ui.key("Esc");
  EXPECT_TRUE(pins().empty());
  ui.type("+");
  const CellWindow before = focused_view(state()).options.window;
  ASSERT_GT(before.rows, 0.0);
  ui.key("Down");
  EXPECT_GT(focused_view(state()).options.window.row, before.row);
  EXPECT_TRUE(pins().empty()) << "no pin: it moves what is in view";
  ui.type("-");
  ui.type("-");
  EXPECT_EQ(focused_view(state()).options.window.rows, 0.0);
}

TEST_F(PlacesTest, ArrowsBelongToTheTokenListThatHasTheKeyboard) {
  ui.click("tokens/2");
  ui.key("Down");
  EXPECT_EQ(state().marked_token->index, 3U);
  EXPECT_TRUE(pins().empty());
}

TEST_F(PlacesTest, TheTagAtThePointerSaysTheDrawnNumber) {
  ui.hover("plot/heatmap/cell/4,3");
  const std::string number = with_minus(short_text(static_cast<double>(weight(4, 3))));
  EXPECT_EQ(ui.value("plot/tag"), "“the” → “on” " + number);
  ui.key("Ctrl+G");
  EXPECT_FALSE(ui.shows("plot/tag")) << "nothing lies over a dialog";
}

TEST_F(PlacesTest, TheTagOverPooledCellsSaysTheirLargestNumber) {
  open_text(R"({"tokens": 4000})");
  ui.hover("plot/heatmap");
  ui.frames(2);
  const std::string tag = ui.value("plot/tag");
  EXPECT_TRUE(tag.starts_with("token ")) << tag;
  EXPECT_NE(tag.find(" → token "), std::string::npos) << tag;
  EXPECT_NE(tag.find(" largest 0.0"), std::string::npos) << tag;
  EXPECT_TRUE(tag.ends_with(" cells")) << tag;
  EXPECT_NE(tag.find(" × "), std::string::npos) << tag;
}

TEST_F(PlacesTest, TheMiddleButtonMovesAndModifiersTuneTheWheel) {
  ui.wheel("plot/heatmap/cell/4,4", 2);
  const CellWindow zoomed = focused_view(state()).options.window;
  ASSERT_GT(zoomed.rows, 0.0);
  ui.hold("Ctrl");
  ui.wheel("plot/heatmap/cell/4,4", 1);
  ui.let_go("Ctrl");
  const double fine = focused_view(state()).options.window.rows;
  EXPECT_NEAR(fine / zoomed.rows, std::pow(1.25, -0.25), 1e-6);
  ui.key("Ctrl+,");
  ui.click("settings/wheel_pans");
  ui.key("Esc");
  ui.wheel("plot/heatmap/cell/4,4", -1);
  EXPECT_EQ(focused_view(state()).options.window.rows, fine) << "the wheel moves";
  EXPECT_GT(focused_view(state()).options.window.row, zoomed.row);
  ui.hold("Ctrl");
  ui.wheel("plot/heatmap/cell/4,4", 1);
  ui.let_go("Ctrl");
  EXPECT_LT(focused_view(state()).options.window.rows, fine) << "with Ctrl it zooms";
}

// Reads the text back as a table.
void expect_numbers(const std::string& text, const NumberTable& wanted) {
  const Result<NumberTable> read = read_numbers(text, NonFinite::Read);
  ASSERT_TRUE(read) << text;
  EXPECT_EQ(read->rows, wanted.rows);
  EXPECT_EQ(read->cols, wanted.cols);
  EXPECT_EQ(read->values, wanted.values);
}

TEST_F(PlacesTest, EveryPartIsCopiedInEveryFormatAndReadsBackTheSameBits) {
  ui.click("plot/heatmap/cell/4,3");
  for (const CopiedPartInfo& part : all_copied_parts()) {
    for (const NumberFormat& format : all_number_formats()) {
      ui.key("Ctrl+Shift+P");
      const std::string id =
          "copy_numbers/" + std::string(part.name) + "/" + std::string(format.name);
      ui.type(std::string(part.label) + " as " + std::string(format.label));
      ui.click("palette/" + id);
      const Result<NumberTable> wanted = copied_numbers(state(), part.part);
      ASSERT_TRUE(wanted);
      EXPECT_EQ(clipboard(), format.write(*wanted));
      const bool is_for_others = format.name == "latex" || format.name == "markdown";
      if (!is_for_others) expect_numbers(clipboard(), *wanted);
      const float value = part.part == CopiedPart::Row      ? weight(4, 0)
                          : part.part == CopiedPart::Column ? weight(0, 3)
                          : part.part == CopiedPart::Cell   ? weight(4, 3)
                                                            : weight(0, 0);
      EXPECT_EQ(wanted->values.front(), value) << id;
    }
  }
  const Result<NumberTable> matrix = copied_numbers(state(), CopiedPart::Matrix);
  EXPECT_EQ(matrix->row_labels[4], "the");
  EXPECT_EQ(matrix->column_labels[3], "on");
}

TEST_F(PlacesTest, WhatCannotBeCopiedSaysWhy) {
  EXPECT_FALSE(copied_numbers(state(), CopiedPart::Row));
  open_text(R"({"tokens": 1500, "d_model": 2})");
  const Result<NumberTable> all = copied_numbers(state(), CopiedPart::Matrix);
  ASSERT_FALSE(all);
  EXPECT_EQ(all.error().message, "2,250,000 numbers are too many to copy");
}

TEST_F(PlacesTest, TheRightButtonOffersWhatBelongsToTheThing) {
  ui.click("plot/heatmap/cell/4,3", 1);
  ASSERT_TRUE(ui.shows("context/copy_sentence"));
  ui.click("context/copy_sentence");
  EXPECT_TRUE(clipboard().starts_with("“the” (query 5)")) << clipboard();
  EXPECT_TRUE(pins().empty()) << "the right button pins nothing";
  ui.click("tokens/3", 1);
  EXPECT_EQ(state().marked_token->index, 3U);
  EXPECT_TRUE(ui.shows("context/find"));
  ui.key("Esc");
  EXPECT_FALSE(ui.shows("context/find"));
  ui.click("section/Inputs", 1);
  EXPECT_TRUE(ui.shows("context/paste_cells"));
  ui.key("Esc");
  ui.click("strip/stage/scores", 1);
  EXPECT_TRUE(ui.shows("context/export"));
}

TEST_F(PlacesTest, TheRightButtonHasAMenuOnEveryThingAndPlot) {
  const std::pair<const char*, const char*> things[] = {
      {"tabs/0", "close_document"},
      {"tokens/2", "rename_token"},
      {"inputs/grid/cell/1,1", "paste_cells"},
      {"inputs/grid/col/0", "name_column"},
      {"inputs/grid/row/2", "fill_right"},
      {"plot/heatmap/token/key/2", "rename_token"},
      {"plot/heatmap/colorbar", "export"},
      {"strip/stage/q", "next_stage"},
      {"panel/rules", "clear_mask"},
  };
  for (const auto& [thing, entry] : things) {
    ui.click(thing, 1);
    EXPECT_TRUE(ui.shows("context/" + std::string(entry))) << thing;
    ui.key("Esc");
    ui.frames(2);
  }
  for (const PlotEntry& plot : all_plots()) {
    if (!why_nothing(plot, *state().result).empty()) continue;
    show_plot(plot.name);
    app.wait_until_idle();
    show();
    ui.click("plot/" + std::string(plot.name), 1);
    for (const char* entry : {"context/copy_figure", "context/export", "context/split_right"}) {
      EXPECT_TRUE(ui.shows(entry)) << plot.name << " " << entry;
    }
    ui.key("Esc");
    ui.frames(2);
  }
}

TEST_F(PlacesTest, PicturesNeedAHelper) {
  ui.click("plot/heatmap/cell/4,3", 1);
  EXPECT_FALSE(ui.enabled("context/copy_figure"));
  ui.key("Esc");
  app.apply(command::CopyFigure{});
  EXPECT_NE(state().notices.back().text.find("xclip or wl-copy"), std::string::npos);
  app.apply(command::UsePictureHelper{"/nowhere/xclip"});
  app.apply(command::CopyFigure{});
  app.wait_until_idle();
  EXPECT_NE(state().notices.back().text.find("could not be started"), std::string::npos);
}

TEST_F(PlacesTest, TheListOfEditsLeadsToAnyOfThem) {
  const Document first = state().document;
  ui.type("c");
  ui.click("tokens/0");
  ui.click("tokens/down");
  ui.key("Ctrl+Shift+P");
  ui.type("all edits");
  ui.key("Enter");
  ASSERT_TRUE(ui.shows("history/2"));
  ui.click("history/0");
  EXPECT_EQ(state().document, first);
  ui.click("history/2");
  EXPECT_EQ(token(0), "cat");
  EXPECT_TRUE(state().document.mask.causal);
  ui.key("Esc");
  EXPECT_FALSE(state().overlay);
}

TEST_F(PlacesTest, MessagesAreThereWhenTheirNoticesAreGone) {
  app.apply(command::Notify{Notice::Level::Error, "It went wrong", "all of it"});
  show();
  ui.click("notice/" + std::to_string(state().notices.size() - 1) + "/dismiss");
  ui.key("Ctrl+Shift+P");
  ui.type("messages");
  ui.key("Enter");
  const std::string last = "messages/" + std::to_string(state().messages.size() - 1);
  EXPECT_EQ(ui.value(last), "It went wrong");
  ui.click(last + "/copy");
  EXPECT_EQ(clipboard(), "all of it");
}

TEST_F(PlacesTest, EverySettingIsShownSetSearchedAndSetBack) {
  ui.key("Ctrl+,");
  for (const Field<Preferences>& field : preference_fields()) {
    const std::string name = "settings/" + std::string(field.name);
    if (!ui.shows(name)) ui.wheel("settings/export_dpi", -100);
    EXPECT_TRUE(ui.shows(name)) << field.name;
  }
  ui.wheel("settings/export_unit", 100);
  ui.click("settings/reopens");
  EXPECT_FALSE(state().preferences.reopens);
  const auto default_of = [&](const std::string& setting) {
    ui.hover("settings/" + setting + "/reset");
    ui.frames(60);
    return ui.value("tooltip");
  };
  EXPECT_EQ(default_of("reopens"), "Back to on");
  EXPECT_EQ(default_of("export_dpi"), "This is the default");
  app.apply(command::SetPreference{"export_format", "svg"});
  EXPECT_EQ(default_of("export_format"), "Back to PNG") << "as the list names it";
  app.apply(command::SetPreference{"export_dpi", "150"});
  EXPECT_EQ(default_of("export_dpi"), "Back to 300");
  ui.click("settings/reopens/reset");
  EXPECT_TRUE(state().preferences.reopens);
  EXPECT_FALSE(ui.enabled("settings/reopens/reset"));
  ui.click("settings/filter");
  ui.type("colours");
  EXPECT_TRUE(ui.shows("settings/theme"));
  EXPECT_FALSE(ui.shows("settings/reopens"));
  ui.click("settings/theme");
  ui.click("settings/theme/High contrast");
  EXPECT_EQ(state().preferences.theme, ThemeKind::Contrast);
  ui.key("Esc");
  EXPECT_FALSE(state().overlay);
}

TEST_F(PlacesTest, TheDialogOfExportsShowsAllPanesAndReturnsToTheDefaults) {
  app.apply(command::SplitPane{0, SplitDirection::Right});
  ui.key("Ctrl+E");
  ui.click("export/export_panes");
  EXPECT_NE(ui.value("export/command").find("--layout 'heatmap | heatmap'"), std::string::npos)
      << ui.value("export/command");
  EXPECT_TRUE(ui.shows("export/preview"));
  ui.click("export/unit/cm");
  ui.click("export/width");
  ui.key("Ctrl+A");
  ui.type("15");
  ui.key("Enter");
  EXPECT_NEAR(state().preferences.export_figure.width, 425.2, 0.1);
  ui.click("export/reset");
  EXPECT_EQ(focused_view(state()).options.width, 576.0);
  EXPECT_EQ(state().preferences.export_unit, LengthUnit::Millimetres);
  EXPECT_FALSE(state().preferences.export_panes);
  EXPECT_EQ(state().preferences.export_figure, ViewOptions{});
}

TEST_F(PlacesTest, TheDialogOfExportsSetsTheFigureAndShowsItsCall) {
  ui.key("Ctrl+E");
  ui.key("Ctrl+A");
  ui.type(path("map.svg"));
  EXPECT_TRUE(ui.shows("export/preview"));
  ui.click("export/unit/in");
  ui.click("export/width");
  ui.key("Ctrl+A");
  ui.type("5");
  ui.key("Enter");
  EXPECT_EQ(focused_view(state()).options.width, 360.0) << "points";
  ui.click("export/width");
  ui.key("Ctrl+A");
  ui.type("254 mm");
  ui.key("Enter");
  EXPECT_EQ(focused_view(state()).options.width, 720.0) << "a unit of its own";
  ui.click("export/width");
  ui.key("Ctrl+A");
  ui.type("5");
  ui.key("Enter");
  ui.click("export/theme");
  ui.click("export/theme/Dark");
  ui.click("export/export_outlines");
  EXPECT_EQ(ui.value("export/command"), export_call(state(), path("map.svg")));
  EXPECT_NE(ui.value("export/command").find("--theme dark --width 360 --svg-text outlines"),
            std::string::npos)
      << ui.value("export/command");
  ui.click("export/copy_command");
  EXPECT_EQ(clipboard(), ui.value("export/command"));
  ui.click("export/width");
  ui.key("Ctrl+A");
  ui.type("wide");
  ui.key("Enter");
  EXPECT_TRUE(ui.shows("export/width/problem"));
  ui.click("export/accept");
  ASSERT_TRUE(std::filesystem::exists(path("map.svg")));
  EXPECT_NE(test::read_text(path("map.svg")).find("width=\"360"), std::string::npos);
}

TEST(Lengths, LeadThereAndBack) {
  for (std::size_t i = 0; i < kLengthUnits.size(); ++i) {
    const auto unit = static_cast<LengthUnit>(i);
    EXPECT_NEAR(in_points(in_unit(576.0, unit, 300.0), unit, 300.0), 576.0, 1e-9);
  }
  EXPECT_EQ(in_unit(72.0, LengthUnit::Inches, 300.0), 1.0);
  EXPECT_EQ(in_unit(72.0, LengthUnit::Pixels, 300.0), 300.0);
  EXPECT_EQ(in_unit(72.0, LengthUnit::Millimetres, 300.0), 25.4);
}

}  // namespace
}  // namespace attn::gui
