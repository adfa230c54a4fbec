/** The command line as a user meets it: real processes, stdout, stderr and exit codes. Budgets are tiny; what is learned is tested elsewhere. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Summary, summarySchema } from '#contract/files/files.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import { decodeSaved, encodeSaved } from '#contract/run/saved.ts';
import { readSweepFile } from '#contract/sweep/folder.ts';
import { coreSecondsOf } from './kit/seed-folder.ts';
import { main } from './main.ts';

const RL = resolve('tools/rl.mjs');
const folder = mkdtempSync(join(tmpdir(), 'rl-cli-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Answer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command in the temporary folder; with `kill` it is ended as soon as that file exists. */
function rl(args: readonly string[], kill?: { readonly when: string; readonly signal: NodeJS.Signals }): Promise<Answer> {
  return new Promise((done) => {
    const env = { ...process.env, INIT_CWD: folder };
    const child = execFile(process.execPath, [RL, ...args], { env, cwd: folder, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      clearInterval(watch);
      const { code } = (error ?? {}) as { code?: number | string };
      done({ code: error ? (typeof code === 'number' ? code : -1) : 0, stdout, stderr });
    });
    const watch = setInterval(() => {
      if (kill && existsSync(join(folder, kill.when))) child.kill(kill.signal);
    }, 20);
  });
}

/** The same without a process of its own, for what ends before anything runs. */
async function rlHere(args: readonly string[]): Promise<Answer> {
  const said = { stdout: '', stderr: '' };
  const never = (): never => {
    throw new Error('nothing is bundled here');
  };
  const listeners = process.stdout.listeners('error');
  const { RL_DATASETS } = process.env;
  const hear = (name: 'stdout' | 'stderr') =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      said[name] += String(text);
      return true;
    });
  const heard = [hear('stdout'), hear('stderr')];
  try {
    return { code: await main(args, { project: resolve('.'), typedIn: folder, bundle: never, servePage: never }), ...said };
  } finally {
    for (const one of heard) one.mockRestore();
    for (const one of process.stdout.listeners('error'))
      if (!listeners.includes(one)) process.stdout.off('error', one as (error: Error) => void);
    if (RL_DATASETS === undefined) delete process.env.RL_DATASETS;
    else process.env.RL_DATASETS = RL_DATASETS;
  }
}

