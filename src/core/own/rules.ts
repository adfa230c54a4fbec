/**
 * The functions of a world in the simple form with what they give checked: whatever they throw or give wrongly becomes
 * LabError('world-invalid') naming the function. One copy and one step at a time, for one agent or several.
 */
import { type ActionSpace, type ObsSpace, obsSize } from '#contract/game/spaces.ts';
import type { Call } from './call.ts';
import { isNumber, isObject, type Settings, show, type ViewForm, type WorldForm, type WorldState, wrong } from './form.ts';
import { type Item, readItems } from './items.ts';
import type { WorldRandom } from './random.ts';
import type { Team } from './team.ts';

/** An action as `step` is given it: the number of the one chosen, a continuous number, or a list of those. */
export type Chosen = number | readonly number[];

export interface Rules {
  reset(random: WorldRandom): WorldState;
  /** `chosen`: one for each agent. */
  step(state: WorldState, chosen: readonly Chosen[], random: WorldRandom, look?: (result: object) => void): Paid;
  /** As many numbers as that agent's space has. */
  observe(state: WorldState, agent: number): readonly number[];
  legal(state: WorldState, agent: number): readonly boolean[] | null;
  alive(state: WorldState, agent: number): boolean;
  draw(state: WorldState): readonly Item[];
}

export interface Paid {
  /** [A, K] */
  readonly rewards: readonly number[];
  readonly ended: boolean;
}

export interface RulesOptions {
  readonly form: WorldForm;
  readonly settings: Settings;
  readonly team: Team;
  /** Names of what one agent is paid. */
  readonly rewards: readonly string[];
  readonly call: Call;
}

export function rulesOf({ form, settings, team, rewards, call }: RulesOptions): Rules {
  const several = form.agents !== undefined;
  const of = (agent: number): string => (several ? ` for agent ${agent} (${team.names[agent]})` : '');

  /** A list with one number for each agent, or for each reward; a number counts for all agents. */
  const paid = (given: unknown): readonly number[] => {
    const count = several ? team.names.length : rewards.length;
    const example = several ? `[${team.names.map(() => 0).join(', ')}]` : `[${rewards.map(() => 0).join(', ')}]`;
    if (typeof given === 'number' && (several || count === 1)) return Array.from({ length: count }, () => given);
    if (several || count > 1) {
      if (Array.isArray(given) && given.length === count && given.every((x) => typeof x === 'number')) return given;
      const what = several ? `one number for each of ${count} agents, or one for all` : `a number for each of ${rewards.join(', ')}`;
      throw wrong('step', `The reward that step gives is ${show(given)}.`, `Give ${what}: { reward: ${example}, ended: false }.`);
    }
    if (Array.isArray(given))
      throw wrong(
        'step',
        `The reward that step gives is ${show(given)}.`,
        "Give a number, or say what the numbers are: agents: ['red', 'blue'], or rewards: ['treasure', 'time'].",
      );
    throw wrong('step', `The reward that step gives is ${show(given)}.`, 'Return { reward: 1, ended: false }.');
  };

  const observe = (state: WorldState, agent: number): readonly number[] => {
    const space = team.obs[agent]!;
    const seen: unknown = call('observe', () => (several ? form.observe(state, settings, agent) : form.observe(state, settings)));
    if (space.kind === 'discrete') {
      if (isNumber(seen) && Number.isInteger(seen) && seen >= 0 && seen < space.n)
        return Array.from({ length: space.n }, (_, i) => (i === seen ? 1 : 0));
      throw wrong(
        'observe',
        `observe gives ${show(seen)}${of(agent)}.`,
        `Return the number of the state, a whole number from 0 to ${space.n - 1}.`,
      );
    }
    const size = obsSize(space);
    if (Array.isArray(seen) && seen.length === size) return seen;
    throw wrong(
      'observe',
      `observe gives ${show(seen)}${of(agent)}, the observation has ${size} numbers.`,
      `Return a list of ${size} numbers.`,
    );
  };

  return {
    observe,
    reset(random) {
      const state: unknown = call('reset', () => form.reset(settings, random));
      if (isObject(state)) return state as WorldState;
      throw wrong('reset', `reset gives ${show(state)}.`, 'Return an object with the numbers of the state: return { place: 0 };');
    },
    step(state, chosen, random, look = () => {}) {
      const given = several ? chosen.map(single) : single(chosen[0]!);
      const result: unknown = call('step', () => form.step(state, given, settings, random));
      if (typeof result === 'number' || Array.isArray(result)) return { rewards: paid(result), ended: false };
      if (!isObject(result)) throw wrong('step', `step gives ${show(result)}.`, 'Return { reward: 1, ended: false }, or the reward alone.');
      look(result);
      const { reward, ended = false } = result;
      const other = Object.keys(result).find((key) => key !== 'reward' && key !== 'ended');
      if (reward === undefined && other !== undefined)
        throw wrong('step', `step gives an object with "${other}" and no "reward".`, 'Return { reward: 1, ended: false }.');
      const rewards = paid(reward);
      if (typeof ended === 'boolean') return { rewards, ended };
      throw wrong('step', `"${other ?? 'ended'}" of what step gives is ${show(result[other ?? 'ended'])}.`, '"ended" is true or false.');
    },
    legal(state, agent) {
      if (form.legal === undefined) return null;
      const space = team.action[agent]!;
      const n = space.kind === 'discrete' ? space.n : 0;
      const legal: unknown = call('legal', () => (several ? form.legal?.(state, settings, agent) : form.legal?.(state, settings)));
      if (!Array.isArray(legal) || legal.length !== n || !legal.every((item) => typeof item === 'boolean'))
        throw wrong('legal', `legal gives ${show(legal)}${of(agent)}.`, `Return a list of ${n} times true or false, one for each action.`);
      if (!legal.includes(true)) throw wrong('legal', `legal forbids every action${of(agent)}.`, 'Leave at least one.');
      return legal;
    },
    alive(state, agent) {
      if (form.alive === undefined) return true;
      const alive: unknown = call('alive', () => form.alive?.(state, settings, agent));
      if (typeof alive === 'boolean') return alive;
      throw wrong('alive', `alive gives ${show(alive)}${of(agent)}.`, 'Return true while the agent takes part, false once it is out.');
    },
    draw(state) {
      if (form.draw !== undefined) return readItems(call('draw', () => form.draw?.(state, settings)));
      return barsOf(observe(state, 0), team.obs[0]!);
    },
  };
}

