// Evidence: a record of what a report was made from, by which others can check that it says what the inputs say.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "report/cell.h"
#include "report/report.h"

namespace hwest {

// What a command read, and its report as JSON.
struct EvidenceSubject {
  std::vector<std::string> command;  // words after the program's name; paths relative to the record
  std::vector<std::string> models;   // files, as the command names them
  std::vector<std::string> targets;  // names or files
  std::vector<std::string> files;    // others: rules, budgets, saved reports
  bool with_weights = false;         // of models the hash of the whole file, too
  std::string report;                // the bytes
  int exit_code = 0;
};

// EvidenceOf is the record: {command, models[], targets[], toolchains[], rules_sha256, files[], assumptions[], report}.
// Equal subjects give equal records. Files are read from the working folder. Errors: of loading models and targets.
absl::StatusOr<Cell> EvidenceOf(const EvidenceSubject& subject);

// As a document of kind "evidence".
std::string EvidenceText(const Cell& evidence);
// Reads such a document. Errors: kUsage with the file, and the line where it is no JSON.
absl::StatusOr<Cell> ReadEvidence(const std::string& path);
// The command of a record, and whether it holds hashes of whole models.
std::vector<std::string> CommandOf(const Cell& evidence);
bool HasWeights(const Cell& evidence);

struct EvidenceDifference {
  std::string what;  // "models[0].graph_sha256"
  Cell recorded, now;
};
std::vector<EvidenceDifference> CompareEvidence(const Cell& recorded, const Cell& now);

// Formats: text, json, csv, markdown.
absl::Status WriteVerification(const std::string& path, const std::vector<EvidenceDifference>& differences,
                               const ReportOptions& options, Sink sink);

}  // namespace hwest
