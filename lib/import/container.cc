#include "import/container.h"

#include <algorithm>
#include <cstdint>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "hwest/diagnostic.h"

namespace hwest {
namespace {

constexpr absl::string_view kNameOnnx = "name a .onnx file";
constexpr absl::string_view kOfLanguageModel = "ask for a language model: onnx-hwest llm FILE --target NAME";
constexpr absl::string_view kExport = "export the model to ONNX first, e.g. with torch.onnx.export";
constexpr absl::string_view kByteOrderMark = "\xef\xbb\xbf";

struct Magic {
  size_t offset;
  absl::string_view bytes;
  absl::string_view what;
  absl::string_view remedy;
};

constexpr Magic kMagics[] = {
    {0, "version https://git-lfs", "is a Git LFS pointer, the model itself was not fetched", "run 'git lfs pull'"},
    {0, "\x1f\x8b", "is a gzip archive", "unpack it with gunzip"},
    {0, "PK\x03\x04", "is a zip archive", "unpack the .onnx file, or export the model with torch.onnx.export"},
    {0, "PK\x05\x06", "is an empty zip archive", "name a .onnx file"},
    {0, "\x42\x5a\x68", "is a bzip2 archive", "unpack it with bunzip2"},
    {0, "\xfd\x37zXZ", "is an xz archive", "unpack it with unxz"},
    {0, "\x28\xb5\x2f\xfd", "is a zstd archive", "unpack it with unzstd"},
    {0, "7z\xbc\xaf\x27\x1c", "is a 7z archive", "unpack it with 7z x"},
    {0, "\x80\x02", "is a Python pickle (a PyTorch checkpoint)", kExport},
    {257, "ustar", "is a tar archive", "unpack it with tar -xf and name the .onnx file in it"},
    {0, "\x89HDF", "is an HDF5 file (Keras)",
     "convert it: python -m tf2onnx.convert --keras model.h5 --output model.onnx"},
    {0, "\x93NUMPY", "is a NumPy array", kExport},
    {0, "GGUF", "is a GGUF file: weights of a language model without a graph", kOfLanguageModel},
    {0, "RKNN", "is a model that RKNN has compiled", "name the .onnx file it was made from"},
    {0, "\x01HEF", "is a model that Hailo's compiler has made (.hef)", "name the .onnx file it was made from"},
    {4, "ORTM", "is an ONNX Runtime flatbuffer (.ort)", "name the .onnx file it was made from"},
};

// Zip archives by the first file in them, whose name stands in the first entry.
struct Archive {
  bool (*matches)(absl::string_view first);
  absl::string_view what;
  absl::string_view remedy;
};

bool IsExportedProgram(absl::string_view first) {
  return absl::EndsWith(first, "/archive_format") || absl::EndsWith(first, "/archive_version") ||
         absl::EndsWith(first, "serialized_exported_program.json") || absl::StrContains(first, ".pt2/");
}

bool IsTorchCheckpoint(absl::string_view first) {
  return absl::EndsWith(first, "/data.pkl") || absl::EndsWith(first, "/.format_version") ||
         absl::EndsWith(first, "/.storage_alignment") || absl::EndsWith(first, "/byteorder");
}

bool IsKeras(absl::string_view first) { return first == "metadata.json" || first == "config.json"; }

constexpr Archive kArchives[] = {
    {IsExportedProgram, "is a program of torch.export (.pt2)",
     "run python -m onnx_hwest model.pt2, or convert it: "
     "torch.onnx.export(torch.export.load('model.pt2'), dynamo=True).save('model.onnx')"},
    {IsTorchCheckpoint, "is a PyTorch checkpoint (.pt, .pth)",
     "run python -m onnx_hwest model.pt, or export the model: "
     "torch.onnx.export(model, args, 'model.onnx', dynamo=True)"},
    {IsKeras, "is a Keras model (.keras)",
     "convert it: keras.models.load_model('model.keras').export('model.onnx', format='onnx')"},
};

absl::string_view FirstInZip(absl::string_view head) {
  constexpr size_t kLengthAt = 26, kNameAt = 30;
  if (head.size() < kNameAt || !absl::StartsWith(head, "PK\x03\x04")) return "";
  const size_t length = static_cast<uint8_t>(head[kLengthAt]) | static_cast<uint8_t>(head[kLengthAt + 1]) << 8;
  return head.substr(kNameAt, length);
}

struct TextForm {
  bool (*matches)(absl::string_view text);
  absl::string_view what;
  absl::string_view remedy;
};

bool IsHtml(absl::string_view text) {
  return absl::StartsWithIgnoreCase(text, "<!doctype") || absl::StartsWithIgnoreCase(text, "<html");
}

bool IsXml(absl::string_view text) { return absl::StartsWith(text, "<?xml") || absl::StartsWith(text, "<net"); }

// <net name="..." version="11"> with layers in it.
bool IsOpenVino(absl::string_view text) {
  return IsXml(text) && absl::StrContains(text, "<net ") && absl::StrContains(text, "<layers");
}

bool IsJson(absl::string_view text) { return absl::StartsWith(text, "{") || absl::StartsWith(text, "["); }
bool HasKey(absl::string_view json, absl::string_view key) {
  return IsJson(json) && absl::StrContains(json, absl::StrCat("\"", key, "\""));
}

bool IsModelAsJson(absl::string_view text) {
  return HasKey(text, "irVersion") || HasKey(text, "opsetImport") || HasKey(text, "producerName");
}

bool IsConfig(absl::string_view text) {
  return HasKey(text, "model_type") || HasKey(text, "num_hidden_layers") || HasKey(text, "architectures");
}

bool IsSavedReport(absl::string_view text) { return HasKey(text, "schema") && HasKey(text, "onnx-hwest/1"); }

absl::string_view FirstWord(absl::string_view text) {
  const auto in_word = [](char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  return text.substr(0, static_cast<size_t>(std::find_if_not(text.begin(), text.end(), in_word) - text.begin()));
}

// The character that ends the first word: "ir_version: 8" and "graph {" against "agraph (float[N] x) => ...".
char AfterFirstWord(absl::string_view text) {
  const absl::string_view word = FirstWord(text);
  if (word.empty()) return '\0';
  const size_t next = text.find_first_not_of(' ', word.size());
  return next == absl::string_view::npos ? '\0' : text[next];
}

bool IsOnnxText(absl::string_view text) {
  return absl::StartsWith(text, "<") || AfterFirstWord(text) == '(' || AfterFirstWord(text) == '<';
}

// Fields of ONNX's ModelProto.
bool IsTextProto(absl::string_view text) {
  constexpr absl::string_view kFields[] = {"ir_version",     "opset_import",  "producer_name", "producer_version",
                                           "domain",         "model_version", "doc_string",    "graph",
                                           "metadata_props", "training_info", "functions"};
  while (absl::StartsWith(text, "#")) {
    text.remove_prefix(std::min(text.find('\n'), text.size()));
    text = absl::StripLeadingAsciiWhitespace(text);
  }
  const char end = AfterFirstWord(text);
  const bool is_field = std::find(std::begin(kFields), std::end(kFields), FirstWord(text)) != std::end(kFields);
  return is_field && (end == ':' || end == '{');
}

bool IsAnyText(absl::string_view) { return true; }

// First match wins.
constexpr TextForm kTextForms[] = {
    {IsOpenVino, "is OpenVINO IR, which has no way back to ONNX",
     "name the .onnx file that it was converted from, or export the model again: torch.onnx.export(model, args, "
     "'model.onnx', dynamo=True)"},
    {IsHtml, "is a web page, not the model: the download failed", "download it again and look at the address"},
    {IsXml, "is an XML file", kNameOnnx},
    {IsModelAsJson, "is a model as JSON text",
     "convert it with Python: onnx.save(onnx.load('FILE', 'json'), 'model.onnx')"},
    {IsSavedReport, "is a report, saved as JSON", "name the model; the verb `diff` compares saved reports"},
    {IsConfig, "is a configuration, not a model",
     "that of a language model goes to `onnx-hwest llm config.json --target NAME`; else name a .onnx file"},
    {IsJson, "is JSON text", kNameOnnx},
    {IsOnnxText, "is in ONNX's text syntax",
     "convert it with Python: onnx.save(onnx.load('FILE', 'onnxtxt'), 'model.onnx')"},
    {IsTextProto, "is a text protobuf",
     "convert it with Python: onnx.save(onnx.load('FILE', 'textproto'), 'model.onnx')"},
    {IsAnyText, "is a text file", kNameOnnx},
};

bool IsText(absl::string_view head) {
  return std::all_of(head.begin(), head.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return absl::ascii_isspace(byte) || (byte >= 0x20 && byte != 0x7f);
  });
}

// An 8-byte little endian header size, then JSON.
bool IsSafetensors(absl::string_view head) {
  if (head.size() < 10 || head[8] != '{' || (head[9] != '"' && head[9] != '}')) return false;
  return head.substr(5, 3) == absl::string_view("\0\0\0", 3);
}

absl::Status OtherContainer(absl::string_view name, absl::string_view what, absl::string_view remedy) {
  return MakeError(Code::kModelFormat, absl::StrCat(name, " ", what), remedy);
}

}  // namespace

absl::Status CheckContainer(absl::string_view head, absl::string_view name) {
  if (head.empty()) return OtherContainer(name, "is empty", "export or download the file again");
  if (std::all_of(head.begin(), head.end(), [](char c) { return c == 0; })) {
    return OtherContainer(name, "holds zero bytes where a model should start", "export or download the file again");
  }
  const absl::string_view in_zip = FirstInZip(head);
  for (const Archive& archive : kArchives) {
    if (archive.matches(in_zip)) return OtherContainer(name, archive.what, archive.remedy);
  }
  for (const Magic& magic : kMagics) {
    if (head.size() < magic.offset || !absl::StartsWith(head.substr(magic.offset), magic.bytes)) continue;
    return OtherContainer(name, magic.what, magic.remedy);
  }
  if (IsSafetensors(head)) {
    return OtherContainer(name, "is a safetensors file: weights without a graph", kExport);
  }
  if (!IsText(head)) return absl::OkStatus();
  const absl::string_view text = absl::StripLeadingAsciiWhitespace(absl::StripPrefix(head, kByteOrderMark));
  for (const TextForm& form : kTextForms) {
    if (form.matches(text)) return OtherContainer(name, form.what, form.remedy);
  }
  return absl::OkStatus();
}

}  // namespace hwest
