// Reads budgets: protobuf text with line numbers, or the same message as JSON.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "analysis/request_text.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "budget/budget.h"
#include "google/protobuf/text_format.h"
#include "google/protobuf/util/json_util.h"
#include "hwest/budget/v1/budget.pb.h"
#include "hwest/diagnostic.h"
#include "target/text_proto.h"

namespace hwest {

extern const char kBudgetProto[];

namespace {

namespace proto = ::hwest::budget::v1;
using google::protobuf::TextFormat;

constexpr size_t kMaxBytes = 1 << 20;
constexpr char kSchema[] = "write it as `onnx-hwest describe budget` says";

absl::Status At(const std::string& path, int line, absl::string_view what, absl::string_view remedy) {
  return MakeError(Code::kUsage,
                   absl::StrCat(EscapeControl(path), ":", line > 0 ? absl::StrCat(line, ": ") : " ", what), remedy);
}

// The line where a quoted key first occurs; 0 when it does not.
int LineOf(absl::string_view text, absl::string_view key) {
  const size_t at = text.find(absl::StrCat("\"", key, "\""));
  if (at == absl::string_view::npos) return 0;
  return static_cast<int>(std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(at), '\n')) + 1;
}

absl::Status ReadMessageAsJson(absl::string_view text, const std::string& path, proto::Budget* budget) {
  const auto status = google::protobuf::util::JsonStringToMessage(std::string(text), budget);
  if (status.ok()) return absl::OkStatus();
  const std::string message(status.message());
  // "(check[0]) latncy: Cannot find field."
  const size_t end = message.find(": Cannot find field");
  if (end == std::string::npos) return At(path, 0, EscapeControl(message), kSchema);
  const size_t blank = message.rfind(' ', end);
  const std::string key =
      message.substr(blank == std::string::npos ? 0 : blank + 1, end - (blank == std::string::npos ? 0 : blank + 1));
  return At(path, LineOf(text, key), absl::StrCat("there is no '", EscapeControl(key), "' in a budget"), kSchema);
}

std::string InOurWords(const std::string& message) {
  const std::optional<std::string> unknown = UnknownKeyOf(message);
  return unknown.has_value() ? absl::StrCat("there is no '", EscapeControl(*unknown), "' here in a budget")
                             : EscapeControl(message);
}

Judge JudgeOf(proto::Judge judge) {
  if (judge == proto::INTERVAL) return Judge::kInterval;
  return judge == proto::UPPER ? Judge::kUpper : Judge::kPoint;
}

// Reads one Check into rows, with the lines of its fields.
class CheckReader {
 public:
  CheckReader(const proto::Check& check, const TextFormat::ParseInfoTree* tree, const std::string& path, int line)
      : check_(check), tree_(tree), path_(path), line_(line) {}

  absl::StatusOr<BudgetCheck> Run();

 private:
  int LineOf(const char* field) const;
  std::string Beside(const std::string& file) const;
  absl::Status AddMost(const char* field, BudgetFigure figure, bool has, const proto::Most& most);
  absl::Status AddLeast();
  absl::Status AddTokens();
  absl::Status AddAmount(const char* field, BudgetFigure figure, const char* key, const std::string& text,
                         proto::Judge judge);
  absl::Status AddCount(const char* field, BudgetFigure figure, bool has, const proto::MostOf& most);
  absl::Status AddShare(const char* field, BudgetFigure figure, double share, BudgetLimit limit);
  absl::Status AddFallback();
  absl::Status AddGrowth();
  absl::Status AddFits();

