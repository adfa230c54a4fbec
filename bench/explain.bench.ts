/**
 * Explanations: coalition episodes per second (simple_spread, three learned agents of 64-64, 25 steps, all coalitions of a round as one
 * batch), and feature explanations per second (policies of 64-64, 10 orders and their reverses, one background row; all coalitions where
 * there are few features), beside the figures recorded for the shap package on the same machine type: of a made-up observation of 4, 18
 * and 147 numbers, each a feature, as they were taken there (values alone, as shap gives them, and with our companions, occlusion and slopes),
 * and of three environments (with companions). Figures are medians
 * of several rounds after a warm-up.
 */

import { AGENTS, type AgentAttribution, defaultQuestion, type FeatureQuestion } from '#contract/explain/explain.ts';
import { requestOf } from '#contract/explain/explain-api.ts';
import type { Json } from '#contract/kit/json.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import type { Policy } from '#core/algos/api/types.ts';
import { networkPolicy, policyNetwork } from '#core/algos/lib/network-policy.ts';
import { createEngine } from '#core/engine/index.ts';
import { getEnv } from '#core/envs/all.ts';
import { createBuffers } from '#core/envs/api/buffers.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { explainFeatures, featuresOf } from '#core/explain/features.ts';
import { getExplainer } from '#core/explain/index.ts';
import { buildPolicy, builtIn, completeRun, createSession } from '#core/run/loaded.ts';
import { Rng } from '#math/rng.ts';

const EPISODES_TARGET = 15_000;
/** Recorded by hand: shap's permutation explainer, 10 permutations, one background row; explanations per second, and what we want. */
const PEERS = [
  { numbers: 4, shap: 943, target: 18_900 },
  { numbers: 18, shap: 285, target: 5_700 },
  { numbers: 147, shap: 100, target: 400 },
] as const;
const ORDERS = 10;

/** A policy as it is after its first steps: what it has learned does not matter here. */
async function snapshotOf(id: string, algo: string): Promise<PolicySnapshot> {
  const config = completeRun({ v: 1, env: { id }, algo: { id: algo }, run: { steps: 4096, seeds: 1 } });
  let last: PolicySnapshot | null = null;
  for await (const event of createSession({ config, seed: 1, now: () => performance.now() }))
    if (event.kind === 'policy') last = event.snapshot;
  if (last === null) throw new Error(`${id} gave no policy`);
  return last;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

async function episodesPerSecond(rounds: number): Promise<number> {
  const snapshot = await snapshotOf('mpe-simple-spread', 'ppo');
  const rates: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const question = { ...defaultQuestion, scheme: 'exact' as const, seed: round, maxSteps: 100_000 };
    const from = performance.now();
    let episodes = 0;
    const request = requestOf(AGENTS, question, { env: snapshot.env, team: { snapshot } });
    for await (const { detail } of getExplainer(AGENTS.id).explain(request, { registry: builtIn }))
      episodes = (detail as AgentAttribution).episodes;
    if (round > 0) rates.push((1000 * episodes) / (performance.now() - from));
  }
  return median(rates);
}

async function explanationsPerSecond(
  policy: Policy,
  meta: EnvMeta,
  [obs, other]: readonly [Float32Array, Float32Array],
  stretch: number, // milliseconds
  rounds: number,
  companions: boolean,
): Promise<number> {
  const question: FeatureQuestion = { agent: 0, about: 'behaviour', action: 0, method: 'orders', draws: ORDERS, seed: 1 };
  const rates: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const from = performance.now();
    let done = 0;
    let ms = 0;
    for (; ms < stretch; ms = performance.now() - from, done++)
      await explainFeatures({ policy, meta, question, obs, background: [other], companions });
    if (round > 0) rates.push((1000 * done) / ms); // the first stretch warms up
  }
  return median(rates);
}

/** A network of 64-64 with two actions that sees this many numbers. */
async function ofNumbers(
  numbers: number,
  stretch: number,
  rounds: number,
): Promise<{ readonly alone: number; readonly companions: number }> {
  const base = getEnv('cartpole').meta(getEnv('cartpole').parse({}));
  const obs = { kind: 'box' as const, shape: [numbers], low: -1, high: 1 };
  const meta = { ...base, obsSize: numbers, agents: [{ ...base.agents[0]!, obs }] };
  const engine = await createEngine('wasm');
  const net = policyNetwork(engine, meta, { hidden: [64, 64], activation: 'tanh', sharedTrunk: false }, Rng.from(1));
  const policy = networkPolicy({ meta, compile: (rows) => engine.compile(net.inputs(rows), net.outputs), dispose: () => engine.dispose() });
  const rng = Rng.from(2);
  const made = (): Float32Array => Float32Array.from({ length: numbers }, () => 2 * rng.uniform() - 1);
  const seen = [made(), made()] as const;
  const alone = await explanationsPerSecond(policy, meta, seen, stretch, rounds, false);
  const companions = await explanationsPerSecond(policy, meta, seen, stretch, rounds, true);
  policy.dispose();
  return { alone, companions };
}

async function ofEnvironment(
  id: string,
  stretch: number,
  rounds: number,
): Promise<{ readonly numbers: number; readonly features: number; readonly rate: number }> {
  const snapshot = await snapshotOf(id, 'ppo');
  const { policy, free } = await buildPolicy(snapshot);
  const entry = getEnv(id);
  const meta = entry.meta(snapshot.env.config);
  const env = entry.create(snapshot.env.config, 2);
  const buffers = createBuffers(meta, 2);
  env.reset(Uint32Array.of(1, 2), buffers);
  const seen = (row: number): Float32Array =>
    buffers.obs.slice(row * meta.agentCount * meta.obsSize, (row * meta.agentCount + 1) * meta.obsSize);
  const rate = await explanationsPerSecond(policy, meta, [seen(0), seen(1)], stretch, rounds, true);
  free();
  return { numbers: meta.obsSize, features: featuresOf(meta.agents[0]!.obs).features.length, rate };
}

export async function run({ quick, log }: { readonly quick: boolean; readonly log: (line: string) => void }): Promise<Json> {
  const rounds = quick ? 1 : 5;
  const stretch = quick ? 50 : 1000;
  const episodes = await episodesPerSecond(rounds);
  log(`coalition episodes, simple_spread, 25 steps: ${Math.round(episodes)} per second (target ${EPISODES_TARGET})`);
  const sizes: { [key: string]: Json }[] = [];
  for (const { numbers, shap, target } of PEERS) {
    const { alone, companions } = await ofNumbers(numbers, stretch, rounds);
    log(
      `${numbers} numbers: ${Math.round(alone)} explanations per second (target ${target}; shap ${shap}), ${Math.round(companions)} with occlusion and slopes`,
    );
    sizes.push({ numbers, perSecond: alone, withCompanions: companions, target, shap });
  }
  const features: { [key: string]: Json }[] = [];
  for (const id of ['cartpole', 'mpe-simple-spread', 'minigrid-empty']) {
    const { numbers, features: n, rate } = await ofEnvironment(id, stretch, rounds);
    log(`${id}: ${Math.round(rate)} explanations per second (${numbers} numbers in ${n} features)`);
    features.push({ id, columns: numbers, features: n, perSecond: rate });
  }
  return { episodes: { perSecond: episodes, target: EPISODES_TARGET }, sizes, features };
}
