/**
 * Explanations: coalition episodes per second (simple_spread, three learned agents of 64-64, 25 steps, all coalitions of a round as one
 * batch), and feature explanations per second (policies of 64-64, orders and their reverses, one background row), beside the figures
 * recorded for the shap package on the same machine type. Each figure is the best of several rounds after a warm-up.
 */
import type { PolicySnapshot } from '#contract/events.ts';
import { defaultQuestion, type FeatureQuestion } from '#contract/explain.ts';
import type { Json } from '#contract/json.ts';
import { createBuffers } from '#core/envs/buffers.ts';
import { getEnv } from '#core/envs/index.ts';
import { explainFeatures, featuresOf } from '#core/explain/features.ts';
import { explainTeam } from '#core/explain/team.ts';
import { completeRun } from '#core/run/complete.ts';
import { buildPolicy } from '#core/run/policy.ts';
import { createSession } from '#core/run/session.ts';

const EPISODES_TARGET = 15_000;
/** Recorded by hand: shap's permutation explainer, 10 permutations, one background row; explanations per second by features. */
const PEERS: { readonly [features: string]: number } = { '4': 943, '18': 285, '147': 100 };
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

async function episodesPerSecond(rounds: number): Promise<number> {
  const snapshot = await snapshotOf('mpe-simple-spread', 'ppo');
  let best = 0;
  for (let round = 0; round <= rounds; round++) {
    const question = { ...defaultQuestion, scheme: 'exact' as const, seed: round, maxSteps: 100_000 };
    const from = performance.now();
    let episodes = 0;
    for await (const answer of explainTeam({ env: snapshot.env, team: { snapshot }, question, other: null })) episodes = answer.episodes;
    if (round > 0) best = Math.max(best, (1000 * episodes) / (performance.now() - from));
  }
  return best;
}

async function explanationsPerSecond(
  id: string,
  count: number,
  rounds: number,
): Promise<{ readonly columns: number; readonly features: number; readonly rate: number }> {
  const snapshot = await snapshotOf(id, 'ppo');
  const { policy, free } = await buildPolicy(snapshot);
  const entry = getEnv(id);
  const meta = entry.meta(snapshot.env.config);
  const env = entry.create(snapshot.env.config, 2);
  const buffers = createBuffers(meta, 2);
  env.reset(Uint32Array.of(1, 2), buffers);
  const seen = (row: number): Float32Array =>
    buffers.obs.slice(row * meta.agentCount * meta.obsSize, (row * meta.agentCount + 1) * meta.obsSize);
  const [obs, other] = [seen(0), seen(1)];
  const question: FeatureQuestion = { agent: 0, about: 'behaviour', action: 0, method: 'orders', draws: ORDERS, seed: 1 };
  let best = 0;
  for (let round = 0; round <= rounds; round++) {
    const from = performance.now();
    for (let k = 0; k < count; k++) await explainFeatures({ policy, meta, question, obs, background: [other] });
    if (round > 0) best = Math.max(best, (1000 * count) / (performance.now() - from));
  }
  free();
  return { columns: meta.obsSize, features: featuresOf(meta.agents[0]!.obs).features.length, rate: best };
}

export async function run({ quick, log }: { readonly quick: boolean; readonly log: (line: string) => void }): Promise<Json> {
  const rounds = quick ? 1 : 5;
  const episodes = await episodesPerSecond(rounds);
  log(`coalition episodes, simple_spread, 25 steps: ${Math.round(episodes)} per second (target ${EPISODES_TARGET})`);
  const features: { [key: string]: Json }[] = [];
  for (const id of ['cartpole', 'mpe-simple-spread', 'minigrid-empty']) {
    const { columns, features: n, rate } = await explanationsPerSecond(id, quick ? 20 : 200, rounds);
    const peer = PEERS[String(columns)] ?? null;
    log(`${id}: ${Math.round(rate)} explanations per second (${columns} numbers in ${n} features${peer === null ? '' : `; shap ${peer}`})`);
    features.push({ id, columns, features: n, perSecond: rate, shap: peer });
  }
  return { episodes: { perSecond: episodes, target: EPISODES_TARGET }, features };
}
