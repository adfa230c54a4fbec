/**
 * The environment in Python that the command line serves beside this page (cli/gym/page-api.ts). Environments step synchronously, so a worker asks
 * with requests that block it. Each worker has a Python process of its own, which the page's first message names.
 */

import { decodeGymHeader, encodeGym, GYM_HEADER, gymAnswer, readGymDescription } from '#contract/game/gym-wire.ts';
import { fail } from '#contract/kit/errors.ts';
import { giveGymWorld } from '#core/envs/index.ts';
import type { GymLink } from '#core/gym/entry.ts';

/** An answer takes no longer; the server gives an environment up before, ms. */
const PATIENCE = 150_000;

const gone = (what: string): Error =>
  fail(
    'engine-missing',
    `The server of the environment in Python ${what}.`,
    'Look at the terminal in which "rl gym" was started, and start it again.',
  );

/** Makes the environment known that the page names in a message before all others, if it does. It is asked for when it is first used. */
export function hostGym(): void {
  self.addEventListener('message', ({ data }: MessageEvent<{ readonly gym?: string; readonly link?: string } | null>) => {
    if (data?.gym !== undefined && data.link !== undefined) give(data.gym, data.link);
  });
}

function give(id: string, link: string): void {
  // Workers lie in assets/, beside the page's index.
  const at = (path: string): string => new URL(`../api/gym${path}`, self.location.href).href;
  giveGymWorld(id, async () => {
    const answer = await fetch(at('')).catch(() => null);
    if (answer?.ok !== true) throw gone(answer === null ? 'does not answer' : `refused to describe it (${answer.status})`);
    const description = readGymDescription(new Uint8Array(await answer.arrayBuffer()));
    const { gymEntry } = await import('#core/gym/entry.ts');
    return gymEntry(description, id, () => openLink(at(`/exchange?link=${link}`)));
  });
}

function openLink(address: string): GymLink {
  return {
    exchange(type, body) {
      const request = new XMLHttpRequest();
      request.open('POST', address, false);
      request.responseType = 'arraybuffer';
      request.timeout = PATIENCE;
      try {
        request.send(encodeGym(type, body));
      } catch {
        throw gone('does not answer');
      }
      if (request.status !== 200) throw gone(`refused a message (${request.status})`);
      const bytes = new Uint8Array(request.response as ArrayBuffer);
      const head = decodeGymHeader(bytes);
      if (bytes.byteLength !== GYM_HEADER + head.length) throw gone('broke an answer off');
      return gymAnswer({ type: head.type, body: bytes.subarray(GYM_HEADER) });
    },
  };
}
