/**
 * What SAC does against forgetting while it learns: settings in algos/lib/continual.
 *   EWC        of the policy by ln pi of actions that it draws itself in states of the block, of the critics by normal distributions of deviation 1
 *              around Q1 and Q2 at the actions of the block, whose squared gradients at Q + 1 or - 1 are (dQ / dtheta)^2
 *   rehearsal  a share of each minibatch from a uniform sample of all transitions so far; with cloning
 *              J(pi) += cloning mean_kept KL(pi_then || pi) before squashing,  critics' loss += valueCloning mean_kept sum_i (Q_i - Q_i,then)^2
 *   jumps      of the critics' loss
 */
import { fail } from '#contract/errors.ts';
import { add, concat, exp, mean, mul, sliceAxis, square, stopGradient, sub, sum } from '#core/engine/ops.ts';
import type { Engine, Graph, ParamGroup, Shape, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { encode } from '#core/nets/encoder.ts';
import { gaussianKl, gaussianLogProb } from '#core/nets/heads.ts';
import type { ReplayBuffer } from '#core/state/replay-buffer.ts';
import type { Rng } from '#math/rng.ts';
import { normal } from '#math/sampling.ts';
import { keepWeights } from '../../lib/continual/ewc.ts';
import { BLOCK, taskEnds } from '../../lib/continual/loss-jump.ts';
import { type PackedMasks, packing } from '../../lib/continual/packed-masks.ts';
import { endedTask, oneTransition, Rehearsal } from '../../lib/continual/rehearsal.ts';
import { resetting, type Stack, stackedLayers } from '../../lib/continual/resets.ts';
import { checkOneAgent, headsOf, type PolicyForgetting, packedOf, penaltyOf, rehearsedOf, resetsOf } from '../../lib/continual/settings.ts';

interface Settings {
  readonly forgetting: PolicyForgetting;
  readonly gamma: number;
  readonly batchSize: number;
  readonly trainEvery: number;
  readonly gradientSteps: number;
  readonly activation: Stack['act'];
}

/** The networks of SAC that something is done to. */
interface Networks {
  readonly actor: ParamGroup;
  readonly critic: ParamGroup;
  readonly packed: readonly (PackedMasks | null)[];
  /** Mean and log deviation [rows, D] before squashing, of encoded observations. */
  gaussian(features: Tensor): { readonly mean: Tensor; readonly logStd: Tensor };
  /** Both critics' values [rows]. */
  both(features: Tensor, action: Tensor): readonly [Tensor, Tensor];
}

/** Remedies that exclude something else. Throws LabError('config-invalid'). */
export function checkRemedies(
  meta: EnvMeta,
  c: { readonly forgetting: PolicyForgetting; readonly layerNorm: boolean; readonly hindsight: { readonly kind: string } },
): void {
  const { forgetting } = c;
  const bad = (message: string, fix: string, field: string): Error => fail('config-invalid', message, fix, field);
  checkOneAgent(meta, forgetting);
  if (resetsOf(forgetting) > 0 && c.layerNorm)
    throw bad(
      'Dormant units are found in plain hidden layers only.',
      'Set the threshold of resets to 0, or turn norms off.',
      'algo.forgetting.resets',
    );
  if ((headsOf(forgetting) || packedOf(forgetting) !== null) && c.hindsight.kind === 'on')
    throw bad(
      'Goals that were reached later and parts of the network for tasks exclude each other.',
      'Turn one of them off.',
      'algo.hindsight.kind',
    );
}

/** Made before programs are compiled; null: nothing is done. */
export function softRemedies(engine: Engine, nets: Networks, meta: EnvMeta, c: Settings, replay: ReplayBuffer, rng: Rng) {
  const { forgetting } = c;
  if (forgetting.kind === 'none') return null;
  const [penalty, rehearsed, tau] = [penaltyOf(forgetting), rehearsedOf(forgetting), resetsOf(forgetting)];
  const { obsSize, actionSize: D } = meta;
  const M = c.batchSize;
  const features = (g: Graph, obs: Tensor): Tensor => encode(g, obs, meta.agents[0]!.obs);
  const shape = { obsSize, actionCount: 0, actionSize: D, keptSize: 2 * D + 2 };
  const memory = rehearsed === null ? null : new Rehearsal({ ...shape, ...rehearsed, nStep: 1, gamma: c.gamma }, rng.split('rehearsal'));
  const clones = rehearsed !== null && rehearsed.cloning + rehearsed.valueCloning > 0;
  const keeping =
    penalty === null ? null : { actor: keepWeights(engine, nets.actor, penalty), critic: keepWeights(engine, nets.critic, penalty) };
  const fisher = keeping === null ? null : rng.split('fisher');
  const ends = taskEnds(meta, forgetting);
  const packs = packing(meta, forgetting, nets.packed);
  const late = ends.jumps === null ? 0 : Math.ceil((BLOCK * c.trainEvery) / c.gradientSteps);

  type Cloned = { readonly kept?: Tensor | undefined; readonly again?: Tensor | undefined };
  const part = (kept: Tensor, from: number, width: number): Tensor => sliceAxis(kept, 1, from, width);

  return {
    /** Inputs of both learning programs. */
    inputs: (): { readonly kept: Shape | null; readonly again: Shape | null } => ({
      kept: clones ? [M, shape.keptSize] : null,
      again: clones ? [M] : null,
    }),
    /** What joins the critics' loss; null: nothing. */
    ofCritics(x: Cloned, g: Graph, seen: Tensor, action: Tensor): Tensor | null {
      const held = keeping?.critic.penalty(g) ?? null;
      if (rehearsed === null || x.kept === undefined || x.again === undefined) return held;
      const { kept, again } = x;
      const [q1, q2] = nets.both(seen, action);
      const of = (q: Tensor, at: number): Tensor => square(sub(q, sum(part(kept, 2 * D + at, 1), -1)));
      return add(mul(mean(mul(again, add(of(q1, 0), of(q2, 1)))), rehearsed.valueCloning), held ?? 0);
    },
    /** And that of the policy. */
    ofActor(x: Cloned, g: Graph, now: { readonly mean: Tensor; readonly logStd: Tensor }): Tensor | null {
      const held = keeping?.actor.penalty(g) ?? null;
      if (rehearsed === null || x.kept === undefined || x.again === undefined) return held;
      const divergence = gaussianKl(part(x.kept, 0, D), part(x.kept, D, D), now.mean, now.logStd);
      return add(mul(mean(mul(x.again, divergence)), rehearsed.cloning), held ?? 0);
    },
    state: { parts: { rehearsal: memory }, arrays: { fisher, jumps: ends.jumps } },
    /** Kept transitions take the place of the last rows of a minibatch. */
    mix(batch: Parameters<Rehearsal['mix']>[0]): void {
      memory?.mix(batch, M);
    },
    look: ends.look,

    /** What is done while it learns, compiled behind the programs of the loop. */
    ending() {
      const view = clones
        ? engine.compile(
            { obs: [1, obsSize], action: [1, D] },
            (x, g) => {
              const seen = features(g, x.obs);
              const [q1, q2] = nets.both(seen, x.action);
              return { ...nets.gaussian(seen), q1, q2 };
            },
            { name: 'what is kept' },
          )
        : null;
      const programs =
        keeping === null
          ? null
          : {
              actor: keeping.actor.programs({ obs: [1, obsSize], noise: [1, D] }, (x) => {
                const now = nets.gaussian(features(x.obs.graph, x.obs));
                const drawn = stopGradient(add(now.mean, mul(exp(now.logStd), x.noise)));
                return sum(gaussianLogProb(now.mean, now.logStd, drawn));
              }),
              // each parameter is one critic's, so that the gradient of the sum is that of each
              critic: keeping.critic.programs({ obs: [1, obsSize], action: [1, D] }, (x) => {
                const [q1, q2] = nets.both(features(x.obs.graph, x.obs), x.action);
                return sum(add(q1, q2));
              }),
            };
      const stacks = [
        {
          layers: stackedLayers(nets.actor, 'actor'),
          act: c.activation,
          inputs: (g: Graph, rows: Tensor) => features(g, sliceAxis(rows, 1, 0, obsSize)),
        },
        ...['q1', 'q2'].map((name) => ({
          layers: stackedLayers(nets.critic, name),
          act: c.activation,
          inputs: (g: Graph, rows: Tensor) => concat([features(g, sliceAxis(rows, 1, 0, obsSize)), sliceAxis(rows, 1, obsSize, D)], 1),
        })),
      ];
      const resets = tau > 0 ? resetting(engine, stacks, obsSize + D, tau, rng.split('resets')) : null;
      const one = oneTransition(shape);

      return {
        resetting: resets?.rng ?? null,
        /** Before an update: keeps some of what the buffer got since. */
        offer: async (): Promise<void> =>
          memory?.offer(
            replay,
            view === null
              ? null
              : async (obs, kept, action) => {
                  view.in.obs.set(obs);
                  view.in.action.set(action);
                  const pending = view.run();
                  if (pending) await pending;
                  const { mean: centre, logStd, q1, q2 } = view.out;
                  kept.set(centre);
                  kept.set(logStd, D);
                  kept.set([q1[0]!, q2[0]!], 2 * D);
                },
          ),
        /** After a step, and its updates; `before`: steps so far without it. */
        async pass(before: number, now: number): Promise<void> {
          await packs?.pass(before, now);
          if (!ends.due(before, now)) return;
          const read = endedTask(replay, ends.steps, late, one);
          if (programs !== null && fisher !== null) {
            for (let i = 0; i < (penalty?.samples ?? 0); i++) {
              read(fisher);
              programs.actor.sample.in.obs.set(one.obs);
              for (let d = 0; d < D; d++) programs.actor.sample.in.noise[d] = normal(fisher);
              programs.critic.sample.in.obs.set(one.obs);
              programs.critic.sample.in.action.set(one.action);
              for (const { sample } of [programs.actor, programs.critic]) {
                const pending = sample.run({ read: false });
                if (pending) await pending;
              }
            }
            for (const { consolidate } of [programs.actor, programs.critic]) {
              const pending = consolidate();
              if (pending) await pending;
            }
          }
          await resets?.revive((draws, into) => {
            read(draws);
            into.set(one.obs);
            into.set(one.action, obsSize);
          });
        },
      };
    },
  };
}
export type SoftRemedies = NonNullable<ReturnType<typeof softRemedies>>;
