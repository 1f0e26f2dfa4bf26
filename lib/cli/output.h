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

// The format to write: the one asked for, else by the output's extension, else text. Errors: kUsage for binary bytes on
// a terminal.
absl::StatusOr<Format> FormatOf(const Options& options, const Streams& streams);
Color ColorOf(const Options& options, const Streams& streams);
// Columns of the terminal on standard output: COLUMNS, else as the terminal reports; 0 when it is no terminal.
size_t WidthOf(const Options& options, const Streams& streams);
// ASCII on standard output if the environment names a locale that is not UTF-8.
Glyphs GlyphsOf(const Options& options);

// Deliver writes the bytes of `write` to --output or standard output. A reader that went away is no error.
absl::Status Deliver(const Options& options, const Streams& streams, absl::FunctionRef<absl::Status(Sink)> write);

// Marks an error that follows a complete report: it gets no JSON document of its own.
absl::Status AfterReport(absl::Status status);
bool IsAfterReport(const absl::Status& status);

// "onnx-hwest: error: WHAT: REMEDY", in one line.
void PrintError(const Diagnostic& error, const Streams& streams);
// "onnx-hwest: note: ..." for each, equal ones once, at most ten; nothing under --quiet.
void PrintNotes(const std::vector<Diagnostic>& diagnostics, const Options& options, const Streams& streams);

// One line about a step that may take seconds, only on a terminal.
void PrintProgress(absl::string_view what, const Options& options, const Streams& streams);

// The same for every step of a study, and for each tenth of a count.
Watch WatchOf(const Options& options, const Streams& streams);

// Writes the remedy of a kFreeDims error or an interrupted sweep as the user's own command plus the missing flags.
Diagnostic WithCommand(Diagnostic error, const Command& command);
// The command of another verb with the same model and request, quoted for a shell.
std::string CommandOf(Verb verb, const Options& options);

}  // namespace hwest
