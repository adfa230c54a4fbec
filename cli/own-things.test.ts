/**
 * Every command that runs or reads what a config names, over everything that a config can name: what the catalogue holds, an
 * own world, reward, player, method or robot, an environment in Python. Each cell works, or says why not in exact words. Real processes, so
 * that nothing is known from the command before.
 */
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NIGHT } from '../tools/nightly.ts';
import { hasPython, PYTHON } from '../tools/python.ts';

const home = mkdtempSync(join(tmpdir(), 'rl-own-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

interface Answer {
  readonly code: number;
  readonly said: string;
}

/** Another `state` is another user, or another machine: no code was given there. */
function rl(args: readonly string[], state = 'state'): Promise<Answer> {
  const env = { ...process.env, INIT_CWD: home, XDG_STATE_HOME: join(home, state), RL_DATASETS: join(home, 'datasets') };
  return new Promise((done) => {
    execFile(
      process.execPath,
      ['--', resolve('tools/rl.mjs'), ...args],
      { env, cwd: home, maxBuffer: 1 << 26 },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
        done({ code, said: `${stdout}${stderr}` });
      },
    );
  });
}

const ROBOT = `<mujoco><option timestep="0.02"/><worldbody><body name="cart"><joint name="slide" type="slide" axis="1 0 0" range="-1 1"/>
<geom type="capsule" size="0.1 0.1"/><body name="pole"><joint name="hinge" type="hinge" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 0.6" size="0.05"/>
</body></body></worldbody><actuator><motor joint="slide" ctrlrange="-1 1"/></actuator></mujoco>`;

interface Kind {
  /** Options that name it. */
  readonly named: readonly string[];
  /** Written before. */
  readonly file?: readonly [name: string, made: readonly string[] | string];
  /** Options that read a config of it need besides. */
  readonly beside?: readonly string[];
  readonly fields: { readonly [name: string]: readonly number[] };
  /** A setting of the environment, and two values of it. */
  readonly transfer: readonly [name: string, number | boolean, number | boolean];
  readonly actions: unknown;
  /** What its code is allowed with where it was not given; null: it has none. */
  readonly allow: string | null;
  /** Cells that do not work: exit code, and exact words. */
  readonly refused?: { readonly [command: string]: readonly [code: number, words: string] };
}

const LR = { 'algo.lr': [0.001, 0.01] };
const A2C = ['--algo', 'a2c'];
const PYTHON_RUNS =
  'runs in Python, and such runs are not exact, not resumable: what it computes depends on its libraries and on this machine.';

const KINDS: { readonly [kind: string]: Kind } = {
  'built in': {
    named: ['--env', 'cartpole', ...A2C],
    fields: LR,
    transfer: ['env.maxSteps', 50, 100],
    actions: [0, 1],
    allow: null,
  },
  'own world': {
    named: ['--env-file', 'world.js', ...A2C],
    file: ['world.js', ['new', 'world', 'world.js', '--from', 'landing']],
    fields: LR,
    transfer: ['env.maxSteps', 50, 100],
    actions: [0, 1],
    allow: '--env-file world/world.js',
  },
  'own reward': {
    named: ['--env-file', 'reward.js', ...A2C],
    file: ['reward.js', ['new', 'reward', 'reward.js', '--from', 'parts']],
    fields: LR,
    transfer: ['env.maxSteps', 50, 100],
    actions: [0, 1],
    allow: '--env-file reward/world.js',
  },
  'own player': {
    named: ['--env-file', 'player.js', ...A2C],
    file: ['player.js', ['new', 'player', 'player.js']],
    fields: LR,
    transfer: ['env.maxSteps', 50, 100],
    actions: [0, 1],
    allow: '--env-file player/world.js',
  },
  'own method': {
    named: ['--algo-file', 'method.js'],
    file: ['method.js', ['new', 'method', 'method.js', '--from', 'q-learning']],
    fields: { 'algo.stepSize': [0.1, 0.5] },
    transfer: ['env.slippery', false, true],
    actions: [0, 1],
    allow: '--algo-file method/method.js',
    refused: { 'export to ONNX': [2, 'is not one network: it has no ONNX form. Save it as a policy file instead.'] },
  },
  robot: {
    named: ['--mjcf', 'robot.xml', ...A2C, '--set', 'env.maxSteps=50'],
    file: ['robot.xml', ROBOT],
    fields: LR,
    transfer: ['env.maxSteps', 50, 100],
    actions: [[0], [0.5]],
    allow: null,
  },
  Gymnasium: {
    named: ['--gym', 'stand_in:Corridor', '--python', PYTHON, ...A2C],
    beside: ['--gym', 'stand_in:Corridor', '--python', PYTHON],
    fields: LR,
    transfer: ['env.maxSteps', 50, 100],
    actions: [1, 1],
    allow: null,
    refused: {
      'train --resume': [2, PYTHON_RUNS],
      verify: [3, 'not verified: its environment runs in Python'],
      'verify of a sweep': [3, 'not verified: its environment runs in Python'],
      'export --huggingface': [2, PYTHON_RUNS],
    },
  },
};

const folderOf = (kind: string): string => kind.toLowerCase().replace(/^own /, '').replace(' ', '-');

/** Commands in the order in which they need each other's files; {A} is the folder of a run, `beside` stands where the option exists. */
const COMMANDS: { readonly [command: string]: (a: string, kind: Kind) => readonly string[] } = {
  'train --out': (a, { named }) => ['train', ...named, '--steps', '400', '--seeds', '2', '--set', 'run.evalEpisodes=3', '--out', a],
  'train --resume': (a) => ['train', '--resume', a],
  'train --config': (a, { beside = [] }) => [
    'train',
    '--config',
    `${a}/run.json`,
    ...beside,
    '--steps',
    '200',
    '--seeds',
    '1',
    '--set',
    'run.evalEpisodes=3',
    '--out',
    `${a}-short`,
  ],
  verify: (a) => ['verify', a],
  compare: (a) => ['compare', a, `${a}-short`],
  evaluate: (a, { beside = [] }) => ['evaluate', '--policy', `${a}/seed-1/policy.json`, ...beside, '--episodes', '3'],
  sweep: (a, { beside = [] }) => ['sweep', `${a}-sweep.json`, ...beside, '--out', `${a}-sweep`],
  'verify of a sweep': (a) => ['verify', `${a}-sweep`],
  'compare of a sweep': (a) => ['compare', `${a}-sweep`],
  transfer: (a, { beside = [] }) => ['transfer', `${a}-grid.json`, ...beside, '--out', `${a}-grid`],
  'export to ONNX': (a, { beside = [] }) => ['export', '--policy', `${a}/seed-1/policy.json`, ...beside, '--out', `${a}.onnx`],
  'export --huggingface': (a, { beside = [] }) => ['export', '--huggingface', `${a}-hub`, '--run', a, ...beside],
  explain: (a, { beside = [] }) => ['explain', '--policy', `${a}/seed-1/policy.json`, ...beside, '--features', 'behaviour', '--frame', '0'],
  record: (a, { beside = [] }) => {
    const config = beside.length > 0 ? beside : ['--config', `${a}/run.json`];
    return ['record', ...config, '--player', `${a}/seed-1/policy.json`, '--steps', '20'];
  },
  rollout: (a, { beside = [] }) => ['rollout', '--config', `${a}/run.json`, ...beside, '--seed', '1', '--actions', `${a}-actions.json`],
};

/** Files that commands of this kind are given. */
async function prepare(kind: string): Promise<void> {
  const { file, fields, transfer, actions } = KINDS[kind] as Kind;
  const a = folderOf(kind);
  const write = (name: string, value: unknown): void => writeFileSync(join(home, name), JSON.stringify(value));
  const [path = '', made = []] = file ?? [];
  if (typeof made === 'string') writeFileSync(join(home, path), made);
  else if (made.length > 0) await rl(made);
  const seeds = { tuning: 1, reporting: 2 };
  write(`${a}-sweep.json`, { kind: 'sweep', version: 1, config: `${a}-short/run.json`, fields, search: { by: 'grid' }, seeds });
  const [field, ...values] = transfer;
  write(`${a}-grid.json`, { kind: 'transfer', version: 1, config: `${a}-short/run.json`, field, train: values, test: values, episodes: 2 });
  write(`${a}-actions.json`, actions);
}

beforeAll(async () => {
  mkdirSync(join(home, 'datasets'));
  copyFileSync(resolve('cli/gym/stand-in/stand_in.py'), join(home, 'stand_in.py'));
  await rl(['list', 'envs']); // bundles once
}, 120_000);

/** Kinds of which all commands are tried in every run of the tests; the others at night: each is some twenty processes. */
const DAILY: readonly string[] = ['own world'];

describe.each(Object.keys(KINDS).map((name) => [DAILY.includes(name) ? name : `${name} @night`, name] as const))('%s', (_, name) => {
  const kind = KINDS[name] as Kind;
  const a = folderOf(name);
  const here = test.skipIf(name === 'Gymnasium' && !hasPython);

  here('the files', () => prepare(name), 60_000);

  here.each(Object.keys(COMMANDS))(
    '%s',
    async (command) => {
      const { code, said } = await rl(COMMANDS[command]?.(a, kind) ?? []);
      const [expected, words] = kind.refused?.[command] ?? [0, ''];
      expect([code, said.includes(words)], said).toEqual([expected, true]);
      expect(said).not.toMatch(/prepare\(\)|is not loaded|undefined/);
    },
    120_000,
  );

  test.runIf(kind.allow !== null)(
    'where its code was never given it is not run, and every command says how to allow it',
    async () => {
      const option = kind.allow ?? '';
      const stranger = `${a}-stranger`;
      const others = ['sweep', 'train --resume', 'evaluate', 'transfer', 'export --huggingface', 'explain'];
      for (const command of ['train --config', 'verify', ...(NIGHT ? others : [])]) {
        const args = COMMANDS[command]?.(a, kind) ?? [];
        const { code, said } = await rl(
          args.map((word) => (/-(short|sweep|grid|hub)$/.test(word) && word !== `${a}-short` ? `${word}-2` : word)),
          stranger,
        );
        expect([command, code], said).toEqual([command, command === 'verify' ? 3 : 2]);
        expect(said).toContain('was not given on this machine before, so it is not run. Look at it, then allow it: ');
        expect(said, command).toContain(option.split(' ')[0]);
      }
      expect((await rl(['compare', a, `${a}-short`], stranger)).code).toBe(0);
      const allowed = await rl(['verify', a, ...option.split(' ')], stranger);
      expect([allowed.code, allowed.said.includes('2 of 2 runs are the same')], allowed.said).toEqual([0, true]);
      if (NIGHT) expect((await rl(['verify', a], stranger)).code).toBe(0);
    },
    300_000,
  );
});

test.skipIf(!hasPython)(
  'runs in Python are compared without it; what needs it says so @night',
  async () => {
    const { code, said } = await rl(['evaluate', '--policy', 'gymnasium/seed-1/policy.json']);
    expect(code).toBe(2);
    expect(said).toMatch(/The environment "gym-stand-in-corridor-\w+" runs in Python, which was not started\. Name it with --gym\./);
  },
  60_000,
);

test("@night a method of the package's kit, beside a built-in one", async () => {
  const text = readFileSync('examples/own-method.js', 'utf8')
    .replaceAll(/^import .* from 'rl-workbench(\/envs\/\w+|\/testing)?';\n/gm, '')
    .replace('const actorCritic = ', 'export default ')
    .replace(/\nfor \(const \{ verdict[\s\S]*/, '\n');
  writeFileSync(join(home, 'kit.js'), text);
  expect((await rl(['train', '--env', 'cartpole', '--algo-file', 'kit.js', '--steps', '2048', '--seeds', '1', '--out', 'kit'])).code).toBe(
    0,
  );
  const seeds = { tuning: 1, reporting: 1 };
  const config = { env: { id: 'cartpole' }, run: { steps: 2048, evalEpisodes: 3 } };
  const asked = { kind: 'sweep', version: 1, config, algos: [{ file: 'kit.js', name: 'Mine' }, { id: 'a2c' }], fields: {}, seeds };
  writeFileSync(join(home, 'both.json'), JSON.stringify(asked));
  const swept = await rl(['sweep', 'both.json', '--out', 'both']);
  expect([swept.code, swept.said.includes('Mine')], swept.said).toEqual([0, true]);
  for (const folder of ['kit', 'both']) {
    const { code, said } = await rl(['verify', folder]);
    expect([folder, code], said).toEqual([folder, 0]);
  }
  const compared = await rl(['compare', 'both'], 'stranger');
  expect([compared.code, compared.said.includes('Mine')], compared.said).toEqual([0, true]);
}, 300_000);

test('an option for code takes what it says', async () => {
  const { code, said } = await rl(['train', '--algo-file', 'world.js', '--env', 'cartpole']);
  expect([code, said]).toEqual([2, '--algo-file takes a method, and "world.js" holds a world: give it with --env-file.\n']);
  writeFileSync(join(home, 'plain.json'), JSON.stringify({ env: { id: 'cartpole' }, algo: { id: 'ppo' } }));
  const carried = await rl(['check', 'plain.json']);
  expect([carried.code, carried.said]).toEqual([2, '"plain.json" carries no code: it has no setting "$code".\n']);
}, 60_000);
