/**
 * The tool worlds of t-tools without tokens, for policies that neither read nor remember: what was shown so far stands in the observation.
 * Obs, 0 to 1: for every job its kind and the names in it, by the tokens of t-tools; for every call what it came to (0: not made or refused;
 * 1: it changed the world; a call that shows a digit: the digit and 1, as a share of all digits); which call showed a digit last, and which
 * one before it; share of the calls left. Actions: every command with every name, the sum of the two digits shown last, done.
 * Reward 1 if the world is as the task asks and nothing else has changed; every call takes its price, and may earn a bonus.
 * A call that shows something for the first time also gives a shaped reward, apart from the reward.
 * Ends with done, or with a call more than allowed. Truncates never.
 * Source: own worlds after stateful tool benchmarks (AppWorld, tau-bench).
 */
import { z } from 'zod';
import { Xorshift } from '#math/xorshift.ts';
import { deskPicture, drawDesk, SIGNS } from './lib/desk.ts';
import { shapedField } from './lib/knobs.ts';
import { definePlainWorld } from './lib/plain.ts';
import { nameOf } from './lib/tokens.ts';
import { callsOf, callText, checkSet, drawTask, Errand, isSet, type ToolConfig, toolFields, toolMeasures } from './lib/tools.ts';

const config = z.strictObject({
  ...toolFields,
  // a policy that learns from nothing meets no whole errand by chance
  names: toolFields.names.default(2),
  wayBonus: toolFields.wayBonus.default(0.5),
  toolBonus: shapedField('shaped reward of a call', 'For a call that shows something for the first time, asked for or not'),
});
type Config = z.infer<typeof config>;

/** Names in a job at most. */
const NAMED = 3;

const jobWidth = ({ names }: ToolConfig): number => SIGNS.length + NAMED * names;
const KEYS = 'abcdefghijklmnopqrstuvwxyz012345';
/** Calls but `done`. */
const callCount = (c: ToolConfig): number => callsOf(c).length - 1;

function words(c: ToolConfig): readonly string[] {
  return callsOf(c).map((call) => {
    if (!('name' in call)) return call.verb === 'add' ? 'add the last two' : 'done';
    const thing = ['open', 'write'].includes(call.verb) ? 'file ' : ['look up', 'buy'].includes(call.verb) ? 'thing ' : '';
    return `${call.verb} ${thing}${nameOf(call.name)}`;
  });
}

export const toolWorlds = definePlainWorld<Config, Errand>({
  id: 'tool-worlds',
  title: 'Tool worlds',
  summary: 'Files, mail, a calendar, a shop, a calculator: leave the world as the task says. For plain policies, without tokens.',
  source: { title: 'Tool worlds', authors: 'RL Workbench', year: 2026 },
  config,
  measures: toolMeasures,
  recommended: { algo: 'group-worlds', preset: 'tools', steps: 200_000, env: { split: 'train' }, evalEvery: 10_000 },
  presets: [
    { id: 'calendar', title: 'files, mail and calendar, the way is paid', config: {} },
    { id: 'five-apps', title: 'five apps', config: { apps: 5 } },
    { id: 'two-jobs', title: 'two jobs in one episode', config: { jobs: 2, calls: 12 } },
    { id: 'end', title: 'files and mail, the end alone is paid', config: { apps: 2, wayBonus: 0 } },
  ],
  agent: 'clerk',
  random: 'random calls',
  actions: (c) => ({ labels: words(c), keys: callsOf(c).map((call, i) => ('name' in call ? (KEYS[i] ?? '') : callText(call))) }),
  longest: (c) => c.calls + 1,
  check: checkSet,
  accepts: isSet,
  begin: (c, seed) => new Errand(c, drawTask(c, new Xorshift(seed))),
  width: (c) => c.jobs * jobWidth(c) + 3 * callCount(c) + 1,
  observe(c, { task, log, shown, made }, obs, at) {
    const jobs = task.text.slice(0, -1).split(',');
    jobs.forEach((job, j) => {
      const from = at + j * jobWidth(c);
      obs[from + SIGNS.indexOf(job[0]!)] = 1;
      for (let i = 1; i < job.length; i++) obs[from + SIGNS.length + (i - 1) * c.names + (job.charCodeAt(i) - 97)] = 1;
    });
    const calls = callCount(c);
    const from = at + c.jobs * jobWidth(c);
    const showing = new Set<number>(shown.map(({ call }) => call));
    for (let call = 0; call < calls; call++) if (log[call]! >= 0) obs[from + call] = showing.has(call) ? (log[call]! + 1) / c.digits : 1;
    [shown.at(-1), shown.at(-2)].forEach((last, i) => {
      if (last !== undefined) obs[from + (1 + i) * calls + last.call] = 1;
    });
    obs[from + 3 * calls] = 1 - made / c.calls;
  },
  picture: deskPicture,
  draw: drawDesk,
});
