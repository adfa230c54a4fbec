/** Numbers of 16 bits for files of trained weights; core/nets/half.ts reads them back. */

const bits = new DataView(new ArrayBuffer(4));

/** The nearest number of 16 bits, ties to even, as its bits; beyond the largest one infinity. */
export function toHalf(x: number): number {
  bits.setFloat32(0, x);
  const word = bits.getUint32(0);
  const sign = (word >>> 16) & 0x8000;
  const exponent = ((word >>> 23) & 0xff) - 112;
  const fraction = word & 0x7f_ffff;
  if (exponent >= 31) return sign | 0x7c00 | (exponent === 143 && fraction > 0 ? 0x200 : 0);
  if (exponent < -10) return sign;
  // below the smallest normal number the leading 1 is written out
  const whole = exponent > 0 ? (exponent << 23) | fraction : 0x80_0000 | fraction;
  const shift = exponent > 0 ? 13 : 14 - exponent;
  const kept = whole >>> shift;
  const rest = whole & ((1 << shift) - 1);
  const middle = 1 << (shift - 1);
  return sign | (kept + (rest > middle || (rest === middle && (kept & 1) === 1) ? 1 : 0));
}
