// Evidence: a record of a report's inputs, with which others can check that these inputs give that report.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "report/cell.h"
#include "report/report.h"

namespace hwest {

// The inputs of a command, and its report as JSON.
struct EvidenceSubject {
  std::vector<std::string> command;  // words after the program's name; paths relative to the record
  std::vector<std::string> models;   // files, as the command names them
  std::vector<std::string> targets;  // names or files
  std::vector<std::string> files;    // others: rules, budgets, saved reports
  std::string report;                // the bytes
  int exit_code = 0;
};

// EvidenceOf is the record: {command, models[], targets[], toolchains[], rules_sha256, files[], assumptions[], report}.
// Equal subjects give equal records. Reads files from the working folder. Errors: those of loading models and targets.
absl::StatusOr<Cell> EvidenceOf(const EvidenceSubject& subject);

// The record as a document of kind "evidence".
std::string EvidenceText(const Cell& evidence);
// Reads such a document. Errors: kUsage with the file, and with the line where it is not JSON.
absl::StatusOr<Cell> ReadEvidence(const std::string& path);
// The command of a record.
std::vector<std::string> CommandOf(const Cell& evidence);

struct EvidenceDifference {
  std::string what;  // "models[0].graph_sha256"
  Cell recorded, now;
};
std::vector<EvidenceDifference> CompareEvidence(const Cell& recorded, const Cell& now);

// Formats: text, json, csv, markdown.
absl::Status WriteVerification(const std::string& path, const std::vector<EvidenceDifference>& differences,
                               const ReportOptions& options, Sink sink);

}  // namespace hwest
