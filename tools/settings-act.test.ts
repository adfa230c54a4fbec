/** What is offered acts: every field of every method changes what is trained or reported, or stands in a list of excuses that only shrinks. */
import { expect, it } from 'vitest';
import { LabError } from '../src/contract/kit/errors.ts';
import { objectOf } from '../src/contract/kit/json.ts';
import { algos } from '../src/core/algos/all.ts';
import { getEnv } from '../src/core/envs/all.ts';
import { EXCUSED, type Tried, triedFor } from './settings/tried.ts';
import { comparedWith, inKind, merged, type Setting, settingsOf, variations } from './settings/vary.ts';

async function actsWhere({ env, envConfig = {}, beside = {}, values = [], steps }: Tried, setting: Setting): Promise<boolean> {
  const { algo } = setting;
  const { trial } = algo;
  const world = env === undefined ? merged(objectOf(trial.envConfig), envConfig) : envConfig;
  const config = inKind(setting, merged(algo.parse(objectOf(trial.config)), beside));
  const differs = comparedWith({ algo, env: getEnv(env ?? trial.env), envConfig: world, steps: steps ?? trial.steps, config });
  for (const other of variations(setting, config, values)) if (await differs(other)) return true;
  return false;
}

/** Whether it acts in the trial of its method, if its kind fits there, or where a line says so. */
async function acts(setting: Setting): Promise<boolean> {
  try {
    if (await actsWhere({}, setting)) return true;
  } catch (error) {
    if (!(error instanceof LabError)) throw error;
  }
  const tried = triedFor(setting.algo.id, setting.name);
  return tried !== undefined && actsWhere(tried, setting);
}

/** These are tried on every push, all at night. */
const QUICK = ['dqn', 'monte-carlo', 'q-learning'];
const cases = algos.map((algo) => ({ algo, title: `${QUICK.includes(algo.id) ? '' : '@night '}${algo.id}` }));

it.each(cases)('$title: every field acts that has no excuse, and none that has one', { timeout: 300_000 }, async ({ algo }) => {
  const idle: string[] = [];
  for (const setting of settingsOf(algo)) if (!(await acts(setting))) idle.push(setting.name);
  expect(idle.toSorted()).toEqual(Object.keys(EXCUSED[algo.id] ?? {}).toSorted());
});

it('excuses are those of fields that forms do not show by default', () => {
  const shown = algos.flatMap((algo) =>
    settingsOf(algo)
      .filter(({ leaf }) => leaf.depth === 'teach' || leaf.depth === 'lab')
      .map(({ name }) => `${algo.id} ${name}`),
  );
  expect(shown.length).toBeGreaterThan(500);
  const excused = Object.entries(EXCUSED).flatMap(([id, fields]) => Object.keys(fields).map((name) => `${id} ${name}`));
  expect(excused.filter((name) => shown.includes(name))).toEqual([]);
});
