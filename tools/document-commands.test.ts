/** The command lines of the documents, run in the order in which a page gives them, with small budgets. Those that need another machine are named. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { hasModules, PYTHON } from './python.ts';

/** Every document with a line that is a command. */
const PAGES = [
  'docs/adding-an-extension.md',
  'docs/cli.md',
  'docs/determinism.md',
  'docs/guide.md',
  'docs/sweeps.md',
  'docs/distributed.md',
  'docs/own-worlds.md',
  'docs/exchange.md',
  'docs/python.md',
];

/** Words of a command that cannot be run as it stands: a queue's address, a link or file of the reader's, a server that goes on. */
const READERS_OWN = ['redis://', 'URL', "'LINK", 'HASH', 'a.rlds', 'runs/half', 'FILE', '--serve', 'COMMAND'];

const gymnasium = hasModules('gymnasium');

/** A smaller budget; what is run is the same. */
const small = (command: string): string =>
  command
    .replace(/ +#.*$/, '')
    .replace("'https://example.org/lab/#1.…'", 'ppo-cartpole')
    .replace(/ > [\w.]+$/, '')
    .replace('--out /data/results', '--out results')
    .replace(/--steps \d+/, '--steps 2048')
    .replace(/--seeds \d+/, '--seeds 1')
    .replace('--config ppo-cartpole', '--config ppo-cartpole --steps 2048 --seeds 1');

/** The documents' `python3` is the one that the tests are given. */
const withPython = (command: string): string => (/(^| --)gym /.test(command) ? ` --python ${PYTHON}` : '');

const commandsOf = (page: string): readonly string[] =>
  [...readFileSync(page, 'utf8').matchAll(/^npm run rl -- (.+)$/gm)].map(([, command = '']) => command);

/** What `npm run rl --` starts. Behind `--`, Node 20 leaves `--env-file` to the program; without it, it looks for a file of its own. */
const RL: string = JSON.parse(readFileSync('package.json', 'utf8')).scripts.rl;

const home = mkdtempSync(join(tmpdir(), 'rl-documents-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** The sweep files of docs/sweeps.md by their names, a twentieth as long. */
function writeSweeps(folder: string): void {
  for (const [, name = '', text = ''] of readFileSync('docs/sweeps.md', 'utf8').matchAll(/^```json (\S+)\n([\s\S]*?)^```$/gm)) {
    const sweep = JSON.parse(text) as { readonly config: { readonly run?: object } };
    const config = { ...sweep.config, run: { ...sweep.config.run, steps: 1024 } };
    writeFileSync(join(folder, name), JSON.stringify({ ...sweep, config }));
  }
}

/** A robot of the reader's: one arm on a hinge. */
const ROBOT = `<mujoco><worldbody><body pos="0 0 1"><joint name="hinge" type="hinge" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.05"/></body></worldbody>
<actuator><motor joint="hinge" ctrlrange="-1 1"/></actuator></mujoco>`;

it('no other document shows commands', () => {
  const documents = ['README.md', 'CONTRIBUTING.md', ...readdirSync('docs').map((name) => `docs/${name}`)];
  const shown = documents.filter((page) => page.endsWith('.md') && commandsOf(page).length > 0);
  expect(shown.toSorted()).toEqual(PAGES.toSorted());
});

/** Pages whose commands are tried at night only. */
const AT_NIGHT = ['docs/guide.md', 'docs/sweeps.md', 'docs/distributed.md', 'docs/exchange.md', 'docs/python.md'];

describe.each(PAGES.map((page) => ({ page, title: `${page}${AT_NIGHT.includes(page) ? ' @night' : ''}` })))(
  'commands of $title',
  ({ page }) => {
    const folder = join(home, page.replaceAll('/', '-'));
    mkdirSync(folder, { recursive: true });
    writeSweeps(folder);
    writeFileSync(join(folder, 'robot.xml'), ROBOT);
    const commands = commandsOf(page);

    it('there are some', () => expect(commands.length).toBeGreaterThan(0));

    const mine = (command: string): boolean => !READERS_OWN.some((word) => command.includes(word));
    // Those with --gym are left out where RL_TEST_PYTHON has no gymnasium.
    const runs = commands.filter((command) => mine(command) && (gymnasium || !/(^| --)gym /.test(command)));
    // By day every third, at night all; what a later one reads is made by one that stands before it, so those that make something stay.
    it.each(
      runs.map((command, i) => [
        `${i % 3 === 0 || /--out|record|^new/.test(command) ? '' : '@night '}${command.replaceAll('%', '%%')}`,
        command,
      ]),
    )(
      '%s',
      (_, command) => {
        const run = (): string =>
          execFileSync('bash', ['-c', `${RL} ${small(command)}${withPython(command)}`], {
            cwd: resolve('.'),
            env: { ...process.env, INIT_CWD: folder, RL_DATASETS: join(folder, 'datasets') },
            encoding: 'utf8',
            stdio: 'pipe',
          });
        expect(run()).not.toBe('');
      },
      120_000,
    );
  },
);
