/**
 * What the page for worlds of one's own does: it runs the code in a sandbox at every change, plays it, checks it and trains it, each seed in a
 * sandbox of its own. Nothing of the code runs in the page.
 */

import { namespaceHere } from '#client/workers/workers.ts';
import { worldId } from '#contract/config-hash.ts';
import { toFailure } from '#contract/errors.ts';
import { LONGEST_WORLD, plainLines } from '#contract/own-world.ts';
import type { OwnCard, OwnFinding, OwnResult, OwnSettings } from '#contract/sandbox.ts';
import { openWorldVersions } from '#storage/worlds.ts';
import { clipOfEpisode, type OwnClip } from './film.ts';
import { CodeProblem, type Progress, Sandbox } from './sandbox.ts';

export interface Problem {
  readonly message: string;
  readonly fix: string;
  /** Of the code, 1 for the first; null: none in particular. */
  readonly line: number | null;
}

export interface Opened {
  readonly world: OwnCard;
  play(settings: OwnSettings, seed: number): Promise<OwnClip>;
  check(settings: OwnSettings): Promise<readonly OwnFinding[]>;
  close(): void;
}

export interface SeedRun {
  readonly result: Promise<OwnResult>;
  /** An episode with what has been learned so far. */
  watch(seed: number): Promise<OwnClip>;
  stop(): void;
  close(): void;
}

export const worldVersions = openWorldVersions(namespaceHere());

export function problemOf(error: unknown): Problem {
  const { message, fix, line } = error instanceof CodeProblem ? error : { ...toFailure(error), line: null };
  const named = /\bline (\d+)\b/.exec(message)?.[1];
  return { message, fix, line: line ?? (named === undefined ? null : Number(named)) };
}

/** Rejects with what problemOf reads. */
export async function openWorld(code: string): Promise<Opened> {
  const { sandbox, world } = await start(code);
  return {
    world,
    play: async (settings, seed) => clipOfEpisode(await sandbox.play(settings, seed, false), world.fps),
    check: (settings) => sandbox.check(settings),
    close: () => sandbox.dispose(),
  };
}

/** Trains one seed of this code; later changes of the code do not touch it. */
export async function trainSeed(
  code: string,
  request: { readonly settings: OwnSettings; readonly algo: string; readonly steps: number; readonly seed: number },
  onProgress: (progress: Progress) => void,
): Promise<SeedRun> {
  const { sandbox, world } = await start(code);
  return {
    result: sandbox.train(request, onProgress),
    watch: async (seed) => clipOfEpisode(await sandbox.play(request.settings, seed, true), world.fps),
    stop: () => sandbox.stop(),
    close: () => sandbox.dispose(),
  };
}

function start(code: string): ReturnType<typeof Sandbox.open> {
  if (code.length > LONGEST_WORLD)
    return Promise.reject(new CodeProblem(`The code has ${code.length} characters.`, `At most ${LONGEST_WORLD} are possible.`, null));
  const plain = plainLines(code);
  return Sandbox.open(plain, worldId(plain));
}
