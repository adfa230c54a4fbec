import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const plugin = resolve('tools/lint/closed-stores.grit');
const biome = resolve('node_modules/@biomejs/biome/bin/biome');
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'closed-stores-'));
  writeFileSync(join(folder, 'biome.json'), JSON.stringify({ plugins: [plugin] }));
});
afterAll(() => rmSync(folder, { recursive: true }));

function refused(text: string): boolean {
  writeFileSync(join(folder, 'made.ts'), text);
  const { stdout, stderr } = spawnSync(process.execPath, [biome, 'lint', 'made.ts'], { cwd: folder, encoding: 'utf8' });
  return /A store is changed in the file that makes it alone/.test(stdout + stderr);
}

const imports = "import { tabStore } from './tab.ts';\n";

test.each([
  [true, 'a call', `${imports}export const close = (): void => tabStore.setState({ tab: null });\n`],
  [true, 'handed on', `${imports}export const change = tabStore.setState;\n`],
  [false, 'in its own file', "import { make } from './make.ts';\nexport const tabStore = make();\ntabStore.setState({ tab: null });\n"],
  [false, "a class's own state", 'export class View {\n  close(): void {\n    this.setState({ tab: null });\n  }\n}\n'],
])('the rule refuses that others change a store: %s for %s', (expected, _, text) => {
  expect(refused(text)).toBe(expected);
});
