// Table of settings, and the preferences as JSON; missing or broken entries keep their defaults.
#include "session/preferences.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/descriptor.h"
#include "base/files.h"
#include "base/json.h"
#include "document/json/view.h"
#include "export/export.h"
#include "view/fields.h"

namespace attn {
namespace {

using P = Preferences;

std::string_view name_of_theme(std::optional<ThemeKind> theme) {
  return theme ? theme_info(*theme).name : kDesktopTheme;
}

// Returns nothing for an unknown name.
std::optional<std::optional<ThemeKind>> window_theme_named(std::string_view name) {
  if (name == kDesktopTheme) return std::optional<ThemeKind>();
  const std::optional<ThemeKind> theme = theme_named(name);
  if (!theme || !theme_info(*theme).of_windows) return std::nullopt;
  return theme;
}

Field<P> theme_field() {
  std::vector<std::string_view> names{kDesktopTheme}, labels{"System"};
  for (const ThemeInfo& theme : all_themes()) {
    if (!theme.of_windows) continue;
    names.push_back(theme.name);
    labels.push_back(theme.label);
  }
  Field<P> field =
      choice_field<P>("theme", "Colours of the window: those of the desktop, or one's own",
                      &P::theme, names, name_of_theme, window_theme_named);
  field.choice_labels = std::move(labels);
  return field;
}

std::vector<Field<ViewOptions>> remembered_fields() {
  std::vector<Field<ViewOptions>> fields;
  for (const std::string_view name : remembered_options()) {
    fields.push_back(*plot_option_named(name));
  }
  return fields;
}

Field<P> format_field() {
  Field<P> field =
      name_field<P>("export_format", "File format of the export dialog", &P::export_format,
                    names_of(all_exporters(), &Exporter::extension));
  field.choice_labels = names_of(all_exporters(), &Exporter::label);
  return field;
}

// NOLINTNEXTLINE(readability-function-size): one list
std::vector<Field<P>> make_fields() {
  const auto flag = [](std::string_view name, std::string_view label, std::string_view help,
                       auto reach) { return labelled(flag_field<P>(name, help, reach), label); };
  const auto dpi = [](auto& p) -> auto& { return p.export_options.dpi; };
  const auto transparent = [](auto& p) -> auto& { return p.export_options.transparent; };
  const auto outlines = [](auto& p) -> auto& { return p.export_options.outlines; };
  return {
      theme_field(),
      table_field<P>(
          "simulate", "Simulates colour vision in the window; exported figures keep their colours",
          &P::vision, all_color_visions(), &ColorVisionInfo::vision, &ColorVisionInfo::label),
      labelled(number_field<P>("scale", "Size of text and controls; 0 follows the display",
                               &P::scale, 0.0, kLargestScale, "a factor"),
               "Interface scale"),
      flag("reopens", "Reopen the last document",
           "Start with the most recent document, or with an example", &P::reopens),
      flag("first_steps", "First steps at the next start",
           "The next start begins with three things to do", &P::begins_with_first_steps),
      flag("keeps_unsaved", "Keep unsaved work",
           "Unsaved edits are offered at the next start if the program ends unexpectedly",
           &P::autosaves),
      flag("wheel_pans", "Wheel moves maps",
           "The wheel or two fingers move the map; with Ctrl they zoom", &P::wheel_pans),
      flag("reduced_motion", "Less motion", "Steps of a flow follow each other without gliding",
           &P::reduced_motion),
      format_field(),
      labelled(number_field<P>("export_dpi", "Dots per inch of exported pictures", dpi,
                               kSmallestDpi, kLargestDpi, "dots per inch"),
               "Export resolution"),
      flag("export_transparent", "Transparent exports", "Exported figures have no background",
           transparent),
      flag("export_outlines", "Outlined text in SVG",
           "Text in exported SVG becomes shapes, which need no fonts", outlines),
      flag("export_panes", "Export all panes", "All panes of a split window, on one page",
           &P::export_panes),
      enum_field<P>("export_unit", "Unit of width and height in the export dialog", &P::export_unit,
                    kLengthUnits),
  };
}

namespace fs = std::filesystem;
constexpr std::uint64_t kLargestFile = 1U << 20U;

std::string preferences_path() {
  const std::string folder = config_folder();
  return folder.empty() ? "" : folder + "/preferences.json";
}

std::vector<std::string> recent_files(const Json& json) {
  std::vector<std::string> files;
  for (const Json& item : member_of(json, "recent_files", Json::array())) {
    const std::string path = path_of(item);
    if (!path.empty() && files.size() < kRecentFiles) files.push_back(path);
  }
  return files;
}

// Value of a field as JSON of the field's kind.
template <class Options>
Json json_of(const Field<Options>& field, const Options& options) {
  const std::string text = field.get(options);
  if (field.kind == FieldKind::Flag) return text == "true";
  const bool number = field.kind == FieldKind::Number || field.kind == FieldKind::Integer;
  return number ? Json::parse(text, nullptr, false) : Json(text);
}

template <class Options>
void write_fields(Json& json, std::span<const Field<Options>> fields, const Options& options) {
  for (const auto& field : fields) json[std::string(field.name)] = json_of(field, options);
}

// False for a value that the field refuses, which leaves it unchanged.
template <class Options>
bool read_field(Options& options, const Field<Options>& field, const Json& value) {
  const bool flag = field.kind == FieldKind::Flag;
  const bool word = field.kind == FieldKind::Choice || field.kind == FieldKind::Text;
  if (flag != value.is_boolean() || word != value.is_string()) return false;
  const std::string text = word ? value.get<std::string>() : value.dump();
  return field.set(options, text, Spelling::Field).ok();
}

// Returns the number of values that were read.
template <class Options>
std::ptrdiff_t read_fields(const Json& json, std::span<const Field<Options>> fields,
                           Options& options) {
  return std::ranges::count_if(fields, [&](const Field<Options>& field) {
    return json.contains(field.name) && read_field(options, field, json[std::string(field.name)]);
  });
}

std::span<const Field<Sides>> side_fields() {
  constexpr double kMost = 4000.0;
  static const std::vector<Field<Sides>> kFields = {
      number_field<Sides>("left", "", &Sides::left, 0.0, kMost),
      number_field<Sides>("right", "", &Sides::right, 0.0, kMost),
      number_field<Sides>("left_top", "", &Sides::left_top, 0.0, kMost),
      number_field<Sides>("right_top", "", &Sides::right_top, 0.0, 1.0),
      flag_field<Sides>("left_folded", "", &Sides::left_folded),
      flag_field<Sides>("right_folded", "", &Sides::right_folded),
      flag_field<Sides>("more_rules", "", &Sides::more_rules)};
  return kFields;
}

std::span<const Field<WindowPlace>> place_fields() {
  constexpr double kFarthest = 100'000;  // pixels
  const auto number = [](std::string_view name, int WindowPlace::*part) {
    return number_field<WindowPlace>(name, "", part, -kFarthest, kFarthest);
  };
  static const std::vector<Field<WindowPlace>> kFields = {
      number("x", &WindowPlace::x), number("y", &WindowPlace::y),
      number("width", &WindowPlace::width), number("height", &WindowPlace::height),
      flag_field<WindowPlace>("maximised", "", &WindowPlace::maximised)};
  return kFields;
}

Json pins_json(const std::vector<CellHit>& pins) {
  Json list = Json::array();
  for (const CellHit& pin : pins) {
    const MatrixId& matrix = pin.matrix;
    list.push_back(
        {{"stage", stage_info(matrix.stage).name},
         {"self", matrix.head.attention == kSelfAttention},
         {"encoder", matrix.head.attention == kEncoderAttention},
         {"at", {matrix.head.layer, matrix.head.sample, matrix.head.head, pin.row, pin.col}}});
  }
  return list;
}

std::vector<CellHit> pins_of(const Json& tab) {
  std::vector<CellHit> pins;
  for (const Json& item : tab.value("pins", Json::array())) {
    if (!item.is_object() || pins.size() == 2) continue;
    const Json name = item.value("stage", Json()), at = item.value("at", Json());
    const auto stage = name.is_string() ? stage_named(name.get<std::string>()) : std::nullopt;
    const bool is_place =
        at.is_array() && at.size() == 5 && std::ranges::all_of(at, &Json::is_number_unsigned);
    if (!stage || !is_place) continue;
    const auto place = at.get<std::vector<std::size_t>>();
    const bool self = item.value("self", Json(false)) == true;
    const bool encoder = item.value("encoder", Json(false)) == true;
    const std::size_t attention = encoder ? kEncoderAttention
                                  : self  ? kSelfAttention
                                          : kLastAttention;
    const MatrixId matrix{*stage, {place[0], place[1], place[2], attention}};
    pins.push_back({matrix, place[3], place[4]});
  }
  return pins;
}

Json tabs_json(const std::vector<KeptTab>& tabs) {
  Json list = Json::array();
  for (const KeptTab& tab : tabs) {
    list.push_back({{"path", json_of_path(tab.path)},
                    {"panes", Json::parse(panes_text(tab.panes), nullptr, false)},
                    {"pins", pins_json(tab.pins)}});
    if (!tab.arrays.empty()) list.back()["arrays"] = json_of_path(tab.arrays);
  }
  return list;
}

// A file that is listed twice is opened once.
std::vector<KeptTab> tabs_of(const Json& preferences) {
  std::vector<KeptTab> tabs;
  for (const Json& item : member_of(preferences, "tabs", Json::array())) {
    if (!item.is_object() || !item.contains("path") || !item.contains("panes")) continue;
    const std::string path = path_of(item["path"]);
    std::optional<Panes> panes = parse_panes(item["panes"].dump());
    const bool known = std::ranges::find(tabs, path, &KeptTab::path) != tabs.end();
    if (path.empty() || !panes || known || tabs.size() == kMostKeptTabs) continue;
    const std::string arrays = item.contains("arrays") ? path_of(item["arrays"]) : "";
    tabs.push_back({path, *std::move(panes), pins_of(item), arrays});
  }
  return tabs;
}

// Reads all numbers or none: an incomplete place is dropped.
WindowPlace window_of(const Json& json) {
  constexpr std::size_t kNumbers = 4;  // the fields before `maximised`
  WindowPlace place;
  const auto fields = place_fields();
  if (read_fields(json, fields.first(kNumbers), place) < std::ptrdiff_t{kNumbers}) return {};
  read_fields(json, fields.subspan(kNumbers), place);
  return place.width > 0 && place.height > 0 ? place : WindowPlace{};
}

constexpr const char* kProgramKey = "program";
constexpr const char* kProgram = "AttnScope";
// Files of earlier versions have "layouts".
constexpr const char* kOtherKeys[] = {"recent_files",  "last_document", "sides",
                                      "window",        "tabs",          "layouts",
                                      "export_folder", "export_figure"};

// Files of version 0.1.0 do not name their program.
bool is_own(const Json& json) {
  if (!json.is_object()) return false;
  if (const auto program = json.find(kProgramKey); program != json.end()) {
    return *program == kProgram;
  }
  return std::ranges::all_of(json.items(), [](const auto& item) {
    return preference_named(item.key()) != nullptr ||
           std::ranges::count(kOtherKeys, item.key()) > 0;
  });
}

}  // namespace

std::span<const Field<Preferences>> preference_fields() {
  static const std::vector<Field<P>> kFields = make_fields();
  return kFields;
}

std::span<const std::string_view> remembered_options() {
  static constexpr std::string_view kNames[] = {"width", "height", "font_size",
                                                "font",  "notes",  "letters"};
  return kNames;
}

const Field<Preferences>* preference_named(std::string_view name) {
  const auto fields = preference_fields();
  const auto found = std::ranges::find(fields, name, &Field<P>::name);
  return found == fields.end() ? nullptr : &*found;
}

Status check_preferences() {
  const std::string path = preferences_path();
  if (path.empty() || !stamp_of(path)) return ok_status();
  const Result<std::string> text = read_regular_file(path, kLargestFile);
  if (text && (text->empty() || is_own(parse_own_json(*text)))) return ok_status();
  if (!text && text.error().kind != ErrorKind::OverMemoryLimit) return text.error();
  return file_error(ErrorKind::CannotWrite, path, "the file does not hold settings of this program",
                    "move it away, or choose another folder with --config-dir");
}

std::string preferences_text(const Preferences& preferences) {
  Json json;
  json[kProgramKey] = kProgram;
  write_fields(json, preference_fields(), preferences);
  Json& files = json["recent_files"] = Json::array();
  for (const std::string& path : preferences.recent_files) files.push_back(json_of_path(path));
  json["last_document"] = json_of_path(preferences.last_document);
  write_fields(json["sides"], side_fields(), preferences.sides);
  write_fields(json["window"], place_fields(), preferences.window);
  json["tabs"] = tabs_json(preferences.tabs);
  json["export_folder"] = json_of_path(preferences.export_folder);
  write_fields<ViewOptions>(json["export_figure"], remembered_fields(), preferences.export_figure);
  return json_text(json);
}

Preferences parse_preferences(std::string_view text) {
  Preferences preferences;
  const Json json = parse_own_json(text);
  if (!json.is_object()) return preferences;
  read_fields(json, preference_fields(), preferences);
  if (preferences.scale < kSmallestScale) preferences.scale = 0.0;
  preferences.recent_files = recent_files(json);
  if (json.contains("last_document")) preferences.last_document = path_of(json["last_document"]);
  read_fields(member_of(json, "sides", Json::object()), side_fields(), preferences.sides);
  preferences.window = window_of(member_of(json, "window", Json::object()));
  preferences.tabs = tabs_of(json);
  if (json.contains("export_folder")) preferences.export_folder = path_of(json["export_folder"]);
  read_fields<ViewOptions>(member_of(json, "export_figure", Json::object()), remembered_fields(),
                           preferences.export_figure);
  return preferences;
}

Status store_preferences(const Preferences& preferences) {
  const std::string path = preferences_path();
  if (path.empty()) return ok_status();
  if (const Status own = check_preferences(); !own) return own.error();
  std::error_code failed;
  fs::create_directories(fs::path(path).parent_path(), failed);
  return write_private_file(path, preferences_text(preferences));
}

Preferences load_preferences() {
  const Result<std::string> text = read_regular_file(preferences_path(), kLargestFile);
  return text ? parse_preferences(*text) : Preferences{};
}

}  // namespace attn
