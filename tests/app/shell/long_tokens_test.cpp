// A frame costs as much with a hundred thousand tokens as with thirty: counted, not timed.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "app/shell/app_fixture.h"
#include "document/load/read.h"
#include "support/sanitizers.h"

#ifndef ATTNSCOPE_SANITIZED_ALLOCATOR

namespace {
std::atomic<std::size_t> allocated_bytes{0};
}

// Counts the bytes of texts and lists that are made in every frame, anywhere.
void* operator new(std::size_t size) {
  allocated_bytes += size;
  if (void* block = std::malloc(size)) return block;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

#endif

namespace attn::gui {
namespace {

constexpr std::size_t kShort = 30, kLong = 131072;

// Few queries, so that nothing is n × n.
std::string few_queries(std::size_t keys, const std::string& rest = "") {
  return R"({"query_tokens": ["a", "b"], "d_model": 64, "heads": 1, "key_tokens": )" +
         std::to_string(keys) + rest + "}";
}

std::string segments(std::size_t keys) {
  std::string list = "0";
  for (std::size_t i = 1; i < keys; ++i) list += ",0";
  return R"(, "mask": {"query_segments": [0, 1], "key_segments": [)" + list + "]}";
}

struct FrameWork {
  std::size_t bytes = 0;     // allocated
  std::size_t widgets = 0;   // drawn, with a name
  std::size_t vertices = 0;  // sent to the graphics card
};

class LongTokensTest : public test::AppTest {
 protected:
  // Work of one idle frame, after everything has been drawn once.
  FrameWork frame_work() {
    show(10);
    FrameWork work;
#ifndef ATTNSCOPE_SANITIZED_ALLOCATOR
    const std::size_t before = allocated_bytes;
    ui.frames(4);
    work.bytes = (allocated_bytes - before) / 4;
#endif
    work.widgets = ui.names().size();
    work.vertices = static_cast<std::size_t>(ui.draw_data().TotalVtxCount);
    return work;
  }

  // After `arrange`, a short and a long document take equal work per frame.
  template <class Arrange>
  void expect_equal_work(const std::string& brief, const std::string& lengthy, Arrange arrange) {
    open_text(brief);
    arrange();
    const FrameWork few = frame_work();
    open_text(lengthy);
    arrange();
    const FrameWork many = frame_work();
    EXPECT_LE(many.bytes, few.bytes * 3 / 2 + 4096);
    EXPECT_LE(many.widgets, few.widgets * 3 / 2 + 64);
    EXPECT_LE(many.vertices, few.vertices * 3 / 2 + 1024);
    EXPECT_GT(many.widgets, few.widgets / 2) << "it must show something";
  }

  void open_refused(std::size_t tokens) {
    constexpr std::size_t kWidth = 40'000;  // queries of the long one take 20 GiB
    const auto filled = [](const Shape& shape) {
      return Tensor(shape, std::vector<float>(element_count(shape), 0.5F));
    };
    AttentionLayer layer;
    layer.embeddings.query = filled({tokens, 8});
    layer.projections.w_q = layer.projections.w_k = layer.projections.w_v = filled({8, kWidth});
    Reading report;
    report.document.query_tokens = {TokenList::counted(tokens)};
    report.document.model = layer;
    app.apply(command::Opened{{"refused.attn.json"}, std::move(report)});
    app.wait_until_idle();
    show();
  }
};

TEST_F(LongTokensTest, AFrameOfTheWindowCostsAsMuch) {
  expect_equal_work(few_queries(kShort), few_queries(kLong), [] {});
}

TEST_F(LongTokensTest, AFrameWithTheRowOfACellCostsAsMuch) {
  expect_equal_work(few_queries(kShort), few_queries(kLong), [this] {
    const HeadAddress head;
    app.apply(command::Pin{{{Stage::Weights, head}, 1, 20}});
  });
  EXPECT_TRUE(ui.shows("inspector/sentence"));
  EXPECT_FALSE(ui.names("inspector/row/").empty());
}

TEST_F(LongTokensTest, AFrameWithASpreadsheetOfWeightsCostsAsMuch) {
  expect_equal_work(few_queries(kShort), few_queries(kLong), [this] {
    app.apply(command::SelectMatrix{{"/key_embeddings", {}}});
    app.apply(command::MoveCursor{20, 3, false});
  });
}

TEST_F(LongTokensTest, AFrameWithRulesOfEveryTokenCostsAsMuch) {
  expect_equal_work(few_queries(kShort, segments(kShort)), few_queries(kLong, segments(kLong)),
                    [] {});
}

TEST_F(LongTokensTest, TokensWithNamesCostNoMore) {
  const auto named = [](std::size_t count) {
    std::string list = "[\"word\"";
    for (std::size_t i = 1; i < count; ++i) list += ",\"word\"";
    return R"({"query_tokens": ["a"], "d_model": 2, "heads": 1, "key_tokens": )" + list + "]}";
  };
  expect_equal_work(named(kShort), named(kLong), [] {});
}

TEST_F(LongTokensTest, AreListedAndEditedAtTheirEnd) {
  open_text(few_queries(kLong));
  EXPECT_EQ(ui.value("tokens/key/0"), "0");
  ui.click("tokens/key/1");
  app.apply(command::InsertToken{Side::Key, kLong, "end"});
  show();
  EXPECT_EQ(tokens_of(state().document, Side::Key).size(), kLong + 1);
  EXPECT_EQ(tokens_of(state().document, Side::Key)[kLong], "end");
  EXPECT_EQ(tokens_of(state().document, Side::Key).names().size(), 1U);
}

TEST_F(LongTokensTest, ATokenWithoutANameGetsOneWhenItsTextChanges) {
  open_text(few_queries(kLong));
  ui.double_click("tokens/key/1");
  ui.key("Enter");
  EXPECT_EQ(ui.count<command::RenameToken>(), 0U);
  ui.double_click("tokens/key/2");
  ui.key("Ctrl+A");
  ui.type("cat");
  ui.key("Enter");
  EXPECT_EQ(tokens_of(state().document, Side::Key), TokenList::counted(kLong, {{2, "cat"}}));
  ui.key("Ctrl+Z");
  EXPECT_EQ(tokens_of(state().document, Side::Key), TokenList::counted(kLong));
}

TEST_F(LongTokensTest, LeaveTheirRoomToTheShorterSide) {
  open_text(R"({"query_tokens": ["a", "b", "c", "d", "e"], "d_model": 2, "heads": 1,
                "key_tokens": {"count": 131072, "names": {"1": "cat"}}})");
  show(4);
  for (const char* name : {"tokens/query/0", "tokens/query/4", "tokens/key/0", "tokens/key/add"}) {
    EXPECT_TRUE(ui.shows(name)) << name;
  }
  EXPECT_EQ(ui.value("tokens/key/1"), "cat");
}

TEST_F(LongTokensTest, TheSelectedRowIsBroughtIntoView) {
  open_text(few_queries(1000));
  ui.click("tokens/key/3");
  for (int i = 0; i < 40; ++i) ui.key("Down");
  EXPECT_TRUE(ui.shows("tokens/key/43"));
  EXPECT_FALSE(ui.shows("tokens/key/3"));
  for (int i = 0; i < 43; ++i) ui.key("Up");
  EXPECT_TRUE(ui.shows("tokens/key/0"));
}

TEST_F(LongTokensTest, StayInTheirPanelsWhereNothingCanBeComputed) {
  open_refused(kLong);
  ASSERT_EQ(state().document.query_tokens.front().size(), kLong);
  EXPECT_EQ(ui.value("tokens/5"), "5");
  EXPECT_EQ(ui.value("inputs/shape"), "(131072, 8)");
  EXPECT_TRUE(ui.shows("inputs/grid/row/0"));
  const FrameWork many = frame_work();
  open_refused(kShort);
  const FrameWork few = frame_work();
  EXPECT_LE(many.bytes, few.bytes * 3 / 2 + 4096);
  EXPECT_LE(many.vertices, few.vertices * 3 / 2 + 1024);
}

}  // namespace
}  // namespace attn::gui
