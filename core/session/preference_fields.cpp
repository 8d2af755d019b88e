// One line for each setting.
#include "session/preference_fields.h"

#include <algorithm>
#include <cctype>

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

std::string_view format_word(const std::string& format) { return format; }

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
      labelled(choice_field<P>("simulate",
                               "Shows the window as such eyes see it; figures that are written "
                               "keep their colours",
                               &P::vision, vision_words(&ColorVisionInfo::name), vision_word,
                               color_vision_named),
               "Simulate", vision_words(&ColorVisionInfo::label)),
      labelled(number_field<P>("scale", "Size of texts and controls; 0 takes what the display says",
                               &P::scale, 0.0, 4.0, "a factor"),
               "Interface scale"),
      labelled(
          flag_field<P>("reopens",
                        "Begin with the document that was looked at last, else with an example",
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
                               &P::export_format, export_formats(), format_word, format_named),
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

}  // namespace attn
