import { expect, test } from 'vitest';
import { runConfigSchema } from '#contract/run/config.ts';
import type { Finding, Way } from '#contract/run/findings.ts';
import { newSeed, runsStore } from '#stores/runs.ts';
import type { Mark, RunGroup, SeedRun } from '#stores/types.ts';
import { FixRunner, planOf, type Standing, standingFindings } from './findings.ts';

const config = runConfigSchema.parse({
  env: { id: 'cartpole' },
  algo: { id: 'ppo', config: { lr: 0.1 } },
  run: { steps: 1000, seeds: 3, seedStart: 1 },
});
const lower: Way = { text: 'learning rate back to 0.001', path: 'algo.lr', value: 0.001, begin: 'state' };
const finding = (id: string, since: number): Finding => ({ id, title: id, evidence: ['e'], sure: 'likely', since, ways: [lower] });
const told = (step: number, id: string, since = 0): Mark => ({
  kind: 'mark',
  step,
  type: 'warning',
  text: '',
  by: 'system',
  finding: finding(id, since),
});
const over = (step: number, id: string): Mark => ({ kind: 'mark', step, type: 'recovered', text: '', by: 'system', ends: id });
const seed = (number: number, marks: readonly Mark[], more: Partial<SeedRun> = {}): SeedRun => ({
  ...newSeed(number),
  state: 'running',
  points: [100, 400, 700],
  marks,
  ...more,
});
const group = (seeds: readonly SeedRun[], more: Partial<RunGroup> = {}): RunGroup => ({
  id: 'r',
  name: 'r',
  config,
  hash: 'h',
  colour: 0,
  dash: 0,
  createdAt: 0,
  visible: true,
  note: '',
  parent: null,
  executorReason: '',
  seeds,
  ...more,
});
const standing = (of: RunGroup, id: string): Standing => {
  const found = standingFindings(of).find((one) => one.finding.id === id);
  if (found === undefined) throw new Error(`no ${id}`);
  return found;
};

test('a finding stands until it is withdrawn; one line speaks for all seeds that have it', () => {
  const run = group([seed(1, [told(50, 'a'), told(60, 'b'), over(70, 'a')]), seed(2, [told(80, 'b')]), seed(3, [])]);
  expect(standingFindings(run).map(({ finding: { id }, seeds, step }) => ({ id, seeds, step }))).toEqual([
    { id: 'b', seeds: [1, 2], step: 60 },
  ]);
});

test('the way on begins at the newest state kept before the evidence, of the seeds that have one and follow each other', () => {
  const run = group([seed(1, [told(500, 'a', 450)]), seed(2, [told(800, 'a', 750)]), seed(3, [], { points: [] })]);
  const plan = planOf(run, standing(run, 'a'), lower);
  expect(plan.parent).toEqual({ id: 'r', step: 700, seeds: [{ seed: 1, step: 400 }, { seed: 2, step: 700 }] }); // biome-ignore format: one record
  expect(plan.config.algo.config.lr).toBe(0.001);
  expect(plan.config.run).toMatchObject({ seedStart: 1, seeds: 2 });
});

test('without a good state, or where the state would not fit, it starts again; a fork from where it began', () => {
  const run = group([seed(1, [told(500, 'a', 0)])]);
  expect(planOf(run, standing(run, 'a'), lower).parent).toBeNull();
  const late = group([seed(1, [told(500, 'a', 450)])]);
  expect(planOf(late, standing(late, 'a'), { ...lower, begin: 'start' }).parent).toBeNull();
  const parent = { id: 'p', step: 50, seeds: [{ seed: 1, step: 50 }] };
  const fork = group([seed(1, [told(500, 'a', 50)])], { parent });
  expect(planOf(fork, standing(fork, 'a'), lower).parent).toEqual(parent);
});

test('one press ends the ill run and starts the other', async () => {
  const run = group([seed(1, [told(500, 'a', 450)])]);
  runsStore.setState({ groups: [run] });
  const done: unknown[] = [];
  const fixRunner = new FixRunner({
    watch: () => ({ complete: async (json) => runConfigSchema.parse(json) }),
    start: async (own, parent) => {
      done.push([own.algo.config.lr, parent?.step]);
      return 'new';
    },
    stop: (id) => void done.push(['stop', id]),
  });
  await fixRunner.follow('r', standing(run, 'a'), lower);
  expect(done).toEqual([
    ['stop', 'r'],
    [0.001, 400],
  ]);
});
