/**
 * Elementary functions in float64 that give the same bits in every engine, in Node and in a browser: only + - * /, sqrt and
 * bit moves, which IEEE 754 fixes; the transcendental functions of `Math` differ between engines and are not used.
 * Method: reduce the argument (Cody and Waite 1980, constants split in parts whose multiples are exact), then a series
 * long enough for the reduced range. Errors against the true value: sin, cos, exp, log, log1p, pow, atan2 below 1 ulp,
 * tan, tanh, expm1 below 2 ulp. sin, cos and tan keep that for |x| < 1.6e6; beyond, the angle is taken modulo the
 * double nearest to 2 pi: still the same everywhere, no longer accurate.
 */
const LN2_HI = 0.6931471803691238; // 32 bits, so k * LN2_HI is exact
const LN2_LO = 1.9082149292705877e-10;
const INV_LN2 = Math.LOG2E;
const HALF_PI_1 = 1.5707963267341256; // 33 bits
const HALF_PI_2 = 6.077100506303966e-11; // 33 bits
const HALF_PI_3 = 2.0222662487959506e-21;
const TWO_OVER_PI = 0.6366197723675814;
const PI = Math.PI;
const PI_LO = 1.2246467991473532e-16;
const TWO_PI = 6.283185307179586;
const REDUCTION_LIMIT = 1.6e6;
const SQRT2 = Math.SQRT2;
const SPLIT = 134217729; // 2^27 + 1, Veltkamp

/** atan(k / 8) and what rounding it lost. */
const ATAN_HI = Float64Array.of(
  0.0,
  0.12435499454676144,
  0.24497866312686414,
  0.35877067027057225,
  0.4636476090008061,
  0.5585993153435624,
  0.6435011087932844,
  0.7188299996216245,
  0.7853981633974483,
);
const ATAN_LO = Float64Array.of(
  0.0,
  -3.1253241424539383e-18,
  1.0698755618734451e-17,
  -2.4623815582638635e-17,
  2.2698777452961687e-17,
  -5.4556305485916264e-18,
  1.5834785051444286e-17,
  -2.1478388444456983e-17,
  3.061616997868383e-17,
);

const bits = new Float64Array(1);
const words = new Uint32Array(bits.buffer); // little-endian, as on every platform that runs wasm: words[1] holds sign and exponent

/** 2^k for k in -1022..1023. */
function power2(k: number): number {
  words[0] = 0;
  words[1] = (k + 1023) << 20;
  return bits[0]!;
}

/** y * 2^k with at most one rounding. */
function scale(y: number, k: number): number {
  if (k >= -1021 && k <= 1022) return y * power2(k);
  if (k > 0) return k > 1100 ? y * Infinity : y * power2(1000) * power2(k - 1000);
  return k < -1100 ? y * 0 : y * power2(k + 100) * power2(-100);
}

/** sin(r + lo) for |r| <= pi/4 + a little, |lo| tiny. Interpolated at Chebyshev points in r^2: relative error 2e-17. */
export function sinKernel(r: number, lo: number): number {
  const z = r * r;
  const w = z * z;
  const p =
    -0.16666666666666666 +
    0.008333333333330925 * z +
    w * (-0.00019841269836722418 + 2.755731608381636e-6 * z + w * (-2.5051127944014188e-8 + 1.5917848524808262e-10 * z));
  return r + (r * z * p + lo * (1 - 0.5 * z));
}

/** cos(r + lo), likewise; error 1e-18. */
export function cosKernel(r: number, lo: number): number {
  const z = r * r;
  const w = z * z;
  const p =
    0.041666666666666664 -
    0.0013888888888887382 * z +
    w * (2.480158729874307e-5 - 2.7557317260008837e-7 * z + w * (2.0876143827993133e-9 - 1.1382456778061306e-11 * z));
  const half = 0.5 * z;
  const head = 1 - half;
  return head + (1 - head - half + (w * p - r * lo));
}

let reduced = 0;
let reducedLo = 0;

