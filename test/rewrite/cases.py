"""One small model for each rewrite rule, in ONNX's text form.

Initialisers called w, w2, .. without contents are drawn at random, one called `positive` above 0. A rule may have
several cases.
"""

MS = "com.microsoft"


def case(rule, graph, opset=17, **options):
    return {"rule": rule, "graph": graph, "opset": opset, **options}


LN = """ m = ReduceMean<axes=[-1], keepdims=1>(x)
 d = Sub(x, m)
 q = Pow(d, two)
 v = ReduceMean<axes=[-1], keepdims=1>(q)
 e = Add(v, eps)
 r = Sqrt(e)
 n = Div(d, r)
"""

CASES = [
    case("constants_folded", """(float[2,6] x) => (float[3,4] y) <int64[1] a = {3}, int64[1] b = {4}> {
 s = Concat<axis=0>(a, b)
 y = Reshape(x, s)
}"""),
    case("dead_removed", """(float[2,6] x) => (float[2,6] y) {
 z = Neg(x)
 t = Abs(z)
 y = Relu(x)
}"""),
    case("identity_removed", """(float[2,6] x) => (float[2,6] y) {
 a = Identity(x)
 b = Identity(a)
 y = Relu(b)
}"""),
    case("dropout_removed", """(float[2,6] x) => (float[2,6] y) {
 a = Dropout(x)
 y = Relu(a)
}"""),
    case("cast_removed", """(float[2,6] x) => (float[2,6] y) {
 a = Cast<to=1>(x)
 y = Relu(a)
}"""),
    case("nothing_removed", """(float[2,6] x) => (float[2,6] y) <int64[2] s = {2, 6}, int64[4] p = {0, 0, 0, 0}> {
 a = Reshape(x, s)
 b = Transpose<perm=[0, 1]>(a)
 c = Concat<axis=1>(b)
 d = Pad(c, p)
 y = Relu(d)
}"""),
    case("nan_guard_removed", """(float[2,6] x) => (float[2,6] y) <float zero = {0}> {
 s = Softmax<axis=-1>(x)
 n = IsNaN(s)
 w = Where(n, zero, s)
 y = Neg(w)
}"""),
    case("nan_guard_removed", """(float[6,6] x) => (float[6,6] y) <float zero = {0}, float eight = {8},
 float[1,6] m = {0, 0, 0, 0, -10000, -10000}> {
 a = MatMul(x, x)
 b = Div(a, eight)
 c = Add(b, m)
 s = Softmax<axis=-1>(c)
 n = IsNaN(s)
 w = Where(n, zero, s)
 y = Neg(w)
}"""),
    case("masked_nan_guard_removed",
         """(float[6,6] x) => (float[6,6] y) <float zero = {0}, float[1,6] limits = {99, 0, 0, 0, 0, 0}> {
 b = Greater(x, limits)
 k = Log(zero)
 m = Where(b, k, zero)
 a = Add(x, m)
 s = Softmax<axis=-1>(a)
 n = IsNaN(s)
 w = Where(n, zero, s)
 y = Neg(w)
}"""),
    case("transposes_joined", """(float[2,3,4] x) => (float[4,2,3] y) {
 a = Transpose<perm=[1, 0, 2]>(x)
 b = Transpose<perm=[2, 1, 0]>(a)
 y = Relu(b)
}"""),
    case("reshapes_joined", """(float[2,3,4] x) => (float[4,6] y) <int64[1] s = {-1}, int64[2] t = {4, 6}> {
 a = Reshape(x, s)
 b = Reshape(a, t)
 y = Relu(b)
}"""),
    case("expand_removed", """(float[2,3] x, float[1,3] z) => (float[2,3] y) <int64[2] s = {2, 3}> {
 e = Expand(z, s)
 y = Add(x, e)
}"""),
    case("where_decided", """(float[2,3] x, float[2,3] z) => (float[2,3] y) <bool[1] c = {1}> {
 a = Where(c, x, z)
 y = Relu(a)
}"""),
    case("where_refused", """(float[2,3] x, float[2,3] z) => (float[2,3] y) <bool[1] c = {0}> {
 a = Where(c, x, z)
 y = Relu(a)
}"""),
    case("pad_into_conv", """(float[1,3,8,8] x) => (float[1,4,10,9] y) <float[4,3,3,3] w, float zero = {0},
 int64[8] p = {0, 0, 1, 0, 0, 0, 1, 1}> {
 a = Pad(x, p, zero)
 y = Conv<kernel_shape=[3,3], pads=[1,1,1,1]>(a, w)
}"""),
    case("pad_into_average_pool", """(float[1,3,8,8] x) => (float[1,3,8,8] y) <int64[8] p = {0, 0, 1, 1, 0, 0, 1, 1}> {
 a = Pad(x, p)
 y = AveragePool<kernel_shape=[3,3]>(a)
}"""),
    case("split_to_slices", """(float[2,6] x) => (float[2,4] y, float[2,2] z) <int64[2] s = {4, 2}> {
 a, b = Split<axis=1>(x, s)
 y = Relu(a)
 z = Neg(b)
}"""),
    case("gather_to_slice", """(float[4,6] x) => (float[2,6] y) <int64[2] i = {1, 2}> {
 a = Gather<axis=0>(x, i)
 y = Relu(a)
}"""),
    case("gather_scalar_to_slice", """(float[4,6] x) => (float[4] y) <int64 i = {-1}> {
 a = Gather<axis=1>(x, i)
 y = Relu(a)
}"""),
    case("space_to_depth_to_reshapes", """(float[1,3,8,8] x) => (float[1,12,4,4] y) {
 a = SpaceToDepth<blocksize=2>(x)
 y = Relu(a)
}"""),
    case("space_to_depth_from_reshapes", """(float[1,3,8,8] x) => (float[1,12,4,4] y)
 <int64[6] s = {1, 3, 4, 2, 4, 2}, int64[4] t = {1, 12, 4, 4}> {
 a = Reshape(x, s)
 b = Transpose<perm=[0,3,5,1,2,4]>(a)
 c = Reshape(b, t)
 y = Relu(c)
}"""),
    case("depth_to_space_to_reshapes", """(float[1,12,4,4] x) => (float[1,3,8,8] y) {
 a = DepthToSpace<blocksize=2>(x)
 y = Relu(a)
}"""),
    case("depth_to_space_to_reshapes", """(float[1,12,4,4] x) => (float[1,3,8,8] y) {
 a = DepthToSpace<blocksize=2, mode="CRD">(x)
 y = Relu(a)
}"""),
    case("depth_to_space_from_reshapes", """(float[1,12,4,4] x) => (float[1,3,8,8] y)
 <int64[6] s = {1, 2, 2, 3, 4, 4}, int64[4] t = {1, 3, 8, 8}> {
 a = Reshape(x, s)
 b = Transpose<perm=[0,3,4,1,5,2]>(a)
 c = Reshape(b, t)
 y = Relu(c)
}"""),
    case("pixel_shuffle_from_reshapes", """(float[1,12,4,4] x) => (float[1,3,8,8] y)
 <int64[6] s = {1, 3, 2, 2, 4, 4}, int64[4] t = {1, 3, 8, 8}> {
 a = Reshape(x, s)
 b = Transpose<perm=[0,1,4,2,5,3]>(a)
 c = Reshape(b, t)
 y = Relu(c)
}"""),
    case("view_to_reshape", """(float[2,3,4] x) => (float[2,12] y) {
 a = Flatten<axis=1>(x)
 y = Relu(a)
}"""),
    case("reshape_to_flatten", """(float[2,3,4] x) => (float[2,12] y) <int64[2] s = {2, -1}> {
 a = Reshape(x, s)
 y = Relu(a)
}"""),
    case("split_before_transpose",
         """(float[1,5,3,2,4] x) => (float[1,2,5,4] y) <int64[3] s = {1, 1, 1}, int64[1] a = {0}> {
 t = Transpose<perm=[2, 0, 3, 1, 4]>(x)
 p, q, r = Split<axis=0>(t, s)
 b = Squeeze(p, a)
 c = Squeeze(q, a)
 d = Squeeze(r, a)
 e = Add(b, c)
 y = Mul(e, d)
}"""),
    case("slice_before_transpose",
         """(float[1,5,3,2,4] x) => (float[1,1,2,5,4] y) <int64[1] z = {0}, int64[1] one = {1},
 int64[1] far = {9223372036854775807}, int64[1] two = {2}> {
 t = Transpose<perm=[2, 0, 3, 1, 4]>(x)
 p = Slice(t, z, one, z)
 q = Slice(t, two, far, z, one)
 y = Add(p, q)
}"""),
    case("gather_before_transpose",
         """(float[1,5,3,2,4] x) => (float[1,2,5,4] y) <int64 zero = {0}, int64 last = {-1}> {
 t = Transpose<perm=[2, 0, 3, 1, 4]>(x)
 p = Gather<axis=0>(t, zero)
 q = Gather<axis=0>(t, last)
 y = Add(p, q)
}"""),
    case("expand_to_tile", """(float[1,3] x) => (float[4,3] y) <int64[2] s = {4, 3}> {
 a = Expand(x, s)
 y = Relu(a)
}"""),
    case("tile_to_expand", """(float[2,1,3] x) => (float[2,4,3] y) <int64[3] r = {1, 4, 1}> {
 a = Tile(x, r)
 y = Relu(a)
}"""),
    case("tile_to_concat", """(float[2,3] x) => (float[2,9] y) <int64[2] r = {1, 3}> {
 a = Tile(x, r)
 y = Relu(a)
}"""),
    case("softmax_axis_moved", """(float[2,5,4] x) => (float[2,5,4] y) {
 y = Softmax<axis=1>(x)
}"""),
    case("log_softmax_axis_moved", """(float[2,5,4] x) => (float[2,5,4] y) {
 y = LogSoftmax<axis=1>(x)
}"""),
    case("gelu_from_erf",
         """(float[2,6] x) => (float[2,6] y) <float h = {0.5}, float r = {1.41421356}, float one = {1}> {
 a = Div(x, r)
 b = Erf(a)
 c = Add(b, one)
 d = Mul(x, c)
 y = Mul(d, h)
}""", opset=20),
    case("gelu_from_tanh",
         """(float[2,6] x) => (float[2,6] y) <float h = {0.5}, float k = {0.044715}, float s = {0.79788456},
 float one = {1}, float three = {3}> {
 p = Pow(x, three)
 a = Mul(p, k)
 b = Add(x, a)
 c = Mul(b, s)
 t = Tanh(c)
 u = Add(t, one)
 d = Mul(x, h)
 y = Mul(d, u)
}""", opset=20),
    case("gelu_from_erf",
         """(float[2,6] x) => (float[2,6] y) <float h = {0.5}, float two = {2}, float root = {1.4142135}> {
 a = Div(x, root)
 b = Erf(a)
 c = Div(b, two)
 d = Add(c, h)
 y = Mul(x, d)
}""", opset=20),
    case("gelu_from_tanh",
         """(float[2,6] x) => (float[2,6] y) <float h = {0.5}, float k = {0.044715}, float s = {0.79788456},
 float one = {1}> {
 a = Mul(x, k)
 b = Mul(a, x)
 c = Add(one, b)
 d = Mul(x, s)
 e = Mul(d, c)
 t = Tanh(e)
 u = Add(t, one)
 v = Mul(u, h)
 y = Mul(x, v)
}""", opset=20),
    case("gelu_to_erf", "(float[2,6] x) => (float[2,6] y) { y = Gelu(x) }", opset=20),
    case("gelu_to_tanh", '(float[2,6] x) => (float[2,6] y) { y = Gelu<approximate="tanh">(x) }', opset=20),
    case("gelu_approximated", "(float[2,6] x) => (float[2,6] y) { y = Gelu(x) }", opset=20),
    case("gelu_erf_to_tanh",
         """(float[2,6] x) => (float[2,6] y) <float h = {0.5}, float r = {1.41421356}, float one = {1}> {
 a = Div(x, r)
 b = Erf(a)
 c = Add(b, one)
 d = Mul(x, c)
 y = Mul(d, h)
}"""),
    case("ms_gelu_to_erf", f"(float[2,6] x) => (float[2,6] y) {{ y = {MS}.Gelu(x) }}"),
    case("bias_gelu_to_erf", f"(float[2,6] x) => (float[2,6] y) <float[6] w> {{ y = {MS}.BiasGelu(x, w) }}"),
    case("fast_gelu_to_tanh", f"(float[2,6] x) => (float[2,6] y) <float[6] w> {{ y = {MS}.FastGelu(x, w) }}"),
    case("fast_gelu_to_tanh", f"(float[2,6] x) => (float[2,6] y) {{ y = {MS}.FastGelu(x) }}"),
    case("quick_gelu_to_sigmoid", f"(float[2,6] x) => (float[2,6] y) {{ y = {MS}.QuickGelu<alpha=1.5>(x) }}"),
    case("hardswish_from_parts",
         """(float[2,6] x) => (float[2,6] y) <float three = {3}, float zero = {0}, float six = {6}> {
 a = Add(x, three)
 b = Clip(a, zero, six)
 c = Div(b, six)
 y = Mul(x, c)
}"""),
    case("hardswish_from_parts",
         """(float[2,6] x) => (float[2,6] y) <float three = {3}, float zero = {0}, float six = {6},
 float sixth = {0.16666667}> {
 a = Add(x, three)
 b = Max(a, zero)
 c = Min(b, six)
 d = Mul(x, sixth)
 y = Mul(d, c)
}"""),
    case("hardswish_to_hardsigmoid", "(float[2,6] x) => (float[2,6] y) { y = HardSwish(x) }"),
    case("hardswish_to_clip", "(float[2,6] x) => (float[2,6] y) { y = HardSwish(x) }"),
    case("hardsigmoid_from_clip",
         """(float[2,6] x) => (float[2,6] y) <float three = {3}, float zero = {0}, float six = {6}> {
 a = Add(x, three)
 b = Clip(a, zero, six)
 y = Div(b, six)
}"""),
    case("hardsigmoid_from_clip",
         """(float[2,6] x) => (float[2,6] y) <float half = {0.5}, float zero = {0}, float one = {1},
 float six = {6}> {
 a = Div(x, six)
 b = Add(a, half)
 y = Clip(b, zero, one)
}"""),
    case("softplus_guard_removed", """(float[2,6] x) => (float[2,6] y) <float most = {20}> {
 s = Softplus(x)
 g = Greater(x, most)
 y = Where(g, x, s)
}"""),
    case("hardsigmoid_to_clip", "(float[2,6] x) => (float[2,6] y) { y = HardSigmoid<alpha=0.3, beta=0.4>(x) }"),
    case("silu_from_parts", """(float[2,6] x) => (float[2,6] y) {
 s = Sigmoid(x)
 y = Mul(x, s)
}""", opset=24),
    case("swish_to_sigmoid", "(float[2,6] x) => (float[2,6] y) { y = Swish<alpha=1.5>(x) }", opset=24),
    case("mish_from_parts", """(float[2,6] x) => (float[2,6] y) {
 s = Softplus(x)
 t = Tanh(s)
 y = Mul(x, t)
}""", opset=18),
    case("mish_to_parts", "(float[2,6] x) => (float[2,6] y) { y = Mish(x) }", opset=18),
    case("prelu_to_leaky", """(float[2,3,4,4] x) => (float[2,3,4,4] y) <float[3,1,1] s = {0.2, 0.2, 0.2}> {
 y = PRelu(x, s)
}"""),
    case("prelu_to_relus", "(float[2,3,4,4] x) => (float[2,3,4,4] y) <float[3,1,1] w> { y = PRelu(x, w) }"),
    case("leaky_to_relus", "(float[2,6] x) => (float[2,6] y) { y = LeakyRelu<alpha=0.1>(x) }"),
    case("relu6_from_min", """(float[2,6] x) => (float[2,6] y) <float zero = {0}, float six = {6}> {
 a = Max(x, zero)
 y = Min(a, six)
}"""),
    case("relu_from_max", "(float[2,6] x) => (float[2,6] y) <float zero = {0}> { y = Max(x, zero) }"),
    case("softsign_to_div", "(float[2,6] x) => (float[2,6] y) { y = Softsign(x) }"),
    case("elu_to_relus", "(float[2,6] x) => (float[2,6] y) { y = Elu<alpha=0.7>(x) }"),
    case("softmax_to_parts", "(float[2,6] x) => (float[2,6] y) { y = Softmax(x) }"),
    case("log_softmax_to_parts", "(float[2,6] x) => (float[2,6] y) { y = LogSoftmax(x) }"),
    case("layer_norm_from_parts", """(float[2,5,8] x) => (float[2,5,8] y) <float two = {2}, float eps = {0.00001},
 float[8] w, float[8] w2> {
""" + LN + """ s = Mul(n, w)
 y = Add(s, w2)
}"""),
    case("layer_norm_from_parts", """(float[2,5,8] x) => (float[2,5,8] y) <float two = {2}, float eps = {0.00001},
 float[8] w, float[8] w2> {
 m = ReduceMean<axes=[-1], keepdims=1>(x)
 d = Sub(x, m)
 q = Mul(d, d)
 v = ReduceMean<axes=[-1], keepdims=1>(q)
 e = Add(v, eps)
 r = Sqrt(e)
 i = Reciprocal(r)
 f = Mul(i, w)
 a = Mul(x, f)
 b = Mul(m, f)
 c = Sub(w2, b)
 y = Add(a, c)
}"""),
    case("layer_norm_from_parts",
         """(float[2,5,8] x) => (float[2,5,8] y) <float eps = {0.00001}, float[8] w, float[8] w2> {
 m = ReduceMean<axes=[-1], keepdims=1>(x)
 q = Mul(x, x)
 o = ReduceMean<axes=[-1], keepdims=1>(q)
 p = Mul(m, m)
 v = Sub(o, p)
 e = Add(v, eps)
 r = Sqrt(e)
 i = Reciprocal(r)
 f = Mul(i, w)
 a = Mul(x, f)
 k = Neg(m)
 b = Mul(k, f)
 c = Add(b, w2)
 y = Add(a, c)
}"""),
    case("layer_norm_from_core", """(float[2,5,8] x) => (float[2,5,8] y) <float two = {2}, float eps = {0.00001}> {
""" + LN + """ y = Neg(n)
}"""),
    case("layer_norm_to_parts", """(float[2,5,8] x) => (float[2,5,8] y) <float[8] w, float[8] w2> {
 y = LayerNormalization<axis=-1, epsilon=0.001>(x, w, w2)
}"""),
    case("layer_norm_to_parts", """(float[2,5,8] x) => (float[2,5,8] y) <float[5,8] w> {
 y = LayerNormalization<axis=1>(x, w)
}"""),
    case("rms_norm_from_parts",
         """(float[2,5,8] x) => (float[2,5,8] y) <float two = {2}, float eps = {0.00001}, float[8] w,
 int64[1] a = {-1}> {
 q = Pow(x, two)
 v = ReduceMean<keepdims=1>(q, a)
 e = Add(v, eps)
 r = Sqrt(e)
 n = Div(x, r)
 y = Mul(n, w)
}""", opset=23),
    case("rms_norm_from_parts",
         """(float[2,5,8] x) => (float[2,5,8] y) <float eps = {0.00001}, float[8] w, int64[1] a = {-1}> {
 q = Mul(x, x)
 v = ReduceMean<keepdims=1>(q, a)
 e = Add(v, eps)
 r = Sqrt(e)
 i = Reciprocal(r)
 f = Mul(i, w)
 y = Mul(x, f)
}""", opset=23),
    case("rms_norm_to_parts", """(float[2,5,8] x) => (float[2,5,8] y) <float[8] w> {
 y = RMSNormalization<axis=-1, epsilon=0.001>(x, w)
}""", opset=23),
    case("simplified_norm_to_parts", """(float[2,5,8] x) => (float[2,5,8] y) <float[8] w> {
 y = SimplifiedLayerNormalization<axis=-1, epsilon=0.001>(x, w)
}""", check=False),
    case("skip_layer_norm_to_parts", f"""(float[2,5,8] x, float[2,5,8] s) => (float[2,5,8] y, float[2,5,8] z)
 <float[8] w, float[8] w2, float[8] w3> {{
 y, u, v, z = {MS}.SkipLayerNormalization<epsilon=0.001>(x, s, w, w2, w3)
}}""", unused=["u", "v"]),
    case("skip_rms_norm_to_parts",
         f"""(float[2,5,8] x, float[2,5,8] s) => (float[2,5,8] y, float[2,5,8] z) <float[8] w> {{
 y, u, v, z = {MS}.SkipSimplifiedLayerNormalization<epsilon=0.001>(x, s, w)
}}""", unused=["u", "v"]),
    case("group_norm_to_instance_norm", """(float[2,6,4,4] x) => (float[2,6,4,4] y) <float[6] w, float[6] w2> {
 y = GroupNormalization<num_groups=3, epsilon=0.001>(x, w, w2)
}""", opset=21),
    case("instance_norm_to_parts", """(float[2,6,4,4] x) => (float[2,6,4,4] y) <float[6] w, float[6] w2> {
 y = InstanceNormalization<epsilon=0.001>(x, w, w2)
}"""),
    case("batch_norm_into_conv",
         """(float[1,3,8,8] x) => (float[1,96,8,8] y) <float[96,3,3,3] w, float[96] w1, float[96] w2,
 float[96] w3, float[96] w4, float[96] positive> {
 c = Conv<kernel_shape=[3,3], pads=[1,1,1,1]>(x, w, w1)
 y = BatchNormalization<epsilon=0.001>(c, w2, w3, w4, positive)
}"""),
    case("batch_norm_into_conv",
         """(float[1,8,8,8] x) => (float[1,8,8,8] y) <float[8,1,3,3] w, float[8] w2, float[8] w3,
 float[8] w4, float[8] positive> {
 c = Conv<kernel_shape=[3,3], pads=[1,1,1,1], group=8>(x, w)
 y = BatchNormalization(c, w2, w3, w4, positive)
}"""),
    case("batch_norm_to_mul_add", """(float[1,3,8,8] x) => (float[1,3,8,8] y) <float[3] w2, float[3] w3, float[3] w4,
 float[3] positive> {
 y = BatchNormalization(x, w2, w3, w4, positive)
}"""),
    case("l2_norm_to_parts", "(float[2,6] x) => (float[2,6] y) { y = LpNormalization<axis=-1, p=2>(x) }"),
    case("mean_to_global_pool", """(float[2,3,4,5] x) => (float[2,3,1,1] y) {
 y = ReduceMean<axes=[2,3], keepdims=1>(x)
}"""),
    case("flat_mean_to_global_pool", """(float[2,3,4,5] x) => (float[2,3] y) {
 y = ReduceMean<axes=[-1,-2], keepdims=0>(x)
}"""),
    case("global_pool_to_mean", "(float[2,3,4,5] x) => (float[2,3,1,1] y) { y = GlobalAveragePool(x) }"),
    case("global_pool_to_mean", "(float[2,3,4,5] x) => (float[2,3,1,1] y) { y = GlobalAveragePool(x) }", opset=18),
    case("global_pool_to_pool", "(float[2,3,4,5] x) => (float[2,3,1,1] y) { y = GlobalAveragePool(x) }"),
    case("pool_to_global_pool", """(float[2,3,4,5] x) => (float[2,3,1,1] y) {
 y = AveragePool<kernel_shape=[4,5]>(x)
}"""),
    case("global_max_to_reduce", "(float[2,3,4,5] x) => (float[2,3,1,1] y) { y = GlobalMaxPool(x) }"),
    case("reduce_max_to_global", """(float[2,3,4,5] x) => (float[2,3,1,1] y) {
 y = ReduceMax<axes=[2,3], keepdims=1>(x)
}"""),
    case("large_average_pool_split", """(float[1,3,12,12] x) => (float[1,3,2,2] y) {
 y = AveragePool<kernel_shape=[6,6], strides=[6,6]>(x)
}"""),
    case("sum_to_mean", """(float[2,3,4] x) => (float[2,4] y) <int64[1] a = {1}> {
 y = ReduceSum<keepdims=0>(x, a)
}"""),
    case("mean_to_sum", "(float[2,3,4] x) => (float[2,1,4] y) { y = ReduceMean<axes=[1]>(x) }"),
    case("l2_to_sum", "(float[2,3,4] x) => (float[2,4] y) { y = ReduceL2<axes=[1], keepdims=0>(x) }"),
    case("sum_square_to_sum", "(float[2,3,4] x) => (float[2,4] y) { y = ReduceSumSquare<axes=[1], keepdims=0>(x) }"),
    case("gemm_to_matmul", "(float[2,6] x) => (float[2,5] y) <float[6,5] w, float[5] w2> { y = Gemm(x, w, w2) }"),
    case("transposed_gemm_to_matmul", """(float[2,6] x) => (float[2,5] y) <float[5,6] w, float[5] w2> {
 y = Gemm<transB=1>(x, w, w2)
}"""),
    case("matmul_add_to_gemm", """(float[2,6] x) => (float[2,5] y) <float[6,5] w, float[5] w2> {
 m = MatMul(x, w)
 y = Add(w2, m)
}"""),
    case("batched_matmul_add_to_gemm", """(float[2,3,6] x) => (float[2,3,5] y) <float[6,5] w, float[5] w2> {
 m = MatMul(x, w)
 y = Add(w2, m)
}"""),
    case("matmul_to_matrix", "(float[2,3,6] x) => (float[2,3,5] y) <float[6,5] w> { y = MatMul(x, w) }"),
    case("gemm_to_conv", """(float[2,6] x) => (float[2,5] y) <float[5,6] w, float[5] w2> {
 y = Gemm<transB=1>(x, w, w2)
}"""),
    case("gemm_to_conv", """(float[2,96] x) => (float[2,80] y) <float[80,96] w> { y = Gemm<transB=1>(x, w) }"""),
    case("image_norm_into_conv", """(float[1,3,6,6] x) => (float[1,4,4,4] y) <float[1,3,1,1] m = {0.4, 0.5, 0.6},
 float[1,3,1,1] s = {0.2, 0.25, 0.3}, float[4,3,3,3] w, float[4] w2> {
 a = Sub(x, m)
 b = Div(a, s)
 y = Conv(b, w, w2)
}"""),
    case("image_norm_into_conv", """(float[1,3,6,6] x) => (float[1,3,6,6] y) <float[3,1,1] s = {0.2, 0.25, 0.3},
 float[3,1,3,3] w> {
 b = Mul(s, x)
 y = Conv<pads=[1,1,1,1], group=3>(b, w)
}"""),
    case("image_norm_to_conv", """(float[1,3,6,6] x) => (float[1,3,6,6] y) <float[1,3,1,1] m = {0.4, 0.5, 0.6},
 float[3,1,1] s = {0.2, 0.25, 0.3}> {
 a = Sub(x, m)
 b = Div(a, s)
 y = Relu(b)
}"""),
    case("image_factor_to_conv", """(float[1,3,6,6] x) => (float[1,3,6,6] y) <float[1,3,1,1] m = {0.4, 0.5, 0.6}> {
 a = Sub(x, m)
 y = Relu(a)
}"""),
    case("image_norm_to_conv", """(float[1,3,6,6] x) => (float[1,3,6,6] y) <float m = {-1}, float s = {0.0078125}> {
 a = Mul(x, s)
 b = Add(m, a)
 y = Relu(b)
}"""),
    case("mean_to_matmul", """(float[2,3,4] x) => (float[2,3,1] y) {
 y = ReduceMean<axes=[-1]>(x)
}"""),
    case("mean_to_matmul", """(float[2,3,4,5] x) => (float[2,3] y) {
 y = ReduceMean<axes=[2,3], keepdims=0>(x)
}"""),
    case("mean_to_matmul", """(float[2,3,4,5] x) => (float[2,3,1,1] y) {
 y = GlobalAveragePool(x)
}"""),
    # Saved by ONNX Runtime behind its optimiser, in the blocks of this machine: 20 channels fill none of either width.
    case("blocks_to_plain",
         """(float[1,3,9,9] x) => (float[1,20,1,1] y) <float[20,3,3,3] w, float[20] w2, float[20,20,1,1] w3,
 float[32,1,3,3] w4, float[32,20,3,3] w5, float[32] w6, float[20,32,1,1] w7, float[20] w8> {
 a = Conv<pads=[1,1,1,1], strides=[2,2], kernel_shape=[3,3]>(x, w, w2)
 b = Relu(a)
 c = MaxPool<kernel_shape=[2,2], strides=[1,1]>(b)
 d = Conv<kernel_shape=[3,3], pads=[1,1,1,1]>(c, w5, w6)
 e = HardSigmoid(d)
 k = Conv<kernel_shape=[3,3], pads=[1,1,1,1], group=32>(e, w4)
 f = Conv<kernel_shape=[1,1]>(k, w7, w8)
 g = Add(f, c)
 h = Relu(g)
 i = Conv<kernel_shape=[1,1]>(h, w3)
 y = GlobalAveragePool(i)
}""", optimised=True),
    case("conv1d_to_conv2d", """(float[1,16,20] x) => (float[1,24,10] y) <float[24,16,5] w, float[24] w2> {
 y = Conv<kernel_shape=[5], strides=[2], pads=[2,2]>(x, w, w2)
}"""),
    case("patches_to_channels", """(float[1,3,16,16] x) => (float[1,32,2,2] y) <float[32,3,8,8] w, float[32] w2> {
 y = Conv<kernel_shape=[8,8], strides=[8,8]>(x, w, w2)
}"""),
    case("patches_to_channels", """(float[1,2,4,4] x) => (float[1,3,2,2] y) <float[3,2,2,2] w> {
 y = Conv<kernel_shape=[2,2], strides=[2,2]>(x, w)
}"""),
    case("pool_padding_counted", """(float[1,3,8,8] x) => (float[1,3,4,4] y) {
 y = AveragePool<kernel_shape=[3,3], strides=[2,2], pads=[1,1,1,1]>(x)
}"""),
    case("matmul_to_three_axes", "(float[2,3,4,5] x, float[2,3,5,6] z) => (float[2,3,4,6] y) { y = MatMul(x, z) }"),
    case("einsum_to_matmul", """(float[2,3,4,5] x, float[2,7,4,5] z) => (float[2,4,3,7] y) {
 y = Einsum<equation="bihd,bjhd->bhij">(x, z)
}"""),
    case("attention_to_parts",
         "(float[2,4,5,8] q, float[2,4,7,8] k, float[2,4,7,6] v) => (float[2,4,5,6] y) { y = Attention(q, k, v) }",
         opset=23),
    # Heads packed into one axis, two of queries to one of keys, a mask of true and false, and its own scale.
    case("attention_to_parts", """(float[2,5,32] q, float[2,7,16] k, float[2,7,12] v, float[5,7] b) => (float[2,5,24] y)
 <float near = {-1.5}> {
 m = Greater(b, near)
 y = Attention<q_num_heads=4, kv_num_heads=2, scale=0.3>(q, k, v, m)
}""", opset=23),
    case("attention_to_parts",
         """(float[1,2,6,8] q, float[1,2,6,8] k, float[1,2,6,8] v, float[1,1,6,6] m) => (float[1,2,6,8] y) {
 y = Attention<is_causal=1>(q, k, v, m)
}""", opset=23),
    case("attention_from_parts",
         """(float[2,4,5,8] q, float[2,4,7,8] k, float[2,4,7,6] v, float[1,1,5,7] m) => (float[2,4,5,6] y)
 <float f = {2.8284}, float zero = {0}> {
 t = Transpose<perm=[0,1,3,2]>(k)
 a = MatMul(q, t)
 b = Div(a, f)
 c = Add(b, m)
 p = Softmax<axis=-1>(c)
 n = IsNaN(p)
 w = Where(n, zero, p)
 y = MatMul(w, v)
}""", opset=23),
    case("attention_from_parts", """(float[2,4,5,8] q, float[2,4,8,7] t, float[2,4,7,6] v) => (float[2,4,5,6] y) {
 a = MatMul(q, t)
 p = Softmax<axis=-1>(a)
 y = MatMul(p, v)
}""", opset=23),
    case("quantized_to_signed", """(float[2,6] x) => (float[2,6] y) <float s = {0.02}, uint8 z = {117}> {
 q = QuantizeLinear(x, s, z)
 y = DequantizeLinear(q, s, z)
}"""),
    case("quantized_to_signed", """(float[2,3] x) => (float[2,3] y) <float[3] s = {0.02, 0.01, 0.03}> {
 q = QuantizeLinear<axis=1>(x, s)
 y = DequantizeLinear<axis=1>(q, s)
}"""),
    case("quantized_to_unsigned",
         """(float[2,3] x) => (float[2,3] y) <float[3] s = {0.02, 0.01, 0.03}, int8[3] z = {-3, 0, 127}> {
 q = QuantizeLinear<axis=1>(x, s, z)
 y = DequantizeLinear<axis=1>(q, s, z)
}"""),
    case("quantized_weights_to_signed",
         """(float[1,3,5,5] x) => (float[1,2,5,5] y) <uint8[2,3,1,1] q = {0, 7, 255, 128, 9, 127},
 float[2] s = {0.02, 0.01}, uint8[2] z = {117, 128}> {
 w = DequantizeLinear<axis=0>(q, s, z)
 y = Conv(x, w)
}"""),
    case("quantized_weights_to_signed",
         """(float[2,3] x) => (float[2,2] y) <uint8[3,2] q = {0, 7, 255, 128, 9, 127}, float s = {0.02}> {
 w = DequantizeLinear(q, s)
 y = MatMul(x, w)
}"""),
    case("quantized_weights_to_signed",
         """(float[2,70] x) => (float[2,90] y) <uint8[70,90] w, float s = {0.02}, uint8 z = {131}> {
 d = DequantizeLinear(w, s, z)
 y = MatMul(x, d)
}"""),
    case("quantized_weights_to_unsigned",
         """(float[2,3] x) => (float[2,2] y) <int8[3,2] q = {0, 7, -128, 127, -9, 1}, float s = {0.02},
 int8 z = {-3}> {
 w = DequantizeLinear(q, s, z)
 y = MatMul(x, w)
}"""),
    case("resize_to_asymmetric", """(float[1,2,3,5] x) => (float[1,2,6,15] y) <int64[4] s = {1, 2, 6, 15}> {
 y = Resize<mode="nearest">(x, , , s)
}"""),
    case("resize_to_asymmetric", """(float[1,2,3,5] x) => (float[1,2,9,10] y) <float[4] f = {1, 1, 3, 2}> {
 y = Resize<mode="nearest", nearest_mode="round_prefer_ceil",
            coordinate_transformation_mode="pytorch_half_pixel">(x, , f)
}"""),
    case("resize_to_half_pixel", """(float[1,2,3,5] x) => (float[1,2,12,10] y) <float[4] f = {1, 1, 4, 2}> {
 y = Resize<mode="nearest", nearest_mode="floor", coordinate_transformation_mode="asymmetric">(x, , f)
}"""),
    case("resize_to_half_pixel", """(float[1,2,3,5] x) => (float[1,2,7,9] y) <int64[4] s = {1, 2, 7, 9}> {
 y = Resize<mode="linear", coordinate_transformation_mode="pytorch_half_pixel">(x, , , s)
}"""),
    case("fused_conv_to_conv", f"""(float[1,3,8,8] x) => (float[1,4,4,4] y) <float[4,3,3,3] w, float[4] w2> {{
 y = {MS}.FusedConv<activation="Relu", kernel_shape=[3,3], strides=[2,2], pads=[1,1,1,1]>(x, w, w2)
}}"""),
    case("fused_conv_to_conv",
         f"""(float[1,4,8,8] x, float[1,4,8,8] z) => (float[1,4,8,8] y) <float[4,2,1,1] w, float[4] w2> {{
 y = {MS}.FusedConv<activation="Relu", kernel_shape=[1,1], group=2>(x, w, w2, z)
}}"""),
    case("fused_conv_to_conv", f"""(float[1,3,8,8] x) => (float[1,4,8,8] y) <float[4,3,1,1] w, float[4] w2> {{
 a = {MS}.FusedConv<activation="Clip", activation_params=[0.0, 0.5], kernel_shape=[1,1]>(x, w, w2)
 b = {MS}.FusedConv<activation="LeakyRelu", activation_params=[0.1], kernel_shape=[1,1]>(x, w, w2)
 c = {MS}.FusedConv<activation="HardSigmoid", activation_params=[0.3, 0.4], kernel_shape=[1,1]>(x, w)
 d = Add(a, b)
 e = {MS}.FusedConv<activation="Clip", activation_params=[0.0, 3.4028234663852886e38], kernel_shape=[1,1]>(x, w, w2)
 f = Add(c, e)
 y = Add(f, d)
}}"""),
    case("fused_gemm_to_gemm", f"""(float[2,5] x) => (float[2,6] y) <float[6,5] w, float[6] w2> {{
 y = {MS}.FusedGemm<activation="LeakyRelu", activation_alpha=0.2, alpha=0.5, transB=1>(x, w, w2)
}}"""),
    case("fused_gemm_to_gemm", f"""(float[2,5] x) => (float[2,6] y) <float[5,6] w> {{
 y = {MS}.FusedGemm<activation="Relu">(x, w)
}}"""),
    case("fused_matmul_to_matmul", f"""(float[2,4,5] x, float[2,5,6] z) => (float[2,4,6] y) {{
 y = {MS}.FusedMatMul<alpha=0.5>(x, z)
}}"""),
    case("transposed_fused_matmul", f"""(float[2,4,5] x, float[2,6,5] z) => (float[2,4,6] y) {{
 y = {MS}.FusedMatMul<alpha=0.5, transB=1>(x, z)
}}"""),
    case("transposed_fused_matmul", f"""(float[3,4,2,5] x, float[6,4,2,5] z) => (float[4,2,3,6] y) {{
 y = {MS}.FusedMatMul<alpha=0.5, transB=1, transBatchA=1, transBatchB=1>(x, z)
}}"""),
    case("transposed_fused_matmul", f"""(float[2,5,4] x, float[2,5,6] z) => (float[2,4,6] y) {{
 y = {MS}.FusedMatMul<transA=1>(x, z)
}}"""),
    case("skip_rms_norm_to_parts", f"""(float[2,5,8] x, float[2,5,8] z) => (float[2,5,8] y) <float[8] w> {{
 y = {MS}.SkipSimplifiedLayerNormalization<epsilon=0.001>(x, z, w)
}}""", opset=18),
    case("sub_to_add", "(float[2,6] x) => (float[2,6] y) <float[6] w> { y = Sub(x, w) }"),
    case("sub_to_negated_add", "(float[2,6] x, float[6] z) => (float[2,6] y) { y = Sub(x, z) }"),
    case("div_to_mul", "(float[2,6] x) => (float[2,6] y) <float[6] positive> { y = Div(x, positive) }"),
    case("pow_two_to_mul", "(float[2,6] x) => (float[2,6] y) <float two = {2}> { y = Pow(x, two) }"),
    case("pow_three_to_mul", "(float[2,6] x) => (float[2,6] y) <float three = {3}> { y = Pow(x, three) }"),
    case("pow_half_to_sqrt", """(float[2,6] x) => (float[2,6] y) <float h = {0.5}> {
 a = Abs(x)
 y = Pow(a, h)
}"""),
    case("pow_inverse_to_reciprocal", "(float[2,6] x) => (float[2,6] y) <float k = {-1}> { y = Pow(x, k) }"),
    case("neg_to_mul", "(float[2,6] x) => (float[2,6] y) { y = Neg(x) }"),
    case("reciprocal_to_div", "(float[2,6] x) => (float[2,6] y) { y = Reciprocal(x) }"),
    case("div_to_reciprocal", "(float[2,6] x) => (float[2,6] y) <float one = {1}> { y = Div(one, x) }"),
    case("sqrt_to_pow", """(float[2,6] x) => (float[2,6] y) {
 a = Abs(x)
 y = Sqrt(a)
}"""),
    case("abs_to_max", "(float[2,6] x) => (float[2,6] y) { y = Abs(x) }"),
    case("sum_to_adds", "(float[2,6] x, float[2,6] z, float[6] v) => (float[2,6] y) { y = Sum(x, z, v) }"),
    case("max_of_two", "(float[2,6] x, float[2,6] z, float[6] v) => (float[2,6] y) { y = Max(x, z, v) }"),
    case("min_of_two", "(float[2,6] x, float[2,6] z, float[6] v) => (float[2,6] y) { y = Min(x, z, v) }"),
    case("clip_to_min_max", """(float[2,6] x) => (float[2,6] y) <float low = {-0.5}, float high = {0.7}> {
 y = Clip(x, low, high)
}"""),
    case("greater_or_equal_to_less", """(float[2,6] x, float[2,6] z) => (float[2,6] y) {
 c = GreaterOrEqual(x, z)
 y = Where(c, x, z)
}"""),
    case("less_or_equal_to_greater", """(float[2,6] x, float[2,6] z) => (float[2,6] y) {
 c = LessOrEqual(x, z)
 y = Where(c, x, z)
}"""),
    case("conv_to_gemm", """(float[2,6,3,4] x) => (float[2,5,1,1] y) <float[5,6,3,4] w, float[5] w2> {
 y = Conv<kernel_shape=[3,4]>(x, w, w2)
}"""),
    case("conv_to_gemm", """(float[2,96,1,1] x) => (float[2,80,1,1] y) <float[80,96,1,1] w> {
 y = Conv<kernel_shape=[1,1], strides=[2,2]>(x, w)
}"""),
    case("pointwise_conv_to_matmul", """(float[2,6,3,4] x) => (float[2,5,3,4] y) <float[5,6,1,1] w, float[5] w2> {
 y = Conv<kernel_shape=[1,1]>(x, w, w2)
}"""),
    # A bias of zeros adds nothing.
    case("pointwise_conv_to_matmul", """(float[1,6,3,4] x) => (float[1,5,3,4] y)
 <float[5,6,1,1] w, float[5] b = {0, 0, 0, 0, 0}> {
 y = Conv<kernel_shape=[1,1]>(x, w, b)
}"""),
    case("pointwise_conv_to_matmul", "(float[1,96,7] x) => (float[1,80,7] y) <float[80,96,1] w> { y = Conv(x, w) }"),
    case("matmul_to_conv", """(float[2,7,6] x) => (float[2,7,5] y) <float[6,5] w, float[5] w2> {
 a = MatMul(x, w)
 y = Add(a, w2)
}"""),
    case("matmul_to_conv", "(float[2,3,4,96] x) => (float[2,3,4,80] y) <float[96,80] w> { y = MatMul(x, w) }"),
    # Too large to be turned in a run: the nodes that turn the weights stay.
    case("matmul_to_conv", "(float[1,3,600] x) => (float[1,3,600] y) <float[600,600] w> { y = MatMul(x, w) }"),
    case("patches_to_matmul", """(float[2,3,16,24] x) => (float[2,32,2,3] y) <float[32,3,8,8] w, float[32] w2> {
 y = Conv<kernel_shape=[8,8], strides=[8,8]>(x, w, w2)
}"""),
    case("conv2d_to_conv1d", """(float[1,8,1,20] x) => (float[1,12,1,10] y) <float[12,4,1,5] w, float[12] w2> {
 y = Conv<kernel_shape=[1,5], strides=[1,2], pads=[0,1,0,3], group=2>(x, w, w2)
}"""),
    case("conv2d_to_conv1d", """(float[1,8,20,1] x) => (float[1,12,18,1] y) <float[12,8,3,1] w> {
 y = Conv<kernel_shape=[3,1]>(x, w)
}"""),
    case("strided_pointwise_to_slice", """(float[1,8,7,9] x) => (float[1,12,4,3] y) <float[12,4,1,1] w, float[12] w2> {
 y = Conv<kernel_shape=[1,1], strides=[2,3], group=2>(x, w, w2)
}"""),
    case("large_conv_split", """(float[1,3,30,20] x) => (float[1,4,15,20] y) <float[4,3,11,9] w, float[4] w2> {
 y = Conv<kernel_shape=[11,9], strides=[2,1], pads=[5,4,5,4]>(x, w, w2)
}"""),
    case("large_conv_split", """(float[1,4,40,9] x) => (float[1,4,10,9] y) <float[4,1,16,1] w> {
 y = Conv<kernel_shape=[16,1], dilations=[2,1], group=4>(x, w)
}"""),
    case("large_max_pool_split", """(float[1,3,12,8] x) => (float[1,3,2,2] y) {
 y = MaxPool<kernel_shape=[6,4], strides=[6,4]>(x)
}"""),
    case("large_average_pool_split", """(float[1,3,12,8] x) => (float[1,3,3,1] y) {
 y = AveragePool<kernel_shape=[4,8], strides=[4,8]>(x)
}"""),
    case("wide_max_pool_split", """(float[1,3,12,8] x) => (float[1,3,12,8] y) {
 a = MaxPool<kernel_shape=[7,7], pads=[3,3,3,3]>(x)
 b = MaxPool<kernel_shape=[9,9], pads=[4,4,4,4]>(x)
 c = MaxPool<kernel_shape=[13,13], pads=[6,6,6,6]>(x)
 d = Add(a, b)
 y = Add(d, c)
}"""),
    case("pointwise_deconv_to_conv", """(float[1,6,3,4] x) => (float[1,5,3,4] y) <float[6,5,1,1] w, float[5] w2> {
 y = ConvTranspose<kernel_shape=[1,1]>(x, w, w2)
}"""),
    case("resize_to_expand", """(float[1,2,3,5] x) => (float[1,2,6,15] y) <int64[4] s = {1, 2, 6, 15}> {
 y = Resize<mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor">(x, , , s)
}"""),
    case("resize_to_expand", """(float[1,2,3,5] x) => (float[1,2,3,10] y) <float[4] f = {1, 1, 1, 2}> {
 y = Resize<mode="nearest">(x, , f)
}"""),
    case("resize_of_pixel_to_expand", """(float[1,6,1,1] x) => (float[1,6,7,9] y) <int64[4] s = {1, 6, 7, 9}> {
 y = Resize<mode="linear", coordinate_transformation_mode="align_corners">(x, , , s)
}"""),
    case("resize_of_pixel_to_expand", """(float[1,6,1,1] x) => (float[1,6,7,9] y) <int64[4] s = {1, 6, 7, 9}> {
 y = Resize<mode="linear", coordinate_transformation_mode="pytorch_half_pixel">(x, , , s)
}"""),
    case("resize_to_slice", """(float[1,2,8,12] x) => (float[1,2,4,3] y) <float[4] f = {1, 1, 0.5, 0.25}> {
 y = Resize<mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor">(x, , f)
}"""),
    case("resize_half_to_average_pool", """(float[1,2,8,12] x) => (float[1,2,4,6] y) <int64[4] s = {1, 2, 4, 6}> {
 y = Resize<mode="linear">(x, , , s)
}"""),
    case("slices_to_split", """(float[2,9] x) => (float[2,4] y, float[2,5] z) <int64[1] zero = {0}, int64[1] four = {4},
 int64[1] end = {9223372036854775807}, int64[1] a = {1}, int64[1] back = {-1}> {
 c = Slice(x, four, end, back)
 b = Slice(x, zero, four, a)
 y = Relu(b)
 z = Neg(c)
}"""),
    case("slices_to_split",
         """(float[6,2] x) => (float[2,2] y) <int64[1] zero = {0}, int64[1] two = {2}, int64[1] four = {4},
 int64[1] six = {6}> {
 a = Slice(x, zero, two)
 b = Slice(x, two, four)
 c = Slice(x, four, six)
 d = Mul(a, b)
 y = Sub(d, c)
}""", opset=11),
    case("slice_to_gather",
         """(float[4,6] x) => (float[4] y, float[6] z) <int64[1] s = {-1}, int64[1] e = {9223372036854775807},
 int64[1] a = {1}, int64[1] two = {2}, int64[1] three = {3}, int64[1] zero = {0}> {
 b = Slice(x, s, e, a)
 y = Squeeze(b, a)
 c = Slice(x, two, three, zero)
 z = Squeeze(c, zero)
}"""),
    case("shared_matmul_to_matrix", "(float[2,3,4,5] x, float[1,5,6] z) => (float[2,3,4,6] y) { y = MatMul(x, z) }"),
    case("shared_matmul_to_matrix", "(float[1,1,4,5] x, float[1,1,5,6] z) => (float[1,1,4,6] y) { y = MatMul(x, z) }"),
    case("vector_matmul_to_matrix", "(float[5] x, float[2,5,6] z) => (float[2,6] y) { y = MatMul(x, z) }"),
    case("vector_matmul_to_matrix", "(float[2,4,5] x, float[5] z) => (float[2,4] y) { y = MatMul(x, z) }"),
    case("matmul_to_four_axes", "(float[3,4,5] x, float[3,5,6] z) => (float[3,4,6] y) { y = MatMul(x, z) }"),
    case("matmul_to_einsum", "(float[2,3,4,5] x, float[2,3,5,6] z) => (float[2,3,4,6] y) { y = MatMul(x, z) }"),
    case("constant_indices_to_int32", """(float[4,6] x) => (float[4,3] y) <int64[3] i = {5, 0, -2}> {
 y = Gather<axis=1>(x, i)
}"""),
    case("indices_to_int32", "(float[4,6] x, int64[2,3] i) => (float[4,2,3] y) { y = Gather<axis=1>(x, i) }"),
    case("indices_to_int32", "(float[4,6] x, int64[4,3] i) => (float[4,3] y) { y = GatherElements<axis=1>(x, i) }"),
    case("indices_of_int32_kept", """(float[4,6] x, int32[3] i) => (float[4,3] y) {
 c = Cast<to=7>(i)
 y = Gather<axis=1>(x, c)
}"""),
    case("comparison_in_int32", """(int32[4,6] i, float[4,6] x, float[4,6] z) => (float[4,6] y) <int64 one = {1}> {
 c = Cast<to=7>(i)
 g = GreaterOrEqual(c, one)
 y = Where(g, x, z)
}"""),
    case("instance_norm_from_parts", """(float[2,6,4,4] x) => (float[2,6,4,4] y) <float two = {2}, float eps = {0.001},
 float[6,1,1] w, float[1,6,1,1] w2> {
 m = ReduceMean<axes=[2,3], keepdims=1>(x)
 d = Sub(x, m)
 q = Pow(d, two)
 v = ReduceMean<axes=[-1,-2], keepdims=1>(q)
 e = Add(v, eps)
 r = Sqrt(e)
 n = Div(d, r)
 s = Mul(n, w)
 y = Add(s, w2)
}"""),
    case("instance_norm_from_core", """(float[2,6,9] x) => (float[2,6,9] y) <float eps = {0.001}> {
 m = ReduceMean<axes=[2], keepdims=1>(x)
 d = Sub(x, m)
 q = Mul(d, d)
 v = ReduceMean<axes=[2], keepdims=1>(q)
 e = Add(eps, v)
 r = Sqrt(e)
 i = Reciprocal(r)
 n = Mul(d, i)
 y = Neg(n)
}"""),
    case("group_norm_from_instance_norm", """(float[2,6,4,4] x) => (float[2,6,4,4] y) <int64[3] s = {0, 3, -1},
 int64[4] t = {2, 6, 4, 4}, float[3] one = {1, 1, 1}, float[3] zero = {0, 0, 0}, float[6,1,1] w, float[6,1,1] w2> {
 a = Reshape(x, s)
 n = InstanceNormalization<epsilon=0.001>(a, one, zero)
 b = Reshape(n, t)
 c = Mul(b, w)
 y = Add(c, w2)
}""", opset=21),
    case("group_norm_from_parts",
         """(float[2,6,4,4] x) => (float[2,6,4,4] y) <int64[3] s = {0, 3, -1}, int64[1] axis = {-1},
 int64[4] t = {2, 6, 4, 4}, float eps = {0.001}, float[6,1,1] w, float[6,1,1] w2> {
 a = Reshape(x, s)
 m = ReduceMean(a, axis)
 d = Sub(a, m)
 q = Mul(d, d)
 v = ReduceMean(q, axis)
 e = Add(v, eps)
 r = Sqrt(e)
 n = Div(d, r)
 b = Reshape(n, t)
 c = Mul(b, w)
 y = Add(c, w2)
}""", opset=21),
    case("group_norm_to_parts", """(float[2,6,4,4] x) => (float[2,6,4,4] y) <float[6] w, float[6] w2> {
 y = GroupNormalization<num_groups=3, epsilon=0.001>(x, w, w2)
}""", opset=21),
    case("skip_layer_norm_from_parts",
         """(float[2,5,8] x, float[2,5,8] z) => (float[2,5,8] y) <float[8] w, float[8] w2> {
 s = Add(x, z)
 y = LayerNormalization<axis=-1, epsilon=0.001>(s, w, w2)
}"""),
    case("ms_gelu_from_erf",
         """(float[2,6] x) => (float[2,6] y) <float h = {0.5}, float r = {1.41421356}, float one = {1}> {
 a = Div(x, r)
 b = Erf(a)
 c = Add(b, one)
 d = Mul(x, c)
 y = Mul(d, h)
}"""),
    case("quick_gelu_from_sigmoid", """(float[2,6] x) => (float[2,6] y) <float a = {1.5}> {
 b = Mul(x, a)
 s = Sigmoid(b)
 y = Mul(x, s)
}"""),
    case("fused_matmul_from_parts", """(float[2,4,5] x, float[2,5,6] z) => (float[2,4,6] y) <float f = {0.125}> {
 m = MatMul(x, z)
 y = Mul(m, f)
}"""),
    case("add_to_sub", "(float[2,6] x) => (float[2,6] y) <float[6] w> { y = Add(x, w) }"),
    case("mul_to_div", "(float[2,6] x) => (float[2,6] y) <float[6] positive> { y = Mul(x, positive) }"),
    case("mul_to_square", "(float[2,6] x) => (float[2,6] y) { y = Mul(x, x) }"),
]
