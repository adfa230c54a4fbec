/** Networks that are looked into behind their first sums say of mixed observations what they say when they are asked about each. */
import { describe, expect, test } from 'vitest';
import type { FeatureAttribution, FeatureQuestion } from '#contract/explain/explain.ts';
import { RunningMoments } from '#math/normalise.ts';
import { Rng } from '#math/rng.ts';
import type { Policy } from '../../algos/api/types.ts';
import { boxPolicy } from '../../algos/lib/box.ts';
import { networkPolicy, policyNetwork } from '../../algos/lib/network-policy.ts';
import { createActor } from '../../algos/lib/ppo/networks.ts';
import { shareNetworks, teamPolicy } from '../../algos/lib/sharing.ts';
import { createEngine } from '../../engine/index.ts';
import { neg, sum } from '../../engine/ops.ts';
import { sizeOf } from '../../engine/shapes.ts';
import type { Engine, ParamGroup } from '../../engine/types.ts';
import { getEnv } from '../../envs/all.ts';
import { createActions, createBuffers } from '../../envs/api/buffers.ts';
import type { EnvMeta } from '../../envs/api/types.ts';
import { uniform } from '../../nets/init.ts';
import { mlp, qNetwork } from '../../nets/mlp.ts';
import { explainFeatures } from '../features.ts';

type Make = (meta: EnvMeta) => Promise<Policy>;

const options = { hidden: [24, 16], activation: 'tanh', sharedTrunk: false } as const;
/** Weights as they are drawn for learning give all actions about the same probability: others instead. */
function redraw(engine: Engine, { params }: ParamGroup): void {
  const rng = Rng.from(9);
  for (const param of params) engine.write(param, uniform(rng, sizeOf(param.shape), 0.5));
}

const ppo: Make = async (meta) => {
  const engine = await createEngine('wasm');
  const net = policyNetwork(engine, meta, options, Rng.from(1));
  redraw(engine, net.group);
  const moments = new RunningMoments(meta.obsSize);
  moments.update(Float32Array.from({ length: 4 * meta.obsSize }, (_, i) => ((i * 7) % 5) - 1), 4); // biome-ignore format: made up
  const normaliser = meta.agents[0]!.obs.kind === 'box' ? { moments, clip: 10 } : null;
  return networkPolicy({ meta, normaliser, compile: (rows) => engine.compile(net.inputs(rows), net.outputs) });
};

const dqn: Make = async (meta) => {
  const engine = await createEngine('wasm');
  const group = engine.group('q');
  const q = qNetwork(group, Rng.from(2), [meta.obsSize, 20, meta.actionCount], { dueling: true });
  redraw(engine, group);
  return networkPolicy({ meta, compile: (rows) => engine.compile({ obs: [rows, meta.obsSize] }, ({ obs }) => ({ q: q(obs) })) });
};

/** Two roles of other widths, each with its number behind what it sees. */
const team: Make = async (meta) => {
  const engine = await createEngine('wasm');
  const sharing = shareNetworks(meta, 'grouped', true);
  const actors = sharing.networks.map((network, k) =>
    createActor(engine.group(network.name), network, meta.masked, { hidden: [16], activation: 'relu', layerNorm: false }, Rng.from(k)),
  );
  for (const actor of actors) redraw(engine, actor.group);
  return teamPolicy({ meta, sharing, compile: (k, rows) => engine.compile(actors[k]!.inputs(rows), actors[k]!.outputs) });
};

/** Continuous actions in the box of the environment: drawn around a mean that is squashed afterwards, or one that is squashed already. */
const box =
  (drawn: boolean): Make =>
  async (meta) => {
    const engine = await createEngine('wasm');
    const group = engine.group('mu');
    const mu = mlp(group, 'mu', Rng.from(3), [meta.obsSize, 20, meta.actionSize], { outAct: drawn ? 'none' : 'tanh' });
    redraw(engine, group);
    return boxPolicy({
      meta,
      compile: (rows) =>
        engine.compile((g) => {
          const mean = mu(g.input('obs', [rows, meta.obsSize]));
          const rest = { mean, value: sum(mean, [1]) };
          return drawn ? { ...rest, logStd: neg(mean) } : rest;
        }),
    });
  };

