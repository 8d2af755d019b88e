// Texts and exit codes of errors.
#include "base/error.h"

#include <gtest/gtest.h>

#include "base/result.h"

namespace attn {
namespace {

TEST(Error, EveryKindHasItsDocumentedExitCode) {
  EXPECT_EQ(exit_code(ErrorKind::Internal), 1);
  EXPECT_EQ(exit_code(ErrorKind::Usage), 2);
  EXPECT_EQ(exit_code(ErrorKind::BadInput), 3);
  EXPECT_EQ(exit_code(ErrorKind::OverMemoryLimit), 4);
  EXPECT_EQ(exit_code(ErrorKind::CannotWrite), 5);
  EXPECT_EQ(exit_code(ErrorKind::NoDisplay), 6);
  EXPECT_EQ(exit_code(ErrorKind::Interrupted), 130);
}

TEST(Error, OneLineNamesPlaceFoundExpectedAndHint) {
  Error error;
  error.kind = ErrorKind::BadInput;
  error.message = "the row is ragged";
  error.file = "cats.json";
  error.pointer = "/q/1";
  error.line = 3;
  error.column = 7;
  error.found = "3 numbers";
  error.expected = "2";
  error.hint = "make all rows equally long";
  EXPECT_EQ(describe(error),
            "cats.json:3:7: /q/1: the row is ragged: found 3 numbers, expected 2; "
            "make all rows equally long");
}

TEST(Error, WhateverNamesAndKeysHoldEachTextIsOnALineOfItsOwn) {
  Error error;
  error.message = "unknown key";
  error.file = "a\nb.json";
  error.pointer = "/to\nken\x1b[31m";
  EXPECT_EQ(describe(error), "a↵b.json: /to↵ken␛[31m: unknown key");
  const std::string full = describe_in_full(error);
  EXPECT_NE(full.find("File: a↵b.json\n"), std::string::npos) << full;
  EXPECT_NE(full.find("At: /to↵ken␛[31m\n"), std::string::npos) << full;
}

TEST(Error, FullTextLeavesOutWhatDoesNotApply) {
  Error error;
  error.message = "no display";
  error.kind = ErrorKind::NoDisplay;
  EXPECT_EQ(describe_in_full(error), "Problem: no display\nKind: no_display\n");
}

TEST(Error, QuotesOfAnyLengthAreCutToTheirEnds) {
  const std::string endless = "begin" + std::string(10'000'000, 'q') + "end";
  const Status refused = Error{.message = endless,
                               .file = endless,
                               .pointer = endless,
                               .found = endless,
                               .expected = endless,
                               .hint = endless};
  for (const std::string& text : {describe(refused.error()), describe_in_full(refused.error())}) {
    EXPECT_LT(text.size(), 20'000U);
    EXPECT_NE(text.find("…"), std::string::npos);
  }
  EXPECT_TRUE(refused.error().found.starts_with("begin"));
  EXPECT_TRUE(refused.error().found.ends_with("end"));
  EXPECT_EQ(Status(Error{.message = "short"}).error().message, "short");
}

}  // namespace
}  // namespace attn
