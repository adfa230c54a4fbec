/**
 * A player of one's own: a few lines that act in an environment of the catalogue. It becomes the first of the environment's scripted policies,
 * under the name MINE, so that it can take seats as an opponent, be recorded, be copied by methods that follow a teacher, and be compared.
 * It remembers nothing and draws nothing at random: the same sight gives the same action.
 */
import { actionSize } from '#contract/game/spaces.ts';
import { perAgent } from '../envs/api/meta.ts';
import type { EnvEntry, EnvMeta, ScriptedPolicy } from '../envs/api/types.ts';
import { type Call, callerOf, type LineOf } from './call.ts';
import { isNumber, isObject, readMembers, type Settings, show, wrong } from './form.ts';
import { checkOver, type OverForm, overEntry } from './over.ts';
import { type Seen, seenWords, viewOf } from './seen.ts';

/** Name of the player among the policies of its environment. */
export const MINE = 'mine';

export interface PlayerForm extends OverForm {
  /** `legal`: which actions are allowed now, where the environment says so. */
  act(seen: Seen, settings: Settings, legal: readonly boolean[] | undefined, agent: number): number | readonly number[];
}

/** Checks what was given to definePlayer. Throws LabError('world-invalid') naming the member. */
export function readPlayer(given: unknown): PlayerForm {
  if (!isObject(given))
    throw wrong(
      'definePlayer',
      'definePlayer needs an object.',
      "Write definePlayer({ title: 'Mine', env: 'cartpole', act: (seen) => (seen.angle > 0 ? 1 : 0) }).",
    );
  readMembers(given, 'player', {
    members: ['title', 'about', 'env', 'envSettings', 'settings', 'act'],
    required: {
      title: "Add title: 'My player'.",
      env: "Add env: 'cartpole', the environment it plays.",
      act: 'Add act(seen) { return 0; }, the action.',
    },
    functions: ['act'],
    texts: ['title', 'about'],
  });
  checkOver(given);
  return given as unknown as PlayerForm;
}

/** The environment with the player among its policies. Throws LabError('world-invalid'). */
export function playerEntry(given: unknown, base: EnvEntry, id: string, lineOf: LineOf = () => null): EnvEntry {
  const call = callerOf(lineOf);
  const form = readPlayer(given);
  return overEntry(base, id, form, {
    meta: (meta) => meta,
    create: (inner, meta) => Object.assign(Object.create(inner) as typeof inner, { meta }),
    policyNames: [MINE],
    policies: (meta, settings) => ({ [MINE]: scriptOf(form, meta, settings, call) }),
  });
}

function scriptOf(form: PlayerForm, meta: EnvMeta, settings: Settings, call: Call): ScriptedPolicy {
  const groups = perAgent(meta, ({ obs, action, count }) => Array.from({ length: count }, () => ({ view: viewOf(obs), action }))).flat();
  const { agentCount: A, obsSize: O, actionSize: D, actionCount: N } = meta;
  const seenNames = seenWords(meta.agents[0]!.obs);
  return {
    act({ batch }, { obs, mask }, out) {
      for (let row = 0; row < batch; row++) {
        groups.forEach(({ view, action }, agent) => {
          const at = row * A + agent;
          view.point(obs, at * O);
          const legal = mask === undefined ? undefined : Array.from({ length: N }, (_, a) => mask[at * N + a] !== 0);
          const chosen: unknown = call('act', () => form.act(view.seen, settings, legal, agent));
          const size = actionSize(action);
          const numbers = Array.isArray(chosen) ? chosen : [chosen];
          if (action.kind === 'discrete') {
            const [number] = numbers as readonly unknown[];
            if (!isNumber(number) || !Number.isInteger(number) || number < 0 || number >= action.n)
              throw wrong('act', `act gives ${show(chosen)}.`, `Return the number of an action, 0 to ${action.n - 1}. ${seenNames}`);
            if (legal?.[number] === false)
              throw wrong('act', `act gives ${number}, which is not allowed now.`, 'Choose where legal[a] is true.');
            out[at * D] = number;
            return;
          }
          if (numbers.length !== size || !numbers.every(isNumber))
            throw wrong('act', `act gives ${show(chosen)}.`, size === 1 ? 'Return a number.' : `Return a list of ${size} numbers.`);
          numbers.forEach((x, i) => {
            out[at * D + i] = Math.min(action.high[i]!, Math.max(action.low[i]!, x));
          });
        });
      }
    },
  };
}
