#include "evidence/evidence.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <set>

#include "absl/strings/str_cat.h"
#include "analysis/fingerprint.h"
#include "base/bounded_read.h"
#include "base/sha256.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "fuse/patterns.h"
#include "hwest/analysis.h"
#include "hwest/target.h"
#include "op/rule.h"
#include "report/document.h"
#include "report/read_json.h"
#include "report/text_parts.h"
#include "report/text_table.h"
#include "report/writers.h"
#include "target/embedded.h"

namespace hwest {
namespace {

constexpr char kRemedy[] = "name a file that --evidence wrote";
constexpr size_t kBlock = 1 << 20;

absl::StatusOr<std::string> FileHash(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return MakeError(Code::kUsage, absl::StrCat("cannot read ", EscapeControl(path)), "check the path");
  Sha256 hash;
  std::string block(kBlock, '\0');
  while (file.read(block.data(), kBlock) || file.gcount() > 0) {
    hash.Add(absl::string_view(block.data(), static_cast<size_t>(file.gcount())));
  }
  return hash.Hex();
}

absl::StatusOr<Cell> ModelCell(const std::string& path) {
  HWEST_ASSIGN_OR_RETURN(const std::shared_ptr<const Graph> graph, LoadModel(path));
  return Cell{{"path", path}, {"graph_sha256", FingerprintOf(*graph)}};
}

// Every figure of a target with its source, as loaded: including its base, units with `like`, and fits.
std::string TargetHash(const Target& target) {
  Sha256 hash;
  hash.AddText(target.name);
  for (const TargetFact& fact : FactsOf(target)) {
    hash.AddText(
        absl::StrCat(fact.path, "\n", DumpJson(Cell(fact.value)), "\n", fact.unit, "\n", fact.source, "\n", fact.note));
  }
  return hash.Hex();
}

// The text of a built-in toolchain, else its limits.
std::string ToolchainHash(const Toolchain& toolchain) {
  const EmbeddedFile* file = FindEmbedded(EmbeddedToolchains(), toolchain.name);
  if (file != nullptr) return Sha256Of(file->text);
  Sha256 hash;
  hash.AddText(toolchain.name);
  const SupportStats stats = StatsOf(toolchain);
  hash.Add(stats.typed);
  hash.Add(stats.noted);
  for (const std::string& op : stats.ops) hash.AddText(op);
  return hash.Hex();
}

// The text of a target and its bases. Null for files that can no longer be read.
Cell TargetTextHash(const std::string& name, const std::string& base) {
  Sha256 hash;
  const EmbeddedFile* file = FindBuiltIn(name);
  if (file != nullptr) {
    hash.AddText(file->text);
  } else {
    const absl::StatusOr<std::string> own = FileHash(name);
    if (!own.ok()) return Cell();
    hash.AddText(*own);
  }
  for (const EmbeddedFile* below = FindBuiltIn(base); below != nullptr;) {
    hash.AddText(below->text);
    const absl::StatusOr<Target> target = LoadTarget(below->name);
    below = target.ok() && !target->base.empty() ? FindBuiltIn(target->base) : nullptr;
  }
  return Cell(hash.Hex());
}

// The built-in tables: operators and fusions.
std::string RulesHash() {
  Sha256 hash;
  for (const OpRule& rule : AllRules()) {
    for (const absl::string_view text : {rule.domain, rule.op, rule.versions}) hash.AddText(text);
    hash.Add(static_cast<int64_t>(rule.traits));
  }
  for (const PatternRow& pattern : AllPatterns()) {
    for (const absl::string_view text : {absl::string_view(pattern.name), absl::string_view(pattern.expression)})
      hash.AddText(text);
  }
  return hash.Hex();
}

// Collects the assumptions behind the figures of a report, from anywhere in it.
void CollectAssumptions(const Cell& cell, std::set<std::string>* found) {
  if (cell.list() != nullptr) {
    for (const Cell& element : *cell.list()) CollectAssumptions(element, found);
  }
  if (cell.object() == nullptr) return;
  for (const auto& [key, value] : *cell.object()) {
    if (key == "assumptions" && value.list() != nullptr) {
      for (const Cell& text : *value.list()) {
        if (text.text() != nullptr) found->insert(*text.text());
      }
    } else if (key == "diagnostics" && value.list() != nullptr) {
      for (const Cell& row : *value.list()) {
        const Cell* message = FindMember(row, "message");
        const Cell* node = FindMember(row, "node");
        if (message == nullptr || message->text() == nullptr) continue;
        const bool has_node = node != nullptr && node->text() != nullptr;
        found->insert(absl::StrCat(has_node ? absl::StrCat(*node->text(), ": ") : "", *message->text()));
      }
    } else if (key == "symbols" && value.list() != nullptr) {
      for (const Cell& row : *value.list()) {
        const Cell* name = FindMember(row, "name");
        const Cell* assumed = FindMember(row, "assumed");
        if (name == nullptr || name->text() == nullptr || assumed == nullptr || !assumed->is_number()) continue;
        found->insert(absl::StrCat("size ", *name->text(), " is ", DumpJson(*assumed)));
      }
    } else {
      CollectAssumptions(value, found);
    }
  }
}

void Compare(const std::string& path, const Cell& a, const Cell& b, std::vector<EvidenceDifference>* found) {
  if (a.object() != nullptr && b.object() != nullptr) {
    for (const auto& [key, value] : *a.object()) {
      const Cell* other = FindMember(b, key);
      Compare(absl::StrCat(path, path.empty() ? "" : ".", key), value, other != nullptr ? *other : Cell(), found);
    }
    for (const auto& [key, value] : *b.object()) {
      if (FindMember(a, key) == nullptr)
        found->push_back({absl::StrCat(path, path.empty() ? "" : ".", key), Cell(), value});
    }
    return;
  }
  if (a.list() != nullptr && b.list() != nullptr) {
    for (size_t i = 0; i < std::max(a.list()->size(), b.list()->size()); ++i) {
      Compare(absl::StrCat(path, "[", i, "]"), i < a.list()->size() ? (*a.list())[i] : Cell(),
              i < b.list()->size() ? (*b.list())[i] : Cell(), found);
    }
    return;
  }
  if (DumpJson(a) != DumpJson(b)) found->push_back({path, a, b});
}

}  // namespace

absl::StatusOr<Cell> EvidenceOf(const EvidenceSubject& subject) {
  Cell models = Cell::OfList(), targets = Cell::OfList(), files = Cell::OfList(), toolchains = Cell::OfList();
  for (const std::string& path : subject.models) {
    HWEST_ASSIGN_OR_RETURN(Cell model, ModelCell(path));
    models.push_back(std::move(model));
  }
  std::set<std::string> seen;
  for (const std::string& name : subject.targets) {
    HWEST_ASSIGN_OR_RETURN(const Target target, LoadTarget(name));
    targets.push_back(Cell{
        {"name", target.name}, {"sha256", TargetTextHash(name, target.base)}, {"figures_sha256", TargetHash(target)}});
    for (const Toolchain& toolchain : target.toolchains) {
      if (!seen.insert(toolchain.name).second) continue;
      toolchains.push_back(Cell{{"name", toolchain.name}, {"sha256", ToolchainHash(toolchain)}});
    }
  }
  for (const std::string& path : subject.files) {
    HWEST_ASSIGN_OR_RETURN(const std::string hash, FileHash(path));
    files.push_back(Cell{{"path", path}, {"sha256", hash}});
  }
  const absl::StatusOr<Cell> report = ReadJson(subject.report);
  std::set<std::string> assumptions;
  const Cell* summary = nullptr;
  if (report.ok()) {
    CollectAssumptions(*report, &assumptions);
    summary = FindMember(*report, "summary");
  }
  return Cell{{"command", subject.command},
              {"models", std::move(models)},
              {"targets", std::move(targets)},
              {"toolchains", std::move(toolchains)},
              {"rules_sha256", RulesHash()},
              {"files", std::move(files)},
              {"assumptions", std::vector<std::string>(assumptions.begin(), assumptions.end())},
              {"report", Cell{{"sha256", Sha256Of(subject.report)},
                              {"bytes", subject.report.size()},
                              {"exit_code", subject.exit_code},
                              {"summary", summary != nullptr ? *summary : Cell()}}}};
}

std::string EvidenceText(const Cell& evidence) {
  Document document;
  document.kind = ReportKind::kEvidence;
  for (const auto& [key, value] : *evidence.object()) document.parts.push_back({key, value});
  std::string text;
  ReportOptions options;
  options.format = Format::kJson;
  (void)WriteDocument(document, options, [&](absl::string_view bytes) {
    text.append(bytes.data(), bytes.size());
    return absl::OkStatus();
  });
  return text;
}

absl::StatusOr<Cell> ReadEvidence(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return MakeError(Code::kUsage, absl::StrCat("cannot read ", EscapeControl(path)), kRemedy);
  const std::optional<std::string> text = ReadAtMost(file, kMaxSavedBytes);
  if (!text.has_value())
    return MakeError(Code::kUsage, absl::StrCat(EscapeControl(path), " is above 256 MiB"), kRemedy);
  const absl::StatusOr<Cell> document = ReadJson(*text);
  if (!document.ok()) {
    return MakeError(Code::kUsage, absl::StrCat(EscapeControl(path), ": ", DiagnosticOf(document.status()).message),
                     kRemedy);
  }
  const Cell* kind = FindMember(*document, "kind");
  if (kind == nullptr || kind->text() == nullptr || *kind->text() != "evidence" || CommandOf(*document).empty()) {
    return MakeError(Code::kUsage, absl::StrCat(EscapeControl(path), ":1: that is no evidence"), kRemedy);
  }
  return document;
}

std::vector<std::string> CommandOf(const Cell& evidence) {
  const Cell* command = FindMember(evidence, "command");
  std::vector<std::string> words;
  if (command == nullptr || command->list() == nullptr) return words;
  for (const Cell& word : *command->list()) {
    if (word.text() != nullptr) words.push_back(*word.text());
  }
  return words;
}

std::vector<EvidenceDifference> CompareEvidence(const Cell& recorded, const Cell& now) {
  std::vector<EvidenceDifference> found;
  Compare("", recorded, now, &found);
  return found;
}

absl::Status WriteVerification(const std::string& path, const std::vector<EvidenceDifference>& differences,
                               const ReportOptions& options, Sink sink) {
  if (options.format == Format::kText) {
    if (differences.empty()) return sink(absl::StrCat(EscapeControl(path), ": the same inputs give the same report\n"));
    TextTable table({{.title = "what", .squeeze = Squeeze::kWrap},
                     {.title = "recorded", .squeeze = Squeeze::kWrap},
                     {.title = "now", .squeeze = Squeeze::kWrap}});
    for (const EvidenceDifference& row : differences) {
      table.Add(
          {EscapeControl(row.what), EscapeControl(CellText(row.recorded, "-")), EscapeControl(CellText(row.now, "-"))});
    }
    return sink(absl::StrCat(EscapeControl(path), ": ", differences.size(),
                             differences.size() == 1 ? " difference" : " differences", "\n", table.Print(options)));
  }
  Document document;
  document.kind = ReportKind::kVerify;
  document.parts.push_back({"request", Cell{{"evidence", path}}});
  document.parts.push_back({"diagnostics", Cell::OfList()});
  document.parts.push_back({"same", Cell(differences.empty())});
  std::vector<Cells> rows;
  for (const EvidenceDifference& row : differences) rows.push_back({Cell(row.what), row.recorded, row.now});
  document.parts.push_back({"differences", TableOfCells({"what", "recorded", "now"}, std::move(rows))});
  document.tables = {"differences"};
  return WriteDocument(document, options, sink);
}

}  // namespace hwest
