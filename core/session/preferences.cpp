// Table of settings, and the preferences as JSON; missing or broken entries keep their defaults.
#include "session/preferences.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <utility>

#include "base/file_errors.h"
#include "base/files.h"
#include "base/json.h"
#include "document/json.h"
#include "export/export.h"

namespace attn {
namespace {

using P = Preferences;

std::vector<std::string_view> window_themes(std::string_view ThemeInfo::*words) {
  std::vector<std::string_view> names;
  for (const ThemeInfo& theme : all_themes()) {
    if (theme.of_windows) names.push_back(theme.*words);
  }
  return names;
}

std::string_view theme_word(ThemeKind theme) { return theme_info(theme).name; }

std::optional<ThemeKind> window_theme_named(std::string_view name) {
  const auto theme = theme_named(name);
  return theme && theme_info(*theme).of_windows ? theme : std::nullopt;
}

std::vector<std::string_view> vision_words(std::string_view ColorVisionInfo::*words) {
  std::vector<std::string_view> all;
  for (const ColorVisionInfo& vision : all_color_visions()) all.push_back(vision.*words);
  return all;
}

std::string_view vision_word(ColorVision vision) { return color_vision_info(vision).name; }

std::vector<std::string_view> export_formats() {
  std::vector<std::string_view> names;
  for (const Exporter& exporter : all_exporters()) names.push_back(exporter.extension);
  return names;
}

// "PNG", "SVG", "PDF".
std::vector<std::string_view> format_labels() {
  static const std::vector<std::string> kLabels = [] {
    std::vector<std::string> made;
    for (const std::string_view name : export_formats()) {
      std::string& label = made.emplace_back(name);
      for (char& c : label) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
    return made;
  }();
  return {kLabels.begin(), kLabels.end()};
}

std::optional<std::string> format_named(std::string_view name) {
  const auto formats = export_formats();
  const bool known = std::ranges::find(formats, name) != formats.end();
  return known ? std::optional(std::string(name)) : std::nullopt;
}

struct ReachDpi {
  auto& operator()(auto& preferences) const { return preferences.export_options.dpi; }
};
struct ReachTransparent {
  auto& operator()(auto& preferences) const { return preferences.export_options.transparent; }
};
struct ReachOutlines {
  auto& operator()(auto& preferences) const { return preferences.export_options.outlines; }
};

Field<P> labelled(Field<P> field, std::string_view label,
                  std::vector<std::string_view> choices = {}) {
  field.label = label;
  field.choice_labels = std::move(choices);
  return field;
}

std::vector<Field<P>> make_fields() {
  return {
      labelled(choice_field<P>("theme", "Colours of the window", &P::theme,
                               window_themes(&ThemeInfo::name), theme_word, window_theme_named),
               "Theme", window_themes(&ThemeInfo::label)),
      labelled(
          choice_field<P>(
              "simulate",
              "Simulates colour vision in the window; exported figures keep their colours",
              &P::vision, vision_words(&ColorVisionInfo::name), vision_word, color_vision_named),
          "Simulate", vision_words(&ColorVisionInfo::label)),
      labelled(number_field<P>("scale", "Size of texts and controls; 0 takes what the display says",
                               &P::scale, 0.0, kLargestScale, "a factor"),
               "Interface scale"),
      labelled(flag_field<P>("reopens", "Begin with the most recent document, else with an example",
                             &P::reopens),
               "Reopen the last document"),
      labelled(flag_field<P>("keeps_unsaved",
                             "Edits are offered at the next start when the program was killed",
                             &P::keeps_unsaved),
               "Keep unsaved work"),
      labelled(
          flag_field<P>("wheel_pans", "Wheel or two fingers move a map; with Ctrl they zoom it",
                        &P::wheel_pans),
          "Wheel moves maps"),
      labelled(choice_field<P>("export_format", "File format of the export dialog",
                               &P::export_format, export_formats(), std::identity(), format_named),
               "Export format", format_labels()),
      labelled(number_field<P>("export_dpi", "Dots per inch of exported pictures", ReachDpi{},
                               kSmallestDpi, kLargestDpi, "dots per inch"),
               "Export resolution"),
      labelled(flag_field<P>("export_transparent", "Exported figures have no background",
                             ReachTransparent{}),
               "Transparent exports"),
      labelled(
          flag_field<P>("export_outlines", "Texts of exported SVG are shapes, which need no fonts",
                        ReachOutlines{}),
          "Outlined text in SVG"),
  };
}

namespace fs = std::filesystem;
constexpr std::uint64_t kLargestFile = 1U << 20U;

std::string preferences_path() {
  const std::string folder = config_folder();
  return folder.empty() ? "" : folder + "/preferences.json";
}

// Empty if there is no list of that name.
Json list_in(const Json& json, const char* name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_array() ? *found : Json::array();
}

std::vector<std::string> recent_files(const Json& json) {
  std::vector<std::string> files;
  for (const Json& item : list_in(json, "recent_files")) {
    const std::string path = path_of(item);
    if (!path.empty() && files.size() < kRecentFiles) files.push_back(path);
  }
  return files;
}

struct SideSize {
  const char* name;
  float Sides::*size;
  float most;
};
constexpr SideSize kSideSizes[] = {{"left", &Sides::left, 4000.0F},
                                   {"right", &Sides::right, 4000.0F},
                                   {"left_top", &Sides::left_top, 4000.0F},
                                   {"right_top", &Sides::right_top, 1.0F}};

constexpr std::pair<const char*, bool Sides::*> kSideFolds[] = {
    {"left_folded", &Sides::left_folded}, {"right_folded", &Sides::right_folded}};

Json sides_json(const Sides& sides) {
  Json json = Json::object();
  for (const SideSize& side : kSideSizes) json[side.name] = sides.*side.size;
  for (const auto& [name, folded] : kSideFolds) json[name] = sides.*folded;
  return json;
}

Sides sides_of(const Json& preferences) {
  Sides sides;
  const auto json = preferences.find("sides");
  if (json == preferences.end() || !json->is_object()) return sides;
  for (const SideSize& side : kSideSizes) {
    const auto found = json->find(side.name);
    if (found == json->end() || !found->is_number()) continue;
    const auto size = found->get<float>();
    if (size >= 0.0F && size <= side.most) sides.*side.size = size;
  }
  for (const auto& [name, folded] : kSideFolds) {
    const auto found = json->find(name);
    if (found != json->end() && found->is_boolean()) sides.*folded = found->get<bool>();
  }
  return sides;
}

Json pins_json(const std::vector<CellHit>& pins) {
  Json list = Json::array();
  for (const CellHit& pin : pins) {
    const MatrixId& matrix = pin.matrix;
    list.push_back(
        {{"stage", stage_info(matrix.stage).name},
         {"self", matrix.head.attention == kSelfAttention},
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
        at.is_array() && at.size() == 5 &&
        std::ranges::all_of(at, [](const Json& n) { return n.is_number_unsigned(); });
    if (!stage || !is_place) continue;
    const auto place = at.get<std::vector<std::size_t>>();
    const bool self = item.value("self", Json(false)) == true;
    const MatrixId matrix{*stage,
                          {place[0], place[1], place[2], self ? kSelfAttention : kLastAttention}};
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
  }
  return list;
}

// A file that is listed twice is opened once.
std::vector<KeptTab> tabs_of(const Json& preferences) {
  std::vector<KeptTab> tabs;
  for (const Json& item : list_in(preferences, "tabs")) {
    if (!item.is_object() || !item.contains("path") || !item.contains("panes")) continue;
    const std::string path = path_of(item["path"]);
    std::optional<Panes> panes = parse_panes(item["panes"].dump());
    const bool known = std::ranges::find(tabs, path, &KeptTab::path) != tabs.end();
    if (path.empty() || !panes || known || tabs.size() == kMostKeptTabs) continue;
    tabs.push_back({path, *std::move(panes), pins_of(item)});
  }
  return tabs;
}

constexpr std::pair<const char*, int WindowPlace::*> kPlaceParts[] = {
    {"x", &WindowPlace::x},
    {"y", &WindowPlace::y},
    {"width", &WindowPlace::width},
    {"height", &WindowPlace::height}};
constexpr int kFarthest = 100'000;  // pixels

Json window_json(const WindowPlace& place) {
  Json json = Json::object();
  for (const auto& [name, part] : kPlaceParts) json[name] = place.*part;
  json["maximised"] = place.maximised;
  return json;
}

// All numbers or none: an incomplete place is dropped.
WindowPlace window_of(const Json& preferences) {
  WindowPlace place;
  const auto json = preferences.find("window");
  if (json == preferences.end() || !json->is_object()) return place;
  for (const auto& [name, part] : kPlaceParts) {
    const auto found = json->find(name);
    if (found == json->end() || !found->is_number_integer()) return {};
    const auto number = found->get<std::int64_t>();
    if (number < -kFarthest || number > kFarthest) return {};
    place.*part = static_cast<int>(number);
  }
  place.maximised = json->value("maximised", Json(false)) == true;
  return place.width > 0 && place.height > 0 ? place : WindowPlace{};
}

// Value of a field as JSON of the field's kind.
Json json_of(const Field<Preferences>& field, const Preferences& preferences) {
  const std::string text = field.get(preferences);
  if (field.kind == FieldKind::Flag) return text == "true";
  const bool number = field.kind == FieldKind::Number || field.kind == FieldKind::Integer;
  return number ? Json::parse(text, nullptr, false) : Json(text);
}

// A value that the field refuses leaves it unchanged.
void read_field(Preferences& preferences, const Field<Preferences>& field, const Json& value) {
  const bool flag = field.kind == FieldKind::Flag;
  const bool word = field.kind == FieldKind::Choice || field.kind == FieldKind::Text;
  if (flag != value.is_boolean() || word != value.is_string()) return;
  (void)field.set(preferences, word ? value.get<std::string>() : value.dump(), Spelling::Field);
}

constexpr const char* kProgramKey = "program";
constexpr const char* kProgram = "AttnScope";
// Files of earlier versions have "layouts".
constexpr const char* kOtherKeys[] = {"recent_files", "last_document", "sides",
                                      "window",       "tabs",          "layouts"};

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
  return file_error(ErrorKind::CannotWrite, path, "the file holds no settings of this program",
                    "move it away, or choose another folder with --config-dir");
}

std::string preferences_text(const Preferences& preferences) {
  Json json;
  json[kProgramKey] = kProgram;
  for (const Field<Preferences>& field : preference_fields()) {
    json[std::string(field.name)] = json_of(field, preferences);
  }
  Json& files = json["recent_files"] = Json::array();
  for (const std::string& path : preferences.recent_files) files.push_back(json_of_path(path));
  json["last_document"] = json_of_path(preferences.last_document);
  json["sides"] = sides_json(preferences.sides);
  json["window"] = window_json(preferences.window);
  json["tabs"] = tabs_json(preferences.tabs);
  return json_text(json);
}

Preferences parse_preferences(std::string_view text) {
  Preferences preferences;
  const Json json = parse_own_json(text);
  if (!json.is_object()) return preferences;
  for (const Field<Preferences>& field : preference_fields()) {
    if (const auto found = json.find(field.name); found != json.end()) {
      read_field(preferences, field, *found);
    }
  }
  if (preferences.scale < kSmallestScale) preferences.scale = 0.0;
  preferences.recent_files = recent_files(json);
  if (json.contains("last_document")) preferences.last_document = path_of(json["last_document"]);
  preferences.sides = sides_of(json);
  preferences.window = window_of(json);
  preferences.tabs = tabs_of(json);
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
  const std::string path = preferences_path();
  if (path.empty()) return {};
  const Result<std::string> text = read_regular_file(path, kLargestFile);
  return text ? parse_preferences(*text) : Preferences{};
}

}  // namespace attn
