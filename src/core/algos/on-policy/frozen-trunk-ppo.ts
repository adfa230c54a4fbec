/**
 * PPO in two stages, for machines with little memory (after BitRL, Sajid et al. 2026): first trunk and heads learn together, then the
 * trunk is frozen and new heads learn over it. The trunk's weights are float, or ternary from the beginning (nets/ternary.ts): 2 bits each
 * once they are frozen. Policy and value share the trunk.
 *   pi(a|s) by head_pi(trunk(s)),   V(s) = head_V(trunk(s)),   L: PPO's clipped loss (ppo.ts)
 *   ternary:  scale = mean |w|,   w3 = scale round(clip(w / scale, -1, 1));   forward by w3, gradient to w as if w3 were w
 * Both stages are PPO (ppo.ts); the second begins with fresh episodes, fresh moments of Adam and, where it is annealed, a fresh step size.
 * Pseudo-code:
 *   stage 1, for the first trunkShare of the budget
 *     PPO: rollouts, GAE(lambda), epochs of minibatches on L, learning trunk and both heads
 *       if trunk is ternary: forward by rounded weights, straight-through gradient to the float ones
 *   keep the trunk; if it is ternary: round its weights once and for all
 *   draw new heads for policy and value
 *   stage 2, for the rest of the budget
 *     PPO: the same on L, learning the heads only
 *   if trunkShare is 0: the trunk stays as it was drawn
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import type { Saved } from '#contract/run/events.ts';
import type { Engine, ParamGroup } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { encodedSize } from '#core/nets/encoder.ts';
import { type MakeTrunk, mlp, type Net } from '#core/nets/mlp.ts';
import { layerBytes, ternaryTrunk, ternaryWeights } from '#core/nets/ternary.ts';
import { savedNumber } from '#core/state/checkpoint.ts';
import { loadGroups, readParams } from '#core/state/params.ts';
import { joinSaved, partOf } from '#core/state/saved.ts';
import { RunningMoments } from '#math/normalise.ts';
import { Rng } from '#math/rng.ts';
import { livingRows } from '../api/changes.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { checkSameAgents } from '../api/guards.ts';
import type { Progress, Run } from '../api/types.ts';
import { type PolicyNetwork, policyNetwork, policyOfNetwork } from '../lib/network-policy.ts';
import { CLIP_NORMALISED, checkMinibatches, checkNormalised, commonFields, ppoMetrics, savedPacked } from '../lib/ppo/common.ts';
import { trainPpo } from './ppo.ts';

const config = z.strictObject({
  ...commonFields,
  trunk: z.enum(['float', 'ternary']).default('ternary').meta({
    title: 'trunk weights',
    description: 'Any numbers, or -1, 0 and 1 times one scale for each layer.',
    source: 'BitNet b1.58, Ma et al. 2024',
    depth: 'teach',
    group: 'network',
  }),
  trunkShare: fields.real(0.5, {
    min: 0,
    max: 0.95,
    title: 'share for the trunk',
    description: 'Share of the budget in which the trunk learns; behind it only new heads do. 0: a trunk as it was drawn.',
    source: 'own choice',
    slider: [0, 0.9],
    group: 'network',
  }),
});
type Config = z.infer<typeof config>;

/** What PPO has and this has not. */
const FIXED = {
  normaliseAdvantages: true,
  targetKl: null,
  sharedTrunk: true,
  filters: 0,
  normaliseReward: false,
  criticHidden: null,
  layerNorm: false,
  body: { kind: 'dense' },
} as const;

/** Settings of PPO that follow live edits. */
function ppoSettings(c: Config) {
  const all = { ...c, ...FIXED };
  for (const key of config.keyof().options) Object.defineProperty(all, key, { enumerable: true, get: () => c[key] });
  return all;
}

/** A trunk whose weights are given and learn nothing: they lie in a group of their own. */
function frozenTrunk(group: ParamGroup): MakeTrunk {
  return (_heads, _rng, sizes, act): Net => mlp(group, 'trunk', Rng.from(0), sizes, { act, outAct: act });
}

