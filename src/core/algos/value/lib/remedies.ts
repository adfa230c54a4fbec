/** What DQN does against forgetting while it learns: settings in algos/lib/continual. */
import { pick, sum } from '#core/engine/ops.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import type { ValueNetwork } from '#core/nets/value-network.ts';
import type { ReplayBuffer } from '#core/state/replay-buffer.ts';
import type { Rng } from '#math/rng.ts';
import type { keepWeights } from '../../lib/continual/ewc.ts';
import { oneTransition, Rehearsal } from '../../lib/continual/rehearsal.ts';
import { consolidationSteps, type Forgetting } from '../../lib/continual/settings.ts';

interface Settings {
  readonly forgetting: Forgetting;
  readonly nStep: number;
  readonly gamma: number;
}

/** Keeps the weights where a task ends, with their importance in the transitions of that task; null: not with EWC. */
export function consolidation(
  kept: ReturnType<typeof keepWeights> | null,
  q: ValueNetwork,
  replay: ReplayBuffer,
  meta: EnvMeta,
  { forgetting }: Settings,
  rng: Rng,
) {
  if (kept === null || (forgetting.kind !== 'EWC' && forgetting.kind !== 'online EWC')) return null;
  const { sample, consolidate } = kept.programs({ obs: [1, meta.obsSize], action: [1] }, (x) =>
    sum(pick(q.apply(x.obs, { noise: null, taus: null }).q, x.action)),
  );
  const one = oneTransition(meta.obsSize, meta.actionCount);
  const steps = consolidationSteps(meta, forgetting);
  return {
    rng,
    /** Environment steps from one time to the next. */
    steps,
    async run(): Promise<void> {
      const from = Math.max(replay.oldest, replay.total - steps);
      for (let i = 0; i < forgetting.samples; i++) {
        replay.read(from + rng.int(replay.total - from), 0, 1, 1, one);
        sample.in.obs.set(one.obs);
        sample.in.action.set(one.action);
        const pending = sample.run({ read: false });
        if (pending) await pending;
      }
      const pending = consolidate();
      if (pending) await pending;
    },
  };
}

/** Gives the action values q [N] of one observation. */
interface Look {
  readonly in: { readonly obs: Float32Array };
  readonly out: { readonly q: Float32Array };
  run(): Promise<void> | undefined;
}

/** A uniform sample of all transitions, mixed into minibatches; null: not with rehearsal. */
export function rehearsing(replay: ReplayBuffer, meta: EnvMeta, { forgetting, nStep, gamma }: Settings, rng: Rng, compile: () => Look) {
  if (forgetting.kind !== 'rehearsal') return null;
  const { obsSize, actionCount } = meta;
  const memory = new Rehearsal({ capacity: forgetting.capacity, share: forgetting.share, obsSize, actionCount, nStep, gamma }, rng);
  const look = forgetting.cloning > 0 ? compile() : null;
  const valuesOf = async (look: Look, obs: Float32Array, values: Float32Array): Promise<void> => {
    look.in.obs.set(obs);
    const pending = look.run();
    if (pending) await pending;
    values.set(look.out.q);
  };
  return {
    memory,
    /** Keeps some of what the buffer got since. */
    offer: () => memory.offer(replay, look === null ? null : (obs, values) => valuesOf(look, obs, values)),
  };
}
