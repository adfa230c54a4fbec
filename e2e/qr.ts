/** Reads a QR code from its modules, for tests: painted as a camera would see it, and read by a library apart from the one that draws codes. */
import jsQR from 'jsqr';

const SCALE = 4; // pixels of a module
const QUIET = 4; // modules of white around the code, as ISO/IEC 18004 asks

/** `dark`: rows of modules. Throws where no code is found. */
export function readQr(dark: readonly (readonly boolean[])[]): { readonly text: string; readonly version: number } {
  const width = (dark.length + 2 * QUIET) * SCALE;
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255);
  for (let y = 0; y < width; y++) {
    for (let x = 0; x < width; x++) {
      const isDark = dark[Math.floor(y / SCALE) - QUIET]?.[Math.floor(x / SCALE) - QUIET] === true;
      if (isDark) pixels.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3);
    }
  }
  const code = jsQR(pixels, width, width, { inversionAttempts: 'dontInvert' });
  if (code === null) throw new Error('no QR code was found');
  return { text: code.data, version: code.version };
}