  const proto::Check& check_;
  const TextFormat::ParseInfoTree* tree_;
  const std::string& path_;
  const int line_;
  BudgetCheck row_;
};

int CheckReader::LineOf(const char* field) const {
  if (tree_ == nullptr) return line_;
  const int line = tree_->GetLocation(proto::Check::descriptor()->FindFieldByName(field), -1).line;
  return line < 0 ? line_ : line + 1;
}

std::string CheckReader::Beside(const std::string& file) const {
  const std::filesystem::path path(file);
  if (path.is_absolute() || path_.empty()) return file;
  return (std::filesystem::path(path_).parent_path() / path).lexically_normal().string();
}

absl::Status CheckReader::AddAmount(const char* field, BudgetFigure figure, const char* key, const std::string& text,
                                    proto::Judge judge) {
  const AmountKind kind = InfoOf(figure).kind;
  const std::optional<double> bound = ParseAmount(text, kind);
  if (!bound.has_value()) {
    const bool is_absent = text.empty();
    return At(path_, LineOf(field),
              is_absent ? absl::StrCat(field, " has no ", key)
                        : absl::StrCat(field, ".", key, " cannot be '", EscapeControl(text), "'"),
              absl::StrCat("write ", AmountForm(kind)));
  }
  BudgetLimit limit;
  limit.figure = figure;
  limit.bound = *bound;
  limit.judge = JudgeOf(judge);
  limit.line = LineOf(field);
  row_.limits.push_back(std::move(limit));
  return absl::OkStatus();
}

absl::Status CheckReader::AddMost(const char* field, BudgetFigure figure, bool has, const proto::Most& most) {
  return has ? AddAmount(field, figure, "max", most.max(), most.judge()) : absl::OkStatus();
}

absl::Status CheckReader::AddLeast() {
  return check_.has_rate() ? AddAmount("rate", BudgetFigure::kRate, "min", check_.rate().min(), check_.rate().judge())
                           : absl::OkStatus();
}

absl::Status CheckReader::AddTokens() {
  HWEST_RETURN_IF_ERROR(AddMost("ttft", BudgetFigure::kTtft, check_.has_ttft(), check_.ttft()));
  if (check_.has_tokens_per_s()) {
    HWEST_RETURN_IF_ERROR(AddAmount("tokens_per_s", BudgetFigure::kTokensPerS, "min", check_.tokens_per_s().min(),
                                    check_.tokens_per_s().judge()));
  }
  if (!check_.has_prompt()) return absl::OkStatus();
  if (check_.prompt() < 1) return At(path_, LineOf("prompt"), "a prompt has at least one token", "write 1 or more");
  for (BudgetLimit& limit : row_.limits) limit.prompt = check_.prompt();
  return absl::OkStatus();
}

absl::Status CheckReader::AddCount(const char* field, BudgetFigure figure, bool has, const proto::MostOf& most) {
  if (!has) return absl::OkStatus();
  if (!most.has_max() || most.max() < 0) {
    return At(path_, LineOf(field), absl::StrCat(field, " needs a max of 0 or more"),
              "write max: 0 or another whole number");
  }
  BudgetLimit limit;
  limit.figure = figure;
  limit.bound = static_cast<double>(most.max());
  limit.line = LineOf(field);
  row_.limits.push_back(std::move(limit));
  return absl::OkStatus();
}

absl::Status CheckReader::AddShare(const char* field, BudgetFigure figure, double share, BudgetLimit limit) {
  if (!std::isfinite(share) || share < 0) {
    return At(path_, LineOf(field), absl::StrCat(field, " cannot be ", share), "write a share such as 0.05");
  }
  limit.figure = figure;
  limit.bound = share;
  limit.line = LineOf(field);
  row_.limits.push_back(std::move(limit));
  return absl::OkStatus();
}

absl::Status CheckReader::AddFallback() {
  if (!check_.has_fallback()) return absl::OkStatus();
  const proto::Fallback& fallback = check_.fallback();
  if (fallback.has_max_share() && fallback.max_share() > 1) {
    return At(path_, LineOf("fallback"), absl::StrCat("fallback.max_share cannot be ", fallback.max_share()),
              "write a share from 0 to 1");
  }
  BudgetLimit limit;
  limit.allow.assign(fallback.allow().begin(), fallback.allow().end());
  return AddShare("fallback", BudgetFigure::kFallback, fallback.max_share(), std::move(limit));
}

absl::Status CheckReader::AddGrowth() {
  if (!check_.has_growth()) return absl::OkStatus();
  const proto::Growth& growth = check_.growth();
  if (growth.against().empty() || (!growth.has_latency() && !growth.has_peak_memory())) {
    return At(path_, LineOf("growth"), "growth needs `against` and `latency` or `peak_memory`",
              "write growth { against: \"main.json\" latency: 0.05 }");
  }
  BudgetLimit limit;
  limit.against = Beside(growth.against());
  if (growth.has_latency()) {
    HWEST_RETURN_IF_ERROR(AddShare("growth", BudgetFigure::kLatencyGrowth, growth.latency(), limit));
  }
  if (!growth.has_peak_memory()) return absl::OkStatus();
  return AddShare("growth", BudgetFigure::kPeakMemoryGrowth, growth.peak_memory(), limit);
}

absl::Status CheckReader::AddFits() {
  if (!check_.has_fits()) return absl::OkStatus();
  if (!check_.fits()) return At(path_, LineOf("fits"), "fits can only be true", "leave it out to allow any size");
  BudgetLimit limit = FitsLimit();
  limit.line = LineOf("fits");
  row_.limits.push_back(std::move(limit));
  return absl::OkStatus();
}

absl::StatusOr<BudgetCheck> CheckReader::Run() {
  for (const auto& [text, what] : {std::pair(&check_.model(), "model"), std::pair(&check_.target(), "target")}) {
    if (text->empty())
      return At(path_, line_, absl::StrCat("the check names no ", what), absl::StrCat("write ", what, ": \"...\""));
  }
  row_.line = line_;
  row_.model = check_.model();
  row_.model_path = Beside(check_.model());
  const bool is_path = absl::EndsWith(check_.target(), ".textproto") || absl::StrContains(check_.target(), '/');
  row_.target = is_path ? Beside(check_.target()) : check_.target();
  row_.mode = check_.mode();
  if (!check_.precision().empty()) row_.precision = check_.precision();
  if (check_.batch() < 0) return At(path_, LineOf("batch"), "batch cannot be negative", "write 1 or more");
  if (check_.batch() > 0) row_.batch = check_.batch();
  for (const proto::Dim& dim : check_.dim()) row_.dims.emplace_back(dim.name(), dim.size());
  HWEST_RETURN_IF_ERROR(AddMost("latency", BudgetFigure::kLatency, check_.has_latency(), check_.latency()));
  HWEST_RETURN_IF_ERROR(AddLeast());
  HWEST_RETURN_IF_ERROR(AddMost("energy", BudgetFigure::kEnergy, check_.has_energy(), check_.energy()));
  HWEST_RETURN_IF_ERROR(AddMost("power", BudgetFigure::kPower, check_.has_power(), check_.power()));
  HWEST_RETURN_IF_ERROR(
      AddMost("peak_memory", BudgetFigure::kPeakMemory, check_.has_peak_memory(), check_.peak_memory()));
  HWEST_RETURN_IF_ERROR(AddMost("macs", BudgetFigure::kMacs, check_.has_macs(), check_.macs()));
  HWEST_RETURN_IF_ERROR(AddMost("params", BudgetFigure::kParams, check_.has_params(), check_.params()));
  HWEST_RETURN_IF_ERROR(AddFallback());
  HWEST_RETURN_IF_ERROR(AddCount("segments", BudgetFigure::kSegments, check_.has_segments(), check_.segments()));
  HWEST_RETURN_IF_ERROR(AddCount("unknown", BudgetFigure::kUnknown, check_.has_unknown(), check_.unknown()));
  HWEST_RETURN_IF_ERROR(AddGrowth());
  HWEST_RETURN_IF_ERROR(AddFits());
  HWEST_RETURN_IF_ERROR(AddTokens());
  if (row_.limits.empty()) {
    return At(path_, line_, "the check has no limit", "write one, e.g. latency { max: \"12 ms\" }");
  }
  return std::move(row_);
}

}  // namespace

