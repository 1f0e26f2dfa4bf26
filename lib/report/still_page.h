// A page of HTML that stands still: headings, pictures and tables, without a script, in builds without the viewer, too.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "chart/drawing.h"
#include "report/document.h"

namespace hwest {

// StillPage takes the parts of a page in their order. Texts are shown as they are: no name can end a tag.
class StillPage {
 public:
  explicit StillPage(absl::string_view title);

  void Heading(absl::string_view text);
  void Paragraph(absl::string_view text);
  void Picture(const Drawing& drawing);
  void Table(const std::vector<std::string>& titles, const std::vector<std::vector<std::string>>& rows);
  // The first `most` rows of a table of cells; what is left out is said below it. Nothing where there are none.
  void Table(const CellTable& table, size_t most);

  std::string Finish();  // the whole page, once

 private:
  std::string text_;
};

}  // namespace hwest
