// Options by name and text, and refusals of fields.
#include "base/fields.h"

#include <gtest/gtest.h>

#include <limits>

namespace attn {
namespace {

enum class Fruit { Apple, Pear };

std::string_view fruit_name(Fruit fruit) { return fruit == Fruit::Apple ? "apple" : "pear"; }

std::optional<Fruit> fruit_named(std::string_view name) {
  if (name == "apple") return Fruit::Apple;
  if (name == "pear") return Fruit::Pear;
  return std::nullopt;
}

struct Inner {
  std::size_t depth = 3;
};

struct Options {
  bool loud = false;
  int count = 2;
  double ratio = 0.5;
  std::optional<double> limit;
  std::string label = "x";
  Fruit fruit = Fruit::Apple;
  Inner inner;
};

// Works on constant and on mutable options.
struct Depth {
  auto& operator()(auto& options) const { return options.inner.depth; }
};

std::vector<Field<Options>> fields() {
  return {flag_field<Options>("loud", "Whether it is loud", &Options::loud),
          number_field<Options>("count", "How many", &Options::count, -5, 10),
          number_field<Options>("ratio", "How much", &Options::ratio),
          number_field<Options>("limit", "At most", &Options::limit, 0, 1),
          text_field<Options>("label", "What it is called", &Options::label),
          choice_field<Options>("fruit", "Which one", &Options::fruit, {"apple", "pear"},
                                fruit_name, fruit_named),
          number_field<Options>("depth", "How deep", Depth{})};
}

const Field<Options>& field(std::string_view name) {
  static const std::vector<Field<Options>> kFields = fields();
  for (const Field<Options>& f : kFields) {
    if (f.name == name) return f;
  }
  ADD_FAILURE() << name;
  return kFields.front();
}

::testing::AssertionResult refuses(std::string_view name, std::string_view text) {
  Options options;
  const Status status = field(name).set(options, text, Spelling::Field);
  if (status) return ::testing::AssertionFailure() << name << " took " << text;
  if (status.error().kind != ErrorKind::Usage) return ::testing::AssertionFailure() << "kind";
  if (status.error().message.find(name) == std::string::npos) {
    return ::testing::AssertionFailure() << status.error().message;
  }
  if (status.error().found != text) return ::testing::AssertionFailure() << status.error().found;
  if (field(name).get(options) != field(name).get(Options{})) {
    return ::testing::AssertionFailure() << "the value changed";
  }
  return ::testing::AssertionSuccess();
}

TEST(Fields, AreSpeltAsTheirFlagsOnTheCommandLine) {
  EXPECT_EQ(spelt("range_low", Spelling::Field), "range_low");
  EXPECT_EQ(spelt("range_low", Spelling::Flag), "--range-low");
  Options options;
  for (const Field<Options>& f : fields()) {
    const Status status = f.set(options, "no such value", Spelling::Flag);
    if (f.kind == FieldKind::Text) continue;
    ASSERT_FALSE(status.ok()) << f.name;
    EXPECT_EQ(status.error().message, "--" + std::string(f.name) + " cannot have this value");
  }
}

TEST(Fields, ReadAsText) {
  const Options options;
  EXPECT_EQ(field("loud").get(options), "false");
  EXPECT_EQ(field("count").get(options), "2");
  EXPECT_EQ(field("ratio").get(options), "0.5");
  EXPECT_EQ(field("limit").get(options), "");
  EXPECT_EQ(field("label").get(options), "x");
  EXPECT_EQ(field("fruit").get(options), "apple");
  EXPECT_EQ(field("depth").get(options), "3");
}

TEST(Fields, TextReadBackGivesTheSameOptions) {
  Options options;
  options.loud = true;
  options.count = -5;
  options.ratio = 1e-3;
  options.limit = 0.25;
  options.label = "我 \" ";
  options.fruit = Fruit::Pear;
  options.inner.depth = 77;
  Options copy;
  for (const Field<Options>& f : fields()) {
    EXPECT_TRUE(f.set(copy, f.get(options), Spelling::Field).ok()) << f.name;
    EXPECT_EQ(f.get(copy), f.get(options)) << f.name;
  }
  EXPECT_TRUE(copy.loud);
  EXPECT_EQ(copy.count, -5);
  EXPECT_EQ(copy.fruit, Fruit::Pear);
  EXPECT_EQ(copy.inner.depth, 77U);
}

TEST(Fields, EmptyTextClearsAnOptional) {
  Options options;
  options.limit = 0.5;
  EXPECT_TRUE(field("limit").set(options, "", Spelling::Field).ok());
  EXPECT_FALSE(options.limit.has_value());
}

TEST(Fields, RefuseWhatIsNotOfTheirKind) {
  EXPECT_TRUE(refuses("loud", "yes"));
  EXPECT_TRUE(refuses("loud", ""));
  EXPECT_TRUE(refuses("count", "1.5"));
  EXPECT_TRUE(refuses("count", ""));
  EXPECT_TRUE(refuses("count", "two"));
  EXPECT_TRUE(refuses("ratio", "nan"));
  EXPECT_TRUE(refuses("ratio", "1,5"));
  EXPECT_TRUE(refuses("fruit", "plum"));
  EXPECT_TRUE(refuses("depth", "-1"));
  EXPECT_TRUE(refuses("depth", "99999999999999999999"));
}

TEST(Fields, BoundsAreInclusive) {
  Options options;
  EXPECT_TRUE(field("count").set(options, "10", Spelling::Field).ok());
  EXPECT_TRUE(field("limit").set(options, "0", Spelling::Field).ok());
  EXPECT_TRUE(field("limit").set(options, "1", Spelling::Field).ok());
  EXPECT_TRUE(refuses("count", "11"));
  EXPECT_TRUE(refuses("count", "-6"));
  EXPECT_TRUE(refuses("limit", "1.01"));
  EXPECT_TRUE(field("ratio").set(options, "1e30", Spelling::Field).ok());
}

TEST(Fields, RefusalsSayWhatIsExpected) {
  Options options;
  EXPECT_EQ(field("count").set(options, "x", Spelling::Field).error().expected,
            "a whole number from -5 to 10");
  EXPECT_EQ(field("fruit").set(options, "x", Spelling::Field).error().expected,
            "one of apple, pear");
  EXPECT_EQ(field("ratio").set(options, "x", Spelling::Field).error().expected, "a number");
}

TEST(Fields, KindsFollowTheTypes) {
  EXPECT_EQ(field("loud").kind, FieldKind::Flag);
  EXPECT_EQ(field("count").kind, FieldKind::Integer);
  EXPECT_EQ(field("limit").kind, FieldKind::Number);
  EXPECT_EQ(field("label").kind, FieldKind::Text);
  EXPECT_EQ(field("fruit").kind, FieldKind::Choice);
}

}  // namespace
}  // namespace attn
