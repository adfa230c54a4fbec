/**
 * What DQN does against forgetting: the log-likelihood of a sample is that of a normal distribution of deviation 1 around Q(s, a); with rehearsal a
 * share of each minibatch is of kept transitions, and cloning adds
 *   share cloning mean_kept sum_a (Q(s, a) - Q_then(s, a))^2
 * so that cloning weighs `cloning` beside the kept rows' own loss, which has the same share of the minibatch; in PPO (policy.ts) both have the
 * factor n/m = share / (1 - share), which is the same against the loss of new rows.
 */
import { present } from '#contract/kit/errors.ts';
import { mean, mul, pick, square, sub, sum } from '#core/engine/ops.ts';
import { encode } from '#core/nets/encoder.ts';
import type { ReplayHost } from '../../api/extension.ts';
import { BLOCK, type taskEnds } from './loss-jump.ts';
import { batchOf, endedTask, oneTransition, Rehearsal } from './rehearsal.ts';
import { stackedLayers } from './resets.ts';
import { type Forgetting, rehearsedOf } from './settings.ts';
import { NOTHING_REHEARSED, type Rehearsed, type Side } from './side.ts';

type QHost = Extract<ReplayHost, { networks: 'q' }>;

/** Updates since a change of task that shows late in the loss, in transitions. */
export const lateOf = ({ config: c }: Pick<ReplayHost, 'config'>, ends: ReturnType<typeof taskEnds>): number =>
  ends.jumps === null ? 0 : Math.ceil((BLOCK * c.trainEvery) / c.gradientSteps);

export function qSide(host: QHost, forgetting: Forgetting, ends: ReturnType<typeof taskEnds>): Side {
  const { meta, replay } = host;
  const one = oneTransition(meta);
  return {
    samples: () => [
      {
        inputs: { obs: [1, meta.obsSize], action: [1] },
        likelihood: ({ obs, action }) => sum(pick(host.q(obs), present(action, 'the action of a sample'))),
        feed(inputs, { obs, action }) {
          inputs.obs?.set(obs);
          inputs.action?.set(action);
        },
      },
    ],
    stacks: host.learned.map(({ group }) => ({
      layers: stackedLayers(group),
      act: 'relu' as const,
      init: 'torch' as const,
      inputs: (g, obs) => encode(g, obs, meta.agents[0]!.obs),
    })),
    width: meta.obsSize,
    write: ({ obs }, into) => into.set(obs),
    lossOf: (_network, { loss }) => loss?.[0] ?? null,
    due: ({ before, now }) => [before, now],
    ended: () => ({ one, read: endedTask(replay, ends.steps, lateOf(host, ends), one) }),
    rehearsal: rehearsal(host, forgetting),
    alwaysLooks: false,
  };
}

function rehearsal(host: QHost, forgetting: Forgetting): Rehearsed {
  const rehearsed = rehearsedOf(forgetting);
  if (rehearsed === null) return NOTHING_REHEARSED;
  const { engine, meta, replay, config: c } = host;
  const { obsSize, actionCount } = meta;
  const { capacity, share, cloning } = rehearsed;
  const M = c.batchSize;
  const shape = { obsSize, actionCount, nStep: c.nStep ?? 1, gamma: c.gamma };
  const memory = new Rehearsal({ ...shape, capacity, share }, host.rng.split('rehearsal'));
  return {
    inputs: () => (cloning > 0 ? { kept: [M, actionCount], again: [M] } : {}),
    penalty(_network, { kept, again }, _g, { q }, held) {
      if (held !== null || kept === undefined || again === undefined || q === undefined) return held;
      return mul(mean(mul(again, sum(square(sub(q, kept)), -1))), cloning);
    },
    places() {
      const look = cloning > 0 ? engine.compile({ obs: [1, obsSize] }, ({ obs }) => ({ q: host.q(obs) }), { name: 'what is kept' }) : null;
      const valuesOf = async (obs: Float32Array, values: Float32Array): Promise<void> => {
        look?.in.obs.set(obs);
        await look?.run();
        if (look !== null) values.set(look.out.q);
      };
      return {
        beforeUpdate: () => memory.offer(replay, look === null ? null : valuesOf),
        sampled: (_network, inputs) => memory.mix(batchOf(inputs), M),
      };
    },
    state: { parts: { rehearsal: memory } },
  };
}
