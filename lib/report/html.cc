// The HTML format: the viewer of lib/report/viewer and its data, in one file that needs no network.
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "report/deflate.h"
#include "report/page_data.h"
#include "report/viewer_files.h"
#include "report/writers.h"

namespace hwest {
namespace {

std::string Escaped(absl::string_view text) {
  return absl::StrReplaceAll(EscapeControl(text), {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}});
}

// The page loads nothing and runs only the viewer's script.
std::string Head(const ViewerFiles& viewer, absl::string_view title) {
  return absl::StrCat(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src '", viewer.script_hash,
      "'; style-src '", viewer.style_hash, "'; img-src data: blob:; base-uri 'none'; form-action 'none'\">\n",
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
      "<meta name=\"generator\" content=\"onnx-hwest ", HWEST_VERSION, "\">\n<title>", Escaped(title),
      "</title>\n<style>", viewer.style, "</style>\n</head>\n<body>\n",
      "<noscript>This report draws itself with a script that it carries: allow scripts to see it.</noscript>\n");
}

absl::Status WriteData(const Document& document, Sink sink) {
  HWEST_RETURN_IF_ERROR(sink("<script type=\"application/octet-stream\">"));
  DeflatedWriter deflated(sink);
  HWEST_RETURN_IF_ERROR(WritePageData(document, [&](absl::string_view bytes) { return deflated.Write(bytes); }));
  HWEST_RETURN_IF_ERROR(deflated.Finish());
  return sink("</script>\n");
}

std::string TitleOf(const View& view) {
  const std::string& model = view.request.model.empty() ? view.model.name : view.request.model;
  const std::string file = model.substr(model.rfind('/') + 1);
  return view.request.target.has_value() ? absl::StrCat(file, " on ", *view.request.target) : file;
}

}  // namespace

absl::Status WriteHtmlPage(absl::Span<const Document* const> documents, absl::string_view title,
                           absl::string_view comparison, Sink sink) {
  const ViewerFiles viewer = Viewer();
  if (viewer.empty()) {
    return MakeError(Code::kOutputUnwritable, "this build has no HTML reports, for want of Node.js",
                     "install nodejs (18 or newer) and npm, run cmake/setup.sh, or write svg, markdown or json");
  }
  HWEST_RETURN_IF_ERROR(sink(Head(viewer, title)));
  if (!comparison.empty()) {
    HWEST_RETURN_IF_ERROR(sink(absl::StrCat("<script type=\"application/json\" id=\"comparison\">",
                                            absl::StrReplaceAll(comparison, {{"<", "\\u003c"}}), "</script>\n")));
  }
  for (const Document* document : documents) HWEST_RETURN_IF_ERROR(WriteData(*document, sink));
  return sink(absl::StrCat("<script>", viewer.script, "</script>\n</body>\n</html>\n"));
}

absl::Status WriteHtml(const Document& document, const ReportOptions&, Sink sink) {
  const Document* const documents[] = {&document};
  return WriteHtmlPage(documents, TitleOf(*document.view), "", sink);
}

}  // namespace hwest
