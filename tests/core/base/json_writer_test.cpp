// The layout of written JSON and the spelling of single values.
#include "base/json_writer.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/json.h"

namespace attn {
namespace {

template <class T>
std::string written(const T& value) {
  std::string out;
  append_json(out, value);
  return out;
}

TEST(JsonWriter, EscapesWhatATextMayNotHold) {
  EXPECT_EQ(written(std::string_view("a\"b\\c\n\t\x01\x7F猫")), R"("a\"b\\c\n\t\u0001\u007f猫")");
  EXPECT_EQ(written(std::string_view("a\xFFz")), "\"a\xEF\xBF\xBDz\"");
  EXPECT_EQ(written(std::string_view("\0", 1)), R"("\u0000")");
}

TEST(JsonWriter, EscapesWhatWouldActOnATerminal) {
  EXPECT_EQ(written(std::string_view("\x1B\r\u009B\u202E\u2069\u061C\u200Fé")),
            R"("\u001b\u000d\u009b\u202e\u2069\u061c\u200fé")");
  EXPECT_EQ(json_text(Json{{"a\x1B", "\x7F\u0085\u202E"}}),
            "{\n  \"a\\u001b\": \"\\u007f\\u0085\\u202e\"\n}\n");
}

TEST(JsonWriter, WritesNumbersThatReadBackAndNamesTheOthers) {
  EXPECT_EQ(written(0.1F), "0.1");
  EXPECT_EQ(written(std::numeric_limits<float>::infinity()), "\"inf\"");
  EXPECT_EQ(written(std::numeric_limits<float>::quiet_NaN()), "\"nan\"");
  EXPECT_EQ(written(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(written(std::uint8_t{1}), "true");
}

TEST(JsonWriter, PutsEveryInnermostListOnALineOfItsOwn) {
  std::string out;
  ObjectWriter object(out, 0);
  append_tensor(object.member("flat"), Tensor({2}, {1, 2}), 1);
  append_tensor(object.member("deep"), Tensor({1, 2, 2}, {1, 2, 3, 4}), 1);
  append_lists(object.member("tokens"), std::vector<std::vector<std::string>>{{"a", "b"}}, 1);
  object.end();
  EXPECT_EQ(out, R"({
  "flat": [1, 2],
  "deep": [
    [
      [1, 2],
      [3, 4]
    ]
  ],
  "tokens": ["a", "b"]
})");
}

TEST(JsonWriter, AnEmptyObjectIsOnOneLine) {
  std::string out;
  ObjectWriter(out, 3).end();
  EXPECT_EQ(out, "{}");
}

TEST(JsonWriter, NestedRowsAreAskedForInOrder) {
  std::string out;
  const std::size_t counts[] = {2, 3};
  append_nested(out, counts, 0, [&](std::size_t row) { append_json(out, std::uint64_t{row}); });
  EXPECT_EQ(Json::parse(out), Json::parse("[[0, 1, 2], [3, 4, 5]]"));
}

}  // namespace
}  // namespace attn
