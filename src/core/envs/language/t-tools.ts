/**
 * Tools in tokens: files, mail, a calendar, a shop and a calculator, each command a verb and a name. `oa` opens file a, `wb` writes what was
 * shown last into file b; r reads a mail and s sends one, b books a meeting and x cancels it, p looks a price up and y buys; `+` adds the two
 * digits that were shown last. The world replies with the digit that a command shows, with "=" where it did what was said, with "!" where it
 * refused. "." says that the task is done. The prompt names it: `cab:` copy file a into b; m: mail file a to b; k: keep the mail of a in
 * file b; t: meet a at the time in a's mail; v: move that meeting there; y: buy the cheaper of a and b; e: mail the price of a to b; `+abc:`
 * the sum of files a and b into c. Jobs may be said before they are done, in the same row or in rows of their own (lib/subgoals.ts).
 * Obs: the row so far, one token id per place, 0 behind its end: prompt, commands and replies. Actions: the 64 tokens of the vocabulary.
 * Reward 1 if the world is as the task asks and nothing else has changed; every command takes its price, and may earn a bonus.
 * Ends with ".", with a command more than allowed, or with what is no command, which scores nothing and takes the price of all commands
 * that were left. Truncates never.
 * Source: own worlds after stateful tool benchmarks (AppWorld, tau-bench); the same worlds without tokens: tool-worlds.
 */
import { z } from 'zod';
import { Xorshift } from '#math/xorshift.ts';
import { jobsInWords } from './lib/asked.ts';
import { defineTokenEnv, type Talk, type TokenTask } from './lib/define.ts';
import { deskPicture, drawDesk } from './lib/desk.ts';
import { drawnSplit, pricedForm } from './lib/knobs.ts';
import { talkReferences } from './lib/references.ts';
import { commandTalk, JOB, ROLES, saidSizes, saidTalk } from './lib/subgoals.ts';
import { checkSet, drawTask, Errand, isSet, toolFields, toolMeasures, toolTerms } from './lib/tools.ts';

const config = z.strictObject({
  ...toolFields,
  form: z.enum(['commands', 'aloud', 'apart']).default('commands').meta({
    title: 'form',
    description:
      'commands: nothing but commands. aloud: each job is said before its commands, and left with a full stop. apart: jobs and commands stand in rows of their own, which two networks can write (Cloning on tokens).',
    source: 'Lumos',
    group: 'task',
  }),
});
type Config = z.infer<typeof config>;

function talkOf(c: Config, seed: number): Talk {
  const errand = new Errand(c, drawTask(c, new Xorshift(seed)));
  const form = c.form === 'commands' ? commandTalk(c, errand) : saidTalk(c, errand, c.form === 'apart');
  return { ...form, draw: (_, out) => drawDesk(c, errand, out), measured: () => errand.measured() };
}

const sizesOf = (c: Config): TokenTask['sizes'] =>
  c.form === 'commands' ? { prompt: c.jobs * (JOB + 1), written: 2 * (c.calls + 1), replies: c.calls } : saidSizes(c, c.form === 'apart');

function taskOf(c: Config): TokenTask {
  checkSet(c);
  return {
    world: deskPicture(c),
    sizes: sizesOf(c),
    ...(c.form === 'apart' && { roles: ROLES }),
    accepts: (seed) => isSet(c, seed),
    talk: (seed) => talkOf(c, seed),
  };
}

export const tTools = defineTokenEnv<Config>({
  id: 't-tools',
  title: 'Tools in tokens',
  summary: 'Files, mail, a calendar, a shop, a calculator: leave the world as the task says, and nothing else changed.',
  source: { title: 'Tool worlds in tokens', authors: 'RL Workbench', year: 2026 },
  version: 3,
  changes: [drawnSplit(2), pricedForm(3)],
  config,
  terms: toolTerms,
  measures: toolMeasures,
  recommended: { algo: 'group-rl', preset: 'tools', steps: 180_000, env: { split: 'train' }, evalEvery: 9000 },
  presets: [
    { id: 'calendar', title: 'files, mail and calendar', config: {} },
    { id: 'five-apps', title: 'five apps', config: { apps: 5 } },
    { id: 'two-jobs', title: 'five apps, two jobs in one episode', config: { apps: 5, jobs: 2, calls: 12 } },
    {
      id: 'planned',
      title: 'two jobs: one network plans, one carries out',
      config: { apps: 5, jobs: 2, calls: 10, form: 'apart' },
    },
    { id: 'careless', title: 'side effects cost nothing', config: { pays: 'goal' } },
  ],
  references: talkReferences({
    begin: talkOf,
    most: (c) => sizesOf(c).written,
    careless: (c) => ({ ...c, mistakes: 1 }),
    turns: 'random commands',
  }),
  task: taskOf,
  question: (_, prompt) => jobsInWords(prompt),
});
