/** Reads QR codes from pictures and the camera, on this machine. The decoder is loaded with the first picture. */

import { t } from '#text/text.ts';

/** Pixels of the longer side that are looked at: enough for 57 modules, little enough for a phone. */
const SIDES = [800, 480, 1600] as const;

/** The text of a code in the picture; null: none was found. `tries`: how many sizes are tried. */
export async function readQr(picture: CanvasImageSource, width: number, height: number, tries = 1): Promise<string | null> {
  const { default: decode } = await import('jsqr');
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null || width === 0 || height === 0) return null;
  for (const side of SIDES.slice(0, tries)) {
    const scale = Math.min(1, side / Math.max(width, height));
    canvas.width = Math.max(1, Math.round(width * scale));
    canvas.height = Math.max(1, Math.round(height * scale));
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    const found = decode(data, canvas.width, canvas.height, { inversionAttempts: 'dontInvert' });
    if (found !== null && found.data !== '') return found.data;
  }
  return null;
}

/** Bytes of a file at most: a photo, or the text of a class. */
const LARGEST_FILE = 20_000_000;

/** Texts in a file: of a picture the code in it, of anything else its lines. Throws Error in plain words. */
export async function textOfFile(file: File): Promise<string> {
  if (file.size > LARGEST_FILE) throw new Error(t('{file} is larger than {n} MB.', { file: file.name, n: LARGEST_FILE / 1_000_000 }));
  if (!file.type.startsWith('image/')) return file.text();
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new Error(t('{file} is not a picture that this browser can read.', { file: file.name }));
  });
  const text = await readQr(bitmap, bitmap.width, bitmap.height, SIDES.length);
  bitmap.close();
  if (text === null)
    throw new Error(t('No QR code was found in {file}. Take it from nearer, straight, with the whole code in it.', { file: file.name }));
  return text;
}
