/**
 * Who acts in a world and what is paid there, where the form says more than one agent and one reward: `agents`, `rewards` and `score`.
 * Throws LabError('world-invalid').
 */
import { kindOf } from '#contract/game/seats.ts';
import { type ActionSpace, actionSize, type ObsSpace, obsSize } from '#contract/game/spaces.ts';
import type { AgentGroup, Score } from '../envs/api/types.ts';
import { isNumber, isObject, isWords, show, wrong } from './form.ts';
import { readActions, readObservation } from './spaces.ts';

const MOST_AGENTS = 100;
const MOST_REWARDS = 10;
const FIX = "Write agents: ['red', 'blue'], or agents: [{ name: 'hunter', count: 3 }, { name: 'runner' }].";

export interface Team {
  readonly groups: readonly AgentGroup[];
  /** Of each agent, in the order of their numbers. */
  readonly obs: readonly ObsSpace[];
  readonly action: readonly ActionSpace[];
  readonly names: readonly string[];
  readonly obsSize: number;
  readonly actionSize: number;
  readonly actionCount: number;
}

/** What the agents see and do who say nothing else. */
interface Usual {
  readonly obs: ObsSpace;
  readonly action: ActionSpace;
}

/** One agent of this name. */
export const alone = (name: string, usual: Usual): Team => teamOf([{ count: 1, names: [name], ...usual }]);

/** `given`: what `agents` says; `evaluate` gives what a group's member says with these settings. */
export function readTeam(given: unknown, usual: Usual, evaluate: (name: string, value: unknown) => unknown): Team {
  if (!Array.isArray(given) || given.length === 0) throw wrong('agents', `"agents" is ${show(given)}.`, FIX);
  const team = teamOf(given.map((item: unknown) => readGroup(item, usual, evaluate)));
  const { names, action } = team;
  if (names.length > MOST_AGENTS) throw wrong('agents', `There are ${names.length} agents.`, `At most ${MOST_AGENTS} are possible.`);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw wrong('agents', `Two agents are called "${twice}".`, 'Give each group a name of its own, and a count.');
  if (action.some(({ kind }) => kind !== action[0]?.kind))
    throw wrong(
      'agents',
      'Some agents choose among actions and others give numbers.',
      'Let all agents choose among named actions, or all give numbers.',
    );
  return team;
}

function readGroup(item: unknown, usual: Usual, evaluate: (name: string, value: unknown) => unknown): AgentGroup {
  const group = typeof item === 'string' ? { name: item } : item;
  if (!isObject(group)) throw wrong('agents', `One of "agents" is ${show(item)}.`, FIX);
  const other = Object.keys(group).find((key) => !['name', 'count', 'observation', 'actions'].includes(key));
  if (other !== undefined)
    throw wrong('agents', `A group of agents has no member "${other.slice(0, 40)}".`, 'Members are: name, count, observation, actions.');
  const { name, count = 1 } = group;
  if (typeof name !== 'string' || !/^\S(.{0,38}\S)?$/.test(name)) throw wrong('agents', `The name of an agent is ${show(name)}.`, FIX);
  if (!isNumber(count) || !Number.isInteger(count) || count < 1 || count > MOST_AGENTS)
    throw wrong('agents', `The count of "${name}" is ${show(count)}.`, `Give a whole number from 1 to ${MOST_AGENTS}.`);
  const { observation, actions } = group;
  return {
    count,
    names: count === 1 ? [name] : Array.from({ length: count }, (_, i) => `${name} ${i + 1}`),
    obs: observation === undefined ? usual.obs : readObservation(evaluate('observation', observation)),
    action: actions === undefined ? usual.action : readActions(evaluate('actions', actions)),
  };
}

function teamOf(groups: readonly AgentGroup[]): Team {
  const each = groups.flatMap((group) => group.names.map((name) => ({ name, obs: group.obs, action: group.action })));
  const obs = each.map((agent) => agent.obs);
  const action = each.map((agent) => agent.action);
  return {
    groups,
    obs,
    action,
    names: each.map(({ name }) => name),
    obsSize: Math.max(...obs.map(obsSize)),
    actionSize: Math.max(...action.map(actionSize)),
    actionCount: Math.max(...action.map((space) => (space.kind === 'discrete' ? space.n : 0))),
  };
}

/** Names of what a step pays, one unless `rewards` says more. */
export function readRewards(given: unknown, agents: number): readonly string[] {
  if (given === undefined) return ['reward'];
  if (!isWords(given) || given.length < 2 || given.length > MOST_REWARDS || new Set(given).size !== given.length)
    throw wrong('rewards', `"rewards" is ${show(given)}.`, `Give 2 to ${MOST_REWARDS} different names: rewards: ['treasure', 'time'].`);
  const long = given.find((name) => name.length > 40);
  if (long !== undefined) throw wrong('rewards', `A name of "rewards" is ${show(long)}.`, 'Use at most 40 characters.');
  if (agents > 1)
    throw wrong(
      'rewards',
      `"rewards" names several rewards, and there are ${agents} agents.`,
      'Leave "rewards" out: step returns one reward for each agent, reward: [1, -1].',
    );
  return given;
}

/** How a team's return becomes one number: 'mean', 'sum', 'shared', or the mean of those of a name: an agent, or all of a kind ('hunter' of 'hunter 2'). */
export function readScore(given: unknown, { names }: Team): Score {
  if (given === undefined) return 'mean';
  if (given === 'mean' || given === 'sum' || given === 'shared') return given;
  const chosen = names.flatMap((name, i) => (given === name || given === kindOf(name) ? [i] : []));
  if (chosen.length > 0) return chosen;
  const kinds = [...new Set(names.map(kindOf))].slice(0, 12);
  throw wrong('score', `"score" is ${show(given)}.`, `Write one of: mean, sum, shared, ${kinds.join(', ')}.`);
}
