/** Puts a UTF-8 text (iTXt chunk, PNG 1.2 section 4.2.3.3) into a PNG file, before its end, and reads it back. */
import { crc32 } from '#contract/kit/bytes.ts';

const SIGNATURE = 8;

export function withText(png: Uint8Array, keyword: string, text: string): Uint8Array {
  const utf8 = new TextEncoder();
  // keyword, 0, not compressed, method 0, no language, no translated keyword
  const body = utf8.encode(`iTXt${keyword}\0\0\0\0\0${text}`);
  const chunk = new Uint8Array(body.length + 8);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, body.length - 4);
  chunk.set(body, 4);
  view.setUint32(body.length + 4, crc32(body));
  const end = png.length - 12; // IEND is always the last chunk and empty
  const out = new Uint8Array(png.length + chunk.length);
  out.set(png.subarray(0, end));
  out.set(chunk, end);
  out.set(png.subarray(end), end + chunk.length);
  return out;
}

/** The text under this keyword, null if the file has none. @internal Tests read a picture back. */
export function readText(png: Uint8Array, keyword: string): string | null {
  const view = new DataView(png.buffer, png.byteOffset, png.length);
  const latin = new TextDecoder('latin1');
  for (let at = SIGNATURE; at + 12 <= png.length; ) {
    const length = view.getUint32(at);
    const data = png.subarray(at + 8, at + 8 + length);
    if (latin.decode(png.subarray(at + 4, at + 8)) === 'iTXt') {
      const end = data.indexOf(0);
      if (latin.decode(data.subarray(0, end)) === keyword) {
        const language = data.indexOf(0, end + 3);
        const translated = data.indexOf(0, language + 1);
        return new TextDecoder().decode(data.subarray(translated + 1));
      }
    }
    at += length + 12;
  }
  return null;
}
