/** Replaces the actions of agents that are not in their row's coalition. See contract/explain/explain.ts for what each rule means. */

import type { ReplacementRule } from '#contract/explain/explain.ts';
import { fail } from '#contract/kit/errors.ts';
import { countLegal, nthLegal } from '#math/sampling.ts';
import { perAgent } from '../../envs/api/meta.ts';
import type { Actions, Environment, EnvMeta, StepBuffers } from '../../envs/api/types.ts';
import { type Actor, type Clock, randomWords, uniformOf } from './actors.ts';

export interface Replacement {
  /** It reads the actions that absent agents would have taken. */
  readonly readsPolicy?: boolean;
  begin(rows: Uint8Array): void;
  /** `present` [B, A]; changes `actions` [B, A, D] where it is 0. */
  apply(env: Environment, buffers: StepBuffers, clock: Clock, present: Uint8Array, actions: Actions): Promise<void> | void;
}

/** For episodes in which all agents are present. */
export const noReplacement: Replacement = { begin() {}, apply() {} };

const REPLACED = 2;

/** The group of each agent: only agents of one group have the same actions. */
function groupsOf(meta: EnvMeta): Int32Array {
  return Int32Array.from(perAgent(meta, (_, index) => index));
}

/** The legal action at this share (0..1) of those of a row; all are legal without a mask. */
function legalAction(mask: Uint8Array | undefined, row: number, count: number, share: number): number {
  if (mask === undefined) return Math.min(count - 1, Math.floor(share * count));
  const legal = countLegal(count, mask, row * count);
  return nthLegal(Math.min(legal - 1, Math.floor(share * legal)), count, mask, row * count);
}

/** Throws LabError('incompatible') where the environment has no such replacement. `players` are the agents that can be absent. */
export function replacementOf(absent: ReplacementRule, meta: EnvMeta, players: readonly number[], actor: Actor | null): Replacement {
  const { agentCount, actionCount, actionSize } = meta;
  const noop = meta.noopAction ?? meta.idleAction;
  const discrete = actionCount > 0;
  const groups = groupsOf(meta);
  const words = new Uint32Array(4);
  const counts = perAgent(meta, ({ action }) => (action.kind === 'discrete' ? action.n : 0));
  const bounds = perAgent(meta, ({ action }) => (action.kind === 'box' ? action : null));

  const each = (present: Uint8Array, write: (row: number, agent: number, b: number) => void): void => {
    for (let row = 0; row < present.length; row++) if (present[row] === 0) write(row, row % agentCount, Math.floor(row / agentCount));
  };

  switch (absent.kind) {
    case 'noop': {
      if (!discrete)
        return {
          begin() {},
          apply(_, __, ___, present, actions) {
            each(present, (row) => actions.fill(0, row * actionSize, (row + 1) * actionSize));
          },
        };
      if (noop === null)
        throw fail(
          'incompatible',
          'This environment has no action that does nothing.',
          'Choose "random" or another policy for absent agents.',
          'replacement',
        );
      return {
        begin() {},
        apply(_, { mask }, __, present, actions) {
          each(present, (row) => {
            actions[row] = mask === undefined || mask[row * actionCount + noop] !== 0 ? noop : legalAction(mask, row, actionCount, 0);
          });
        },
      };
    }
    case 'random':
      return {
        begin() {},
        apply(_, { mask }, clock, present, actions) {
          each(present, (row, agent, b) => {
            if (discrete) {
              randomWords(clock.seed[b]!, clock.step[b]!, agent, REPLACED, words);
              actions[row] = legalAction(mask, row, mask === undefined ? counts[agent]! : actionCount, uniformOf(words[0]!));
              return;
            }
            const { low, high } = bounds[agent]!;
            for (let d = 0; d < low.length; d++) {
              randomWords(clock.seed[b]!, clock.step[b]!, agent, REPLACED + 16 * (d + 1), words);
              actions[row * actionSize + d] = low[d]! + (high[d]! - low[d]!) * uniformOf(words[0]!);
            }
          });
        },
      };
    case 'other-agent': {
      const donors = players.map((agent) => players.filter((other) => other !== agent && groups[other] === groups[agent]));
      if (donors.some((list) => list.length === 0))
        throw fail(
          'incompatible',
          'There is no other agent with the same actions.',
          'Choose "noop" or "random" for absent agents.',
          'replacement',
        );
      const index = new Int32Array(agentCount).fill(-1);
      players.forEach((agent, i) => {
        index[agent] = i;
      });
      let chosen: Actions | null = null;
      return {
        readsPolicy: true,
        begin() {},
        apply(_, __, clock, present, actions) {
          chosen ??= actions.slice();
          chosen.set(actions);
          const all = chosen;
          each(present, (row, agent, b) => {
            const list = donors[index[agent]!]!;
            randomWords(clock.seed[b]!, clock.step[b]!, agent, REPLACED, words);
            const donor = list[Math.min(list.length - 1, Math.floor(uniformOf(words[0]!) * list.length))]!;
            const from = (b * agentCount + donor) * actionSize;
            for (let d = 0; d < actionSize; d++) actions[row * actionSize + d] = all[from + d]!;
          });
        },
      };
    }
    case 'scripted':
    case 'policy': {
      if (actor === null)
        throw fail('internal', 'The replacing policy was not given.', 'Pass the policy that stands in for the absent agents.');
      let own: Actions | null = null;
      return {
        begin: (rows) => actor.begin(rows),
        async apply(env, buffers, clock, present, actions) {
          own ??= actions.slice();
          await actor.act(env, buffers, clock, own, present);
          const other = own;
          each(present, (row) => {
            for (let d = 0; d < actionSize; d++) actions[row * actionSize + d] = other[row * actionSize + d]!;
          });
        },
      };
    }
  }
}