/** x = q * pi/2 + reduced + reducedLo; returns q modulo 4. */
function quadrant(x: number): number {
  let y = x;
  if (!(y < REDUCTION_LIMIT && y > -REDUCTION_LIMIT)) y %= TWO_PI;
  const q = Math.round(y * TWO_OVER_PI);
  const a = y - q * HALF_PI_1; // exact
  const b = q * HALF_PI_2; // exact
  const c = q * HALF_PI_3;
  const head = a - b;
  const lost = a - head - b;
  const hi = head + (lost - c);
  reduced = hi;
  reducedLo = head - hi + (lost - c);
  return q & 3;
}

/** Sine of x rad. */
export function sin(x: number): number {
  if (x < 0.785 && x > -0.785) return x === 0 ? x : sinKernel(x, 0);
  const q = quadrant(x);
  const v = q & 1 ? cosKernel(reduced, reducedLo) : sinKernel(reduced, reducedLo);
  return q & 2 ? -v : v;
}

/** Cosine of x rad. */
export function cos(x: number): number {
  if (x < 0.785 && x > -0.785) return cosKernel(x, 0);
  const q = quadrant(x);
  const v = q & 1 ? sinKernel(reduced, reducedLo) : cosKernel(reduced, reducedLo);
  return q === 1 || q === 2 ? -v : v;
}

/** Tangent of x rad. */
export function tan(x: number): number {
  if (x === 0) return x;
  const q = quadrant(x);
  const s = sinKernel(reduced, reducedLo);
  const c = cosKernel(reduced, reducedLo);
  return q & 1 ? -c / s : s / c;
}

/** e^(r + c) - 1 for |r| <= 0.35, |c| tiny. */
function expKernel(r: number, c: number): number {
  const q =
    0.5 +
    r *
      (1 / 6 +
        r *
          (1 / 24 +
            r *
              (1 / 120 +
                r *
                  (1 / 720 +
                    r *
                      (1 / 5040 +
                        r *
                          (1 / 40320 +
                            r * (1 / 362880 + r * (1 / 3628800 + r * (1 / 39916800 + r * (1 / 479001600 + r / 6227020800))))))))));
  return r + (r * r * q + c * (1 + r * (1 + r * q)));
}

/** e^(x + tail), |tail| below an ulp of x. */
function expWithTail(x: number, tail: number): number {
  if (x > 709.9) return Infinity;
  if (x < -745.2) return 0;
  const k = Math.round(x * INV_LN2);
  const hi = x - k * LN2_HI; // exact
  const lo = k * LN2_LO;
  const r = hi - lo;
  return scale(1 + expKernel(r, hi - r - lo + tail), k);
}

export function exp(x: number): number {
  return Number.isNaN(x) ? x : expWithTail(x, 0);
}

/** e^x - 1 without cancellation near 0. */
export function expm1(x: number): number {
  if (Number.isNaN(x) || x === 0) return x;
  if (x > 709.9) return Infinity;
  if (x < -40) return -1;
  const k = Math.round(x * INV_LN2);
  if (k === 0) return expKernel(x, 0);
  const hi = x - k * LN2_HI;
  const lo = k * LN2_LO;
  const r = hi - lo;
  const e = expKernel(r, hi - r - lo);
  if (k > 60) return scale(1 + e, k);
  const two = power2(k);
  return two - 1 + e * two;
}

let exponent = 0;

/** Mantissa of x > 0 in [sqrt(1/2), sqrt(2)); sets `exponent`. */
function mantissa(x: number): number {
  let shift = 0;
  let y = x;
  if (y < 2.2250738585072014e-308) {
    y *= 18014398509481984; // 2^54: subnormal
    shift = -54;
  }
  bits[0] = y;
  const high = words[1]!;
  exponent = (high >>> 20) - 1023 + shift;
  words[1] = (high & 0xfffff) | 0x3ff00000;
  const m = bits[0]!;
  if (m < SQRT2) return m;
  exponent += 1;
  return 0.5 * m;
}