absl::StatusOr<BudgetLimit> ParseLimit(BudgetFigure figure, absl::string_view amount) {
  const FigureInfo& info = InfoOf(figure);
  const std::optional<double> bound = ParseAmount(amount, info.kind);
  if (!bound.has_value()) {
    return BadValue(absl::StrCat("the limit of ", info.name), std::string(amount),
                    absl::StrCat("write ", AmountForm(info.kind)));
  }
  if (figure == BudgetFigure::kFallback && *bound > 1) {
    return BadValue(absl::StrCat("the limit of ", info.name), std::string(amount),
                    "write a share of the time, such as 5%");
  }
  BudgetLimit limit;
  limit.figure = figure;
  limit.bound = *bound;
  return limit;
}

BudgetLimit FitsLimit() {
  BudgetLimit limit;
  limit.figure = BudgetFigure::kMissingMemory;
  return limit;
}

absl::string_view BudgetSchemaText() { return kBudgetProto; }

std::string NameOf(const BudgetCheck& check) {
  std::string name = absl::StrCat(check.model, "@", check.target);
  if (!check.mode.empty()) absl::StrAppend(&name, ":", check.mode);
  if (check.precision != "auto") absl::StrAppend(&name, ":", check.precision);
  if (check.batch.has_value()) absl::StrAppend(&name, ":b", *check.batch);
  for (const auto& [dim, size] : check.dims) absl::StrAppend(&name, ":", dim, "=", size);
  return name;
}

