// Language models as text and tables.
#include "hwest/llm.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "report/chart.h"
#include "report/document.h"
#include "report/llm_chart.h"
#include "report/still_page.h"
#include "report/text_parts.h"
#include "report/text_table.h"
#include "report/writers.h"

namespace hwest {
namespace {

constexpr double kRoundsUp = 0.9995;  // of a unit: with three digits that is one of it, not a thousand of the next

// Three digits are more than any interval here is worth.
std::string Rate(double per_s) {
  return per_s >= 1000 * kRoundsUp ? absl::StrFormat("%.0f", per_s) : absl::StrFormat("%.3g", per_s);
}
std::string Seconds(double seconds) {
  constexpr std::pair<double, const char*> kScales[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}};
  for (const auto& [scale, unit] : kScales) {
    if (seconds >= 1000 * scale) return absl::StrFormat("%.0f %s", seconds / scale, unit);
    if (seconds >= scale * kRoundsUp) return absl::StrFormat("%.3g %s", seconds / scale, unit);
  }
  return seconds == 0 ? "0 s" : FormatSeconds(seconds);
}
std::string Size(double bytes) {
  constexpr std::pair<double, const char*> kScales[] = {{1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}};
  for (const auto& [scale, unit] : kScales) {
    if (bytes >= scale * kRoundsUp) return absl::StrFormat("%.3g %s", bytes / scale, unit);
  }
  return absl::StrFormat("%.0f B", bytes);
}
std::string Joules(double joules) { return absl::StrFormat("%.3g J", joules); }
std::string TimeRange(const LlmRange& range) {
  return absl::StrCat(Seconds(range.value), " (", Seconds(range.low), " to ", Seconds(range.high), ")");
}
std::string RateRange(const LlmRange& step_s, double batch) {
  return absl::StrCat(Rate(batch / step_s.value), " (", Rate(batch / step_s.high), " to ", Rate(batch / step_s.low),
                      ")");
}
std::string YesNo(const std::optional<bool>& fits) { return !fits.has_value() ? "unknown" : *fits ? "yes" : "no"; }

struct LlmSection {
  std::string heading;
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;
};
Column RightColumn(std::string title, uint8_t spare = 0) {
  return {.title = std::move(title), .align = Align::kRight, .spare = spare};
}

// Modes that only set cores say nothing of a runtime that chooses them.
std::string Where(const LlmResult& result) {
  const std::string how = result.cores.has_value()
                              ? absl::StrCat(*result.cores, *result.cores == 1 ? " core" : " cores")
                              : EscapeControl(result.mode);
  return absl::StrCat(result.runtime_title, " (", result.unit, " of ", EscapeControl(result.target),
                      how.empty() ? "" : absl::StrCat(", ", how), ")");
}

std::string RefusalText(const LlmResult& result) {
  return absl::StrCat("Does not run on ", EscapeControl(result.target), ": ", EscapeControl(result.refusal), ".",
                      result.instead.empty() ? "" : absl::StrCat(" What can: ", EscapeControl(result.instead), "."));
}

std::string LargestText(const LlmResult& result) {
  if (!result.largest_context.has_value()) return "; the memory of the target is not stated";
  if (!result.at_largest.has_value()) {
    return absl::StrCat("; not even the weights fit into ", Size(result.memory_bytes.value_or(0)));
  }
  return absl::StrCat("; ", Size(result.at_largest->total_bytes()), " at the largest that fits, ",
                      *result.largest_context);
}

// The whole answer in one sentence.
std::string FirstLine(const LlmResult& result) {
  if (result.rows.empty()) return RefusalText(result);
  const LlmRow& row = result.rows.front();
  const absl::string_view fits = !row.fits.has_value() ? "Not known whether it fits"
                                 : *row.fits           ? "Fits"
                                                       : "Does not fit";
  const std::string energy =
      row.energy.has_value() ? absl::StrCat(", ", Joules(row.energy->j_per_token), " a token") : "";
  return absl::StrCat(fits, ": ", TimeRange(row.ttft_s), " to the first token, ", RateRange(row.token_s, 1),
                      " tokens/s", energy, " with ", Where(result), ", weights ", result.weights, ", cache ",
                      result.cache, "; memory ", Size(row.memory.total_bytes()), " at a context of ", row.reserved,
                      " (weights ", Size(row.memory.weights_bytes), ", cache ", Size(row.memory.cache_bytes),
                      ", work space ", Size(row.memory.work_bytes), ")", LargestText(result), ".");
}

std::string RankText(const LlmReport& report) {
  const auto fitting = std::count_if(report.results.begin(), report.results.end(), [](const LlmResult& result) {
    return !result.rows.empty() && result.rows.front().fits.value_or(false);
  });
  std::string text = absl::StrCat(EscapeControl(report.decoder.name), " runs and fits on ", fitting, " of ",
                                  report.results.size(), " targets");
  if (fitting == 0) return absl::StrCat(text, ".");
  return absl::StrCat(text, ", the answer of ", report.request.new_tokens, " tokens is there first with ",
                      Where(report.results.front()), ".");
}

LlmSection RankSection(const LlmReport& report) {
  LlmSection section{"Targets",
                     {{.title = "target"},
                      {.title = "runtime"},
                      {.title = "weights"},
                      {.title = "fits"},
                      RightColumn("first token"),
                      RightColumn("tokens/s"),
                      RightColumn("J/token", 2),
                      RightColumn("answer"),
                      RightColumn("memory"),
                      RightColumn("largest context", 1)},
                     {}};
  for (const LlmResult& result : report.results) {
    if (result.rows.empty()) continue;
    const LlmRow& row = result.rows.front();
    section.rows.push_back({EscapeControl(result.target), absl::StrCat(result.runtime, " on ", result.unit),
                            result.weights, YesNo(row.fits), Seconds(row.ttft_s.value), Rate(row.tokens_per_s),
                            row.energy.has_value() ? absl::StrFormat("%.3g", row.energy->j_per_token) : "unknown",
                            Seconds(row.answer_s), Size(row.memory.total_bytes()),
                            result.largest_context.has_value() ? absl::StrCat(*result.largest_context) : "unknown"});
  }
  return section;
}

LlmSection RowSection(const LlmResult& result) {
  LlmSection section{absl::StrCat("By prompt, context and batch, with ", Where(result)),
                     {RightColumn("prompt"), RightColumn("context"), RightColumn("batch"), RightColumn("first token"),
                      RightColumn("prompt tokens/s", 3), RightColumn("tokens/s each"), RightColumn("all", 2),
                      RightColumn("J/token", 1), RightColumn("memory"), Column{.title = "fits"}},
                     {}};
  for (const LlmRow& row : result.rows) {
    section.rows.push_back({absl::StrCat(row.prompt), absl::StrCat(row.context), absl::StrCat(row.batch),
                            TimeRange(row.ttft_s), Rate(row.prompt_tokens_per_s), RateRange(row.token_s, 1),
                            Rate(row.total_tokens_per_s),
                            row.energy.has_value() ? absl::StrFormat("%.3g", row.energy->j_per_token) : "unknown",
                            Size(row.memory.total_bytes()), YesNo(row.fits)});
  }
  return section;
}

LlmSection PartSection(std::string heading, const std::vector<LlmShare>& parts) {
  LlmSection section{std::move(heading),
                     {{.title = "part"},
                      RightColumn("time"),
                      RightColumn("share"),
                      RightColumn("bytes"),
                      RightColumn("MACs"),
                      Column{.title = "bound"}},
                     {}};
  double seconds = 0;
  for (const LlmShare& part : parts) seconds += part.seconds;
  for (const LlmShare& part : parts) {
    const bool has_work = part.bytes > 0 || part.macs > 0;
    section.rows.push_back({std::string(LlmPartName(part.part)), Seconds(part.seconds), Percent(part.seconds / seconds),
                            part.bytes > 0 ? Size(part.bytes) : "", part.macs > 0 ? FormatCount(part.macs) : "",
                            has_work ? std::string(BoundOf(part)) : ""});
  }
  return section;
}

LlmSection BatchSection(const LlmResult& result) {
  LlmSection section{absl::StrCat("Requests answered together",
                                  result.compute_batch.has_value()
                                      ? absl::StrCat(": arithmetic takes over from reading at ", *result.compute_batch)
                                      : ""),
                     {RightColumn("batch"), RightColumn("step"), RightColumn("tokens/s each"), RightColumn("all"),
                      RightColumn("memory"), Column{.title = "fits"}, Column{.title = "bound"}},
                     {}};
  if (result.by_batch.size() < 2) return section;
  for (const LlmRow& row : result.by_batch) {
    section.rows.push_back({absl::StrCat(row.batch), Seconds(row.token_s.value), Rate(row.tokens_per_s),
                            Rate(row.total_tokens_per_s), Size(row.memory.total_bytes()), YesNo(row.fits),
                            std::string(BoundOf(row))});
  }
  return section;
}

LlmSection ChoiceSection(const LlmResult& result) {
  LlmSection section{"In other formats",
                     {{.title = "weights"},
                      {.title = "cache"},
                      RightColumn("bits a weight"),
                      RightColumn("first token"),
                      RightColumn("tokens/s"),
                      RightColumn("memory"),
                      Column{.title = "fits"},
                      RightColumn("largest context"),
                      Column{.title = ""}},
                     {}};
  for (const LlmChoice& choice : result.choices) {
    section.rows.push_back({choice.weights, choice.cache, absl::StrFormat("%.3g", choice.weight_bits),
                            Seconds(choice.ttft_s), Rate(1 / choice.token_s), Size(choice.memory.total_bytes()),
                            YesNo(choice.fits),
                            choice.largest_context.has_value() ? absl::StrCat(*choice.largest_context) : "unknown",
                            choice.is_chosen ? "above" : ""});
  }
  return section;
}

std::string DraftText(const LlmReport& report, const LlmResult& result) {
  const LlmDraftResult& draft = *result.draft;
  return absl::StrCat(
      "With ", EscapeControl(report.request.draft->decoder.name), " as draft, ", report.request.draft->tokens,
      " tokens at once of which ", Percent(report.request.draft->acceptance), " are taken: ", Rate(draft.tokens_per_s),
      " tokens/s, ", absl::StrFormat("%.3g", draft.speedup), " times as many; ",
      draft.break_even.has_value() ? absl::StrCat("it pays from ", Percent(*draft.break_even), " on") : "it never pays",
      "; ", Size(draft.memory.total_bytes()), " more memory.");
}

std::string BasisText(const LlmReport& report, const LlmResult& result) {
  std::string text =
      absl::StrCat("Times rest on constants of ", result.runtime_title,
                   result.is_fitted ? ", fitted to measurements of this target"
                                    : absl::StrCat(", ", TrustName(result.trust), ", not fitted to this target"),
                   "; a range holds four of five measurements.");
  if (!report.decoder.file_format.empty()) {
    absl::StrAppend(&text, " The file holds ", EscapeControl(report.decoder.file_format), "; the runtime makes ",
                    result.weights, " of it.");
  }
  return text;
}

std::string SectionOf(const LlmSection& section, const ReportOptions& options) {
  if (section.rows.empty()) return "";
  TextTable table(section.columns);
  for (const std::vector<std::string>& row : section.rows) table.Add(row);
  const std::string heading = Wrapped(section.heading, "", "", options);
  return absl::StrCat("\n", Paint(absl::StripSuffix(heading, "\n"), Style::kBold, options.color), "\n",
                      table.Print(options));
}

// Of one target, and of all; of several with the names of the targets that a note is about.
std::vector<std::string> NotesOf(const LlmReport& report) {
  std::vector<std::pair<std::string, std::vector<std::string>>> notes;
  const auto add = [&](std::string note, const std::string& target) {
    const auto same = std::find_if(notes.begin(), notes.end(), [&](const auto& known) { return known.first == note; });
    if (same != notes.end()) return same->second.push_back(target);
    notes.emplace_back(std::move(note), std::vector<std::string>{target});
  };
  for (const LlmResult& result : report.results) {
    const std::string target = EscapeControl(result.target);
    if (!result.rows.empty()) add(BasisText(report, result), target);
    for (const LlmNote& note : result.notes) {
      add(EscapeControl(absl::StrCat(note.text, note.remedy.empty() ? "" : absl::StrCat(": ", note.remedy))), target);
    }
  }
  std::vector<std::string> texts;
  for (const auto& [note, targets] : notes) {
    const bool is_of_all = targets.size() == report.results.size();
    texts.push_back(absl::StrCat(is_of_all ? "" : absl::StrCat(absl::StrJoin(targets, ", "), ": "), note));
  }
  for (const std::string& note : report.decoder.notes) texts.push_back(EscapeControl(note));
  return texts;
}

std::vector<LlmSection> SectionsOfOne(const LlmResult& result, FormatRows what_if) {
  if (result.rows.empty()) return {};
  const LlmRow& first = result.rows.front();
  std::vector<LlmSection> sections = {
      RowSection(result),
      PartSection(absl::StrCat("A token at a context of ", first.context, ": ", Seconds(first.token_s.value)),
                  first.token_parts),
      PartSection(absl::StrCat("A prompt of ", first.prompt, ": ", Seconds(first.ttft_s.value)), first.prompt_parts),
      BatchSection(result)};
  if (what_if == FormatRows::kYes) sections.push_back(ChoiceSection(result));
  return sections;
}

std::vector<LlmSection> SectionsOf(const LlmReport& report, FormatRows what_if) {
  if (report.results.size() == 1) return SectionsOfOne(report.results.front(), what_if);
  std::vector<LlmSection> sections = {RankSection(report)};
  if (what_if == FormatRows::kNo && report.results.front().rows.size() <= 1) return sections;
  for (const LlmResult& result : report.results) {
    if (result.rows.empty()) continue;
    sections.push_back(RowSection(result));
    if (what_if == FormatRows::kYes) sections.push_back(ChoiceSection(result));
  }
  return sections;
}

// What text and page say before their tables: the answer, and behind them: who does not run it, the draft.
std::string SummaryOf(const LlmReport& report) {
  return report.results.size() == 1 ? FirstLine(report.results.front()) : RankText(report);
}
std::vector<std::string> RemarksOf(const LlmReport& report) {
  std::vector<std::string> remarks;
  const bool is_one = report.results.size() == 1;
  for (const LlmResult& result : report.results) {
    if (!is_one && result.rows.empty()) remarks.push_back(RefusalText(result));
    if (is_one && result.draft.has_value()) remarks.push_back(DraftText(report, result));
  }
  return remarks;
}

std::string LlmText(const LlmReport& report, FormatRows what_if, const ReportOptions& options) {
  std::string text = Wrapped(SummaryOf(report), "", "", options);
  for (const LlmSection& section : SectionsOf(report, what_if)) absl::StrAppend(&text, SectionOf(section, options));
  const std::vector<std::string> remarks = RemarksOf(report), notes = NotesOf(report);
  if (!remarks.empty()) absl::StrAppend(&text, "\n");
  for (const std::string& remark : remarks) absl::StrAppend(&text, Wrapped(remark, "", "", options));
  if (!notes.empty()) absl::StrAppend(&text, "\n", Paint("Notes", Style::kBold, options.color), "\n");
  for (const std::string& note : notes) absl::StrAppend(&text, Wrapped(note, "  - ", "    ", options));
  return text;
}

LlmSection ContextSection(const LlmReport& report) {
  LlmSection section{"By context",
                     {{.title = "target"},
                      {.title = "runtime"},
                      RightColumn("context"),
                      RightColumn("tokens/s"),
                      RightColumn("memory"),
                      Column{.title = "fits"}},
                     {}};
  for (const LlmResult& result : report.results) {
    for (const LlmRow& row : result.by_context) {
      section.rows.push_back({EscapeControl(result.target), result.runtime, absl::StrCat(row.context),
                              Rate(row.tokens_per_s), Size(row.memory.total_bytes()), YesNo(row.fits)});
    }
  }
  return section;
}

// What the text says, and the figures by context as a picture and a table.
std::string LlmPage(const LlmReport& report, FormatRows what_if) {
  StillPage page(EscapeControl(report.decoder.name));
  const auto add = [&page](const LlmSection& section) {
    if (section.rows.empty()) return;
    std::vector<std::string> titles;
    for (const Column& column : section.columns) titles.push_back(column.title);
    page.Heading(section.heading);
    page.Table(titles, section.rows);
  };
  page.Paragraph(SummaryOf(report));
  page.Picture(DrawLlm(report));
  for (const LlmSection& section : SectionsOf(report, what_if)) add(section);
  add(ContextSection(report));
  for (const std::string& remark : RemarksOf(report)) page.Paragraph(remark);
  for (const std::string& note : NotesOf(report)) page.Paragraph(note);
  return page.Finish();
}

// Tables

Cell RangeCell(const LlmRange& range) { return Cell{{"value", range.value}, {"low", range.low}, {"high", range.high}}; }
int64_t WholeOf(double value) { return std::llround(value); }
Cell MemoryCell(const LlmMemory& memory) {
  return Cell{{"weights_bytes", WholeOf(memory.weights_bytes)},
              {"cache_bytes", WholeOf(memory.cache_bytes)},
              {"work_bytes", WholeOf(memory.work_bytes)},
              {"total_bytes", WholeOf(memory.total_bytes())}};
}
Cell PartsCell(const std::vector<LlmShare>& parts) {
  Cell list = Cell::OfList();
  for (const LlmShare& part : parts) {
    list.push_back(Cell{{"part", LlmPartName(part.part)},
                        {"seconds", part.seconds},
                        {"bytes", WholeOf(part.bytes)},
                        {"macs", WholeOf(part.macs)},
                        {"bound", part.bytes > 0 || part.macs > 0 ? Cell(BoundOf(part)) : Cell()}});
  }
  return list;
}

const std::vector<std::string>& RowKeys() {
  static const auto* const keys = new std::vector<std::string>{"target",
                                                               "mode",
                                                               "runtime",
                                                               "unit",
                                                               "weights",
                                                               "cache",
                                                               "prompt",
                                                               "context",
                                                               "reserved",
                                                               "batch",
                                                               "ttft_s",
                                                               "ttft_low_s",
                                                               "ttft_high_s",
                                                               "token_s",
                                                               "token_low_s",
                                                               "token_high_s",
                                                               "tokens_per_s",
                                                               "total_tokens_per_s",
                                                               "prompt_tokens_per_s",
                                                               "answer_s",
                                                               "j_per_token",
                                                               "prompt_j",
                                                               "power_w",
                                                               "host_j_per_token",
                                                               "host_prompt_j",
                                                               "weights_bytes",
                                                               "cache_bytes",
                                                               "work_bytes",
                                                               "memory_bytes",
                                                               "fits",
                                                               "bound"};
  return *keys;
}

Cells RowCells(const LlmResult& result, const LlmRow& row) {
  const auto of_energy = [&row](auto figure) { return row.energy.has_value() ? Cell(figure(*row.energy)) : Cell(); };
  return {result.target,
          NonEmpty(result.mode),
          result.runtime,
          result.unit,
          result.weights,
          result.cache,
          row.prompt,
          row.context,
          row.reserved,
          row.batch,
          row.ttft_s.value,
          row.ttft_s.low,
          row.ttft_s.high,
          row.token_s.value,
          row.token_s.low,
          row.token_s.high,
          row.tokens_per_s,
          row.total_tokens_per_s,
          row.prompt_tokens_per_s,
          row.answer_s,
          of_energy([](const LlmEnergy& energy) { return energy.j_per_token; }),
          of_energy([](const LlmEnergy& energy) { return energy.prompt_j; }),
          of_energy([](const LlmEnergy& energy) { return energy.power_w; }),
          of_energy([](const LlmEnergy& energy) { return energy.host_j_per_token; }),
          of_energy([](const LlmEnergy& energy) { return energy.host_prompt_j; }),
          WholeOf(row.memory.weights_bytes),
          WholeOf(row.memory.cache_bytes),
          WholeOf(row.memory.work_bytes),
          WholeOf(row.memory.total_bytes()),
          row.fits,
          BoundOf(row)};
}

CellTable RowTable(const LlmReport& report, std::vector<LlmRow> LlmResult::* rows_of) {
  std::vector<Cells> rows;
  for (const LlmResult& result : report.results) {
    for (const LlmRow& row : result.*rows_of) rows.push_back(RowCells(result, row));
  }
  return TableOfCells(RowKeys(), std::move(rows));
}

CellTable ChoiceTable(const LlmReport& report) {
  std::vector<Cells> rows;
  for (const LlmResult& result : report.results) {
    for (const LlmChoice& choice : result.choices) {
      rows.push_back({result.target, result.runtime, choice.weights, choice.cache, choice.is_chosen, choice.weight_bits,
                      choice.ttft_s, choice.token_s, 1 / choice.token_s, WholeOf(choice.memory.total_bytes()),
                      choice.fits, choice.largest_context});
    }
  }
  return TableOfCells({"target", "runtime", "weights", "cache", "is_chosen", "weight_bits", "ttft_s", "token_s",
                       "tokens_per_s", "memory_bytes", "fits", "largest_context"},
                      std::move(rows));
}

Cell DraftCell(const std::optional<LlmDraftResult>& draft) {
  if (!draft.has_value()) return {};
  return Cell{
      {"step_s", draft->step_s},   {"tokens_per_step", draft->tokens_per_step}, {"tokens_per_s", draft->tokens_per_s},
      {"speedup", draft->speedup}, {"break_even", Cell(draft->break_even)},     {"memory", MemoryCell(draft->memory)}};
}

Cell NoteCells(const LlmResult& result) {
  Cell list = Cell::OfList();
  for (const LlmNote& note : result.notes) {
    list.push_back(Cell{{"text", note.text}, {"remedy", NonEmpty(note.remedy)}});
  }
  return list;
}

Cell ResultCell(const LlmResult& result) {
  const LlmRow* first = result.rows.empty() ? nullptr : &result.rows.front();
  return Cell{{"target", result.target},
              {"mode", NonEmpty(result.mode)},
              {"cores", result.cores},
              {"runtime", NonEmpty(result.runtime)},
              {"unit", NonEmpty(result.unit)},
              {"weights", NonEmpty(result.weights)},
              {"cache", NonEmpty(result.cache)},
              {"refusal", NonEmpty(result.refusal)},
              {"instead", NonEmpty(result.instead)},
              {"fits", first == nullptr ? Cell() : Cell(first->fits)},
              {"ttft_s", first == nullptr ? Cell() : RangeCell(first->ttft_s)},
              {"token_s", first == nullptr ? Cell() : RangeCell(first->token_s)},
              {"memory", first == nullptr ? Cell() : MemoryCell(first->memory)},
              {"memory_bytes", result.memory_bytes.has_value() ? Cell(WholeOf(*result.memory_bytes)) : Cell()},
              {"largest_context", Cell(result.largest_context)},
              {"at_largest", result.at_largest.has_value() ? MemoryCell(*result.at_largest) : Cell()},
              {"compute_batch", Cell(result.compute_batch)},
              {"power_cap_w", Cell(result.power_cap_w)},
              {"trust", result.rows.empty() ? Cell() : Cell(TrustName(result.trust))},
              {"is_fitted", result.is_fitted},
              {"token_parts", first == nullptr ? Cell() : PartsCell(first->token_parts)},
              {"prompt_parts", first == nullptr ? Cell() : PartsCell(first->prompt_parts)},
              {"draft", DraftCell(result.draft)},
              {"notes", NoteCells(result)}};
}

Cell NumbersOf(const std::vector<int64_t>& numbers) {
  Cell list = Cell::OfList();
  for (const int64_t number : numbers) list.push_back(number);
  return list;
}

// One entry a row, or a target that does not run the model.
Cell RunCells(const LlmReport& report) {
  Cell runs = Cell::OfList();
  for (const LlmResult& result : report.results) {
    for (const LlmRow& row : result.rows) {
      Cell parts = Cell::OfObject();
      for (const LlmShare& share : row.token_parts) parts.Set(std::string(LlmPartName(share.part)), share.seconds);
      runs.push_back(Cell{{"model", report.decoder.name},
                          {"target", result.target},
                          {"runtime", result.runtime},
                          {"weights", result.weights},
                          {"kv", result.cache},
                          {"prompt", row.prompt},
                          {"context", row.context},
                          {"batch", row.batch},
                          {"ttft_s", row.ttft_s.value},
                          {"ttft_low_s", row.ttft_s.low},
                          {"ttft_high_s", row.ttft_s.high},
                          {"tokens_per_s", row.tokens_per_s},
                          {"tokens_per_s_low", 1 / row.token_s.high},
                          {"tokens_per_s_high", 1 / row.token_s.low},
                          {"energy_per_token_j", row.energy.has_value() ? Cell(row.energy->j_per_token) : Cell()},
                          {"memory", MemoryCell(row.memory)},
                          {"fits", Cell(row.fits)},
                          {"max_context", Cell(result.largest_context)},
                          {"parts", std::move(parts)},
                          {"message", Cell()}});
    }
    if (result.rows.empty()) {
      runs.push_back(
          Cell{{"model", report.decoder.name},
               {"target", result.target},
               {"runtime", NonEmpty(result.runtime)},
               {"fits", Cell()},
               {"message", absl::StrCat(result.refusal, result.instead.empty() ? "" : "; ", result.instead)}});
    }
  }
  return runs;
}

Document LlmDocument(const LlmReport& report) {
  Document document;
  document.kind = ReportKind::kLlm;
  const LlmRequest& asked = report.request;
  document.parts.push_back({"request", Cell{{"runtime", NonEmpty(asked.runtime)},
                                            {"weights", NonEmpty(asked.weights)},
                                            {"cache", NonEmpty(asked.cache)},
                                            {"prompts", NumbersOf(asked.prompts)},
                                            {"contexts", NumbersOf(asked.contexts)},
                                            {"batches", NumbersOf(asked.batches)},
                                            {"new_tokens", asked.new_tokens},
                                            {"image_tokens", asked.image_tokens}}});
  document.parts.push_back(
      {"model", Cell{{"name", report.decoder.name},
                     {"architecture", NonEmpty(report.decoder.architecture)},
                     {"layers", LayerCount(report.decoder)},
                     {"hidden", report.decoder.hidden},
                     {"vocab", report.decoder.vocab},
                     {"stored_params", StoredParams(report.decoder)},
                     {"active_params", ActiveParams(report.decoder)},
                     {"max_context", report.decoder.max_context > 0 ? Cell(report.decoder.max_context) : Cell()},
                     {"file_format", NonEmpty(report.decoder.file_format)},
                     {"notes", report.decoder.notes}}});
  Cell results = Cell::OfList();
  for (const LlmResult& result : report.results) results.push_back(ResultCell(result));
  document.parts.push_back({"results", std::move(results)});
  document.parts.push_back({"runs", RunCells(report)});
  document.parts.push_back({"rows", RowTable(report, &LlmResult::rows)});
  document.parts.push_back({"by_context", RowTable(report, &LlmResult::by_context)});
  document.parts.push_back({"by_batch", RowTable(report, &LlmResult::by_batch)});
  document.parts.push_back({"choices", ChoiceTable(report)});
  document.tables = {"rows", "by_batch", "choices", "by_context"};
  return document;
}

}  // namespace

absl::Status WriteLlm(const LlmReport& report, FormatRows what_if, const ReportOptions& options, Sink sink) {
  HWEST_RETURN_IF_ERROR(CheckFormat(ReportKind::kLlm, options.format));
  if (options.format == Format::kText) return sink(LlmText(report, what_if, options));
  if (options.format == Format::kHtml) return sink(LlmPage(report, what_if));
  if (options.format == Format::kSvg || options.format == Format::kPng || options.format == Format::kPdf) {
    HWEST_ASSIGN_OR_RETURN(const std::string picture,
                           PictureBytes(WithDarkScheme(DrawLlm(report).Svg()), options.format));
    return sink(picture);
  }
  return WriteDocument(LlmDocument(report), options, sink);
}

}  // namespace hwest
