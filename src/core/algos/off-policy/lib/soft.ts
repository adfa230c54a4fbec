/**
 * What soft actor-critics are made of, whatever their critics are: settings, networks, the squashed Gaussian policy and the temperature. Losses and
 * updates are those of ../sac.ts. A method gives its critics (SoftCritics) and how to build them.
 */
import { z } from 'zod';
import { split, tanh } from '#core/engine/ops.ts';
import type { Engine, Graph, Optimiser, ParamGroup, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { encode, encodedSize } from '#core/nets/encoder.ts';
import { type MlpOptions, mlp } from '#core/nets/mlp.ts';
import type { Rng } from '#math/rng.ts';
import { kind, variant } from '../../../envs/api/variant.ts';
import { type BoundParts, type NetworkParts, outputsOf } from '../../api/extension.ts';
import * as fields from '../../api/fields.ts';
import { boxOf } from '../../lib/box.ts';
import * as ac from './actor-critic.ts';

/** Defaults that methods differ in. */
interface Own {
  readonly lr?: number;
  readonly actorEvery?: number;
  readonly gradientSteps?: number;
  readonly learningStarts?: number;
  readonly hidden?: { readonly units: readonly number[]; readonly source: string };
}

/** Settings of a soft actor-critic; Stable-Baselines3's values but for those given. */
export const softFields = (source: string, own: Own = {}) => ({
  lr: fields.lr(own.lr ?? 3e-4, source, { description: 'Step size of Adam for the policy.' }),
  criticLr: fields.lr(own.lr ?? 3e-4, source, {
    title: 'critic learning rate',
    description: 'Step size of Adam for the critics and the temperature.',
  }),
  gamma: fields.gamma(0.99, source),
  tau: fields.tau(0.005, source, { live: true }),
  autoTemperature: variant(
    'on',
    [
      kind('off', {}),
      kind('on', {
        target: z.number().min(-100).max(100).nullable().default(null).meta({
          title: 'target entropy',
          unit: 'nats',
          description: 'Entropy that the policy is kept near, in the units of the actions; empty: minus the number of action dimensions.',
          source,
          group: 'entropy',
        }),
        loss: z.enum(['log', 'exp']).default('log').meta({
          title: 'temperature loss',
          description:
            'ln alpha times the gap (Stable-Baselines3) or alpha times the gap (CleanRL): the same fixed point at another speed.',
          source,
          depth: 'research',
          group: 'entropy',
        }),
      }),
    ],
    ac.automaticTemperature(source),
  ),
  temperature: ac.temperatureField(source),
  logStd: z.enum(['clamp', 'tanh']).default('clamp').meta({
    title: 'log std',
    description: 'Clipped to [-20, 2], or bent into [-5, 2] by a tanh as CleanRL does.',
    source,
    depth: 'research',
    group: 'network',
  }),
  actorEvery: fields.integer(own.actorEvery ?? 1, {
    min: 1,
    max: 64,
    title: 'policy update interval',
    unit: 'critic updates',
    description: 'Critic updates between two rounds of policy updates.',
    source,
    slider: [1, 4],
    group: 'optimisation',
  }),
  actorUpdates: fields.integer(1, {
    min: 1,
    max: 64,
    title: 'policy updates',
    description: 'Policy updates in each round.',
    source,
    slider: [1, 4],
    group: 'optimisation',
  }),
  ...fields.replay(source, { batchSize: 256, learningStarts: own.learningStarts ?? 100, gradientSteps: own.gradientSteps ?? 1 }),
  hidden: fields.hidden(own.hidden?.units ?? [256, 256], own.hidden?.source ?? source, {
    description: 'Units of each layer, in actor and critics; ReLU between them.',
  }),
});
type Settings = z.infer<z.ZodObject<ReturnType<typeof softFields>>>;
/** `tau` only where there are target critics. */
export type SoftConfig = Omit<Settings, 'tau'> & Partial<Pick<Settings, 'tau'>>;

/** A minibatch as the critics see it: rows [M], observations encoded, the next action drawn from the policy. */
export interface SoftBatch {
  readonly features: Tensor;
  readonly action: Tensor;
  readonly reward: Tensor;
  readonly discount: Tensor;
  readonly nextFeatures: Tensor;
  readonly nextAction: Tensor;
  readonly nextLogProb: Tensor;
  readonly alpha: Tensor;
  /** Numbers of `draws.learn`, if there are any. */
  readonly draws: Tensor | undefined;
}

/** Random numbers that critics need for one run of a program. */
export interface Draws {
  readonly size: number;
  fill(rng: Rng, into: Float32Array): void;
}

export interface SoftCritics {
  /** What Adam moves. */
  readonly critic: ParamGroup;
  /** Follows it by tau, parameter by parameter; missing: there is none. */
  readonly target?: ParamGroup;
  /** What else a policy needs of them. */
  readonly kept?: { readonly [part: string]: ParamGroup };
  /** Of critics and policy; Adam with its usual settings if missing. */
  readonly optimiser?: Optimiser;
  /** Of the critics, and the mean predicted value of the replayed actions. */
  learn(batch: SoftBatch): { readonly loss: Tensor; readonly qMean: Tensor };
  /** Value [M] that the policy climbs; `draws`: numbers of `draws.climb`. */
  climb(features: Tensor, action: Tensor, draws: Tensor | undefined): Tensor;
  /** Both values [rows], and the parts of the critics that belong to tasks: of methods that show them to extensions. */
  both?(features: Tensor, action: Tensor): readonly [Tensor, Tensor];
  readonly parts?: BoundParts | null;
  /** Value [rows] that is shown beside a policy's action. */
  value(features: Tensor, action: Tensor): Tensor;
  readonly draws?: { readonly learn: Draws; readonly climb: Draws };
}

/** Builds critics over `inputs` numbers, those of state and action side by side. Groups: `critic` and `target`. */
export type BuildCritics<C> = (
  engine: Engine,
  rng: Rng,
  inputs: number,
  config: C,
  meta: EnvMeta,
  parts: NetworkParts | null,
) => SoftCritics;

/** How a method builds its networks: its critics, and the hidden layers of its actor. */
export interface Build<C> {
  readonly critics: BuildCritics<C>;
  readonly layers: (config: C) => MlpOptions;
}

export function networks<C extends SoftConfig>(
  engine: Engine,
  meta: EnvMeta,
  c: C,
  rng: Rng,
  build: Build<C>,
  parts: NetworkParts | null = null,
) {
  const space = meta.agents[0]!.obs;
  const D = meta.actionSize;
  const inputs = encodedSize(space);
  const actor = engine.group('actor');
  const net = mlp(actor, 'actor', rng, [inputs, ...c.hidden, 2 * D * (parts?.heads ?? 1)], build.layers(c));
  const critics = build.critics(engine, rng, inputs + D, c, meta, parts);
  const bound = parts?.bind(actor) ?? null;
  const body = (features: Tensor): Tensor =>
    outputsOf(
      bound,
      () => features,
      () => [net(features)],
    )[0]!;
  return {
    actor,
    critics,
    parts: bound,
    temperature: ac.temperature(engine, c.temperature),
    features: (g: Graph, obs: Tensor): Tensor => encode(g, obs, space),
    /** Mean and log std [rows, D] before squashing. */
    gaussian(features: Tensor) {
      const [centre, raw] = split(body(features), [D, D]) as [Tensor, Tensor];
      return { mean: centre, logStd: ac.boundedLogStd(raw, c.logStd) };
    },
    /** Half the width of the box. */
    half: (g: Graph): Tensor => g.constant(boxOf(meta).half.slice(0, D), [D]),
  };
}
export type Networks = ReturnType<typeof networks>;

/** What a snapshot holds. */
export const groupsOf = ({ actor, critics, parts }: Networks) => ({
  actor,
  critic: critics.critic,
  ...critics.kept,
  ...(parts?.group && { packed: parts.group }),
  ...(critics.parts?.group && { packedCritic: critics.parts.group }),
});

export function compileActing(engine: Engine, nets: Networks, meta: EnvMeta, rows: number) {
  return engine.compile({ obs: [rows, meta.obsSize] }, ({ obs }, g) => nets.gaussian(nets.features(g, obs)), { name: 'act' });
}

/** With the critics' value of the best action. */
export function compilePolicy(engine: Engine, nets: Networks, meta: EnvMeta, rows: number) {
  return engine.compile(
    { obs: [rows, meta.obsSize] },
    ({ obs }, g) => {
      const features = nets.features(g, obs);
      const out = nets.gaussian(features);
      return { ...out, value: nets.critics.value(features, tanh(out.mean)) };
    },
    { name: 'policy' },
  );
}
