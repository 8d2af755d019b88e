// Settings are read, written, refused and reset by their description.
#include <gtest/gtest.h>

#include <set>

#include "session/preferences.h"
#include "tests/core/session/session_driver.h"

namespace attn {
namespace {

using test::SessionDriver;

// Another value that the field takes.
std::string other_value(const Field<Preferences>& field) {
  const std::string usual = field.get(Preferences{});
  if (field.kind == FieldKind::Flag) return usual == "true" ? "false" : "true";
  if (field.kind == FieldKind::Choice) {
    return std::string(field.choices[0] == usual ? field.choices[1] : field.choices[0]);
  }
  return field.maximum > 100.0 ? "150" : "2";
}

TEST(PreferenceFields, EachSurvivesTheFileOfPreferences) {
  std::set<std::string_view> names;
  for (const Field<Preferences>& field : preference_fields()) {
    EXPECT_TRUE(names.insert(field.name).second) << field.name;
    EXPECT_FALSE(field.help.empty()) << field.name;
    Preferences changed;
    ASSERT_TRUE(field.set(changed, other_value(field), Spelling::Field)) << field.name;
    const Preferences read = parse_preferences(preferences_text(changed));
    EXPECT_EQ(field.get(read), other_value(field)) << field.name;
    EXPECT_NE(field.get(read), field.get(Preferences{})) << field.name;
  }
}

TEST(PreferenceFields, AreSetByOneCommandAndKept) {
  for (const Field<Preferences>& field : preference_fields()) {
    SessionDriver session;
    session.send(command::SetPreference{std::string(field.name), other_value(field)});
    EXPECT_EQ(field.get(session.state.preferences), other_value(field)) << field.name;
    ASSERT_NE(session.effect<effect::StorePreferences>(), nullptr) << field.name;
    session.send(command::SetPreference{std::string(field.name), other_value(field)});
    EXPECT_EQ(session.effect<effect::StorePreferences>(), nullptr) << "nothing changed";
  }
}

TEST(PreferenceFields, WhatCannotBeIsRefusedAndSaid) {
  SessionDriver session;
  session.send(command::SetPreference{"theme", "paper"});
  EXPECT_EQ(session.state.preferences.theme, std::nullopt);
  EXPECT_NE(session.last_notice().find("Theme"), std::string::npos) << session.last_notice();
  session.send(command::SetPreference{"flavour", "mint"});
  EXPECT_EQ(session.last_notice(), "There is no setting named flavour");
  session.send(command::SetPreference{"scale", "0.1"});
  EXPECT_EQ(session.state.preferences.scale, kSmallestScale);
}

TEST(PreferenceFields, BrokenOnesInAFileKeepTheirUsualValues) {
  const Preferences read = parse_preferences(
      R"({"theme": "paper", "scale": "2", "reopens": 1, "wheel_pans": "yes",
          "export_dpi": 1e9, "export_format": "gif", "keeps_unsaved": false})");
  Preferences expected;
  expected.autosaves = false;
  for (const Field<Preferences>& field : preference_fields()) {
    EXPECT_EQ(field.get(read), field.get(expected)) << field.name;
  }
}

TEST(PreferenceFields, AnExportRemembersTheLastOne) {
  SessionDriver session;
  session.open(test::two_heads());
  session.send(command::SetOption{"width", "300"});
  EXPECT_EQ(session.state.preferences.export_figure.width, ViewOptions{}.width)
      << "only what is set in the dialog of exports";
  session.send(command::SetOption{"width", "576"});
  session.send(command::ShowDialog{DialogKind::Export});
  session.send(command::SetOption{"width", "241"});
  EXPECT_NE(session.effect<effect::StorePreferences>(), nullptr);
  session.send(command::SetOption{"notes", "false"});
  session.send(command::SetOption{"head", "1"});
  session.send(command::Export{"/tmp/somewhere/a.svg"});
  const Preferences read = parse_preferences(preferences_text(session.state.preferences));
  EXPECT_EQ(read.export_folder, "/tmp/somewhere");
  EXPECT_EQ(read.export_figure, session.state.preferences.export_figure);

  SessionDriver next;
  next.state.preferences = read;
  Document document = test::two_heads();
  document.panes = Panes{};
  focused_view(*document.panes).options.font_size = 7.0;
  next.open(document);
  EXPECT_EQ(focused_view(next.state).options.width, 576.0);
  next.send(command::ShowDialog{DialogKind::Export});
  const ViewOptions& options = focused_view(next.state).options;
  EXPECT_EQ(options.width, 241.0);
  EXPECT_FALSE(options.notes);
  EXPECT_EQ(options.font_size, 7.0) << "the view of the document goes first";
  EXPECT_EQ(options.at.head, 0U);
}

}  // namespace
}  // namespace attn
