/**
 * What SAC does against forgetting:
 *   EWC        of the policy by ln pi of actions that it draws itself in states of the block, of the critics by normal distributions of deviation 1
 *              around Q1 and Q2 at the actions of the block, whose squared gradients at Q + 1 or - 1 are (dQ / dtheta)^2
 *   rehearsal  a share of each minibatch from a uniform sample of all transitions so far; with cloning
 *              J(pi) += cloning mean_kept KL(pi_then || pi) before squashing,  critics' loss += valueCloning mean_kept sum_i (Q_i - Q_i,then)^2
 *   jumps      of the critics' loss
 */
import { present } from '#contract/kit/errors.ts';
import { add, concat, exp, mean, mul, sliceAxis, square, stopGradient, sub, sum } from '#core/engine/ops.ts';
import type { Graph, Tensor } from '#core/engine/types.ts';
import { encode } from '#core/nets/encoder.ts';
import { gaussianKl, gaussianLogProb } from '#core/nets/heads.ts';
import { normal } from '#math/sampling.ts';
import type { ReplayHost, Views } from '../../api/extension.ts';
import type { taskEnds } from './loss-jump.ts';
import { lateOf } from './q.ts';
import { batchOf, endedTask, oneTransition, Rehearsal } from './rehearsal.ts';
import { stackedLayers } from './resets.ts';
import { type Forgetting, rehearsedOf } from './settings.ts';
import { joined, NOTHING_REHEARSED, type Rehearsed, type Side } from './side.ts';

type SoftHost = Extract<ReplayHost, { networks: 'soft' }>;

const shapeOf = ({ meta: { obsSize, actionSize: D } }: SoftHost) => ({ obsSize, actionCount: 0, actionSize: D, keptSize: 2 * D + 2 });

const featuresOf =
  ({ meta }: SoftHost) =>
  (g: Graph, obs: Tensor): Tensor =>
    encode(g, obs, meta.agents[0]!.obs);

/** The host's networks are the actor, then the critics. */
export function softSide(host: SoftHost, forgetting: Forgetting, ends: ReturnType<typeof taskEnds>): Side {
  const { meta, replay, learned, activation } = host;
  const { obsSize, actionSize: D } = meta;
  const features = featuresOf(host);
  const [actor, critics] = learned as [(typeof learned)[number], (typeof learned)[number]];
  const one = oneTransition(shapeOf(host));
  return {
    samples: () => [
      {
        inputs: { obs: [1, obsSize], noise: [1, D] },
        likelihood({ obs, noise }) {
          const now = host.gaussian(features(obs.graph, obs));
          const drawn = stopGradient(add(now.mean, mul(exp(now.logStd), present(noise, 'the noise of a sample'))));
          return sum(gaussianLogProb(now.mean, now.logStd, drawn));
        },
        feed(inputs, { obs }, draws) {
          inputs.obs?.set(obs);
          if (inputs.noise !== undefined) for (let d = 0; d < D; d++) inputs.noise[d] = normal(draws);
        },
      },
      {
        inputs: { obs: [1, obsSize], action: [1, D] },
        // each parameter is one critic's, so that the gradient of the sum is that of each
        likelihood({ obs, action }) {
          const [q1, q2] = host.both(features(obs.graph, obs), present(action, 'the action of a sample'));
          return sum(add(q1, q2));
        },
        feed(inputs, { obs, action }) {
          inputs.obs?.set(obs);
          inputs.action?.set(action);
        },
      },
    ],
    stacks: [
      {
        layers: stackedLayers(actor.group, 'actor'),
        act: activation,
        init: 'torch' as const,
        inputs: (g, rows) => features(g, sliceAxis(rows, 1, 0, obsSize)),
      },
      ...['q1', 'q2'].map((name) => ({
        layers: stackedLayers(critics.group, name),
        act: activation,
        init: 'torch' as const,
        inputs: (g: Graph, rows: Tensor) => concat([features(g, sliceAxis(rows, 1, 0, obsSize)), sliceAxis(rows, 1, obsSize, D)], 1),
      })),
    ],
    width: obsSize + D,
    write({ obs, action }, into) {
      into.set(obs);
      into.set(action, obsSize);
    },
    lossOf: (network, { loss }) => (network === 'critics' ? (loss?.[0] ?? null) : null),
    due: ({ before, now }) => [before, now],
    ended: () => ({ one, read: endedTask(replay, ends.steps, lateOf(host, ends), one) }),
    rehearsal: rehearsal(host, forgetting),
    alwaysLooks: true,
  };
}

function rehearsal(host: SoftHost, forgetting: Forgetting): Rehearsed {
  const rehearsed = rehearsedOf(forgetting);
  if (rehearsed === null) return NOTHING_REHEARSED;
  const { engine, meta, replay, config: c } = host;
  const { obsSize, actionSize: D } = meta;
  const M = c.batchSize;
  const features = featuresOf(host);
  const shape = shapeOf(host);
  const memory = new Rehearsal({ ...shape, ...rehearsed, nStep: 1, gamma: c.gamma }, host.rng.split('rehearsal'));
  const clones = rehearsed.cloning + rehearsed.valueCloning > 0;
  const part = (kept: Tensor, from: number, width: number): Tensor => sliceAxis(kept, 1, from, width);
  let drawn: Views = {}; // inputs of the critics, which the policy learns from as well
  return {
    inputs: () => (clones ? { kept: [M, shape.keptSize], again: [M] } : {}),
    penalty(network, { kept, again }, _g, now, held) {
      if (kept === undefined || again === undefined) return held;
      if (network === 'actor') {
        const { mean: centre, logStd } = now;
        if (centre === undefined || logStd === undefined) return held;
        const divergence = gaussianKl(part(kept, 0, D), part(kept, D, D), centre, logStd);
        return joined(mul(mean(mul(again, divergence)), rehearsed.cloning), held);
      }
      const { features: seen, action } = now;
      if (seen === undefined || action === undefined) return held;
      const [q1, q2] = host.both(seen, action);
      const of = (q: Tensor, at: number): Tensor => square(sub(q, sum(part(kept, 2 * D + at, 1), -1)));
      return joined(mul(mean(mul(again, add(of(q1, 0), of(q2, 1)))), rehearsed.valueCloning), held);
    },
    places() {
      const view = clones
        ? engine.compile(
            { obs: [1, obsSize], action: [1, D] },
            (x, g) => {
              const seen = features(g, x.obs);
              const [q1, q2] = host.both(seen, x.action);
              return { ...host.gaussian(seen), q1, q2 };
            },
            { name: 'what is kept' },
          )
        : null;
      const look = async (obs: Float32Array, kept: Float32Array, action: Float32Array): Promise<void> => {
        if (view === null) return;
        view.in.obs.set(obs);
        view.in.action.set(action);
        await view.run();
        const { mean: centre, logStd, q1, q2 } = view.out;
        kept.set(centre);
        kept.set(logStd, D);
        kept.set([q1[0]!, q2[0]!], 2 * D);
      };
      return {
        beforeUpdate: () => memory.offer(replay, view === null ? null : look),
        sampled(network, inputs) {
          if (network === 'critics') {
            memory.mix(batchOf(inputs), M);
            drawn = inputs;
            return;
          }
          if (drawn.kept !== undefined) inputs.kept?.set(drawn.kept);
          if (drawn.again !== undefined) inputs.again?.set(drawn.again);
        },
      };
    },
    state: { parts: { rehearsal: memory } },
  };
}
