/** Colours of a frame of a picture as bytes. */

/** `frame`: one number a point (contract/game/frames.ts); `out`: RGBA, four bytes a point. `up`: the lowest row first, as textures take them. */
export function writePoints(frame: Float32Array, width: number, height: number, out: Uint8Array | Uint8ClampedArray, up: boolean): void {
  for (let y = 0; y < height; y++) {
    const to = (up ? height - 1 - y : y) * width;
    for (let x = 0; x < width; x++) {
      const packed = frame[y * width + x]!;
      const at = 4 * (to + x);
      out[at] = (packed >> 16) & 255;
      out[at + 1] = (packed >> 8) & 255;
      out[at + 2] = packed & 255;
      out[at + 3] = 255;
    }
  }
}
