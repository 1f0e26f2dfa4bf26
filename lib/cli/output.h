// What a command writes: its report, notes, and one line per error.
#pragma once

#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "cli/cli.h"
#include "cli/command.h"
#include "cli/options.h"
#include "hwest/watch.h"

namespace hwest {

// The format in force: asked for, else by the output's extension, else text. Errors: kUsage for binary bytes on a
// terminal.
absl::StatusOr<Format> FormatOf(const Options& options, const Streams& streams);
Color ColorOf(const Options& options, const Streams& streams);
// Columns of the terminal that standard output is: COLUMNS, else what the terminal says; 0 when it is none.
size_t WidthOf(const Options& options, const Streams& streams);
// ASCII on standard output where the environment names a locale that is not UTF-8.
Glyphs GlyphsOf(const Options& options);

// Deliver passes the bytes that `write` makes to --output or standard output. A reader that went away is no error.
absl::Status Deliver(const Options& options, const Streams& streams, absl::FunctionRef<absl::Status(Sink)> write);

// Marks an error that comes after a complete report: JSON has no document of its own for it.
absl::Status AfterReport(absl::Status status);
bool IsAfterReport(const absl::Status& status);

// "onnx-hwest: error: WHAT: REMEDY", in one line.
void PrintError(const Diagnostic& error, const Streams& streams);
// "onnx-hwest: note: ..." for each, equal ones once, at most ten; nothing under --quiet.
void PrintNotes(const std::vector<Diagnostic>& diagnostics, const Options& options, const Streams& streams);

// One line about a step that may take seconds, for a person who waits: only on a terminal.
void PrintProgress(absl::string_view what, const Options& options, const Streams& streams);

// The same of every step of a study, and of each tenth of what is counted.
Watch WatchOf(const Options& options, const Streams& streams);

// The remedy of a kFreeDims error, and of an interrupted sweep, as the user's own command with the missing flags at its
// end.
Diagnostic WithCommand(Diagnostic error, const Command& command);
// The command of another verb that makes the same request of the same model, as a shell takes it.
std::string CommandOf(Verb verb, const Options& options);

}  // namespace hwest
