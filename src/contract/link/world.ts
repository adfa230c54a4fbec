/** A person's world in an address: `#/write?code=..`, deflated, base64url. What is read is bounded before it is unpacked. */
import { deflateSync, strFromU8 } from 'fflate';
import { fromBase64Url, toBase64Url } from '../kit/bytes.ts';
import { utf8 } from '../kit/canonical.ts';
import { fail } from '../kit/errors.ts';
import { inflate } from '../kit/inflate.ts';
import { LONGEST_WORLD } from '../run/own-world.ts';

/** Characters of the code in an address: what an address of a page may have, less its other parts. */
export const LONGEST_CODE = 1_900;

/** null: it would be too long for an address. */
export function packWorld(code: string): string | null {
  const text = toBase64Url(deflateSync(utf8(code), { level: 9 }));
  return text.length <= LONGEST_CODE ? text : null;
}

/** Throws LabError('link-damaged') or LabError('link-too-long'). */
export function unpackWorld(text: string): string {
  if (text.length > LONGEST_CODE)
    throw fail(
      'link-too-long',
      `The code in this link has ${text.length} characters; ${LONGEST_CODE} are read.`,
      'Ask for the code as a file.',
    );
  const packed = fromBase64Url(text);
  const damaged = (): Error => fail('link-damaged', 'The code in this link is damaged.', 'Ask for the link again, or for the file.');
  if (packed === null) throw damaged();
  try {
    return strFromU8(inflate(packed, LONGEST_WORLD));
  } catch {
    throw damaged();
  }
}
