/** Test-only: a session that is saved on its way, and ended there. */

import type { Saved } from '#contract/run/events.ts';
import { decodeSaved, encodeSaved } from '#contract/run/saved.ts';
import type { Session } from '../run/session.ts';

/** What it saves at the first safe point at or after `step`, through its bytes; the session is stopped. It must report often: sliceMs 0. */
export async function savedAt(session: Session, step: number): Promise<Saved> {
  let saved: Promise<Uint8Array> | null = null;
  for await (const event of session) {
    if (event.kind !== 'progress' || event.step < step || saved !== null) continue;
    saved = session.save().then((state) => {
      const bytes = encodeSaved(state);
      session.stop();
      return bytes;
    });
  }
  if (saved === null) throw new Error(`The session ended before step ${step}.`);
  return decodeSaved(await saved);
}