const lines = (text: string): readonly Record<string, unknown>[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

function summaryOf({ stdout }: Answer): Summary {
  return summarySchema.parse(lines(stdout).at(-1));
}

beforeAll(async () => {
  await rl(['list', 'envs']); // bundles once
  await rlHere(['list', 'envs']); // loads every environment and method once
}, 240_000);

describe('list', () => {
  test('names what there is, as text and as JSON lines', async () => {
    const text = await rl(['list', 'envs']);
    expect(text.code).toBe(0);
    expect(text.stdout).toContain('cartpole');
    const algos = lines((await rlHere(['list', 'algos', '--json'])).stdout);
    expect(algos.map((entry) => entry.id)).toContain('ppo');
    expect(algos.every((entry) => entry.type === 'algo' && typeof entry.schema === 'object')).toBe(true);
    expect((await rlHere(['list', 'experiments'])).stdout).toContain('ppo-cartpole');
  });
});

describe('wrong input gets one line that says what is allowed, and exit code 2', () => {
  test.each([
    [['fly'], 'Use one of: list, new'],
    [['trian'], 'Did you mean train?'],
    [['list', 'things'], 'envs, algos, experiments'],
    [['train', '--env', 'cartpol', '--algo', 'ppo'], 'cartpole'],
    [['train', '--env', 'cartpole', '--algo', 'pp0'], 'ppo'],
    [['train', '--env', 'cartpole', '--algo', 'ppo', '--set', 'algo.speed=1'], 'algo.speed'],
    [['train', '--env', 'cartpole', '--algo', 'ppo', '--set', 'algo.lr=fast'], 'algo.lr'],
    [['train', '--env', 'cartpole', '--algo', 'ppo', '--set', 'run.speed=1'], 'run.steps'],
    [['train', '--env', 'cartpole', '--algo', 'ppo', '--set', 'lr=1'], 'algo.KEY'],
    [['train', '--env', 'cartpole', '--algo', 'ppo', '--set', 'algo.lr'], 'PATH=VALUE'],
    [['train', '--env', 'cartpole', '--algo', 'ppo', '--executor', 'gpu'], 'wasm, webgpu, webgpu-rollouts, tfjs, auto'],
    [['train', '--env', 'cartpole', '--algo', 'ppo', '--steps', '0'], 'at least 1'],
    [['train', '--env', 'cartpole', '--algo', 'q-learning'], 'table'],
    [['train', '--config', 'nowhere.json'], 'no file, link or preset'],
    [['train', '--config', '#1.abc.def123'], 'damaged'],
    [['train', '--resume', 'nowhere'], 'run.json'],
    [['evaluate', '--policy', 'nowhere.json'], 'nowhere.json'],
    [['crossplay'], 'Which policies?'],
    [['crossplay', '--policy', 'nowhere.json'], 'nowhere.json'],
    [['rollout', '--env', 'cartpole', '--seed', '1'], '--actions'],
    [['golden'], 'FILE'],
    [['golden', 'nowhere.json'], 'nowhere.json'],
    [['sweep'], 'docs/sweeps.md'],
    [['verify', 'nowhere.json'], 'no file, folder or link'],
    [['sweep', 'nowhere.json'], 'nowhere.json'],
    [['worker'], '--queue redis://HOST'],
    [['serve', '--results', 'nowhere'], 'no folder'],
    [['claims', 'advanced'], 'basics'],
    [['claims', 'P045', '--seeds', '2'], '--pilot'],
    [['bench', 'everything'], 'Use one of: '],
    [['bench', 'tokns'], 'Did you mean tokens?'],
    [['learn', 'bandit', '--record'], '--first-seed'],
    [['learn', 'bandit', '--first-seed', '101', '--resume'], '--record'],
  ])('%j', async (args, hint) => {
    const { code, stdout, stderr } = await rlHere(args);
    expect(stderr).toContain(hint);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });
});

test('a process ends with that code and says it on stderr alone', async () => {
  expect(await rl(['trian'])).toEqual({ code: 2, stdout: '', stderr: (await rlHere(['trian'])).stderr });
});

describe('train', () => {
  const TABULAR = ['train', '--env', 'cliff-walking', '--algo', 'q-learning', '--steps', '3000', '--seeds', '2'];

  test('the last JSON line is the summary, with the complete config', async () => {
    const answer = await rl([...TABULAR, '--seed-start', '7', '--set', 'algo.epsilon=0.2', '--json']);
    expect(answer.code).toBe(0);
    const summary = summaryOf(answer);
    expect(Object.keys(summary)).toEqual(['type', 'env', 'algo', 'config', 'executor', 'seeds', 'iqm', 'ci95']);
    expect(summary).toMatchObject({ env: 'cliff-walking', algo: 'q-learning', executor: 'wasm' });
    expect(summary.seeds.map((seed) => seed.seed)).toEqual([7, 8]);
    expect(summary.seeds.every((seed) => seed.steps >= 3000 && seed.parameterHash !== '')).toBe(true);
    expect(summary.ci95).toEqual({ finalReturn: null, evalReturn: null });
    expect(runConfigSchema.parse(summary.config).algo.config.epsilon).toBe(0.2);
  });

  test('the same config and seed give the same parameters, whatever ran beside it', async () => {
    const two = summaryOf(await rl([...TABULAR, '--json']));
    const one = summaryOf(await rl([...TABULAR.slice(0, -1), '1', '--seed-start', '2', '--json']));
    expect(one.seeds[0]?.parameterHash).toBe(two.seeds[1]?.parameterHash);
    expect(one.seeds[0]?.parameterHash).not.toBe(two.seeds[0]?.parameterHash);
  });

  test('a config file, an experiment and a preset are configs, and options change them', async () => {
    writeFileSync(
      join(folder, 'run-config.json'),
      JSON.stringify({ env: { id: 'cliff-walking' }, algo: { id: 'sarsa' }, run: { steps: 500, seeds: 1 } }),
    );
    expect(summaryOf(await rl(['train', '--config', 'run-config.json', '--json']))).toMatchObject({
      algo: 'sarsa',
      config: { run: { steps: 500 } },
    });
    const experiment = summaryOf(await rl(['train', '--config', 'sarsa-cliff', '--steps', '400', '--seeds', '1', '--json']));
    expect(experiment).toMatchObject({ algo: 'sarsa', config: { run: { steps: 400, seeds: 1 } } });
    const preset = summaryOf(
      await rl(['train', '--config', 'frozen-lake/8x8', '--algo', 'q-learning', '--steps', '400', '--seeds', '1', '--json']),
    );
    expect((preset.config.env.config.map as string[])[0]).toHaveLength(8);
  });

  test('--out keeps curves, policies and results; a policy file can be evaluated', async () => {
    const first = await rl([...TABULAR, '--out', 'kept']);
    expect(first.code).toBe(0);
    expect(first.stdout).toContain('IQM');
    expect(readFileSync(join(folder, 'kept/seed-1/curve.csv'), 'utf8')).toContain(',episodicReturn,');
    const summary = summarySchema.parse(JSON.parse(readFileSync(join(folder, 'kept/summary.json'), 'utf8')));
    const again = await rl([...TABULAR, '--out', 'kept']);
    expect(again).toMatchObject({ code: 2, stdout: '' });
    const [evaluation] = lines((await rl(['evaluate', '--policy', 'kept/seed-1/policy.json', '--json'])).stdout);
    expect(evaluation?.evalReturn).toBe(summary.seeds[0]?.evalReturn);
    expect(evaluation?.returns).toHaveLength(100);
    const table = await rl(['export', '--policy', 'kept/seed-1/policy.json']);
    expect(table).toMatchObject({ code: 2, stdout: '' });
    expect(table.stderr).toContain('it has no ONNX form');
  });

  test.each([
    { signal: 'SIGTERM', tag: ' @night' },
    { signal: 'SIGKILL', tag: ' @night' },
  ] as const)(
    'after $signal, --resume gives the very run that was never interrupted$tag',
    async ({ signal }) => {
      const args = ['train', '--env', 'cartpole', '--algo', 'ppo', '--steps', '800000', '--seeds', '1', '--seed-start', '3', '--json'];
      const killed = await rl([...args, '--out', signal], { when: `${signal}/seed-3/checkpoint.rlwb`, signal });
      expect(killed.code).toBe(signal === 'SIGTERM' ? 130 : -1);
      expect(existsSync(join(folder, signal, 'seed-3/result.json'))).toBe(false);
      // What it cost goes on from what the checkpoint says, whatever share of a core the two processes had.
      const checkpoint = join(folder, signal, 'seed-3/checkpoint.rlwb');
      const saved = decodeSaved(new Uint8Array(readFileSync(checkpoint)));
      const noted = coreSecondsOf(saved);
      expect(noted).toBeGreaterThan(0);
      writeFileSync(checkpoint, encodeSaved({ ...saved, meta: { ...saved.meta, coreSeconds: 10_000 } }));
      const resumed = await rl(['train', '--resume', signal, '--json']);
      expect(lines(resumed.stdout).some((line) => line.mark === 'resume')).toBe(true);
      const whole = await rl([...args, '--out', `${signal}-whole`]);
      const strip = ({ seconds, stepsPerSecond, ...seed }: Summary['seeds'][number]): object => seed;
      expect(summaryOf(resumed).seeds.map(strip)).toEqual(summaryOf(whole).seeds.map(strip));
      const cost = (name: string): number =>
        (JSON.parse(readFileSync(join(folder, name, 'seed-3/result.json'), 'utf8')) as { readonly coreSeconds: number }).coreSeconds;
      expect(cost(signal)).toBeGreaterThan(10_000);
      expect(cost(`${signal}-whole`)).toBeLessThan(10_000);
      // The curve has neither a gap nor a doubled row; only its clock differs.
      const curve = (name: string): readonly string[] =>
        readFileSync(join(folder, name, 'seed-3/curve.csv'), 'utf8')
          .split('\n')
          .filter((line) => !/,(seconds|stepsPerSecond),/.test(line));
      expect(curve(signal)).toEqual(curve(`${signal}-whole`));
    },
    120_000,
  );
});

describe('train on the way', () => {
  const short = ['train', '--env', 'catch', '--algo', 'ppo', '--steps', '9000', '--seeds', '1', '--set', 'run.evalEvery=2000'];

  test('keeps the best policy and the newest ones, tells code of each evaluation, and all of it is verified', async () => {
    writeFileSync(
      join(folder, 'heard.mjs'),
      [
        'import { appendFileSync } from "node:fs";',
        'export default (event) => appendFileSync(event.folder + "/../../heard.txt", JSON.stringify(event) + String.fromCharCode(10));',
      ].join('\n'),
    );
    const { code } = await rl([...short, '--out', 'on-way', '--keep', 'best,last,2', '--on-eval', 'heard.mjs']);
    expect(code).toBe(0);
    const heard = readFileSync(join(folder, 'heard.txt'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(heard.length).toBeGreaterThan(3);
    const stepIn = (name: string): number => JSON.parse(readFileSync(join(folder, 'on-way/seed-1', name), 'utf8')).step;
    expect(stepIn('best.json')).toBe(heard.filter(({ best }) => best).at(-1).step);
    const kept = readdirSync(join(folder, 'on-way/seed-1')).filter((name) => /^policy-\d+\.json$/.test(name));
    expect(kept.map(stepIn).sort((a, b) => a - b)).toEqual(heard.slice(-2).map(({ step }) => step));
    expect((await rl(['verify', 'on-way'])).code).toBe(0);
    const best = join(folder, 'on-way/seed-1/best.json');
    writeFileSync(best, readFileSync(best, 'utf8').replace('"step":', '"step": 1'));
    expect((await rl(['verify', 'on-way'])).code).not.toBe(0);
  }, 60_000);

  test('ends a seed by its evaluations or by a sentence of the code; says why, and what is missing for it', async () => {
    writeFileSync(join(folder, 'ends.mjs'), 'export default ({ step }) => (step > 3000 ? "Far enough." : null);\n');
    const ended = await rl([...short, '--on-eval', 'ends.mjs', '--out', 'ended']);
    expect(ended.stderr).toMatch(/seed 1, step \d+: Far enough\./);
    expect(existsSync(join(folder, 'ended/seed-1/checkpoint.rlwb'))).toBe(true);
    const patient = await rl([...short, '--patience', '1', '--set', 'algo.lr=1e-6']);
    expect(patient.stderr).toContain('Ended by a rule: 1 evaluations without one above');
    const without = await rl(['train', '--env', 'catch', '--algo', 'ppo', '--keep', 'best', '--out', 'nothing']);
    expect(without).toMatchObject({ code: 2 });
    expect(without.stderr).toContain('--set run.evalEvery=N');
    expect(existsSync(join(folder, 'nothing'))).toBe(false);
  }, 60_000);
});

describe('sweep', () => {
  const page = /^```json sweep.json\n([\s\S]*?)^```$/m.exec(readFileSync(resolve('docs/sweeps.md'), 'utf8'))?.[1] ?? '';

  test('the question of docs/sweeps.md over four environments is one that can be run', async () => {
    const asked = /^```json standardise.json\n([\s\S]*?)^```$/m.exec(readFileSync(resolve('docs/sweeps.md'), 'utf8'))?.[1] ?? '';
    writeFileSync(join(folder, 'standardise.json'), asked);
    const { stdout } = await rl(['sweep', 'standardise.json', '--plan']);
    expect(stdout).toContain('minigrid-empty: 6 set-ups by grid, 28 runs, 1,400,000 environment steps.');
  });

  test('runs that are behind are ended, recorded, left alone by the same command again, and verified', async () => {
    const asked = {
      kind: 'sweep',
      version: 1,
      config: { env: { id: 'catch' }, algo: { id: 'ppo' }, run: { steps: 6000 } },
      fields: { 'algo.lr': [0.01, 0.003, 0.001, 1e-4, 3e-5, 1e-5] },
      search: { by: 'grid', batch: 3 },
      prune: { after: 3 },
      seeds: { tuning: 1, reporting: 0 },
    };
    writeFileSync(join(folder, 'prune.json'), JSON.stringify(asked));
    const first = await rl(['sweep', 'prune.json', '--out', 'pruned', '--json']);
    const setups = ({ stdout }: Answer) => lines(stdout).filter(({ type }) => type === 'setup');
    const ended = setups(first).flatMap(({ pruned }) => (Array.isArray(pruned) ? pruned : []));
    expect(ended.length).toBeGreaterThan(0);
    for (const run of ended) expect(run.value).toBeLessThan(run.bound);
    const files = readdirSync(join(folder, 'pruned/runs'), { recursive: true }).map(String);
    expect(files.filter((file) => file.endsWith('result.json'))).toHaveLength(6 - ended.length);
    const stamps = () => files.map((file) => statSync(join(folder, 'pruned/runs', file)).mtimeMs);
    const before = stamps();
    expect(setups(await rl(['sweep', 'prune.json', '--out', 'pruned', '--json']))).toEqual(setups(first));
    expect(stamps()).toEqual(before);
    expect((await rl(['verify', 'pruned'])).code).toBe(0);
  }, 60_000);

  test('the file of docs/sweeps.md: searches, says what matters, and holds the best against what stands on fresh seeds @night', async () => {
    writeFileSync(join(folder, 'sweep.json'), page);
    const plan = await rl(['sweep', 'sweep.json', '--plan']);
    expect(plan.stdout).toContain('12 set-ups by tpe, 46 runs, 920,000 environment steps.');
    const first = await rl(['sweep', 'sweep.json', '--out', 'swept', '--json']);
    expect(first.code).toBe(0);
    const summary = lines(first.stdout).at(-1) as {
      best: number;
      reported: { seeds: number[]; verdict: { difference: number; interval: number[] } };
    };
    expect(summary.reported.seeds).toEqual([1001, 1002, 1003, 1004, 1005]);
    expect(summary.reported.verdict.difference).toBeGreaterThan(30); // about -33 against -83
    const again = await rl(['sweep', 'sweep.json', '--out', 'swept', '--json', '--jobs', '1']);
    const scores = ({ stdout }: Answer) => lines(stdout).flatMap((line) => (line.type === 'setup' ? [line.scores] : []));
    expect(scores(again)).toEqual(scores(first));
    expect(scores(first)).toHaveLength(12);
    expect(readFileSync(join(folder, 'swept/sweep.csv'), 'utf8').trim().split('\n')).toHaveLength(1 + 36);
  }, 120_000);

  test('@night a question over two environments: each value at its best, judged on fresh seeds in each and over both', async () => {
    const file = {
      kind: 'sweep',
      version: 1,
      config: { algo: { id: 'q-learning' }, run: { steps: 1500 } },
      envs: [{ id: 'cliff-walking' }, { id: 'frozen-lake', steps: 1000 }],
      fields: { 'algo.alpha': [0.05, 0.8], 'algo.epsilon': [0.01, 0.2] },
      search: { by: 'grid' },
      quantity: { title: 'return while learning', metric: 'episodicReturn', take: 'mean' },
      seeds: { tuning: 1 },
      contrast: 'algo.alpha',
    };
    writeFileSync(join(folder, 'several.json'), JSON.stringify(file));
    const { code, stdout } = await rl(['sweep', 'several.json', '--out', 'several', '--json']);
    expect(code).toBe(0);
    const said = lines(stdout) as { type: string; envs?: string[]; verdicts?: { text: string }[] }[];
    expect(said.filter(({ type }) => type === 'sweep')).toHaveLength(2);
    const over = said.at(-1);
    expect(over?.envs).toEqual(['Cliff walking', 'Frozen lake']);
    expect(over?.verdicts?.map(({ text }) => text)).toEqual([
      expect.stringMatching(/0\.(05|8) .*0\.(05|8) over Cliff walking and Frozen lake: .*; 5 seeds\.$/),
    ]);
    const rows = readFileSync(join(folder, 'several/contrast.csv'), 'utf8').trim().split('\n');
    expect(rows).toHaveLength(1 + 2 * 2 * 5);
    expect(existsSync(join(folder, 'several/frozen-lake/sweep.csv'))).toBe(true);
    // Each folder is that of a sweep with a contrast, as the page opens it.
    const filed = readSweepFile(readFileSync(join(folder, 'several/cliff-walking/sweep.json'), 'utf8'));
    expect(filed.reported?.arms?.map(({ value, scores }) => [value, scores.length])).toEqual([
      [0.05, 5],
      [0.8, 5],
    ]);
  }, 60_000);

  test('methods by environments: each at its best on fresh seeds, one table, one sentence; its runs verify @night', async () => {
    const file = {
      kind: 'sweep',
      version: 1,
      config: { run: { steps: 2000 } },
      envs: [{ id: 'cliff-walking' }, { id: 'frozen-lake' }],
      algos: [{ id: 'q-learning' }, { id: 'sarsa', name: 'SARSA as it stands', fields: { 'algo.alpha': [0.1, 0.3] } }],
      fields: { 'algo.alpha': [0.05, 0.8] },
      search: { by: 'grid' },
      quantity: { title: 'return while learning', metric: 'episodicReturn', take: 'mean' },
      seeds: { tuning: 1 },
    };
    writeFileSync(join(folder, 'methods.json'), JSON.stringify(file));
    const { code, stdout } = await rl(['sweep', 'methods.json', '--out', 'methods', '--json']);
    expect(code).toBe(0);
    const said = lines(stdout).at(-1) as { type: string; envs: string[]; sentence: string; verdicts: { text: string }[] };
    expect(said).toMatchObject({ type: 'methods', envs: ['Cliff walking', 'Frozen lake'] });
    expect(said.sentence).toMatch(/Q-learning.* over Cliff walking and Frozen lake: .*; 5 seeds\.$/);
    expect(said.sentence).toContain('SARSA as it stands');
    expect(readFileSync(join(folder, 'methods/methods.csv'), 'utf8').trim().split('\n')).toHaveLength(1 + 2 * 2 * 5);
    expect((await rl(['verify', 'methods/frozen-lake/sarsa'])).stdout).toContain('7 of 7 runs are the same');
    const wrong = { ...file, algos: [{ id: 'q-learning' }, { id: 'ppo', fields: { 'algo.alpha': [0.1, 0.3] } }] };
    writeFileSync(join(folder, 'unfit.json'), JSON.stringify(wrong));
    const refused = await rl(['sweep', 'unfit.json']);
    expect([refused.code, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toMatch(/^cliff-walking\/ppo: .*alpha/);
  }, 120_000);

  test('a value that a setting does not take is refused before anything runs', async () => {
    writeFileSync(join(folder, 'wrong.json'), page.replace('[0.01, 0.1, 0.3]', '[0.1, 7]'));
    const { code, stderr, stdout } = await rl(['sweep', 'wrong.json', '--out', 'wrong']);
    expect(code).toBe(2);
    expect(stderr).toContain('algo.epsilon');
    expect(stdout).toBe('');
    expect(existsSync(join(folder, 'wrong'))).toBe(false);
  });
});

describe('verify', () => {
  test('the same for what a run stored; every number and row that was changed is named', async () => {
    await rl(['train', '--env', 'cliff-walking', '--algo', 'q-learning', '--steps', '3000', '--seeds', '2', '--out', 'stored']);
    const same = await rl(['verify', 'stored']);
    expect(same.code).toBe(0);
    expect(same.stdout).toContain('2 of 2 runs are the same: hash, numbers, curves and policies, bit for bit.');
    const at = join(folder, 'stored/seed-1');
    const result = JSON.parse(readFileSync(join(at, 'result.json'), 'utf8')) as { evalReturn: number; finalReturn: number };
    const rows = readFileSync(join(at, 'curve.csv'), 'utf8').split('\n');
    const row = rows.findIndex((text) => text.includes(',episodicReturn,')) + 3;
    const [, , step = '', , value = ''] = rows[row]?.split(',') ?? [];
    // The hash stays: only what is quoted of the run is changed.
    writeFileSync(join(at, 'result.json'), JSON.stringify({ ...result, evalReturn: 500, finalReturn: 499 }));
    writeFileSync(join(at, 'curve.csv'), rows.with(row, rows[row]?.replace(/[^,]+$/, '-7.25') ?? '').join('\n'));
    const changed = await rl(['verify', 'stored']);
    expect(changed.code).toBe(1);
    expect(changed.stdout).toContain(`evalReturn 500 stored, ${result.evalReturn} here`);
    expect(changed.stdout).toContain(`finalReturn 499 stored, ${result.finalReturn} here`);
    expect(changed.stdout).toContain(`episodicReturn at step ${Number(step).toLocaleString('en-US')}: -7.25 stored, ${value} here`);
    expect(changed.stdout).toContain('stored/summary.json: seeds.0.finalReturn');
    expect(changed.stdout).toContain('1 of 2 runs are the same');
  }, 60_000);

  test('@night a project file of a folder runs again as the folder does, and what was changed in it or in the index is named', async () => {
    await rl(['train', '--env', 'cliff-walking', '--algo', 'q-learning', '--steps', '2000', '--seeds', '2', '--out', 'boxed']);
    const ofSeed = ['result.json', 'curve.csv', 'policy.json'];
    const names = ['project.json', 'run.json', ...[1, 2].flatMap((seed) => ofSeed.map((name) => `seed-${seed}/${name}`))];
    const read = (name: string): Uint8Array => new Uint8Array(readFileSync(join(folder, 'boxed', name)));
    const files = Object.fromEntries(names.map((name) => [`boxed/${name}`, read(name)]));
    writeFileSync(join(folder, 'boxed.zip'), zipSync(files));
    const same = await rl(['verify', 'boxed.zip']);
    expect([same.code, same.stderr]).toEqual([0, '']);
    expect(same.stdout).toContain('Q-learning on Cliff walking, seed 2: same');
    const curve = new TextDecoder().decode(files['boxed/seed-2/curve.csv']).split('\n');
    const changed = curve.with(5, curve[5]?.replace(/[^,]+$/, '-7.25') ?? '').join('\n');
    writeFileSync(join(folder, 'changed.zip'), zipSync({ ...files, 'boxed/seed-2/curve.csv': new TextEncoder().encode(changed) }));
    const other = await rl(['verify', 'changed.zip']);
    expect(other.code).toBe(1);
    expect(other.stdout).toContain('-7.25 stored');
    expect(other.stdout).toContain('1 of 2 runs are the same');
    const index = new TextDecoder().decode(read('project.json'));
    const hash = /"parameterHash": "([0-9a-f]+)"/.exec(index)?.[1] ?? '';
    writeFileSync(join(folder, 'boxed/project.json'), index.replace(hash, 'ffffffff'));
    const wrong = await rl(['verify', 'boxed']);
    expect(wrong.code).toBe(1);
    expect(wrong.stdout).toContain(`seeds.0.parameterHash "ffffffff" stored, "${hash}"`);
  }, 60_000);

  test('@night a sweep: its runs, the scores of sweep.json and its table', async () => {
    const file = {
      kind: 'sweep',
      version: 1,
      config: { env: { id: 'cliff-walking' }, algo: { id: 'q-learning' }, run: { steps: 2000 } },
      fields: { 'algo.alpha': [0.1, 0.5] },
      search: { by: 'grid' },
      seeds: { tuning: 1, reporting: 1 },
    };
    writeFileSync(join(folder, 'sweep.json'), JSON.stringify(file));
    await rl(['sweep', 'sweep.json', '--out', 'verified']);
    const same = await rl(['verify', 'verified']);
    expect([same.code, same.stderr]).toEqual([0, '']);
    expect(same.stdout).toMatch(/(\d+) of \1 runs are the same/);
    const table = readFileSync(join(folder, 'verified/sweep.csv'), 'utf8');
    expect(table).not.toContain("'");
    const stored = JSON.parse(readFileSync(join(folder, 'verified/sweep.json'), 'utf8')) as { setups: { scores: number[] }[] };
    stored.setups[0]!.scores[0] = 777;
    writeFileSync(join(folder, 'verified/sweep.json'), JSON.stringify(stored));
    const changed = await rl(['verify', 'verified', '--seeds', '1']);
    expect(changed.code).toBe(1);
    expect(changed.stdout).toContain('verified/sweep.json: setups.0.scores.0 777 stored');
    // The table is still that of the runs. A run by itself has seeds that only the sweep asks for.
    expect(changed.stdout).not.toContain('sweep.csv');
    const runs = readdirSync(join(folder, 'verified/runs'));
    expect((await rl(['verify', `verified/runs/${runs[0]}`])).code).toBe(3);
  }, 120_000);

  test('@night a published result runs again to the same hash; one of other settings says so', async () => {
    const published = await rl(['verify', resolve('public/results/papers/q-learning-cliff.json'), '--seeds', '1']);
    expect(published.stdout).toContain('1 of 1 runs are the same');
    const result = JSON.parse(readFileSync(resolve('public/results/papers/q-learning-cliff.json'), 'utf8')) as {
      arms: { config: string; scores: number[] }[];
    };
    const better = { ...result, arms: result.arms.map((arm) => ({ ...arm, scores: arm.scores.map((score) => score + 1) })) };
    writeFileSync(join(folder, 'better.json'), JSON.stringify(better));
    const forged = await rl(['verify', 'better.json', '--seeds', '1']);
    expect([forged.code, forged.stdout]).toEqual([1, expect.stringContaining('differs: score ')]);
    writeFileSync(
      join(folder, 'other.json'),
      JSON.stringify({ ...result, arms: result.arms.map((arm) => ({ ...arm, config: '000000000000' })) }),
    );
    const other = await rl(['verify', 'other.json']);
    expect([other.code, other.stdout]).toEqual([1, expect.stringContaining('are not those of its config hash 000000000000')]);
  }, 60_000);
});

describe('rollout', () => {
  test('applies actions from a state and stops when the episode ends', async () => {
    writeFileSync(join(folder, 'state.json'), JSON.stringify({ x: 0, xDot: 0, theta: 0.2, thetaDot: 1 }));
    writeFileSync(join(folder, 'actions.json'), JSON.stringify([[1], 1, [1], [1], [1]]));
    const answer = await rl(['rollout', '--env', 'cartpole', '--state', 'state.json', '--actions', 'actions.json', '--json']);
    const out = lines(answer.stdout);
    expect(out[0]).toMatchObject({ type: 'step', t: 0, state: { theta: 0.2 } });
    expect(out.at(-1)).toMatchObject({ type: 'summary', env: 'cartpole', steps: 1, return: [1], terminated: true, truncated: false });
    writeFileSync(join(folder, 'wrong.json'), JSON.stringify([[2]]));
    const wrong = await rl(['rollout', '--env', 'cartpole', '--seed', '1', '--actions', 'wrong.json']);
    expect(wrong).toMatchObject({ code: 2 });
    expect(wrong.stderr).toContain('from 0 to 1');
  });
});