absl::StatusOr<Budget> ParseBudget(absl::string_view text, const std::string& path) {
  proto::Budget message;
  TextFormat::ParseInfoTree tree;
  const bool is_json = absl::EndsWithIgnoreCase(path, ".json");
  if (is_json) {
    HWEST_RETURN_IF_ERROR(ReadMessageAsJson(text, path, &message));
  } else {
    std::vector<TextProtoError> errors;
    if (!ReadTextProto(text, &message, &tree, &errors)) {
      const TextProtoError first = errors.empty() ? TextProtoError() : errors.front();
      return At(path, first.line, InOurWords(first.message), kSchema);
    }
  }
  Budget budget;
  budget.path = path;
  if (message.undecided() == proto::WARN) budget.undecided = Undecided::kWarn;
  std::set<std::string> names;
  const auto* field = proto::Budget::descriptor()->FindFieldByName("check");
  for (int i = 0; i < message.check_size(); ++i) {
    const int line = is_json ? 0 : tree.GetLocation(field, i).line + 1;
    const TextFormat::ParseInfoTree* own = is_json ? nullptr : tree.GetTreeForNested(field, i);
    HWEST_ASSIGN_OR_RETURN(BudgetCheck check, CheckReader(message.check(i), own, path, line).Run());
    if (!names.insert(NameOf(check)).second) {
      return At(path, line, absl::StrCat("there are two checks of ", EscapeControl(NameOf(check))), "join them");
    }
    budget.checks.push_back(std::move(check));
  }
  if (budget.checks.empty()) return At(path, 0, "the budget has no check", kSchema);
  return budget;
}

absl::StatusOr<Budget> ReadBudget(const std::string& path) {
  std::error_code error;
  std::ifstream file(path, std::ios::binary);
  if (!file || !std::filesystem::is_regular_file(path, error)) {
    return MakeError(
        Code::kUsage, absl::StrCat("cannot read the budget '", EscapeControl(path), "'"),
        "name a file with --budget FILE, or a model with limits: check MODEL --target T --max-latency 12ms");
  }
  std::string text(kMaxBytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(file.gcount()));
  if (text.size() > kMaxBytes) return At(path, 0, "the budget is larger than 1 MiB", "split it");
  return ParseBudget(text, path);
}

}  // namespace hwest
