/**
 * What the page for code of one's own does, a world, a reward, a player or a method: it runs the code in a sandbox at every change, plays it, checks it and trains it, each seed in a
 * sandbox of its own. Nothing of the code runs in the page.
 */

import { fail, toFailure } from '#contract/kit/errors.ts';
import type { OwnCard, OwnFinding, OwnPlayer, OwnProgress, OwnResult, OwnScore, OwnSetup } from '#contract/own/sandbox.ts';
import { memberLine } from '#contract/own/text.ts';
import { worldId } from '#contract/run/config-hash.ts';
import { LONGEST_WORLD, plainLines } from '#contract/run/own-world.ts';
import { clipOfEpisode, type OwnClip } from './film.ts';
import { REST_MS, Rest, TRAINED_REST_MS } from './rest.ts';
import { CodeProblem, Sandbox } from './sandbox.ts';

export interface Problem {
  readonly message: string;
  readonly fix: string;
  /** Of the code, 1 for the first; null: none in particular. */
  readonly line: number | null;
}

export interface Opened {
  readonly world: OwnCard;
  play(setup: OwnSetup, seed: number, player: OwnPlayer): Promise<OwnClip>;
  check(setup: OwnSetup): Promise<readonly OwnFinding[]>;
  score(setup: OwnSetup): Promise<readonly OwnScore[]>;
  close(): void;
}

export interface SeedRun {
  readonly result: Promise<OwnResult>;
  /** An episode with what has been learned so far. */
  watch(seed: number): Promise<OwnClip>;
  /** What has been learned so far, and random actions, over the same episodes. */
  score(): Promise<readonly OwnScore[]>;
  save(): Promise<{ readonly step: number; readonly state: string }>;
  stop(): void;
  close(): void;
}

export interface SeedRequest {
  readonly setup: OwnSetup;
  readonly algo: string;
  readonly steps: number;
  readonly seed: number;
  /** What a run goes on with that was saved; '' from the start. */
  readonly state: string;
}

/** Episodes of a comparison. */
const EPISODES = 20;

/** `code`: what the problem is of. A member that is named stands for its line where no line is. */
export function problemOf(error: unknown, code = ''): Problem {
  const { message, fix, line, field } = error instanceof CodeProblem ? error : { field: undefined, ...toFailure(error), line: null };
  const named = /\bline (\d+)\b/.exec(message)?.[1];
  return { message, fix, line: line ?? (named === undefined ? memberLine(code, field) : Number(named)) };
}

/** Rejects with what problemOf reads; `onEnd` hears the same where the sandbox ends by itself, whether something was asked then or not. */
export async function openWorld(code: string, onEnd: (error: Error) => void): Promise<Opened> {
  const first = await start(code);
  const { world } = first;
  let sandbox: Sandbox | null = null;
  let closed = false;
  const use = (box: Sandbox): Sandbox => {
    sandbox = box;
    box.onEnd((error) => {
      if (sandbox !== box || closed) return; // the page ended it
      sandbox = null;
      onEnd(error);
    });
    return box;
  };
  use(first.sandbox);
  const rest = new Rest(REST_MS, () => {
    const resting = sandbox;
    sandbox = null;
    resting?.dispose();
  });
  /** In the sandbox, or in a new one where that has ended: each question says all that its answer needs. */
  const asking = <T>(ask: (sandbox: Sandbox) => Promise<T>): Promise<T> =>
    rest.during(async () => {
      if (sandbox === null && !closed) use((await start(code)).sandbox);
      if (sandbox === null) throw fail('world-invalid', 'The sandbox was closed.', 'Run the code again.');
      return ask(sandbox);
    });
  return {
    world,
    play: (setup, seed, player) => asking(async (box) => clipOfEpisode(await box.play(setup, seed, player), world)),
    check: (setup) => asking((box) => box.check(setup)),
    score: (setup) => asking((box) => box.score(setup, EPISODES)),
    close: () => {
      closed = true;
      rest.stop();
      sandbox?.dispose();
    },
  };
}

/**
 * Trains one seed of this code; later changes of the code do not touch it. What was trained stays until nothing was asked of it for long: `onEnd` hears
 * why it is gone, that or another reason, in what problemOf reads.
 */
export async function trainSeed(
  code: string,
  request: SeedRequest,
  onProgress: (progress: OwnProgress) => void,
  onEnd: (error: Error) => void,
): Promise<SeedRun> {
  const { sandbox, world } = await start(code);
  let closed = false;
  sandbox.onEnd((error) => {
    if (!closed) onEnd(error);
  });
  const rest = new Rest(TRAINED_REST_MS, () => sandbox.rested(TRAINED_REST_MS));
  return {
    result: rest.during(() => sandbox.train(request, onProgress)),
    watch: (seed) => rest.during(async () => clipOfEpisode(await sandbox.play(request.setup, seed, 'learned'), world)),
    score: () => rest.during(() => sandbox.score(request.setup, EPISODES)),
    save: () => rest.during(() => sandbox.save()),
    stop: () => sandbox.stop(),
    close: () => {
      closed = true;
      rest.stop();
      sandbox.dispose();
    },
  };
}

function start(code: string): ReturnType<typeof Sandbox.open> {
  if (code.length > LONGEST_WORLD)
    return Promise.reject(new CodeProblem(`The code has ${code.length} characters.`, `At most ${LONGEST_WORLD} are possible.`, null));
  const plain = plainLines(code);
  return Sandbox.open(plain, worldId(plain));
}
