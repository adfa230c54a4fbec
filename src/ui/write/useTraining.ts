/** Some seeds of training, each in a sandbox of its own: what they say, their states, and going on with them. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { OwnClip } from '#client/own/film.ts';
import { problemOf, type SeedRequest, type SeedRun, trainSeed } from '#client/own/workshop.ts';
import type { OwnRunFile } from '#contract/own/run-file.ts';
import type { OwnProgress, OwnResult, OwnScore } from '#contract/own/sandbox.ts';
import { Latest, type Turn } from '#stores/latest.ts';

export const SEEDS = 3;
/** Episodes of the policy are shown this often while it learns, ms. */
const WATCH_MS = 5000;
/** Points of a curve; beyond them every second one is left out. */
const POINTS = 600;

export interface Seed {
  readonly seed: number;
  readonly points: readonly OwnProgress[];
  readonly step: number;
  readonly result: OwnResult | null;
  readonly problem: string;
  readonly over: boolean;
}

type Plan = Omit<SeedRequest, 'seed' | 'state'>;
type SavedSeeds = OwnRunFile['seeds'];

/** `code`: later changes of it do not touch runs that have begun. `onClip`: an episode of what seed 1 has learned. */
export function useTraining(code: string, onClip: (name: string, clip: OwnClip) => void) {
  const [seeds, setSeeds] = useState<readonly Seed[]>([]);
  const [scores, setScores] = useState<readonly OwnScore[] | null>(null);
  const runs = useRef(new Map<number, SeedRun>());
  const begun = useRef<{ readonly code: string; readonly plan: Plan } | null>(null);
  /** Runs of an earlier training are closed, and those that were to stop are: a sandbox that opens only after that must hear of it. */
  const [trainings] = useState(() => new Latest());
  const stopped = useRef(false);
  const shown = useRef(0);
  const tell = useRef(onClip);
  tell.current = onClip;
  const running = seeds.some(({ over }) => !over);

  const closeAll = useCallback((): Turn => {
    const newest = trainings.begin();
    for (const run of runs.current.values()) run.close();
    runs.current.clear();
    return newest;
  }, [trainings]);
  useEffect(() => () => void closeAll(), [closeAll]);

  const watch = (run: SeedRun, seed: number): void => {
    const start = 1000 + shown.current++;
    run.watch(start).then(
      (clip) => tell.current(`learned ${seed} ${start}`, clip),
      () => {}, // the run itself says what is wrong
    );
  };

  const trainOne = async (newest: Turn, plan: Plan, seed: number, state: string): Promise<void> => {
    const change = (to: (before: Seed) => Seed): void => setSeeds((all) => all.map((each) => (each.seed === seed ? to(each) : each)));
    let watched = 0;
    let run: SeedRun | null = null;
    const onProgress = (progress: OwnProgress): void => {
      change((now) => ({ ...now, step: progress.step, points: thinned([...now.points, progress]) }));
      if (seed !== 1 || run === null || performance.now() - watched < WATCH_MS) return;
      watched = performance.now();
      watch(run, seed);
    };
    const onEnd = (error: unknown): void => {
      const { message, fix } = problemOf(error);
      change((now) => ({ ...now, problem: `${message} ${fix}`, over: true }));
    };
    try {
      run = await trainSeed(code, { ...plan, seed, state }, onProgress, onEnd);
      if (!newest()) {
        run.result.catch(() => {}); // closing rejects it
        run.close();
        return;
      }
      runs.current.set(seed, run);
      if (stopped.current) run.stop();
      const result = await run.result;
      change((now) => ({ ...now, step: result.steps, result, over: true }));
      if (seed === 1) watch(run, seed);
    } catch (error) {
      onEnd(error);
    }
  };

  /** Trains from the start, or from where saved seeds stand; their curves go on where they are known. */
  const train = async (plan: Plan, from: SavedSeeds | null): Promise<void> => {
    const newest = closeAll();
    stopped.current = false;
    begun.current = { code, plan };
    setScores(null);
    const numbers = from?.map(({ seed }) => seed) ?? Array.from({ length: SEEDS }, (_, i) => i + 1);
    setSeeds((all) =>
      numbers.map((seed) => {
        const points = from === null ? [] : (all.find((each) => each.seed === seed)?.points ?? []);
        const step = from?.find((each) => each.seed === seed)?.step ?? 0;
        return { seed, points, step, result: null, problem: '', over: false };
      }),
    );
    await Promise.all(numbers.map((seed) => trainOne(newest, plan, seed, from?.find((each) => each.seed === seed)?.state ?? '')));
  };

  /** Rejects with what problemOf reads. */
  const states = (): Promise<SavedSeeds> => Promise.all([...runs.current].map(async ([seed, run]) => ({ seed, ...(await run.save()) })));

  /** Rejects with what problemOf reads. */
  const saved = async (): Promise<Omit<OwnRunFile, 'kind' | 'version'> | null> => {
    if (begun.current === null || runs.current.size === 0) return null;
    const { plan } = begun.current;
    return { code: begun.current.code, ...plan, seeds: await states() };
  };

  const stop = (): void => {
    stopped.current = true;
    for (const run of runs.current.values()) run.stop();
  };

  /** The policy of seed 1 and random actions over the same episodes. Rejects with what problemOf reads. */
  const compare = async (): Promise<void> => {
    const run = runs.current.get(1);
    if (run !== undefined) setScores(await run.score());
  };

  return { seeds, running, scores, train, stop, states, saved, compare };
}

const thinned = <T>(points: readonly T[]): readonly T[] => (points.length > POINTS ? points.filter((_, i) => i % 2 === 0) : points);
