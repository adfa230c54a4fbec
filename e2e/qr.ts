/**
 * Reads the text of a QR code from its modules, for tests: byte mode, level L, versions 1 to 20, no damage to repair. Written from
 * ISO/IEC 18004, apart from the library that draws the codes.
 */
const ECC = [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28]; // codewords per block
const BLOCKS = [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8];

const MASKS: readonly ((row: number, column: number) => boolean)[] = [
  (r, c) => (r + c) % 2 === 0,
  (r) => r % 2 === 0,
  (_, c) => c % 3 === 0,
  (r, c) => (r + c) % 3 === 0,
  (r, c) => (Math.floor(r / 2) + Math.floor(c / 3)) % 2 === 0,
  (r, c) => ((r * c) % 2) + ((r * c) % 3) === 0,
  (r, c) => (((r * c) % 2) + ((r * c) % 3)) % 2 === 0,
  (r, c) => (((r + c) % 2) + ((r * c) % 3)) % 2 === 0,
];

/** Rows and columns of the centres of alignment patterns. */
function centres(version: number, size: number): readonly number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.ceil((size - 13) / (count * 2 - 2)) * 2;
  return [6, ...Array.from({ length: count - 1 }, (_, i) => size - 7 - step * (count - 2 - i))];
}

export function readQr(dark: readonly (readonly boolean[])[]): { readonly text: string; readonly version: number } {
  const size = dark.length;
  const version = (size - 17) / 4;
  const at = (r: number, c: number): boolean => dark[r]?.[c] === true;

  // Five bits of format beside the upper left finder, under a fixed mask: two of level, three of mask.
  const format = [0, 1, 2, 3, 4].reduce((bits, i) => (bits << 1) | Number(at(8, i)), 0) ^ (0x5412 >> 10);
  if (format >> 3 !== 1) throw new Error(`level ${format >> 3}, not L`);
  const mask = MASKS[format & 7];
  if (mask === undefined) throw new Error('no mask');

  const places = centres(version, size);
  const last = places.length - 1;
  const isFunction = (r: number, c: number): boolean => {
    if (r === 6 || c === 6) return true;
    if ((r < 9 && c < 9) || (r < 9 && c >= size - 8) || (r >= size - 8 && c < 9)) return true;
    if (version >= 7 && ((r < 6 && c >= size - 11) || (c < 6 && r >= size - 11))) return true;
    return places.some((y, i) =>
      places.some((x, j) => {
        const onFinder = (i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0);
        return !onFinder && Math.abs(r - y) <= 2 && Math.abs(c - x) <= 2;
      }),
    );
  };

  const bits: boolean[] = [];
  let up = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    for (let i = 0; i < size; i++) {
      const r = up ? size - 1 - i : i;
      for (const c of [right, right - 1]) if (!isFunction(r, c)) bits.push(at(r, c) !== mask(r, c));
    }
    up = !up;
  }
  const words = Array.from({ length: Math.floor(bits.length / 8) }, (_, i) =>
    bits.slice(8 * i, 8 * i + 8).reduce((byte, bit) => (byte << 1) | Number(bit), 0),
  );

  // Codewords of the blocks alternate; the first blocks may be one shorter.
  const blocks = BLOCKS[version - 1] ?? 1;
  const ecc = ECC[version - 1] ?? 0;
  const long = words.length % blocks;
  const shortData = Math.floor(words.length / blocks) - ecc;
  const rows: number[][] = Array.from({ length: blocks }, () => []);
  let next = 0;
  for (let i = 0; i < shortData; i++) for (const row of rows) row.push(words[next++] ?? 0);
  for (const row of rows.slice(blocks - long)) if (long > 0) row.push(words[next++] ?? 0);
  const data = rows.flat();

  let position = 0;
  const take = (count: number): number => {
    let value = 0;
    for (let i = 0; i < count; i++, position++) value = (value << 1) | (((data[position >> 3] ?? 0) >> (7 - (position & 7))) & 1);
    return value;
  };
  const mode = take(4);
  if (mode !== 4) throw new Error(`mode ${mode}, not bytes`);
  const length = take(version < 10 ? 8 : 16);
  const bytes = Uint8Array.from({ length }, () => take(8));
  return { text: new TextDecoder().decode(bytes), version };
}
