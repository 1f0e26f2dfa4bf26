// The day in a PDF: cairo stamps one into every file.
#pragma once

#include <string>

namespace hwest {

// RemoveDate writes the same fixed day into every file, whatever the clock and the time zone, and moves the offsets of
// the cross-reference table by what the text got longer or shorter. A file without a date stays as it is.
void RemoveDate(std::string* pdf);

}  // namespace hwest
