// Laws of every table of the C ABI.
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "capi_fixture.h"

namespace {
std::atomic<long> allocations = 0;
}  // namespace

// Counts every allocation of the process, the library's included.
void* operator new(size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }

namespace hwest::test {
namespace {

// The three functions of one table over one handle, rows as bytes.
struct TableCase {
  const char* name;
  bool may_be_empty;
  std::function<uint64_t()> count;
  std::function<hwest_status(uint64_t, char*)> get;  // into a struct of `size` bytes
  std::function<hwest_status(uint64_t, uint64_t, char*, size_t)> read;
  size_t size;
};

template <class Handle, class Row>
TableCase CaseOf(const char* name, const Handle* handle, uint64_t (*count)(const Handle*),
                 hwest_status (*get)(const Handle*, uint64_t, Row*),
                 hwest_status (*read)(const Handle*, uint64_t, uint64_t, Row*, size_t)) {
  CHECK(count(nullptr) == 0);
  Row row = {};
  row.struct_size = sizeof row;
  CHECK(get(nullptr, 0, &row) == HWEST_INVALID_ARGUMENT);
  CHECK(get(handle, 0, nullptr) == HWEST_INVALID_ARGUMENT);
  CHECK(read(nullptr, 0, 0, nullptr, sizeof row) == HWEST_INVALID_ARGUMENT);
  return {name,
          false,
          [=] { return count(handle); },
          [=](uint64_t i, char* to) {
            auto* struct_at = reinterpret_cast<Row*>(to);
            struct_at->struct_size = sizeof(Row);
            return get(handle, i, struct_at);
          },
          [=](uint64_t first, uint64_t n, char* to, size_t stride) {
            return read(handle, first, n, reinterpret_cast<Row*>(to), stride);
          },
          sizeof(Row)};
}

#define TABLE(prefix, handle) CaseOf(#prefix, handle, prefix##_count, prefix##_get, prefix##_read)

struct Handles {
  ModelHandle model = LoadFile(kResnet);
  ModelHandle free_model = LoadFile(kBert);
  AnalysisHandle analysis = AnalyzeFile(kResnet, "jetson-orin");
  AnalysisHandle free_analysis = AnalyzeWith(free_model.get(), nullptr);
  TargetHandle target = LoadTargetNamed("jetson-orin");
  TargetListHandle list = ListOfTargets();
  LintHandle lint = LintOf("name: \"x\" nonsense: 1");
  WhatIfHandle what_if = WhatIfOf(analysis.get());
  GenerationHandle generation = GenerationOf(LoadFile(kDecoder).get(), TargetOptions("x86-avx2"), {64, 128});
  ExplanationHandle explanation = Explain(analysis.get(), "#20");

  std::vector<TableCase> Tables() const {
    return {TABLE(hwest_model_input, model.get()),
            TABLE(hwest_model_output, model.get()),
            TABLE(hwest_model_symbol, free_model.get()),
            TABLE(hwest_model_opset, model.get()),
            MayBeEmpty(TABLE(hwest_model_diagnostic, model.get())),
            TABLE(hwest_target_unit, target.get()),
            TABLE(hwest_target_mode, target.get()),
            TABLE(hwest_target_fact, target.get()),
            TABLE(hwest_target_list, list.get()),
            TABLE(hwest_lint_problem, lint.get()),
            TABLE(hwest_analysis_group, analysis.get()),
            TABLE(hwest_analysis_node, analysis.get()),
            TABLE(hwest_analysis_value, analysis.get()),
            TABLE(hwest_analysis_input, analysis.get()),
            TABLE(hwest_analysis_output, analysis.get()),
            TABLE(hwest_analysis_symbol, free_analysis.get()),
            TABLE(hwest_analysis_module, analysis.get()),
            TABLE(hwest_analysis_segment, analysis.get()),
            TABLE(hwest_analysis_unit, analysis.get()),
            TABLE(hwest_analysis_event, analysis.get()),
            TABLE(hwest_analysis_lifetime, analysis.get()),
            TABLE(hwest_analysis_bound, analysis.get()),
            TABLE(hwest_analysis_support, analysis.get()),
            MayBeEmpty(TABLE(hwest_analysis_diagnostic, analysis.get())),
            TABLE(hwest_what_if_change, what_if.get()),
            TABLE(hwest_generation_context, generation.get()),
            MayBeEmpty(TABLE(hwest_explanation_miss, explanation.get())),
            TABLE(hwest_explanation_move, explanation.get())};
  }

  static TableCase MayBeEmpty(TableCase table) {
    table.may_be_empty = true;
    return table;
  }
};

TEST_CASE("every table: rows one by one and at once are the same") {
  const Handles handles;
  for (const TableCase& table : handles.Tables()) {
    INFO(table.name);
    const uint64_t count = table.count();
    CHECK((count > 0 || table.may_be_empty));
    std::vector<char> all(count * table.size), one(table.size);
    REQUIRE(table.read(0, count, all.data(), table.size) == HWEST_OK);
    for (uint64_t i = 0; i < count; ++i) {
      REQUIRE(table.get(i, one.data()) == HWEST_OK);
      CHECK(std::memcmp(one.data(), all.data() + i * table.size, table.size) == 0);
    }
    CHECK(table.get(count, one.data()) == HWEST_INVALID_ARGUMENT);
    CHECK(table.read(1, UINT64_MAX, all.data(), table.size) == HWEST_INVALID_ARGUMENT);
    CHECK(table.read(count, 0, nullptr, table.size) == HWEST_OK);
  }
}

TEST_CASE("every table: once it is there, a row allocates nothing") {
  const Handles handles;
  for (const TableCase& table : handles.Tables()) {
    INFO(table.name);
    const uint64_t count = table.count();
    std::vector<char> all(count * table.size), one(table.size);
    const long before = allocations;
    bool ok = table.read(0, count, all.data(), table.size) == HWEST_OK;
    for (uint64_t i = 0; i < count; ++i) ok = table.get(i, one.data()) == HWEST_OK && ok;
    const long after = allocations;
    CHECK(ok);
    CHECK(after == before);
  }
}

TEST_CASE("the counter sees what the library allocates") {
  const long before = allocations;
  const ModelHandle model = LoadFile(kResnet);
  CHECK(allocations > before + 100);
}

TEST_CASE("threads that ask first get one table") {
  const AnalysisHandle analysis = AnalyzeFile(kResnet, "jetson-orin");
  const char* names[4] = {};
  std::vector<std::thread> threads;
  for (const char*& name : names) {
    threads.emplace_back([&name, &analysis] {
      hwest_node node = {};
      node.struct_size = sizeof node;
      if (hwest_analysis_node_get(analysis.get(), 3, &node) == HWEST_OK) name = node.name;
    });
  }
  for (std::thread& thread : threads) thread.join();
  REQUIRE(names[0] != nullptr);
  for (const char* name : names) CHECK(name == names[0]);
}

}  // namespace
}  // namespace hwest::test
