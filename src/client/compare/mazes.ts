/** A maze of one's own played by a kept policy: nothing is trained. */
import { workers } from '#client/workers/service.ts';
import type { LevelSolution } from '#contract/files/levels.ts';
import { type GridLayout, isGrid } from '#contract/game/frames.ts';
import type { MapFormat } from '#contract/game/maps.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { type Arm, armConfig, type JudgedCard } from '#contract/papers/papers.ts';
import type { PolicySnapshot, Replay } from '#contract/run/events.ts';
import { envCard } from '#stores/catalog.ts';

/** The world of an arm whose levels are maps. */
export interface Maze {
  readonly env: { readonly id: string; readonly config: JsonObject };
  readonly frame: GridLayout;
  readonly format: MapFormat;
}

/** How an episode went, and what the planner needs there: null: it finds no way; undefined: there is no planner. */
export interface Tried {
  readonly replay: Replay;
  readonly solved: boolean;
  readonly steps: number;
  readonly solution: LevelSolution | null | undefined;
}

/** Names of policies in the worker: two plays at once must not share one. */
let asked = 0;

/** Rejects with an Error where the world of the arm has no maps of one's own. */
export async function mazeOf(card: JudgedCard, arm: Arm): Promise<Maze> {
  const { env } = await workers.complete(armConfig(card, arm));
  const { frame } = await workers.answerer().describe(env);
  const format = envCard(env.id)?.schema.properties?.layout?.map;
  if (format === undefined || !isGrid(frame)) throw new Error(`${env.id} has no maps of one's own.`);
  return { env: { id: env.id, config: env.config }, frame, format };
}

/** One episode of a kept policy on a map of one's own, actions drawn by its own chances. Rejects with a LabError for a map that cannot be. */
export async function playMaze(
  { env }: Maze,
  policy: PolicySnapshot,
  { rows, start, seed }: { readonly rows: readonly string[]; readonly start: readonly number[]; readonly seed: number },
): Promise<Tried> {
  const api = workers.answerer();
  const told = await workers.complete({ v: 1, env: { id: env.id, config: { ...env.config, layout: rows, start } }, algo: policy.algo });
  const key = `maze ${asked++}`;
  await api.setPolicy(key, policy);
  try {
    const replay = await api.play(told.env, key, { seed, greedy: false });
    const [solution] = (await api.solve(told.env, [replay.start])) ?? [undefined];
    return { replay, solved: replay.reward.some((paid) => paid > 0), steps: replay.reward.length, solution };
  } finally {
    await api.dropPolicy(key);
  }
}

/** All frames of an episode, the start first. */
export async function framesOf(replay: Replay): Promise<Float32Array> {
  return (await workers.answerer().frames(replay, 0, replay.reward.length + 1)).frames;
}
