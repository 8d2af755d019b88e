// Selection on the links plot: heads by their chips, a token by its label.
#include <gtest/gtest.h>

#include "app/shell/app_fixture.h"
#include "figure/text.h"
#include "plot/all_plots.h"

namespace attn::gui {
namespace {

class LinksTest : public test::AppTest {
 protected:
  LinksTest() {
    open("example:four-heads");
    show_plot("links");
  }
  const ViewOptions& options() const { return focused_view(state()).options; }
};

TEST_F(LinksTest, AChipShowsAndHidesItsHead) {
  ui.click("plot/links/option/heads/2");
  EXPECT_EQ(options().heads, "0,2,3");
  ui.frames(2);
  ui.click("plot/links/option/heads/2");
  EXPECT_EQ(options().heads, "all");
}

TEST_F(LinksTest, ATokenThatIsClickedShowsItsLinksAloneUntilItIsClickedAgain) {
  ui.click("plot/links/token/query/1");
  EXPECT_EQ(options().token, "query 1");
  ui.frames(2);
  ui.click("plot/links/token/query/1");
  EXPECT_EQ(options().token, "");
  ui.click("plot/links/token/key/0");
  EXPECT_EQ(options().token, "key 0");
}

TEST_F(LinksTest, TheTokenPointedAtIsWhole) {
  open_text(R"({"tokens": ["pipistrello", "WWWmmm", "a"]})");
  show_plot("links");
  for (const std::size_t index : {0U, 1U}) {
    const std::string token = index == 0 ? "pipistrello" : "WWWmmm";
    for (const Side side : {Side::Query, Side::Key}) {
      ui.hover((side == Side::Query ? "plot/links/token/query/" : "plot/links/token/key/") +
               std::to_string(index));
      show();
      PlotOptions options = plot_options(state());
      options.focus = TokenHit{side, 0, index};
      for (const Orientation orientation : {Orientation::Rows, Orientation::Columns}) {
        options.orientation = orientation;
        const PlotInput input{*state().result_document, *state().result, &state().derivations};
        const Result<Figure> figure =
            draw_plot(*plot_named("links"), input, options, pango_metrics());
        ASSERT_TRUE(figure.ok()) << describe(figure.error());
        const auto labels = std::ranges::count_if(figure->items, [&](const FigureItem& item) {
          const auto* text = std::get_if<TextItem>(&item);
          return text != nullptr && text->text == token;
        });
        EXPECT_EQ(labels, 2) << token << (orientation == Orientation::Rows ? " in rows" : "");
      }
    }
  }
}

TEST_F(LinksTest, DraggingBringsOtherTokensIntoView) {
  std::string tokens;
  for (int i = 0; i < 260; ++i) tokens += (i == 0 ? "\"t" : ", \"t") + std::to_string(i) + "\"";
  open_text(R"({"heads": 1, "d_model": 4, "tokens": [)" + tokens + "]}");
  show_plot("links");
  EXPECT_TRUE(ui.shows("plot/links/token/query/5"));
  ui.drag("plot/links/token/query/40", 0, -200);
  app.wait_until_idle();
  ui.frames(2);
  EXPECT_GT(options().first_query, 10U);
  EXPECT_EQ(options().first_key, 0U) << "of this side alone";
  EXPECT_FALSE(ui.shows("plot/links/token/query/5"));
  ui.drag("plot/links/token/key/40", 0, -4000);
  ui.frames(2);
  EXPECT_EQ(options().first_key, 60U) << "no further than the last token";
  const std::size_t first_query = options().first_query;
  ui.key("Ctrl+Alt+Left");
  EXPECT_EQ(options().first_key, 0U);
  EXPECT_EQ(options().first_query, first_query);
  ui.key("Ctrl+Alt+Left");
  EXPECT_EQ(options().first_query, 0U) << "a drag is one step";
  ui.key("Ctrl+Alt+Right");
  EXPECT_EQ(options().first_query, first_query);
}

TEST_F(LinksTest, TheWheelBringsOtherTokensIntoViewWhereThePageScrollsNoFurther) {
  app.apply(command::SetOption{"tokens_shown", "2"});
  ui.frames(2);
  ui.wheel("plot/links/token/key/1", -1);
  ui.frames(2);
  EXPECT_EQ(options().first_query, 0U);
  EXPECT_GT(options().first_key, 0U);
  ui.wheel("plot/links/token/query/1", -1);
  ui.frames(2);
  EXPECT_EQ(options().first_query, 5U);
  ui.wheel("plot/links/token/query/5", 1);
  ui.frames(2);
  EXPECT_EQ(options().first_query, 0U) << "and back";
}

}  // namespace
}  // namespace attn::gui
