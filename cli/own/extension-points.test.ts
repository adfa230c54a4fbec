/** Starting points for extensions: short, the same in the documents, and trained by the command line as a method of one's own. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { extensionPoints } from './extension-points.ts';

const folder = mkdtempSync(join(tmpdir(), 'rl-extension-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const rl = (...args: readonly string[]): string =>
  execFileSync(process.execPath, [resolve('tools/rl.mjs'), ...args], {
    cwd: folder,
    env: { ...process.env, INIT_CWD: folder },
    encoding: 'utf8',
  });

test('each is at most forty lines and stands in the documents as it is', () => {
  const page = readFileSync('docs/adding-an-extension.md', 'utf8');
  for (const { id, code } of extensionPoints) {
    expect(code.trim().split('\n').length, id).toBeLessThanOrEqual(40);
    expect(page).toContain(`\`\`\`js ${id}.js\n${code}\`\`\``);
  }
});

/** One by day, the others at night: each is four commands. */
const [FIRST] = extensionPoints;
test.each(extensionPoints.map(({ id }) => ({ id, title: id === FIRST?.id ? id : `@night ${id}` })))(
  '$title trains, is kept with its code, and verifies',
  ({ id }) => {
    rl('new', 'extension', `${id}.js`, '--from', id);
    const train = ['train', '--env', 'cartpole', '--algo-file', `${id}.js`, '--steps', '3000', '--seeds', '1', '--json'];
    const hashOf = (answer: string): string => /"parameterHash":"([0-9a-f]+)"/.exec(answer)?.[1] ?? '';
    const key = id.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    const on = hashOf(rl(...train, '--out', id));
    expect(on).not.toBe('');
    expect(hashOf(rl(...train, '--set', `algo.${key}.kind=not used`))).not.toBe(on);
    expect(rl('verify', id)).toContain('1 of 1 runs are the same');
  },
  120_000,
);
