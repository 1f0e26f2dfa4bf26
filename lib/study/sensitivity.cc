// Reads the loss of layers as other tools write it.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/portable_math.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "cost/precision.h"
#include "hwest/diagnostic.h"
#include "profile/json_tree.h"
#include "study/quantize_plan.h"

namespace hwest {
namespace {

constexpr absl::string_view kColumns[] = {"node", "format", "loss"};
constexpr absl::string_view kForms =
    "write a CSV with the columns node, format and loss, or give what qdq_loss_debug or AIMET's "
    "per_layer_mse_loss.json or sensitivity_results.json hold";

absl::Status SensitivityError(absl::string_view source, size_t line, absl::string_view what) {
  const std::string at = line > 0 ? absl::StrCat(source, ":", line) : std::string(source);
  return MakeError(Code::kUsage, absl::StrCat(at, ": ", what), kForms, {"--sensitivity"});
}

// Fields of one line; those in quotes may have commas and doubled quotes in them.
std::vector<std::string> FieldsOf(absl::string_view line) {
  std::vector<std::string> fields(1);
  bool is_quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    const bool is_doubled = is_quoted && line[i] == '"' && i + 1 < line.size() && line[i + 1] == '"';
    if (is_doubled) {
      fields.back().push_back('"');
      ++i;
    } else if (line[i] == '"') {
      is_quoted = !is_quoted;
    } else if (line[i] == ',' && !is_quoted) {
      fields.emplace_back();
    } else {
      fields.back().push_back(line[i]);
    }
  }
  for (std::string& field : fields) absl::StripAsciiWhitespace(&field);
  return fields;
}

bool IsLoss(double loss) { return std::isfinite(loss) && loss >= 0; }

absl::StatusOr<std::vector<SensitivityRow>> OfCsv(absl::string_view text, absl::string_view source) {
  const std::vector<std::string> formats = RequestPrecisions();
  std::vector<SensitivityRow> rows;
  std::array<size_t, std::size(kColumns)> at{};
  std::set<std::pair<std::string, std::string>> seen;
  size_t line = 0, columns = 0;
  for (absl::string_view record : absl::StrSplit(text, '\n')) {
    ++line;
    record = absl::StripAsciiWhitespace(record);
    if (record.empty() || absl::StartsWith(record, "# ")) continue;
    const std::vector<std::string> fields = FieldsOf(record);
    if (columns == 0) {
      columns = fields.size();
      for (size_t c = 0; c < at.size(); ++c) {
        at[c] = static_cast<size_t>(std::find(fields.begin(), fields.end(), kColumns[c]) - fields.begin());
        if (at[c] == columns) return SensitivityError(source, line, absl::StrCat("no column '", kColumns[c], "'"));
      }
      continue;
    }
    if (fields.size() != columns) {
      return SensitivityError(source, line, absl::StrCat(fields.size(), " fields, the first line has ", columns));
    }
    SensitivityRow row{fields[at[0]], absl::AsciiStrToLower(fields[at[1]]), 0};
    if (std::find(formats.begin(), formats.end(), row.format) == formats.end()) {
      return SensitivityError(
          source, line,
          absl::StrCat("'", EscapeControl(row.format), "' is no format; there are ", absl::StrJoin(formats, ", ")));
    }
    if (!absl::SimpleAtod(fields[at[2]], &row.loss) || !IsLoss(row.loss)) {
      return SensitivityError(source, line,
                              absl::StrCat("'", EscapeControl(fields[at[2]]), "' is no loss: a number from 0 on"));
    }
    if (!seen.emplace(row.node, row.format).second) {
      return SensitivityError(source, line,
                              absl::StrCat("'", EscapeControl(row.node), "' has two losses at ", row.format));
    }
    rows.push_back(std::move(row));
  }
  if (columns == 0) return SensitivityError(source, 0, "the file is empty");
  return rows;
}

// Most sensitive first, as AIMET's save_sensitivity_results writes it. The metric is not in the file, but scores that
// grow along it are of a metric of which more is better, as PSNR or accuracy: no losses.
absl::StatusOr<std::vector<SensitivityRow>> OfRanking(const Tree& ranking, absl::string_view source,
                                                      absl::string_view format) {
  std::vector<SensitivityRow> rows;
  std::set<std::string> seen;
  for (const Tree& entry : ranking) {
    const std::optional<double> score = NumberOf(entry, "score");
    SensitivityRow row{TextOf(entry, "name"), std::string(format), score.value_or(0)};
    if (row.node.empty() || !score.has_value()) {
      return SensitivityError(source, 0,
                              absl::StrCat("entry ", rows.size() + 1, " of the ranking lacks name or score"));
    }
    const std::string name = EscapeControl(row.node);
    if (!rows.empty() && row.loss > rows.back().loss) {
      return SensitivityError(source, 0,
                              absl::StrCat("the score grows at '", name,
                                           "', further down the ranking: more of it is better, so it is no loss"));
    }
    if (!IsLoss(row.loss)) {
      return SensitivityError(source, 0, absl::StrCat("the loss of '", name, "' is no number from 0 on"));
    }
    if (!seen.insert(row.node).second) return SensitivityError(source, 0, absl::StrCat("'", name, "' is ranked twice"));
    rows.push_back(std::move(row));
  }
  return rows;
}

absl::StatusOr<std::vector<SensitivityRow>> OfJson(absl::string_view text, absl::string_view source,
                                                   absl::string_view format) {
  HWEST_ASSIGN_OR_RETURN(const Tree tree, ParseJson(text, source));
  if (!tree.is_object()) return SensitivityError(source, 0, "no object of layers");
  const Tree* ranking = MemberOf(tree, "ranking");
  if (ranking != nullptr && ranking->is_array()) return OfRanking(*ranking, source, format);
  std::vector<SensitivityRow> rows;
  for (const auto& [name, entry] : tree.items()) {
    SensitivityRow row{name, std::string(format), 0};
    const std::optional<double> decibel = NumberOf(entry, "qdq_err");
    if (entry.is_number()) {
      row.loss = entry.get<double>();
    } else if (decibel.has_value()) {
      row.loss = portable::Pow(10, -*decibel / 10);
    } else {
      return SensitivityError(source, 0,
                              absl::StrCat("'", EscapeControl(name), "' has neither a number nor a qdq_err"));
    }
    if (!IsLoss(row.loss)) {
      return SensitivityError(source, 0,
                              absl::StrCat("the loss of '", EscapeControl(name), "' is no number from 0 on"));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

absl::StatusOr<std::vector<SensitivityRow>> ParseSensitivity(absl::string_view text, absl::string_view source,
                                                             absl::string_view json_format) {
  const absl::string_view first = absl::StripLeadingAsciiWhitespace(text);
  if (first.empty() || first[0] != '{') return OfCsv(text, source);
  return OfJson(text, source, json_format);
}

}  // namespace hwest
