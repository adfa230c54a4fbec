import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const plugin = resolve('tools/lint/bounded-json.grit');
const biome = resolve('node_modules/@biomejs/biome/bin/biome');
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bounded-json-'));
  writeFileSync(join(folder, 'biome.json'), JSON.stringify({ plugins: [plugin] }));
});
afterAll(() => rmSync(folder, { recursive: true }));

function refused(text: string): boolean {
  writeFileSync(join(folder, 'made.ts'), text);
  const { stdout, stderr } = spawnSync(process.execPath, [biome, 'lint', 'made.ts'], { cwd: folder, encoding: 'utf8' });
  return /A text is read by readJson/.test(stdout + stderr);
}

test.each([
  [true, 'a call', 'export const value: unknown = JSON.parse(text);\n'],
  [true, 'handed on', 'export const values = texts.map(JSON.parse);\n'],
  [true, 'an answer', 'export const parts: unknown = await answer.json();\n'],
  [false, 'the bounded reader', "import { readJson } from './json.ts';\nexport const value = readJson(text);\n"],
  [false, 'a schema', 'export const schema = z.json();\n'],
])('the rule refuses what is read without being counted: %s for %s', (expected, _, text) => {
  expect(refused(text)).toBe(expected);
});