/** ln(1 + f) + k ln 2 for f in [-0.3, 0.42), with `c` the small part of f. s = f/(2+f): ln(1+f) = 2 (s + s^3/3 + s^5/5 + ..). */
function logKernel(f: number, c: number, k: number): number {
  const s = f / (2 + f);
  const z = s * s;
  const r =
    z *
    (2 / 3 +
      z * (2 / 5 + z * (2 / 7 + z * (2 / 9 + z * (2 / 11 + z * (2 / 13 + z * (2 / 15 + z * (2 / 17 + z * (2 / 19 + z * (2 / 21))))))))));
  const half = 0.5 * f * f;
  // 2 s = f - f^2/2 + s f^2/2, which keeps the leading term exact
  return k * LN2_HI - (half - (s * (half + r) + (k * LN2_LO + c)) - f);
}

/** Natural logarithm. */
export function log(x: number): number {
  if (!(x > 0)) return x === 0 ? -Infinity : Number.NaN;
  if (x === Infinity) return x;
  const m = mantissa(x);
  return logKernel(m - 1, 0, exponent);
}

/** ln(1 + x) without cancellation near 0. */
export function log1p(x: number): number {
  if (!(x > -1)) return x === -1 ? -Infinity : Number.NaN;
  if (x === Infinity || x === 0) return x;
  if (x > -0.29 && x < 0.41) return logKernel(x, 0, 0);
  const u = 1 + x;
  const lost = x > 1 ? 1 - (u - x) : x - (u - 1);
  const m = mantissa(u);
  return logKernel(m - 1, lost / u, exponent);
}

let productLo = 0;

/** a * b rounded; what the rounding lost goes to productLo (Dekker 1971). */
function product(a: number, b: number): number {
  const p = a * b;
  const ta = SPLIT * a;
  const ah = ta - (ta - a);
  const al = a - ah;
  const tb = SPLIT * b;
  const bh = tb - (tb - b);
  const bl = b - bh;
  productLo = al * bl - (p - ah * bh - al * bh - ah * bl);
  return p;
}

let logLo = 0;

/** ln x for x > 0 in two doubles: returns the high one, the low one is in logLo. */
function logDouble(x: number): number {
  const m = mantissa(x);
  const k = exponent;
  const f = m - 1; // exact
  const d = m + 1;
  const dl = m - (d - 1);
  const s = f / d;
  const sd = product(s, d);
  const sl = (f - sd - productLo - s * dl) / d;
  const t = product(s, s);
  const tl = productLo + 2 * s * sl;
  const q =
    t *
    (1 / 5 + t * (1 / 7 + t * (1 / 9 + t * (1 / 11 + t * (1 / 13 + t * (1 / 15 + t * (1 / 17 + t * (1 / 19 + t * (1 / 21 + t / 23)))))))));
  const p = 0.3333333333333333 + q;
  const pl = 0.3333333333333333 - p + q + 1.850371707708594e-17;
  const u = product(t, p);
  const ul = productLo + t * pl + tl * p;
  const v = product(s, u); // s (1 + u) = s + v
  const vl = productLo + s * ul + sl * u;
  const w = s + v;
  const wl = s - w + v + vl + sl;
  const a = k * LN2_HI;
  const hi = a + 2 * w;
  const lo = (k === 0 ? 0 : a - hi + 2 * w) + (2 * wl + k * LN2_LO);
  const head = hi + lo;
  logLo = hi - head + lo;
  return head;
}

/** x^y with the special cases of Math.pow. */
export function pow(x: number, y: number): number {
  if (y === 0) return 1;
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  const magnitude = x < 0 ? -x : x;
  if (y === Infinity || y === -Infinity) {
    if (magnitude === 1) return Number.NaN;
    return magnitude > 1 === y > 0 ? Infinity : 0;
  }
  const whole = Math.floor(y) === y;
  const odd = whole && Math.abs(y) < 9007199254740992 && y % 2 !== 0;
  const negative = odd && (x < 0 || Object.is(x, -0));
  if (magnitude === 0 || magnitude === Infinity) {
    const v = (magnitude === 0) === y > 0 ? 0 : Infinity;
    return negative ? -v : v;
  }
  if (x < 0 && !whole) return Number.NaN;
  const v = positivePower(magnitude, y);
  return negative ? -v : v;
}

