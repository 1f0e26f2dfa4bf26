// The facts of language models read from real exports against those of their configurations.
//
// usage: decoder_suite MODELS
//
// MODELS/llm holds *.onnx and index.csv, which states layers, heads, sizes and parameters of each. Exit status: 0 all
// equal, 1 findings, 77 the folder is not there, so nothing was checked.
#include <cstdio>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "hwest/decoder.h"

namespace {

using Row = std::map<std::string, std::string>;

std::vector<Row> RowsOf(const std::string& path) {
  std::ifstream file(path);
  std::vector<Row> rows;
  std::string line;
  std::vector<std::string> head;
  while (std::getline(file, line)) {
    const std::vector<std::string> cells = absl::StrSplit(line, ',');
    if (head.empty()) {
      head = cells;
      continue;
    }
    Row row;
    for (size_t i = 0; i < cells.size() && i < head.size(); ++i) row[head[i]] = cells[i];
    rows.push_back(row);
  }
  return rows;
}

// What was read, in the words of the index.
Row FactsOf(const hwest::Decoder& decoder) {
  const hwest::DecoderLayers& layer = decoder.layers.front();
  const int64_t experts = layer.active_experts > 0 ? layer.active_experts : 1;
  Row facts = {{"layers", absl::StrCat(hwest::LayerCount(decoder))},
               {"hidden", absl::StrCat(decoder.hidden)},
               {"heads", absl::StrCat(layer.heads)},
               {"kv_heads", absl::StrCat(layer.kv_heads)},
               {"head_dim", absl::StrCat(layer.key_dim)},
               {"ffn", absl::StrCat(layer.mlp_width / experts)},
               {"vocab", absl::StrCat(decoder.vocab)},
               {"tied", decoder.tied_embedding ? "True" : "False"},
               {"params", absl::StrCat(hwest::StoredParams(decoder))},
               {"active_params", absl::StrCat(hwest::ActiveParams(decoder))}};
  if (layer.experts > 0) facts["experts"] = absl::StrCat(layer.active_experts, " of ", layer.experts);
  const int64_t of_token = hwest::CacheElements(decoder, 1) - hwest::CacheElements(decoder, 0);
  facts["kv_bytes_per_token_fp16"] = absl::StrCat(2 * of_token);
  return facts;
}

int FindingsOf(const std::string& folder, const Row& row) {
  const std::string file = row.at("file");
  const auto decoder = hwest::ReadDecoder({absl::StrCat(folder, "/", file)});
  if (!decoder.ok()) {
    std::printf("%s: %s\n", file.c_str(), std::string(decoder.status().message()).c_str());
    return 1;
  }
  int findings = 0;
  for (const auto& [what, value] : FactsOf(*decoder)) {
    if (row.count(what) != 0 && row.at(what) == value) continue;
    std::printf("%s: %s is %s, expected %s\n", file.c_str(), what.c_str(), value.c_str(),
                row.count(what) != 0 ? row.at(what).c_str() : "none");
    ++findings;
  }
  return findings;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int kSkipped = 77;
  const std::string folder = absl::StrCat(argc > 1 ? argv[1] : "", "/llm");
  const std::vector<Row> rows = RowsOf(folder + "/index.csv");
  if (rows.empty()) {
    std::printf("DID NOT RUN: no graphs of language models in '%s'; nothing was checked\n", folder.c_str());
    return kSkipped;
  }
  int findings = 0;
  for (const Row& row : rows) findings += FindingsOf(folder, row);
  std::printf("%zu decoders, %d findings\n", rows.size(), findings);
  return findings > 0 ? 1 : 0;
}
