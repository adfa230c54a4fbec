/** Numbers of 16 bits (IEEE 754 binary16), as files of trained weights hold them. */

/** The number that 16 bits are. */
export function fromHalf(half: number): number {
  const sign = (half & 0x8000) === 0 ? 1 : -1;
  const exponent = (half >>> 10) & 0x1f;
  const fraction = half & 0x3ff;
  if (exponent === 0) return (sign * fraction) / 16_777_216; // 2^-24
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return (sign * (1024 + fraction) * (1 << exponent)) / 33_554_432; // 2^(exponent - 25)
}
