// Written by lib/report/tables/generate.py from the .table files there.
#include "sweep/columns.h"

#include "report/read_json.h"

namespace hwest {

using namespace getters;

const Columns& ColumnsOf(const SweepRow*) {
  static const auto* const columns = new Columns{
      {"model"},
      {"sha256"},
      {"target"},
      {"mode"},
      {"precision"},
      {"batch"},
      {"dims"},
      {"size"},
      {"rewritten"},
      {"status"},
      {"code"},
      {"message"},
      {.key = "latency_s", .bound = BoundKind::kAtLeast, .needs = need::kTimes},
      {.key = "latency_low_s", .bound = BoundKind::kAtLeast, .needs = need::kTimes},
      {.key = "latency_high_s", .bound = BoundKind::kAtLeast, .needs = need::kTimes},
      {.key = "interval_s", .bound = BoundKind::kAtLeast, .needs = need::kTimes},
      {.key = "throughput_per_s", .bound = BoundKind::kAtMost, .needs = need::kTimes},
      {.key = "energy_j", .bound = BoundKind::kAtLeast, .needs = need::kTimes},
      {"power_w"},
      {.key = "peak_memory_bytes", .bound = BoundKind::kAtLeast, .needs = need::kTypes},
      {.key = "macs", .bound = BoundKind::kAtLeast, .needs = need::kCounts},
      {.key = "flops", .bound = BoundKind::kAtLeast, .needs = need::kCounts},
      {.key = "moved_bytes", .bound = BoundKind::kAtLeast, .needs = need::kTypes | need::kCounts},
      {"intensity"},
      {"segments"},
      {"accelerated_macs_share"},
      {"grade"},
      {"groups"},
      {"units"},
      {.key = "energy_per_input_j", .bound = BoundKind::kAtLeast, .needs = need::kTimes},
      {"params"},
      {"nodes"},
      {.key = "dram_bytes", .bound = BoundKind::kAtLeast, .needs = need::kTypes},
      {"utilisation"},
      {"fits"},
      {.key = "onchip_bytes", .bound = BoundKind::kAtLeast, .needs = need::kTypes},
      {"dram_intensity"},
      {"bounds"},
      {"set"},
      {"runtime"},
      {"weights"},
      {"kv"},
      {"prompt"},
      {"context"},
      {"ttft_s"},
      {"ttft_low_s"},
      {"ttft_high_s"},
      {"tokens_per_s"},
      {"tokens_per_s_low"},
      {"tokens_per_s_high"},
      {"energy_per_token_j"},
      {"runtime_memory_bytes"},
      {"runtime_fits"},
      {"max_context"},
      {"pareto"},
  };
  return *columns;
}

Cells CellsOf(const SweepRow& row) {
  Cells cells;
  cells.reserve(55);
  cells.push_back(Cell(row.model));
  cells.push_back(Cell(row.sha256));
  cells.push_back(Cell(row.target));
  cells.push_back(Cell(row.mode));
  cells.push_back(Cell(row.precision));
  cells.push_back(Cell(row.batch));
  cells.push_back(DimsCell(row));
  cells.push_back(Cell(row.size));
  cells.push_back(Cell(row.rewritten));
  cells.push_back(Cell(StatusText(row)));
  cells.push_back(Cell(NonEmpty(row.code)));
  cells.push_back(Cell(NonEmpty(row.message)));
  cells.push_back(Cell(row.summary.latency_s));
  cells.push_back(Cell(row.summary.latency_low_s));
  cells.push_back(Cell(row.summary.latency_high_s));
  cells.push_back(Cell(row.summary.interval_s));
  cells.push_back(Cell(row.summary.throughput_per_s));
  cells.push_back(Cell(row.summary.energy_j));
  cells.push_back(Cell(row.summary.power_w));
  cells.push_back(Cell(row.summary.peak_memory_bytes));
  cells.push_back(CountCell(row.summary.macs));
  cells.push_back(CountCell(row.summary.flops));
  cells.push_back(Cell(row.summary.moved_bytes));
  cells.push_back(Cell(row.summary.intensity));
  cells.push_back(Cell(row.segments));
  cells.push_back(Cell(row.accelerated_macs_share));
  cells.push_back(Cell(row.grade));
  cells.push_back(Cell(row.groups));
  cells.push_back(SharesCellOf(row.units));
  cells.push_back(Cell(row.energy_per_input_j));
  cells.push_back(Cell(row.params));
  cells.push_back(Cell(row.nodes));
  cells.push_back(Cell(row.summary.dram_bytes));
  cells.push_back(Cell(row.summary.utilisation));
  cells.push_back(Cell(row.summary.fits));
  cells.push_back(Cell(row.summary.onchip_bytes));
  cells.push_back(Cell(row.summary.dram_intensity));
  cells.push_back(SharesCellOf(row.bounds));
  cells.push_back(SetCell(row.set));
  cells.push_back(Cell(row.language.runtime));
  cells.push_back(Cell(row.language.weights));
  cells.push_back(Cell(row.language.kv));
  cells.push_back(Cell(row.language.prompt));
  cells.push_back(Cell(row.language.context));
  cells.push_back(Cell(row.language.ttft_s));
  cells.push_back(Cell(row.language.ttft_low_s));
  cells.push_back(Cell(row.language.ttft_high_s));
  cells.push_back(Cell(row.language.tokens_per_s));
  cells.push_back(Cell(row.language.tokens_per_s_low));
  cells.push_back(Cell(row.language.tokens_per_s_high));
  cells.push_back(Cell(row.language.energy_per_token_j));
  cells.push_back(Cell(row.language.memory_bytes));
  cells.push_back(Cell(row.language.fits));
  cells.push_back(Cell(row.language.max_context));
  cells.push_back(Cell(row.pareto));
  return cells;
}

void ReadColumns(const Cell& from, SweepRow* to) {
  ReadMember(from, "model", &to->model);
  ReadMember(from, "sha256", &to->sha256);
  ReadMember(from, "target", &to->target);
  ReadMember(from, "mode", &to->mode);
  ReadMember(from, "precision", &to->precision);
  ReadMember(from, "batch", &to->batch);
  ReadMember(from, "size", &to->size);
  ReadMember(from, "rewritten", &to->rewritten);
  ReadMember(from, "latency_s", &to->summary.latency_s);
  ReadMember(from, "latency_low_s", &to->summary.latency_low_s);
  ReadMember(from, "latency_high_s", &to->summary.latency_high_s);
  ReadMember(from, "interval_s", &to->summary.interval_s);
  ReadMember(from, "throughput_per_s", &to->summary.throughput_per_s);
  ReadMember(from, "energy_j", &to->summary.energy_j);
  ReadMember(from, "power_w", &to->summary.power_w);
  ReadMember(from, "peak_memory_bytes", &to->summary.peak_memory_bytes);
  ReadMember(from, "macs", &to->summary.macs);
  ReadMember(from, "flops", &to->summary.flops);
  ReadMember(from, "moved_bytes", &to->summary.moved_bytes);
  ReadMember(from, "intensity", &to->summary.intensity);
  ReadMember(from, "segments", &to->segments);
  ReadMember(from, "accelerated_macs_share", &to->accelerated_macs_share);
  ReadMember(from, "grade", &to->grade);
  ReadMember(from, "groups", &to->groups);
  ReadMember(from, "energy_per_input_j", &to->energy_per_input_j);
  ReadMember(from, "params", &to->params);
  ReadMember(from, "nodes", &to->nodes);
  ReadMember(from, "dram_bytes", &to->summary.dram_bytes);
  ReadMember(from, "utilisation", &to->summary.utilisation);
  ReadMember(from, "fits", &to->summary.fits);
  ReadMember(from, "onchip_bytes", &to->summary.onchip_bytes);
  ReadMember(from, "dram_intensity", &to->summary.dram_intensity);
  ReadMember(from, "runtime", &to->language.runtime);
  ReadMember(from, "weights", &to->language.weights);
  ReadMember(from, "kv", &to->language.kv);
  ReadMember(from, "prompt", &to->language.prompt);
  ReadMember(from, "context", &to->language.context);
  ReadMember(from, "ttft_s", &to->language.ttft_s);
  ReadMember(from, "ttft_low_s", &to->language.ttft_low_s);
  ReadMember(from, "ttft_high_s", &to->language.ttft_high_s);
  ReadMember(from, "tokens_per_s", &to->language.tokens_per_s);
  ReadMember(from, "tokens_per_s_low", &to->language.tokens_per_s_low);
  ReadMember(from, "tokens_per_s_high", &to->language.tokens_per_s_high);
  ReadMember(from, "energy_per_token_j", &to->language.energy_per_token_j);
  ReadMember(from, "runtime_memory_bytes", &to->language.memory_bytes);
  ReadMember(from, "runtime_fits", &to->language.fits);
  ReadMember(from, "max_context", &to->language.max_context);
  ReadMember(from, "pareto", &to->pareto);
}

}  // namespace hwest