function positivePower(x: number, y: number): number {
  if (x === 1 || y === 1) return x;
  if (y === 2) return x * x;
  if (y === 0.5) return Math.sqrt(x);
  const l = logDouble(x);
  const lo = logLo;
  const estimate = y * l;
  if (estimate > 720) return Infinity;
  if (estimate < -760) return 0;
  if (Math.abs(y) > 1e280) return expWithTail(estimate, 0); // the split would overflow; x is 1 to within 1e-270: impossible but for x = 1
  const h = product(y, l);
  return expWithTail(h, productLo + y * lo);
}

/** Hyperbolic tangent. */
export function tanh(x: number): number {
  if (Number.isNaN(x) || x === 0) return x;
  const a = x < 0 ? -x : x;
  let v: number;
  if (a > 22) v = 1;
  else if (a > 0.55) v = 1 - 2 / (exp(2 * a) + 1);
  else {
    const e = expm1(2 * a);
    v = e / (e + 2);
  }
  return x < 0 ? -v : v;
}

let atanLo = 0;

/** atan of a / b for 0 <= a <= b, b > 0: high part; atanLo holds the rest. */
function atanKernel(a: number, b: number): number {
  const ratio = a / b;
  const k = Math.round(8 * ratio);
  const c = k / 8; // a - c b keeps its bits: c has at most 4
  const t = k === 0 ? ratio : (a - c * b) / (b + c * a);
  const z = t * t;
  const p = z * (-1 / 3 + z * (1 / 5 + z * (-1 / 7 + z * (1 / 9 + z * (-1 / 11 + z * (1 / 13))))));
  const base = ATAN_HI[k]!;
  const rest = t + (t * p + ATAN_LO[k]!);
  const hi = base + rest;
  atanLo = base - hi + rest;
  return hi;
}

/** Angle of the point (x, y) in (-pi, pi], rad. Signed zeros and infinities as in Math.atan2. */
export function atan2(y: number, x: number): number {
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  let ay = Math.abs(y);
  let ax = Math.abs(x);
  const left = x < 0 || Object.is(x, -0);
  const below = y < 0 || Object.is(y, -0);
  let v: number;
  if (ay === 0) v = left ? PI : 0;
  else if (ax === 0) v = PI / 2;
  else {
    if (ax === Infinity || ay === Infinity) {
      ax = ax === Infinity ? 1 : 0;
      ay = ay === Infinity ? 1 : 0;
    } else if (ax > 1e300 || ay > 1e300) {
      ax *= 0.0625;
      ay *= 0.0625;
    } else if (ax < 1e-290 && ay < 1e-290) {
      ax *= 1e18;
      ay *= 1e18;
    }
    if (ay <= ax) {
      const hi = atanKernel(ay, ax);
      v = left ? PI - (hi - (PI_LO + -atanLo)) : hi;
    } else {
      const hi = atanKernel(ax, ay);
      const rest = PI_LO / 2 - atanLo;
      v = left ? PI / 2 + (hi + (PI_LO / 2 + atanLo)) : PI / 2 - (hi - rest);
    }
  }
  return below ? -v : v;
}

/** Square root of x^2 + y^2 without overflow. */
export function hypot(x: number, y: number): number {
  const a = Math.abs(x);
  const b = Math.abs(y);
  const big = Math.max(a, b);
  if (big === Infinity) return Infinity;
  if (big > 1e150 || (big < 1e-140 && big > 0)) {
    const u = a / big;
    const v = b / big;
    return big * Math.sqrt(u * u + v * v);
  }
  return Math.sqrt(a * a + b * b);
}

/** Correctly rounded by IEEE 754, hence the same everywhere; here so that callers need only this file. */
export function sqrt(x: number): number {
  return Math.sqrt(x);
}