function headsOverTrunk(engine: Engine, meta: EnvMeta, { hidden, activation }: Config, rng: Rng, weights: Saved): PolicyNetwork {
  const trunk = engine.group('trunk');
  const net = policyNetwork(engine, meta, { hidden, activation, sharedTrunk: true, trunk: frozenTrunk(trunk) }, rng, 'heads');
  loadGroups(engine, { trunk }, joinSaved({}, { trunk: weights }));
  return net;
}

function learningTrunk(engine: Engine, meta: EnvMeta, { hidden, activation, trunk }: Config, rng: Rng): PolicyNetwork {
  const own = trunk === 'ternary' ? { trunk: ternaryTrunk } : {};
  return policyNetwork(engine, meta, { hidden, activation, sharedTrunk: true, ...own }, rng);
}

/** The trunk of the first stage as it is kept: ternary weights are rounded once and for all. */
async function keptTrunk(engine: Engine, { group }: PolicyNetwork, c: Config): Promise<Saved> {
  const { meta, arrays } = await readParams(engine, group);
  const kept: Record<string, Float32Array> = {};
  for (const [name, values] of Object.entries(arrays)) {
    if (!name.startsWith('trunk.') || !(values instanceof Float32Array)) continue;
    kept[name] = c.trunk === 'ternary' && name.endsWith('.w') ? ternaryWeights(values) : values;
  }
  return { meta, arrays: kept };
}

/** Bytes of the policy network with packed weights: trunk, policy head and value head. */
export function networkBytes(meta: EnvMeta, c: Pick<Config, 'hidden' | 'trunk'>): number {
  const inputs = encodedSize(meta.agents[0]!.obs);
  const top = c.hidden.at(-1) ?? inputs;
  const choices = meta.actionCount > 0 ? meta.actionCount : meta.actionSize;
  return layerBytes([inputs, ...c.hidden], c.trunk === 'ternary') + layerBytes([top, choices], false) + layerBytes([top, 1], false);
}

interface Stage {
  readonly stage: 1 | 2;
  /** Steps of the first stage; 0 while it lasts. */
  readonly before: number;
  /** Of the second stage. */
  readonly trunk: Saved;
}
const EMPTY: Saved = { meta: {}, arrays: {} };

/** What a stage yields as the whole run yields it. */
function within(progress: Progress, { stage, before, trunk }: Stage, bytes: number): Progress {
  const wrap = async (inner: Saved | Promise<Saved>): Promise<Saved> =>
    joinSaved({ stage, before, done: progress.step }, { inner: await inner, trunk });
  return {
    ...progress,
    step: before + progress.step,
    metrics: { ...progress.metrics, bytes },
    snapshot: () => wrap(progress.snapshot()),
    save: () => wrap(progress.save()),
  };
}

