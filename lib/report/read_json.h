// Reads JSON: saved reports of this program, and files of other tools.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "report/cell.h"
#include "report/view.h"

namespace hwest {

// ReadJson parses one document. Whole numbers within int64 stay whole. Errors: kUsage with line and column; documents
// nested deeper than 64 are refused.
absl::StatusOr<Cell> ReadJson(absl::string_view text);

// The member of an object; null when there is none, or `cell` is no object.
const Cell* FindMember(const Cell& cell, absl::string_view key);
// The member as the expected type: "", none or empty where it is missing or of another type.
std::string TextMember(const Cell& cell, absl::string_view key);
std::optional<double> FigureMember(const Cell& cell, absl::string_view key);
const Cell::List& ListMember(const Cell& cell, absl::string_view key);

// Sets `to` from a member; leaves it where that is missing or of another type.
void ReadMember(const Cell& cell, absl::string_view key, std::string* to);
void ReadMember(const Cell& cell, absl::string_view key, bool* to);
void ReadMember(const Cell& cell, absl::string_view key, Count* to);
void ReadMember(const Cell& cell, absl::string_view key, std::optional<std::string>* to);
void ReadMember(const Cell& cell, absl::string_view key, std::optional<bool>* to);
void ReadMember(const Cell& cell, absl::string_view key, std::optional<int64_t>* to);
void ReadMember(const Cell& cell, absl::string_view key, std::optional<double>* to);

// ReadSavedAnalysis reads a report that an analysis saved as JSON. Errors: kUsage.
absl::StatusOr<Cell> ReadSavedAnalysis(const std::string& path);
// The same of any of these kinds.
absl::StatusOr<Cell> ReadSavedDocument(const std::string& path, std::initializer_list<absl::string_view> kinds);
// Whether the report says that every node is `how` ("typed", "counted", "costed"); else its figures leave out nodes.
bool CoversAll(const Cell& report, absl::string_view how);

}  // namespace hwest
