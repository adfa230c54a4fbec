/**
 * The elementwise primitives in WGSL, and the functions that every shader of this executor begins with. sin and cos are polynomials of
 * our own (Cephes' single-precision ones behind a three-part reduction by pi/2, good to about 1e-7 for |x| < 1e4): WGSL promises 2^-11.
 * tanh is formed of exp because drivers overflow in it.
 */
import type { BinaryOp, UnaryOp } from '../shapes.ts';

export const UNARY_WGSL: Readonly<Record<UnaryOp, (x: string) => string>> = {
  neg: (x) => `-${x}`,
  exp: (x) => `exp(${x})`,
  log: (x) => `log(${x})`,
  sqrt: (x) => `sqrt(${x})`,
  abs: (x) => `abs(${x})`,
  tanh: (x) => `tanh_(${x})`,
  sigmoid: (x) => `sigmoid_(${x})`,
  relu: (x) => `max(${x}, 0f)`,
  elu: (x) => `elu_(${x})`,
  softplus: (x) => `softplus_(${x})`,
  gelu: (x) => `gelu_(${x})`,
  sin: (x) => `sin_(${x})`,
  cos: (x) => `cos_(${x})`,
  square: (x) => `${x} * ${x}`,
  sign: (x) => `sign(${x})`,
};

const compare = (sign: string) => (a: string, b: string) => `select(0f, 1f, ${a} ${sign} ${b})`;
export const BINARY_WGSL: Readonly<Record<BinaryOp, (a: string, b: string) => string>> = {
  add: (a, b) => `${a} + ${b}`,
  sub: (a, b) => `${a} - ${b}`,
  mul: (a, b) => `${a} * ${b}`,
  div: (a, b) => `${a} / ${b}`,
  min: (a, b) => `min(${a}, ${b})`,
  max: (a, b) => `max(${a}, ${b})`,
  eq: compare('=='),
  lt: compare('<'),
  le: compare('<='),
  gt: compare('>'),
  ge: compare('>='),
};

/** Functions by name; a shader gets those it calls. */
const FUNCTIONS: Readonly<Record<string, string>> = {
  opaque: 'fn opaque(x: f32) -> f32 { return x; }',
  tanh_: `fn tanh_(x: f32) -> f32 {
  let a = abs(x);
  if (a < 0.25f) { let z = x * x; return x + x * z * (-0.333333333f + z * (0.133333333f + z * (-0.053968254f + z * 0.021869489f))); }
  return sign(x) * (1f - 2f / (exp(2f * min(a, 15f)) + 1f));
}`,
  sigmoid_: 'fn sigmoid_(x: f32) -> f32 { return 1f / (1f + exp(min(-x, 87f))); }',
  elu_: 'fn elu_(x: f32) -> f32 { return select(exp(min(x, 0f)) - 1f, x, x > 0f); }',
  softplus_: 'fn softplus_(x: f32) -> f32 { return max(x, 0f) + log(1f + exp(-abs(x))); }',
  gelu_: 'fn gelu_(x: f32) -> f32 { return 0.5f * x * (1f + tanh_(0.7978845608f * (x + 0.044715f * x * x * x))); }',
  quarter: `fn quarter(x: f32, shift: i32) -> f32 {
  let n = round(x * 0.636619772f);
  let r = ((x - n * 1.5703125f) - n * 4.837512969970703e-4f) - n * 7.549789948768648e-8f;
  let z = r * r;
  let s = ((-1.9515295891e-4f * z + 8.3321608736e-3f) * z - 1.6666654611e-1f) * z * r + r;
  let c = ((2.443315711809948e-5f * z - 1.388731625493765e-3f) * z + 4.166664568298827e-2f) * z * z - 0.5f * z + 1f;
  let q = (i32(n) + shift) & 3;
  let v = select(s, c, (q & 1) == 1);
  return select(v, -v, q >= 2);
}`,
  sin_: 'fn sin_(x: f32) -> f32 { return quarter(x, 0); }',
  cos_: 'fn cos_(x: f32) -> f32 { return quarter(x, 1); }',
  // Cephes' single-precision exponential and logarithm: kernels of our own agree with float64 wherever they run.
  exp_: `fn exp_(x: f32) -> f32 {
  let a = clamp(x, -87.3f, 88f);
  let n = round(a * 1.44269504f);
  let r = (a - n * 0.693359375f) + n * 2.12194440e-4f;
  var p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  return select((p * r * r + r + 1f) * bitcast<f32>(u32(i32(n) + 127) << 23u), 0f, x < -87.3f);
}`,
  log_: `fn log_(x: f32) -> f32 {
  let bits = bitcast<u32>(x);
  var m = bitcast<f32>((bits & 0x7fffffu) | 0x3f000000u);
  var e = f32(i32(bits >> 23u) - 126);
  if (m < 0.70710678f) { e -= 1f; m = m + m; }
  m -= 1f;
  let z = m * m;
  var y = 7.0376836292e-2f;
  y = y * m - 1.1514610310e-1f;
  y = y * m + 1.1676998740e-1f;
  y = y * m - 1.2420140846e-1f;
  y = y * m + 1.4249322787e-1f;
  y = y * m - 1.6668057665e-1f;
  y = y * m + 2.0000714765e-1f;
  y = y * m - 2.4999993993e-1f;
  y = y * m + 3.3333331174e-1f;
  return (m + ((y * m * z - 2.12194440e-4f * e) - 0.5f * z)) + 0.693359375f * e;
}`,
  // Philox 4x32-10 of math/rng.ts: word (low, high) of the stream of a key.
  high_: `fn high_(a: u32, b: u32) -> u32 {
  let al = a & 0xffffu;
  let ah = a >> 16u;
  let bl = b & 0xffffu;
  let bh = b >> 16u;
  let mid = ah * bl + ((al * bl) >> 16u);
  let low = al * bh + (mid & 0xffffu);
  return ah * bh + (mid >> 16u) + (low >> 16u);
}`,
  random_: `fn random_(key0: u32, key1: u32, low: u32, high: u32) -> u32 {
  var c = vec4<u32>(low >> 2u, high, 0u, 0u);
  var k = vec2<u32>(key0, key1);
  for (var r = 0u; r < 10u; r++) {
    let h0 = high_(0xd2511f53u, c.x);
    let h1 = high_(0xcd9e8d57u, c.z);
    c = vec4<u32>(h1 ^ c.y ^ k.x, 0xcd9e8d57u * c.z, h0 ^ c.w ^ k.y, 0xd2511f53u * c.x);
    k += vec2<u32>(0x9e3779b9u, 0xbb67ae85u);
  }
  return c[low & 3u];
}`,
};

/** The functions that this text calls, and those that they call. */
export function functionsFor(text: string): string {
  const wanted = new Set<string>();
  const look = (code: string): void => {
    for (const [name, body] of Object.entries(FUNCTIONS)) {
      if (wanted.has(name) || !code.includes(`${name}(`)) continue;
      wanted.add(name);
      look(body);
    }
  };
  look(text);
  return [...wanted].map((name) => FUNCTIONS[name]).join('\n');
}
