/**
 * The script of a sandbox: a classic one, built as one file (tools/sandbox-plugin.mjs) and put behind a person's code, which stands in the
 * function `ownWorld` in the lines before it. See client/own/sandbox.ts.
 */
import { ownJson } from '#contract/kit/json.ts';
import type { Ask, Said } from '#contract/own/sandbox.ts';
import { ASKED } from '#contract/own/wire.ts';
import { scopeOf } from '#core/own/scope.ts';
import { hopper } from './host/loop.ts';
import { createOwnHost } from './host/own/own-host.ts';
import { createLabHost } from './host/own/own-lab-host.ts';
import { createWatchHost } from './host/watch-host.ts';

interface Given {
  /** The person's code as a function over the names of its scope. */
  readonly ownWorld: (...values: readonly unknown[]) => void;
  /** How many lines of it there are, from the second line of this script on, and the id of its environment. */
  readonly ownLines: number;
  readonly ownId: string;
  /** Second copy of the code, used by the laboratory; null in the editor. */
  readonly ownLab: string | null;
}

// Taken before the person's code runs, which could put something else in their place.
const send = self.postMessage.bind(self);
const now = performance.now.bind(performance);
const later = self.setTimeout.bind(self);

/** The first place of an error's stack that lies in the person's code. */
function lineOf(error: unknown): number | null {
  const { ownLines } = self as unknown as Given;
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  for (const [, line] of stack.matchAll(/:(\d+):\d+/g)) {
    const at = Number(line) - 1;
    if (at >= 1 && at <= ownLines) return at;
  }
  return null;
}

const host = createOwnHost({
  post: (said: Said) => send(JSON.stringify(said)),
  now,
  turn: () => new Promise((done) => later(done, 0)),
});

const { ownWorld, ownId, ownLab } = self as unknown as Given;
const lab = ownLab === null ? null : createLabHost({ send, now, turn: hopper(), later, watch: createWatchHost() });

async function start(): Promise<void> {
  const scope = scopeOf();
  try {
    ownWorld(...scope.values);
    if (lab === null || ownLab === null) await host.open(scope.given(), ownId, lineOf);
    else {
      await lab.open(scope.given(), ownId, ownLab, lineOf);
      send(JSON.stringify({ kind: 'opened' } satisfies Said));
    }
  } catch (error) {
    host.refuse(error, lineOf(error));
  }
}

self.onmessage = ({ data }: MessageEvent<string>) =>
  void (lab !== null && data.startsWith(ASKED) ? lab.hear(data) : host.ask(ownJson(data) as unknown as Ask));
void start();