async function ask(id: string, config: object, make: Make, asked: Partial<FeatureQuestion>, blind: boolean): Promise<FeatureAttribution> {
  const entry = getEnv(id);
  const complete = entry.parse(config);
  const env = entry.create(complete, 1);
  const { meta } = env;
  const whole = await make(meta);
  const { split: _, ...outside } = whole;
  const { agent = 0 } = asked;
  const seen = asked.about === 'prediction' ? (['value', 'q'] as const) : (['probs', 'mean', 'q'] as const);
  expect(seen.some((output) => whole.split?.(output, agent) != null)).toBe(true);
  const buffers = createBuffers(meta, 1);
  env.reset(Uint32Array.of(4), buffers);
  const moments: Float32Array[] = [];
  const actions = createActions(meta, 1);
  for (let t = 0; t < 6; t++) {
    moments.push(buffers.obs.slice(agent * meta.obsSize, (agent + 1) * meta.obsSize));
    for (let i = 0; i < actions.length; i++) actions[i] = meta.actionCount > 0 ? (3 * t + i) % meta.agents[0]!.count : 0.3 * t - 1;
    env.step(actions, buffers);
  }
  const mask = buffers.mask?.slice(agent * meta.actionCount, (agent + 1) * meta.actionCount);
  const question: FeatureQuestion = { agent, about: 'behaviour', action: null, method: 'orders', draws: 12, seed: 3, ...asked };
  const actionReturns = Array.from({ length: meta.actionCount }, (_, a) => (a * 5) % 3);
  return explainFeatures({
    policy: blind ? outside : whole,
    meta,
    question,
    obs: moments[5]!,
    background: moments.slice(0, 5),
    ...(mask && { mask }),
    ...(question.about === 'outcome' && { actionReturns }),
  });
}

describe('looking into the network changes an explanation by less than 1e-5', () => {
  const cases: readonly (readonly [name: string, id: string, config: object, make: Make, asked: Partial<FeatureQuestion>])[] = [
    ['few features: all coalitions', 'cartpole', {}, ppo, {}],
    ['what it expects', 'cartpole', {}, ppo, { about: 'prediction' }],
    ['many features: orders', 'mpe-simple-spread', {}, ppo, { agent: 1, action: 2 }],
    ['the outcome', 'mpe-simple-spread', {}, ppo, { about: 'outcome' }],
    ['KernelSHAP', 'mpe-simple-spread', {}, ppo, { method: 'kernel' }],
    ['one-hot codes of a grid', 'minigrid-empty', {}, ppo, { action: 1 }],
    ['continuous actions', 'pendulum', {}, ppo, {}],
    ['a mean that is squashed, scaled and moved', 'mpe-simple-spread', { continuousActions: true }, box(true), { agent: 1, action: 2 }],
    ['a mean between two bounds', 'pendulum', {}, box(false), {}],
    ['action values', 'cartpole', {}, dqn, {}],
    ['the best action value', 'cartpole', {}, dqn, { about: 'prediction' }],
    ['the outcome of the best action', 'mpe-simple-spread', {}, dqn, { about: 'outcome' }],
    ['a role of a team', 'mpe-simple-tag', {}, team, { agent: 1 }],
    ['another role', 'mpe-simple-tag', {}, team, { agent: 3 }],
    ['masked actions', 'mpe-simple-world-comm', {}, team, { agent: 0 }],
  ];
  for (const [name, id, config, make, asked] of cases) {
    test(name, async () => {
      const [inside, outside] = [await ask(id, config, make, asked, false), await ask(id, config, make, asked, true)];
      const close = (a: readonly number[], b: readonly number[]): void => {
        expect(a.length).toBe(b.length);
        for (let i = 0; i < a.length; i++) expect(Math.abs(a[i]! - b[i]!), `${i}`).toBeLessThan(1e-5 * Math.max(1, Math.abs(b[i]!)));
      };
      close(inside.value, outside.value);
      close(inside.occlusion!, outside.occlusion!);
      close([inside.base, inside.output], [outside.base, outside.output]);
      if (inside.halfWidth.every(Number.isFinite)) close(inside.halfWidth, outside.halfWidth);
      // a slope is a difference divided by a small step, which enlarges what rounding loses
      (inside.gradient ?? []).forEach((slope, i) => {
        expect(Math.abs(slope - outside.gradient![i]!)).toBeLessThan(1e-3 * Math.max(1, outside.gradient![i]!));
      });
      expect(inside.action).toBe(outside.action);
      expect(Math.max(...inside.value.map(Math.abs))).toBeGreaterThan(1e-3);
    });
  }
});
