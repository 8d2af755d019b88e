// Pictures that leave the window: as files, and on the clipboard, by a small program that many
// systems have, as the library of the window hands over texts only.
#pragma once

#include <ctime>
#include <string>
#include <string_view>

#include "base/result.h"
#include "export/export.h"

namespace attn {

// The folder of pictures as the desktop knows it (XDG_PICTURES_DIR of the environment, else of
// user-dirs.dirs), else the home folder; empty without one.
std::string pictures_folder();

// "cats 2026-11-23 16.05.06": of a document's name without its endings, without what makes a path.
std::string screenshot_name(std::string_view document, const std::tm& time);

// Writes a PNG of that name into the folder, "NAME (2)" and so on where there is one already, and
// says where. CannotWrite.
Result<std::string> write_screenshot(const std::string& folder, const std::string& name,
                                     const Raster& raster);

// wl-copy or xclip, whichever serves the display that the environment names and is in its PATH;
// empty when there is none. Looks at the disk.
std::string find_picture_helper();

// Hands a PNG to the helper and waits until it has it, at most five seconds. Internal says what
// went wrong.
Status copy_picture(const std::string& helper, std::string_view png);

}  // namespace attn
