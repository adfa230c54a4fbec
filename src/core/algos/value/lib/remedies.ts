/** What DQN does against forgetting while it learns: settings in algos/lib/continual. */
import { fail } from '#contract/errors.ts';
import { linear, pick, sum } from '#core/engine/ops.ts';
import type { Engine, ParamGroup, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { encode } from '#core/nets/encoder.ts';
import type { ValueNetwork } from '#core/nets/value-network.ts';
import type { ReplayBuffer } from '#core/state/replay-buffer.ts';
import type { Rng } from '#math/rng.ts';
import type { keepWeights } from '../../lib/continual/ewc.ts';
import { BLOCK, LossJump } from '../../lib/continual/loss-jump.ts';
import { oneTransition, Rehearsal } from '../../lib/continual/rehearsal.ts';
import { dormancy, dormantUnits, stackedLayers, startAnew } from '../../lib/continual/resets.ts';
import { type Forgetting, jumpOf, penaltyOf, rehearsedOf, resetsOf, taskSteps } from '../../lib/continual/settings.ts';

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
  if (resetsOf(c.forgetting) > 0 && (c.dueling || c.noisy.kind === 'on' || c.filters > 0 || c.distribution.kind !== 'none'))
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

/** States over which the activations of units are averaged. */
const LOOKED = 64;

/** Hidden activations of a plain stack of layers, each [LOOKED, units]; null where the network is made otherwise. */
function hidden(engine: Engine, network: ParamGroup, meta: EnvMeta) {
  const layers = stackedLayers(network);
  const seen = engine.compile(
    { obs: [LOOKED, meta.obsSize] },
    (x, g) => {
      const outs: { [name: string]: Tensor } = {};
      layers.slice(0, -1).reduce(
        (h, { w, b }, i) => {
          const out = linear(h, g.read(w), g.read(b), 'relu');
          outs[`h${i}`] = out;
          return out;
        },
        encode(g, x.obs, meta.agents[0]!.obs),
      );
      return outs;
    },
    { name: 'activations' },
  );
  return { layers, seen };
}

interface Networks {
  readonly online: ParamGroup;
  readonly q: ValueNetwork;
  readonly kept: ReturnType<typeof keepWeights> | null;
}

/**
 * What happens where a task ends: the weights are kept with their importance in the transitions of that task, and dormant units are started
 * anew. null: nothing does. Where the end is found by a jump of the loss, transitions since are left out.
 */
export function endOfTask(engine: Engine, nets: Networks, replay: ReplayBuffer, meta: EnvMeta, c: Settings, rng: Rng, resetting: Rng) {
  const { forgetting } = c;
  const [penalty, tau, jump] = [penaltyOf(forgetting), resetsOf(forgetting), jumpOf(forgetting)];
  if (nets.kept === null && tau === 0) return null;
  const programs =
    nets.kept?.programs({ obs: [1, meta.obsSize], action: [1] }, (x) =>
      sum(pick(nets.q.apply(x.obs, { noise: null, taus: null }).q, x.action)),
    ) ?? null;
  const units = tau > 0 ? hidden(engine, nets.online, meta) : null;
  const one = oneTransition(meta.obsSize, meta.actionCount);
  const steps = jump > 0 ? 0 : taskSteps(meta, forgetting);
  const jumps = jump > 0 ? new LossJump(jump) : null;
  const late = jump > 0 ? Math.ceil((BLOCK * c.trainEvery) / c.gradientSteps) : 0;
  let found = false;

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

  async function revive(read: (rng: Rng) => void): Promise<void> {
    if (units === null) return;
    for (let k = 0; k < LOOKED; k++) {
      read(resetting);
      units.seen.in.obs.set(one.obs, k * meta.obsSize);
    }
    const pending = units.seen.run();
    if (pending) await pending;
    for (const [i, { b }] of units.layers.slice(0, -1).entries()) {
      const scores = dormancy(units.seen.out[`h${i}`]!, b.shape[0]!);
      await startAnew(engine, units.layers, i, dormantUnits(scores, tau), resetting);
    }
  }

  return {
    rng,
    resetting: units === null ? null : resetting,
    jumps,
    /** After an update. */
    look(loss: number): void {
      if (jumps?.add(loss)) found = true;
    },
    /** Whether a task has ended since step `before`. */
    due(before: number, now: number): boolean {
      const border = steps > 0 && Math.floor(now / steps) > Math.floor(before / steps);
      const ended = border || found;
      found = false;
      return ended;
    },
    async run(): Promise<void> {
      const until = Math.max(replay.oldest + 1, replay.total - late);
      const from = steps > 0 ? Math.max(replay.oldest, replay.total - steps) : replay.oldest;
      const read = (draws: Rng): void => replay.read(from + draws.int(until - from), 0, 1, 1, one);
      await keep(penalty?.samples ?? 0, read);
      await revive(read);
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
