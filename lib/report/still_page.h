// A static HTML page: headings, pictures and tables, in the look of the viewer. Its script sorts and filters tables,
// shows what the pointer is over and changes the theme; all is there without it, as in builds without the viewer.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "chart/drawing.h"

namespace hwest {

// StillPage takes the parts of a page in order. It escapes texts: no name can end a tag.
class StillPage {
 public:
  explicit StillPage(absl::string_view title);

  void Heading(absl::string_view text);
  void Paragraph(absl::string_view text);
  void Picture(const Drawing& drawing);
  void Table(const std::vector<std::string>& titles, const std::vector<std::vector<std::string>>& rows);

  std::string Finish();  // the whole page, once

 private:
  std::string text_;
};

}  // namespace hwest
