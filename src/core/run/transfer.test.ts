import { describe, expect, it, test } from 'vitest';
import { LabError } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { playedElsewhere } from '../after-run.ts';
import { getAlgo } from '../algos/all.ts';
import { getEnv } from '../envs/all.ts';
import { evaluate } from './evaluate.ts';
import { loadPolicy, train } from './train.ts';
import { checkTransfer, movedTo } from './transfer.ts';

const meta = (id: string, config: object = {}) => getEnv(id).meta(config);

test('physics may change, shapes may not', () => {
  expect(() => checkTransfer(meta('cartpole'), meta('cartpole', { gravity: 30 }))).not.toThrow();
  expect(() => checkTransfer(meta('minigrid-empty'), meta('minigrid-empty', { width: 12, height: 12 }))).not.toThrow();
  expect(() => checkTransfer(meta('mpe-simple-spread'), meta('mpe-simple-spread', { agents: 5 }))).toThrow(/3 agents, here there are 5/);
  expect(() => checkTransfer(meta('minigrid-empty'), meta('minigrid-empty', { viewSize: 5 }))).toThrow(/numbers per observation/);
  expect(() => checkTransfer(meta('mpe-simple-spread'), meta('mpe-simple-spread', { continuousActions: true }))).toThrow(
    /discrete actions/,
  );
});

const SMALL = { envs: 4, rolloutSteps: 16, minibatches: 2, epochs: 1, hidden: [8], body: { kind: 'entities', units: 8 } };

async function trained(algo: string, env: string, settings: JsonObject, usual: JsonObject = SMALL): Promise<PolicySnapshot> {
  let snapshot: PolicySnapshot | null = null;
  const options = { env: getEnv(env), algo: getAlgo(algo), config: { ...usual, ...settings }, steps: 256, evalEpisodes: 2 };
  for await (const progress of train(options)) snapshot = progress.policy ?? snapshot;
  if (snapshot === null) throw new Error('nothing was trained');
  return snapshot;
}

/** Returns of whole episodes in another setting. */
async function playedIn(snapshot: PolicySnapshot, config: JsonObject): Promise<number> {
  const env = getEnv(snapshot.env.id);
  const { policy, free } = await loadPolicy(movedTo(snapshot, env, config), { env, algo: getAlgo(snapshot.algo.id) });
  try {
    const { score, perAgent } = await evaluate(policy, env, config, { episodes: 3 });
    expect(perAgent.length).toBe(env.meta(config).agentCount);
    return score;
  } finally {
    free();
  }
}

describe('a network over entities acts in teams of any size', () => {
  it.each(['ippo', 'mappo', 'ppo'])('%s: trained as three, in spread with 2, 4 and 6', async (algo) => {
    const snapshot = await trained(algo, 'mpe-simple-spread', {});
    const home = await playedIn(snapshot, {});
    const away = [];
    for (const agents of [2, 4, 6]) away.push(await playedIn(snapshot, { agents }));
    for (const score of away) expect(Number.isFinite(score)).toBe(true);
    expect(new Set([home, ...away]).size).toBe(4);
    expect((await playedElsewhere(snapshot, [{ agents: 2 }], { episodes: 3 })).return).toBe(away[0]);
  });

  it('qmix: agents without the mixer', async () => {
    const { envs, rolloutSteps, body } = SMALL;
    const settings = { envs, rolloutSteps, body, agentId: false, hidden: [8], learningStarts: 100, bufferSize: 100 };
    const snapshot = await trained('qmix', 'mpe-simple-spread', settings, {});
    const scores = [];
    for (const agents of [2, 3, 5]) scores.push(await playedIn(snapshot, { agents }));
    expect(new Set(scores).size).toBe(3);
  });

  it('hunters and prey of tag, each by its network', async () => {
    const snapshot = await trained('ippo', 'mpe-simple-tag', {});
    expect(Number.isFinite(await playedIn(snapshot, { adversaries: 6, good: 2, obstacles: 1 }))).toBe(true);
  });

  it('foragers with more food and mates', async () => {
    const snapshot = await trained('mappo', 'level-based-foraging', {});
    expect(Number.isFinite(await playedIn(snapshot, { players: 4, foods: 5, fieldSize: [12, 12] }))).toBe(true);
  });

  it('the setting it was trained in, and other physics, need no other policy', async () => {
    const snapshot = await trained('ippo', 'mpe-simple-spread', {});
    const env = getEnv('mpe-simple-spread');
    expect(movedTo(snapshot, env, env.parse({}))).toBe(snapshot);
    expect(movedTo(snapshot, env, env.parse({ force: 3 }))).toBe(snapshot);
    expect(() => movedTo(snapshot, env, env.parse({ continuousActions: true }))).toThrow(
      /other kinds of things there, or have other actions/,
    );
  });
});

it.each([
  ['a dense body', { body: 'dense' }],
  ['a network for each agent', { sharing: 'independent' }],
])('%s is refused in another team, with what would help', async (_, settings) => {
  const snapshot = await trained('ippo', 'mpe-simple-spread', settings);
  const env = getEnv('mpe-simple-spread');
  let failure: unknown;
  try {
    movedTo(snapshot, env, env.parse({ agents: 4 }));
  } catch (error) {
    failure = error;
  }
  expect(failure).toBeInstanceOf(LabError);
  expect(failure).toMatchObject({ failure: { id: 'incompatible' } });
  expect(String(failure)).toMatch(/3 agents, here there are 4/);
  expect((failure as LabError).failure.fix).toMatch(/body of entities/);
});
