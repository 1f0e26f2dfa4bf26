#include "report/still_page.h"

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "base/text.h"
#include "report/text_table.h"
#include "report/viewer_files.h"

namespace hwest {
namespace {

constexpr char kStyle[] =
    "body{font:14px/1.4 \"DejaVu Sans\",Arial,sans-serif;color:#222;margin:1.5rem;max-width:1280px}"
    "h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:1.6rem}svg{max-width:100%;height:auto}"
    ".scroll{overflow-x:auto}table{border-collapse:collapse;font-size:12px}"
    "th,td{padding:.2rem .6rem;border-bottom:1px solid #ddd;text-align:left;vertical-align:top}"
    "th{position:sticky;top:0;background:#f4f4f4}"
    "@media "
    "(prefers-color-scheme:dark){body{color:#ccc;background:#1a1a1a}th,td{border-color:#444}th{background:#2a2a2a}"
    "svg{filter:invert(.9) hue-rotate(180deg)}}";

std::string Escaped(absl::string_view text) {
  return absl::StrReplaceAll(EscapeControl(text), {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}});
}

std::string RowText(const char* tag, const std::vector<std::string>& cells) {
  std::string text = "<tr>";
  for (const std::string& cell : cells) absl::StrAppend(&text, "<", tag, ">", Escaped(cell), "</", tag, ">");
  return absl::StrCat(text, "</tr>\n");
}

}  // namespace

StillPage::StillPage(absl::string_view title) {
  const ViewerFiles viewer = Viewer();
  const std::string policy = viewer.empty() ? std::string("style-src 'unsafe-inline'")
                                            : absl::StrCat("script-src '", viewer.still_script_hash, "'; style-src '",
                                                           viewer.still_style_hash, "'; img-src data: blob:");
  text_ = absl::StrCat("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
                       "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ", policy,
                       "; base-uri 'none'; form-action 'none'\">\n",
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
                       "<meta name=\"generator\" content=\"onnx-hwest ", HWEST_VERSION, "\">\n<title>", Escaped(title),
                       "</title>\n<style>", viewer.empty() ? absl::string_view(kStyle) : viewer.still_style,
                       "</style>\n</head>\n<body>\n<main>\n<h1>", Escaped(title), "</h1>\n");
}

void StillPage::Heading(absl::string_view text) { absl::StrAppend(&text_, "<h2>", Escaped(text), "</h2>\n"); }

void StillPage::Paragraph(absl::string_view text) { absl::StrAppend(&text_, "<p>", Escaped(text), "</p>\n"); }

void StillPage::Picture(const Drawing& drawing) {
  std::string svg = drawing.Svg();
  svg.erase(0, svg.find("<svg"));
  // The page has its own dark colours, and its policy forbids other styles.
  const std::string end = "</style>";
  const size_t style = svg.find("<style>");
  if (style != std::string::npos) svg.erase(style, svg.find(end) + end.size() - style);
  absl::StrAppend(&text_, "<figure role=\"img\" aria-label=\"", Escaped(drawing.title()), "\">\n", svg, "</figure>\n");
}

void StillPage::Table(const std::vector<std::string>& titles, const std::vector<std::vector<std::string>>& rows) {
  absl::StrAppend(&text_, "<div class=\"scroll\"><table>\n<thead>", RowText("th", titles), "</thead>\n<tbody>\n");
  for (const std::vector<std::string>& row : rows) text_ += RowText("td", row);
  text_ += "</tbody>\n</table></div>\n";
}

std::string StillPage::Finish() {
  const ViewerFiles viewer = Viewer();
  const std::string script = viewer.empty() ? "" : absl::StrCat("<script>", viewer.still_script, "</script>\n");
  return absl::StrCat(text_, "</main>\n", script, "</body>\n</html>\n");
}

}  // namespace hwest
