/**
 * Steps per second of environments through the general interface: random actions, auto-reset, observations written, one process.
 * Each figure is the best of `rounds` timed stretches after a warm-up; actions are drawn beforehand and the last observation is
 * consumed. The targets are for CartPole and the empty 8x8 grid at batches from 64 to 1024. `--only ID` measures some again, `--resume`
 * goes on after an interruption: results are written one environment at a time.
 */
import type { Json } from '#contract/kit/json.ts';
import { envs, getEnv, loadEnv } from '#core/envs/all.ts';
import { createActions } from '#core/envs/api/buffers.ts';
import type { EnvEntry } from '#core/envs/api/types.ts';
import { createVectorEnv, type VectorEnv } from '#core/envs/api/vector-env.ts';
import { Rng } from '#math/rng.ts';
import type { ResumableOptions } from './training.ts';

/** Settings the targets are stated for, where they are not the defaults. */
const SETTINGS: { readonly [id: string]: Json } = { 'level-based-foraging': { foods: 3 }, smax: { scenario: '3m' } };
const TARGETS: { readonly [id: string]: number } = {
  cartpole: 25e6,
  'minigrid-empty': 5e6,
  'xland-minigrid': 1e6,
  'quick-point-maze': 2e6,
  smax: 1e5,
  'level-based-foraging': 7e6,
  'drone-hover': 1e6,
  'mpe-simple-spread': 3e6,
};
const SETS = 64; // different action sets, used in turn
/** Large swarms: one copy, milliseconds per step at most. */
const SWARMS: readonly { readonly id: string; readonly preset: string; readonly most?: number }[] = [
  { id: 'vicsek-swarm', preset: 'ten-thousand', most: 8 },
  { id: 'kuramoto', preset: 'ten-thousand' },
  { id: 'boids', preset: 'ten-thousand' },
  { id: 'rendezvous', preset: 'ten-thousand' },
];

function actionSets(vector: VectorEnv, rng: Rng) {
  const { meta, batch } = vector;
  return Array.from({ length: SETS }, () => {
    const actions = createActions(meta, batch);
    const width = meta.agentCount * meta.actionSize;
    for (let i = 0; i < actions.length; i++) {
      const group = meta.agents[0];
      if (group === undefined) throw new Error('no agents');
      const space = group.action;
      if (space.kind === 'discrete') actions[i] = rng.int(space.n);
      else {
        const d = (i % width) % space.size;
        const low = space.low[d]!;
        actions[i] = low + (space.high[d]! - low) * rng.uniform();
      }
    }
    return actions;
  });
}

function measure(entry: EnvEntry, config: Json, batch: number, seconds: number, rounds: number): number {
  const rng = Rng.from(1);
  const vector = createVectorEnv(entry, config, batch, rng);
  const sets = actionSets(vector, rng.split('actions'));
  vector.reset();
  const first = performance.now();
  vector.step(sets[0] as (typeof sets)[number]);
  const stretch = performance.now() - first > 5 ? sets.slice(0, 1) : sets; // slow ones look at the clock after every step
  let best = 0;
  let sink = 0;
  for (let round = 0; round <= rounds; round++) {
    const start = performance.now();
    let steps = 0;
    while (performance.now() - start < seconds * 1000) {
      for (const actions of stretch) vector.step(actions);
      steps += stretch.length * batch;
      sink += vector.buffers.obs[0]!;
    }
    const rate = steps / ((performance.now() - start) / 1000);
    if (round > 0 && rate > best) best = rate; // round 0 warms up
    vector.episodes.drain();
  }
  if (Number.isNaN(sink)) throw new Error('the environment made NaN');
  return best;
}

interface Row {
  readonly rates: { readonly [batch: string]: number };
  readonly target?: number;
  readonly met?: boolean;
  readonly at: string; // when it was measured
}
interface Swarm {
  readonly msPerStep: number;
  readonly most?: number;
  readonly met?: boolean;
  readonly at: string;
}
interface Results {
  readonly envs: { [id: string]: Row };
  readonly swarms: { [name: string]: Swarm };
}

const DAY = 24 * 60 * 60 * 1000; // ms

/** In the order of the registry, as the catalogue and the page have it; what is no longer there is forgotten. */
function sorted({ envs: rows, swarms }: Results): Json {
  const inOrder = <T>(names: readonly string[], from: { readonly [name: string]: T }) =>
    Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])));
  return {
    unit: 'environment steps per second',
    envs: inOrder(
      envs.map((e) => e.id),
      rows,
    ),
    swarms: inOrder(
      SWARMS.map((s) => `${s.id} ${s.preset}`),
      swarms,
    ),
  } as unknown as Json;
}

/** All environments, or those of `only`; the others keep their rates. Every rate is kept as soon as it is known. */
export async function run({ quick, log, only, resume, before, keep }: ResumableOptions): Promise<Json> {
  const seconds = quick ? 0.1 : 0.5;
  const rounds = quick ? 2 : 5;
  for (const id of only) getEnv(id); // says which there are
  const old = before as unknown as Results | null;
  const results: Results = { envs: { ...old?.envs }, swarms: { ...old?.swarms } };
  const wanted = (id: string, known: { readonly at?: string } | undefined) =>
    (only.length === 0 || only.includes(id)) && !(resume && known?.at !== undefined && Date.now() - Date.parse(known.at) < DAY);
  for (const entry of envs) {
    if (!wanted(entry.id, results.envs[entry.id])) continue;
    await entry.prepare?.();
    const rates: { [batch: string]: number } = {};
    for (const batch of [1, 64, 1024]) rates[batch] = Math.round(measure(entry, SETTINGS[entry.id] ?? {}, batch, seconds, rounds));
    const target = TARGETS[entry.id];
    const met = target !== undefined && Math.min(rates[64]!, rates[1024]!) >= target;
    results.envs[entry.id] = { rates, ...(target !== undefined && { target, met }), at: new Date().toISOString() };
    const text = Object.entries(rates).map(([batch, rate]) => `batch ${batch}: ${(rate / 1e6).toFixed(2)}M`);
    log(`${entry.id.padEnd(28)} ${text.join('  ')}${target === undefined ? '' : `  (target ${target / 1e6}M)`}`);
    keep(sorted(results));
  }
  for (const { id, preset, most } of SWARMS) {
    const name = `${id} ${preset}`;
    if (!wanted(id, results.swarms[name])) continue;
    const entry = await loadEnv(id);
    const config = entry.presets.find((p) => p.id === preset)?.config ?? {};
    const ms = 1000 / measure(entry, config, 1, seconds, rounds);
    results.swarms[name] = { msPerStep: ms, ...(most !== undefined && { most, met: ms <= most }), at: new Date().toISOString() };
    log(`${name.padEnd(28)} ${ms.toFixed(2)} ms per step${most === undefined ? '' : `  (at most ${most})`}`);
    keep(sorted(results));
  }
  return sorted(results);
}
