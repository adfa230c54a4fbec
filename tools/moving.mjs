/** Pictures as one moving WebP: a container of frames (developers.google.com/speed/webp/docs/riff_container), each encoded by the browser. */

const CHUNK_HEAD = 8; // bytes: name and length

function chunk(name, body) {
  const head = Buffer.alloc(CHUNK_HEAD);
  head.write(name, 0, 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
}

const int24 = (value) => Buffer.from([value & 255, (value >> 8) & 255, (value >> 16) & 255]);

/** The image data of a still WebP, without its header: its chunks VP8 or VP8L, and ALPH. Throws for a file that is none. */
function imageOf(file) {
  if (file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WEBP') throw new Error('This is no WebP file.');
  const kept = [];
  for (let at = 12; at + CHUNK_HEAD <= file.length; ) {
    const length = file.readUInt32LE(at + 4);
    const end = at + CHUNK_HEAD + length + (length % 2);
    if (/^(VP8 |VP8L|ALPH)$/.test(file.toString('latin1', at, at + 4))) kept.push(file.subarray(at, end));
    at = end;
  }
  return Buffer.concat(kept);
}

/** `pictures`: still WebP files of one size (width and height in pixels), each shown for `ms` milliseconds, the last for `lastMs`; it repeats for ever. */
export function movingWebp(pictures, { width, height, ms, lastMs = ms }) {
  const size = [int24(width - 1), int24(height - 1)];
  const frames = pictures.map((file, i) =>
    // left, top, size, duration, flags: every frame replaces the one before it
    chunk(
      'ANMF',
      Buffer.concat([int24(0), int24(0), ...size, int24(i === pictures.length - 1 ? lastMs : ms), Buffer.from([2]), imageOf(file)]),
    ),
  );
  const head = chunk('VP8X', Buffer.concat([Buffer.from([2, 0, 0, 0]), ...size]));
  const body = Buffer.concat([Buffer.from('WEBP'), head, chunk('ANIM', Buffer.alloc(6)), ...frames]);
  return chunk('RIFF', body);
}
