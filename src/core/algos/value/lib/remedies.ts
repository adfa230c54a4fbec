/** What DQN does against forgetting while it learns: settings in algos/lib/continual. */
import { fail } from '#contract/errors.ts';
import { pick, sum } from '#core/engine/ops.ts';
import type { Engine, Graph, ParamGroup, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { encode } from '#core/nets/encoder.ts';
import type { ValueNetwork } from '#core/nets/value-network.ts';
import type { ReplayBuffer } from '#core/state/replay-buffer.ts';
import type { Rng } from '#math/rng.ts';
import type { keepWeights } from '../../lib/continual/ewc.ts';
import { BLOCK, taskEnds } from '../../lib/continual/loss-jump.ts';
import { type PackedMasks, packing } from '../../lib/continual/packed-masks.ts';
import { endedTask, oneTransition, Rehearsal } from '../../lib/continual/rehearsal.ts';
import { resetting, stackedLayers } from '../../lib/continual/resets.ts';
import { type Forgetting, headsOf, packedOf, penaltyOf, rehearsedOf, resetsOf } from '../../lib/continual/settings.ts';

interface Settings {
  readonly forgetting: Forgetting;
  readonly nStep: number;
  readonly gamma: number;
  readonly trainEvery: number;
  readonly gradientSteps: number;
}

/** Remedies that exclude a variant of the network, or of replay. Throws LabError('config-invalid'). */
export function checkRemedies(c: {
  readonly forgetting: Forgetting;
  readonly dueling: boolean;
  readonly noisy: { readonly kind: string };
  readonly filters: number;
  readonly distribution: { readonly kind: string };
  readonly prioritised: { readonly kind: string };
}): void {
  const varied = c.dueling || c.noisy.kind === 'on' || c.filters > 0 || c.distribution.kind !== 'none';
  if ((headsOf(c.forgetting) || packedOf(c.forgetting) !== null) && varied)
    throw fail(
      'config-invalid',
      'Parts of the network belong to tasks in plain layers only.',
      'Turn off dueling heads, noisy layers, filters and distributions.',
      'algo.forgetting.kind',
    );
  if (resetsOf(c.forgetting) > 0 && varied)
    throw fail(
      'config-invalid',
      'Dormant units are found in plain hidden layers only.',
      'Set the threshold of resets to 0, or turn off dueling heads, noisy layers, filters and distributions.',
      'algo.forgetting.resets',
    );
  if (rehearsedOf(c.forgetting) !== null && c.prioritised.kind === 'on')
    throw fail(
      'config-invalid',
      'Kept transitions have no priorities, so rehearsal and prioritised replay exclude each other.',
      'Turn one of them off.',
      'algo.prioritised.kind',
    );
}

interface Networks {
  readonly online: ParamGroup;
  readonly q: ValueNetwork;
  readonly kept: ReturnType<typeof keepWeights> | null;
  readonly packed: PackedMasks | null;
}

/**
 * What happens where a task ends: the weights are kept with their importance in the transitions of that task, dormant units are started
 * anew, the task is packed. null: nothing does. Where the end is found by a jump of the loss, transitions since are left out.
 */
export function endOfTask(engine: Engine, nets: Networks, replay: ReplayBuffer, meta: EnvMeta, c: Settings, rng: Rng, draws: Rng) {
  const { forgetting } = c;
  const [penalty, tau] = [penaltyOf(forgetting), resetsOf(forgetting)];
  const packs = packing(meta, forgetting, [nets.packed]);
  if (nets.kept === null && tau === 0 && packs === null) return null;
  const programs =
    nets.kept?.programs({ obs: [1, meta.obsSize], action: [1] }, (x) =>
      sum(pick(nets.q.apply(x.obs, { noise: null, taus: null }).q, x.action)),
    ) ?? null;
  const stack = {
    layers: stackedLayers(nets.online),
    act: 'relu' as const,
    inputs: (g: Graph, obs: Tensor) => encode(g, obs, meta.agents[0]!.obs),
  };
  const resets = tau > 0 ? resetting(engine, [stack], meta.obsSize, tau, draws) : null;
  const one = oneTransition(meta);
  const ends = taskEnds(meta, forgetting);
  const late = ends.jumps === null ? 0 : Math.ceil((BLOCK * c.trainEvery) / c.gradientSteps);

  async function keep(samples: number, read: (rng: Rng) => void): Promise<void> {
    if (programs === null) return;
    for (let i = 0; i < samples; i++) {
      read(rng);
      programs.sample.in.obs.set(one.obs);
      programs.sample.in.action.set(one.action);
      const pending = programs.sample.run({ read: false });
      if (pending) await pending;
    }
    const pending = programs.consolidate();
    if (pending) await pending;
  }

  return {
    rng,
    resetting: resets?.rng ?? null,
    jumps: ends.jumps,
    look: ends.look,
    /** After a step, and its updates; `before`: steps so far without it. */
    async pass(before: number, now: number): Promise<void> {
      await packs?.pass(before, now);
      if (!ends.due(before, now)) return;
      const read = endedTask(replay, ends.steps, late, one);
      await keep(penalty?.samples ?? 0, read);
      await resets?.revive((draws, into) => {
        read(draws);
        into.set(one.obs);
      });
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
  const rehearsed = rehearsedOf(forgetting);
  if (rehearsed === null) return null;
  const { obsSize, actionCount } = meta;
  const memory = new Rehearsal({ capacity: rehearsed.capacity, share: rehearsed.share, obsSize, actionCount, nStep, gamma }, rng);
  const look = rehearsed.cloning > 0 ? compile() : null;
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