async function* train(run: Run<Config>, resume: Saved | undefined): AsyncGenerator<Progress, void, void> {
  const { config: c, meta } = run;
  const bytes = networkBytes(meta, c);
  const settings = ppoSettings(c);
  let env: ReturnType<Run<Config>['makeEnv']> | undefined;
  const makeEnv: Run<Config>['makeEnv'] = (batch) => (env ??= run.makeEnv(batch));
  const inner = resume && partOf(resume, 'inner');
  let second: Stage | null = null;
  if (resume !== undefined && savedNumber(resume, 'stage') === 2)
    second = { stage: 2, before: savedNumber(resume, 'before'), trunk: partOf(resume, 'trunk') };
  if (second === null) {
    let engine: Engine | undefined;
    let net: PolicyNetwork | undefined;
    const makeEngine = async (): Promise<Engine> => (engine = await run.makeEngine());
    const steps = Math.round(run.steps * c.trunkShare);
    let before = resume === undefined ? 0 : savedNumber(resume, 'done');
    const stage: Stage = { stage: 1, before: 0, trunk: EMPTY };
    if (steps > 0) {
      const first = trainPpo({ ...run, config: settings, steps, makeEnv, makeEngine }, inner, (made, rng) => {
        net = learningTrunk(made, meta, c, rng);
        return net;
      });
      for await (const progress of first) {
        before = progress.step;
        yield within(progress, stage, bytes);
      }
    }
    if (engine === undefined || net === undefined) {
      engine = await run.makeEngine();
      net = learningTrunk(engine, meta, c, run.rng.split('init'));
    }
    second = { stage: 2, before, trunk: await keptTrunk(engine, net, c) };
    if (before >= run.steps) return;
  }
  const stage = second;
  const rest = { ...run, config: settings, steps: run.steps - stage.before, makeEnv, rng: run.rng.split('heads') };
  const resumed = resume !== undefined && savedNumber(resume, 'stage') === 2 ? inner : undefined;
  const heads = trainPpo(rest, resumed, (made, rng) => headsOverTrunk(made, meta, c, rng, stage.trunk));
  for await (const progress of heads) yield within(progress, stage, bytes);
}

export const frozenTrunkPpo = defineAlgo<Config>({
  spec: {
    id: 'frozen-trunk-ppo',
    version: 2,
    changes: [livingRows(2)],
    title: 'PPO over a frozen trunk',
    summary: 'Trains lower layers, freezes them (two bits a weight, if chosen), and learns a small policy on top.',
    source: {
      title: 'BitRL: Reinforcement Learning with 1-bit Quantized Language Models for Resource-Constrained Edge Deployment',
      authors: 'Sajid et al.',
      year: 2026,
      url: 'https://arxiv.org/abs/2604.24273',
    },
    config,
    presets: [
      { id: 'float', title: 'Float weights', config: { trunk: 'float' } },
      { id: 'drawn', title: 'A trunk as it was drawn', config: { trunkShare: 0 } },
      {
        id: 'continuous',
        title: 'Continuous control (CleanRL ppo_continuous_action.py)',
        config: { lr: 3e-4, envs: 1, rolloutSteps: 2048, minibatches: 32, epochs: 10, entropyCoef: 0, normaliseObs: true },
      },
    ],
    continuous: 'continuous',
    action: 'any',
    learner: 'network',
    agents: 'many',
    trial: { env: 'cartpole', steps: 1280, config: { envs: 4, rolloutSteps: 16, minibatches: 2, epochs: 2, hidden: [8] } },
    probes: [{ on: ['bandit', 'cued', 'masked', 'team'], steps: 16_000 }],
    probeConfig: { envs: 8, rolloutSteps: 16, lr: 3e-3, annealLr: false, gamma: 0.9, entropyCoef: 0.001, hidden: [16] },
    metrics: [
      ...ppoMetrics,
      {
        id: 'bytes',
        title: 'bytes',
        description: 'Of the policy network with its weights packed: 2 bits for a ternary one, 4 bytes else.',
        unit: 'bytes',
      },
    ],
  },

  fits(meta, c) {
    checkSameAgents(meta, 'PPO over a frozen trunk');
    checkNormalised(meta, c.normaliseObs);
    checkMinibatches(c.envs * c.rolloutSteps * meta.agentCount, c.minibatches);
  },

  train,

  async policy({ config: c, meta, makeEngine }, saved) {
    const engine = await makeEngine();
    const late = savedNumber(saved, 'stage') === 2;
    const net = late ? headsOverTrunk(engine, meta, c, Rng.from(0), partOf(saved, 'trunk')) : learningTrunk(engine, meta, c, Rng.from(0));
    const inner = partOf(saved, 'inner');
    loadGroups(engine, { net: net.group }, inner);
    const moments = savedPacked(inner, 'moments', new RunningMoments(meta.obsSize));
    return policyOfNetwork(engine, meta, net, moments, CLIP_NORMALISED, () => engine.dispose());
  },
});
