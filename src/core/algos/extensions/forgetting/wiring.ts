/**
 * What is done against forgetting while a method learns, the same for all: weights are kept, units are started anew and tasks are packed where a
 * task ends, transitions are kept as they come. How samples of the Fisher information, kept transitions and layers look depends on the networks:
 * policy.ts (PPO), q.ts (DQN), soft.ts (SAC).
 */
import type { Engine } from '#core/engine/types.ts';
import type { Rng } from '#math/rng.ts';
import type { EnvMeta } from '../../../envs/api/types.ts';
import type { Attached, Beginning, Begun, BoundParts, Host, NetworkParts, Views } from '../../api/extension.ts';
import { keepWeights } from './ewc.ts';
import { headOf, ofTask, toldTasks } from './heads.ts';
import { taskEnds } from './loss-jump.ts';
import { PackedMasks, packing } from './packed-masks.ts';
import { policySide } from './policy.ts';
import { qSide } from './q.ts';
import { resetting } from './resets.ts';
import { dormantShare, type Forgetting, headsOf, type PolicyForgetting, packedOf, penaltyOf, resetsOf } from './settings.ts';
import type { Side } from './side.ts';
import { softSide } from './soft.ts';

/** Heads or packed masks; null: no part of a network belongs to a task. `masks` gets those that are made. */
function taskParts(engine: Engine, meta: EnvMeta, forgetting: Forgetting, masks: PackedMasks[]): NetworkParts | null {
  const heads = headsOf(forgetting);
  if (!heads && packedOf(forgetting) === null) return null;
  const told = toldTasks(meta);
  if (heads)
    return {
      heads: told.codes.length,
      bind: (): BoundParts => ({ group: null, read: (seen, build) => build().map((all) => headOf(all, seen, told)) }),
    };
  return {
    heads: 1,
    bind(network): BoundParts {
      const packed = new PackedMasks(engine, network, told.codes.length);
      masks.push(packed);
      return {
        group: packed.group,
        read(seen, build, params) {
          const each = told.codes.map((_, k) => packed.inTask(seen.graph, k, build, params));
          return each[0]!.map((_, i) =>
            ofTask(
              seen,
              told,
              each.map((outputs) => outputs[i]!),
            ),
          );
        },
      };
    },
  };
}

/** What a host shows of its networks, as forgetting sees it. */
function sideOf(host: Host, forgetting: Forgetting, ends: ReturnType<typeof taskEnds>): Side {
  if (host.loop === 'rollout') return policySide(host, forgetting as PolicyForgetting);
  if (host.networks === 'q') return qSide(host, forgetting, ends);
  if (host.networks === 'soft') return softSide(host, forgetting, ends);
  throw new Error('Nothing is done against forgetting with these networks.');
}

export function against(forgetting: Forgetting, { engine, meta }: Beginning): Begun {
  const masks: PackedMasks[] = [];
  return {
    parts: taskParts(engine, meta, forgetting, masks),
    attach: (host) => attach(host, forgetting, masks),
  };
}

function attach(host: Host, forgetting: Forgetting, masks: readonly PackedMasks[]): Attached {
  const { engine, meta, rng, learned } = host;
  const [penalty, tau] = [penaltyOf(forgetting), resetsOf(forgetting)];
  const ends = taskEnds(meta, forgetting);
  const side = sideOf(host, forgetting, ends);
  const { rehearsal } = side;
  const kept = penalty === null ? null : learned.map(({ group }) => keepWeights(engine, group, penalty));
  const fisher = kept === null ? null : rng.split('fisher');
  const packs = packing(meta, forgetting, masks);
  const waits = kept !== null || tau > 0 || packs !== null;
  const jumps = waits || side.alwaysLooks ? ends.jumps : null;
  const renews = forgetting.kind === 'resets';
  let dormant = -1; // share; -1: not looked yet

  return {
    penaltyMetric: 'forgettingPenalty',
    inputs: () => rehearsal.inputs(),
    penalty(network, x, g, now) {
      const held = kept?.[learned.findIndex(({ name }) => name === network)]?.penalty(g) ?? null;
      return rehearsal.penalty(network, x, g, now, held);
    },
    places() {
      const more = rehearsal.places();
      const samples = kept === null ? [] : side.samples();
      const programs = kept?.map((one, i) => one.programs(samples[i]!.inputs, (x) => samples[i]!.likelihood(x))) ?? [];
      const resets = tau > 0 ? resetting(engine, side.stacks, side.width, tau, rng.split('resets')) : null;

      /** Importance of the weights in the task that ended, then the weights as they are. */
      async function keep({ one, read }: ReturnType<Side['ended']>): Promise<void> {
        if (fisher === null) return;
        for (let i = 0; i < (penalty?.samples ?? 0); i++) {
          read(fisher);
          for (const [k, { sample }] of programs.entries()) samples[k]!.feed(sample.in as Views, one, fisher);
          for (const { sample } of programs) await sample.run({ read: false });
        }
        for (const { consolidate } of programs) await consolidate();
      }

      return {
        ...more,
        state: {
          parts: { ...rehearsal.state.parts },
          arrays: {
            ...rehearsal.state.arrays,
            fisher,
            jumps,
            resets: resets?.rng ?? null,
            ...(renews && {
              dormant: { pack: () => Float64Array.of(dormant), unpack: ([share = -1]: Float64Array) => void (dormant = share) },
            }),
          },
        },
        ...(renews && { metrics: (): { readonly [name: string]: number } => (dormant < 0 ? {} : { [dormantShare.id]: dormant }) }),
        ...(jumps !== null && {
          afterUpdate(network, outputs) {
            const loss = side.lossOf(network, outputs);
            if (loss !== null) ends.look(loss);
          },
        }),
        async afterUpdates(passed) {
          const [before, now] = side.due(passed);
          await packs?.pass(before, now);
          if (!waits || !ends.due(before, now)) return;
          const ended = side.ended();
          await keep(ended);
          const read = (draws: Rng, into: Float32Array): void => {
            ended.read(draws);
            side.write(ended.one, into);
          };
          if (resets !== null && renews) dormant = await resets.renew(read);
          else await resets?.revive(read);
        },
      };
    },
  };
}
