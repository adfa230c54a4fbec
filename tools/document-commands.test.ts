/** The command lines of the documents, run in the order in which a page gives them, with small budgets. Those that need another machine are named. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const PAGES = ['README.md', 'docs/cli.md', 'docs/sweeps.md', 'docs/own-worlds.md', 'docs/exchange.md'];

/** Words of a command that cannot be run as it stands: a queue's address, a link or file of the reader's. */
const READERS_OWN = ['redis://', 'URL', "'LINK", 'HASH', 'a.rlds', 'runs/half', 'FILE'];

/** A smaller budget; what is run is the same. */
const small = (command: string): string =>
  command
    .replace(/ +#.*$/, '')
    .replace("'https://example.org/lab/#1.…'", 'ppo-cartpole')
    .replace(/--steps \d+/, '--steps 2048')
    .replace(/--seeds \d+/, '--seeds 1')
    .replace('--config ppo-cartpole', '--config ppo-cartpole --steps 2048 --seeds 1');

const commandsOf = (page: string): readonly string[] =>
  [...readFileSync(page, 'utf8').matchAll(/^npm run rl -- (.+)$/gm)].map(([, command = '']) => command);

/** What `npm run rl --` starts. Behind `--`, Node 20 leaves `--env-file` to the program; without it, it looks for a file of its own. */
const RL: string = JSON.parse(readFileSync('package.json', 'utf8')).scripts.rl;

const home = mkdtempSync(join(tmpdir(), 'rl-documents-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** The sweep file that docs/sweeps.md shows first, a twentieth as long. */
function writeSweep(folder: string): void {
  const [, first] = /^```json[^\n]*\n([\s\S]*?)^```$/m.exec(readFileSync('docs/sweeps.md', 'utf8')) ?? [];
  const sweep = JSON.parse(first ?? '{}') as { readonly config: { readonly run?: object } };
  writeFileSync(
    join(folder, 'sweep.json'),
    JSON.stringify({ ...sweep, config: { ...sweep.config, run: { ...sweep.config.run, steps: 1024 } } }),
  );
}

/** Pages whose commands are tried at night only. */
const AT_NIGHT = ['docs/sweeps.md', 'docs/exchange.md'];

describe.each(PAGES.map((page) => ({ page, title: `${page}${AT_NIGHT.includes(page) ? ' @night' : ''}` })))(
  'commands of $title',
  ({ page }) => {
    const folder = join(home, page.replaceAll('/', '-'));
    mkdirSync(folder, { recursive: true });
    writeSweep(folder);
    const commands = commandsOf(page);

    it('there are some', () => expect(commands.length).toBeGreaterThan(0));

    it.each(commands.filter((command) => !READERS_OWN.some((word) => command.includes(word))))(
      '%s',
      (command) => {
        const run = (): string =>
          execFileSync('bash', ['-c', `${RL} ${small(command)}`], {
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