/** One continuous number is given as it is. */
const single = (chosen: Chosen): Chosen => (typeof chosen !== 'number' && chosen.length === 1 ? chosen[0]! : chosen);

/** Random actions of an agent: `legal` null where all are. */
export function randomChoice(
  space: ActionSpace,
  legal: readonly boolean[] | null,
  rng: { uniform(): number; int(n: number): number },
): Chosen {
  if (space.kind === 'box') return space.low.map((low, i) => low + (space.high[i]! - low) * rng.uniform());
  const open = Array.from({ length: space.n }, (_, a) => a).filter((a) => legal?.[a] !== false);
  return open[rng.int(open.length)]!;
}

/** What a world without `draw` shows: a bar for every number that the agent sees, named ones with their values. */
function barsOf(values: readonly number[], obs: ObsSpace): readonly Item[] {
  const low = obs.kind === 'box' ? obs.low : 0;
  const high = obs.kind === 'box' ? obs.high : 1;
  const labels = obs.kind === 'box' ? (obs.labels ?? []) : [];
  return values.slice(0, 40).flatMap((seen, i): Item[] => {
    const x = Number.isFinite(seen) ? seen : 0; // a learner is stopped by such a number; the picture only shows that there is none
    const value = low !== null && high !== null && high > low ? (x - low) / (high - low) : 0.5 + (0.5 * x) / (1 + Math.abs(x));
    const label = labels[i];
    return [{ bar: [i + 0.2, 0.2], size: [0.6, 3], value, colour: i % 7 }, ...(label === undefined ? [] : [{ number: label, value: x }])];
  });
}

export const barsView = (obs: ObsSpace): ViewForm => ({ x: [0, Math.max(2, Math.min(40, obsSize(obs)))], y: [0, 3.5], side: true });
