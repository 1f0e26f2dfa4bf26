"""Models whose operators have another form in an older operator set, in ONNX's text form: (from, to, graph).

Initialisers called w, w2, .. without contents are drawn at random, one called `positive` above 0.
"""

CASES = [
    (18, 17, """(float[2,3,4] x) => (float[2,1,4] y) <int64[1] a = {1}> {
 y = ReduceMean(x, a)
}"""),
    (18, 10, """(float[2,3,4] x) => (float[2,3] y) <int64[1] a = {-1}> {
 y = ReduceL2<keepdims=0>(x, a)
}"""),
    (18, 13, """(float[2,3,4] x) => (float[1,1,1] y) {
 y = ReduceMax(x)
}"""),
    (13, 11, """(float[2,3,4] x) => (float[2,1,4] y) <int64[1] a = {1}> {
 y = ReduceSum(x, a)
}"""),
    (13, 12, """(float[2,1,4] x) => (float[2,4,1] y) <int64[1] a = {1}, int64[1] b = {-1}> {
 s = Squeeze(x, a)
 y = Unsqueeze(s, b)
}"""),
    (13, 9, """(float[2,1,4] x) => (float[2,4,1] y) <int64[1] a = {-2}, int64[1] b = {-1}> {
 s = Squeeze(x, a)
 y = Unsqueeze(s, b)
}"""),
    (13, 12, """(float[6,4] x) => (float[2,4] y, float[4,4] z) <int64[2] s = {2, 4}> {
 y, z = Split<axis=0>(x, s)
}"""),
    (18, 11, """(float[7,4] x) => (float[3,4] y, float[3,4] z, float[1,4] v) {
 y, z, v = Split<axis=0, num_outputs=3>(x)
}"""),
    (18, 13, """(float[6,4] x) => (float[3,4] y, float[3,4] z) {
 y, z = Split<axis=0, num_outputs=2>(x)
}"""),
    (17, 10, """(float[2,6] x) => (float[2,6] y) <float lo = {-0.5}, float hi = {1.5}> {
 a = Clip(x, lo, hi)
 y = Clip(a, , hi)
}"""),
    (17, 10, """(float[1,3,4,4] x) => (float[1,3,6,6] y) <int64[8] p = {0,0,1,1,0,0,1,1}, float v = {2.5}> {
 y = Pad(x, p, v)
}"""),
    (18, 10, """(float[1,3,4,4] x) => (float[1,3,7,4] y) <int64[2] p = {1, 2}, float v = {2.5}, int64[1] a = {-2}> {
 y = Pad(x, p, v, a)
}"""),
    (18, 13, """(float[1,3,4,4] x) => (float[1,3,5,6] y) <int64[4] p = {1, 1, 0, 1}, int64[2] a = {2, 3}> {
 y = Pad<mode="reflect">(x, p, , a)
}"""),
    (17, 9, """(float[2,6] x) => (float[2,3] y)
 <int64[1] s = {1}, int64[1] e = {4}, int64[1] a = {1}, int64[1] t = {1}> {
 y = Slice(x, s, e, a, t)
}"""),
    (17, 9, """(float[2,6] x) => (float[2,5] y)
 <int64[1] s = {1}, int64[1] e = {9223372036854775807}, int64[1] a = {1}> {
 y = Slice(x, s, e, a)
}"""),
    (17, 9, """(float[2,6] x) => (float[2,2] y) <int64[1] k = {2}> {
 y, i = TopK(x, k)
}"""),
    (17, 10, """(float[2,6] x) => (float[2,2] y) <int64[1] k = {2}> {
 y, i = TopK<largest=1>(x, k)
}"""),
    (17, 11, """(float[2,6] x) => (float[2,6] y) <float r = {0.3}> {
 a = Dropout<seed=3>(x, r)
 y = Neg(a)
}"""),
    (17, 11, """(float[2,6] x) => (float[2,6] y) {
 y = Softmax(x)
}"""),
    (17, 10, """(float[2,3,6] x) => (float[2,3,6] y) {
 a = LogSoftmax<axis=-1>(x)
 y = Hardmax<axis=2>(a)
}"""),
    (17, 11, """(float[2,6,4] x) => (float[2,6,4] y) {
 y = Softmax<axis=1>(x)
}"""),
    (17, 11, """(float[2,6,1] x) => (float[2,6,1] y) {
 y = Softmax<axis=1>(x)
}"""),
    (17, 12, """(float[1,3,4,4] x) => (float[1,3,4,4] y)
 <float[3] positive, float[3] w2, float[3] w3, float[3] m = {1, 2, 3}> {
 y = BatchNormalization<training_mode=0>(x, positive, w2, w3, m)
}"""),
    (18, 13, """(float[1,3,4,4] x) => (float[1,3,8,8] y) <float[4] s = {1, 1, 2, 2}> {
 y = Resize<mode="linear", antialias=0>(x, , s)
}"""),
    (19, 11, """(float[1,3,4,4] x) => (float[1,3,8,8] y) <int64[4] s = {1, 3, 8, 8}> {
 y = Resize<mode="nearest", coordinate_transformation_mode="half_pixel">(x, , , s)
}"""),
    (17, 10, """(float[1,3,4,4] x) => (float[1,3,8,8] y) <int64[4] s = {1, 3, 8, 8}> {
 y = Resize<mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor">(x, , , s)
}"""),
    (17, 12, """(float[2,6] x) => (float[3,4] y) <int64[2] s = {3, 4}> {
 y = Reshape<allowzero=0>(x, s)
}"""),
    (17, 13, """(float[2,6] x) => (float[3,4] y) <int64[2] s = {3, 4}> {
 y = Reshape<allowzero=1>(x, s)
}"""),
    (17, 13, """(float[2,6] x) => (int64[2] y) {
 y = Shape<start=0>(x)
}"""),
    (17, 11, """(float[2,6] x) => (float[2,6] y) {
 s = Shape<start=1>(x)
 f = Cast<to=1>(s)
 g = GreaterOrEqual(f, f)
 h = Cast<to=1>(g)
 y = Add(x, h)
}"""),    (17, 11, """(float[2,6] x) => (float[2,6] y) {
 c = Constant<value_float=2.5>()
 d = Constant<value_floats=[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]>()
 a = Mul(x, c)
 y = Add(a, d)
}"""),
    (17, 10, """(float[2,6] x) => (float[6,2] y) {
 s = Constant<value_ints=[6, -1]>()
 y = Reshape(x, s)
}"""),
    (20, 17, """(float[1,2,4,4] x, float[1,3,3,2] g) => (float[1,2,3,3] y) {
 y = GridSample<mode="linear">(x, g)
}"""),
    (17, 14, """(float[2,6] x) => (float[2,6] y) {
 a = Cast<to=10>(x)
 y = Cast<to=1>(a)
}"""),
    (19, 13, """(float[2,6] x) => (float[2,6] y) <float s = {0.1}, uint8 z = {10}> {
 a = QuantizeLinear(x, s, z)
 y = DequantizeLinear(a, s, z)
}"""),
    (17, 10, """(float[2,6] x) => (float[2,6] y) <float s = {0.1}, uint8 z = {10}> {
 a = QuantizeLinear(x, s, z)
 y = DequantizeLinear(a, s, z)
}"""),
    (17, 10, """(float[2,6,3] x) => (float[2,18] y) <int64 i = {1}> {
 g = Flatten<axis=-2>(x)
 a = Concat<axis=-1>(g, g)
 b = Neg(g)
 y = Add(b, b)
}"""),
    # Operators that the older set lacks, which a rule writes out.
    (20, 17, """(float[2,6] x) => (float[2,6] y) {
 y = Gelu(x)
}"""),
    (20, 13, """(float[2,6] x) => (float[2,6] y) {
 y = Gelu<approximate="tanh">(x)
}"""),
    (17, 13, """(float[2,6] x) => (float[2,6] y) {
 y = HardSwish(x)
}"""),
    (18, 16, """(float[2,6] x) => (float[2,6] y) {
 y = Mish(x)
}"""),
    (17, 16, """(float[2,3,6] x) => (float[2,3,6] y) <float[6] w, float[6] w2> {
 y = LayerNormalization(x, w, w2)
}"""),
    (21, 17, """(float[2,4,3,3] x) => (float[2,4,3,3] y) <float[4] w, float[4] w2> {
 y = GroupNormalization<num_groups=2>(x, w, w2)
}"""),
    (17, 11, """(float[2,6] x, float[2,6] z) => (bool[2,6] y) {
 y = GreaterOrEqual(x, z)
}"""),
    # Axis -2 where none is named; version 17 took 1.
    (20, 17, """(float[2,8,3,1] x) => (float[2,8,3,2] y) {
 y = DFT(x)
}"""),
    (20, 17, """(float[2,8,3,1] x) => (float[2,8,2,2] y) <int64 axis = {2}> {
 y = DFT<onesided=1>(x, , axis)
}"""),
    # Nodes of bodies, and of bodies of these.
    (18, 10, """(float[2,3,4] x, float[2,3,4] z) => (float[2,3,1] y) <int64[1] axis = {2}, float lo = {0}> {
 s = ReduceMax<keepdims=0>(x)
 c = Greater(s, lo)
 y = If(c) <then_branch = t () => (float[2,3,1] u) {
  u = ReduceMax(x, axis)
 }, else_branch = e () => (float[2,3,1] v) {
  p = Clip(z, lo)
  v = ReduceMean(p, axis)
 }>
}"""),
    (18, 12, """(float[2,3] x) => (float[2,3] y)
 <int64 count = {3}, int64[1] axis = {1}, float lo = {-1}, float hi = {1}, bool yes = {1}> {
 y = Loop(count, yes, x) <body = b (int64 i, bool go, float[2,3] s) => (bool more, float[2,3] t) {
  more = Identity(go)
  m = ReduceMean(s, axis)
  r = ReduceMax<keepdims=0>(s)
  k = Less(r, hi)
  n = If(k) <then_branch = f () => (float[2,3] u) {
   h = Squeeze(m, axis)
   a = Unsqueeze(h, axis)
   u = Add(s, a)
  }, else_branch = e () => (float[2,3] v) {
   v = Clip(s, lo, hi)
  }>
  t = Add(n, m)
 }>
}"""),
]
