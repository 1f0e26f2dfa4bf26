// Times of single layers, many at once.
#include "app/predictor.h"

#include <memory>
#include <utility>

#include "base/status_macros.h"
#include "guard.h"
#include "handles.h"
#include "hwest.h"
#include "request.h"

namespace hwest::capi {
namespace {

absl::Status MakePredictor(const hwest_options* options, hwest_predictor** predictor) {
  HWEST_ASSIGN_OR_RETURN(const hwest_options asked, CopyIn("options", options));
  HWEST_ASSIGN_OR_RETURN(RequestDraft draft, DraftOf(asked));
  HWEST_ASSIGN_OR_RETURN(std::unique_ptr<app::Predictor> made, app::Predictor::Make(std::move(draft)));
  *predictor = new hwest_predictor{std::move(made)};
  return absl::OkStatus();
}

hwest_status Predict(hwest_predictor* predictor, app::LayerForm form, const char* activation, const int64_t* sizes,
                     uint64_t count, double* seconds) {
  return Guard([&]() -> absl::Status {
    if (predictor == nullptr) return NullArgument("predictor");
    if (count == 0) return absl::OkStatus();
    if (sizes == nullptr) return NullArgument("sizes");
    if (seconds == nullptr) return NullArgument("seconds");
    return predictor->predictor->Run(form, activation != nullptr ? activation : "",
                                     {sizes, count * app::LayerColumns(form)}, {seconds, count});
  });
}

}  // namespace
}  // namespace hwest::capi

using hwest::app::LayerForm;
using hwest::capi::Guard;
using hwest::capi::NullArgument;

hwest_status hwest_predictor_create(const hwest_options* options, hwest_predictor** predictor) {
  return Guard([&]() -> absl::Status {
    if (predictor == nullptr) return NullArgument("predictor");
    return hwest::capi::MakePredictor(options, predictor);
  });
}

void hwest_predictor_free(hwest_predictor* predictor) { delete predictor; }

hwest_status hwest_predictor_conv(hwest_predictor* predictor, const char* activation, const int64_t* sizes,
                                  uint64_t count, double* seconds) {
  return hwest::capi::Predict(predictor, LayerForm::kConv, activation, sizes, count, seconds);
}

hwest_status hwest_predictor_matmul(hwest_predictor* predictor, const char* activation, const int64_t* sizes,
                                    uint64_t count, double* seconds) {
  return hwest::capi::Predict(predictor, LayerForm::kProduct, activation, sizes, count, seconds);
}
