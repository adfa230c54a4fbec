import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { worldId } from '#contract/run/config-hash.ts';
import { getAlgo } from '#core/algos/index.ts';
import { getEnv } from '#core/envs/index.ts';
import { allPoints, startingPoints } from '#worlds/index.ts';
import { codeIn, codeSettings, givenCode, keepCode, runCode } from './code.ts';

const folder = mkdtempSync(join(tmpdir(), 'worlds-'));
afterAll(() => rmSync(folder, { recursive: true }));
const code = startingPoints[0]?.code ?? '';

it('makes a world known by the hash of its code, whatever ends its lines', async () => {
  const { env: entry } = await runCode({ name: 'walk.js', code: code.replaceAll('\n', '\r\n') });
  expect(entry.id).toBe(worldId(code));
  expect(entry.id).toMatch(/^own-[0-9a-f]{12}$/);
  expect(getEnv(entry.id)).toBe(entry);
  expect(givenCode()).toContainEqual({ name: 'walk.js', code });
});

it('gives settings that carry the code, and takes them back, of its own code alone', async () => {
  const made = await runCode({ name: 'walk.js', code });
  const settings = codeSettings(made);
  expect(settings).toEqual({ $code: code });
  expect(made.env.parse(settings)).toMatchObject({ $code: code, maxSteps: 50 });
  expect(made.env.parse({})).not.toHaveProperty('$code');
  expect(() => made.env.parse({ $code: `${code}//` })).toThrow('The code in these settings is not that of My world.');
  const player = allPoints.find(({ id }) => id === 'by-hand')?.code ?? '';
  expect(codeSettings(await runCode({ name: 'player.js', code: player }))).toEqual({});
});

it('says that the code of a world or a method is missing', () => {
  expect(() => getEnv('own-000000000000')).toThrow(/environment "own-0+" was written by a person, and its code is not here\./);
  expect(() => getAlgo('own-000000000000')).toThrow(/algorithm "own-0+" was written by a person, and its code is not here\./);
});

it('keeps the code in the folder of a run, and reads it from there', async () => {
  const { env } = await runCode({ name: 'walk.js', code });
  const ref = (id: string) => ({ id, version: 1, config: {} });
  keepCode(folder, { env: ref(env.id), algo: ref('ppo') });
  keepCode(folder, { env: ref('cartpole'), algo: ref('ppo') });
  expect(readFileSync(join(folder, 'world.js'), 'utf8')).toBe(code);
  expect(codeIn(folder)).toEqual([{ name: join(folder, 'world.js'), code }]);
});

it.each([
  ['const x = ;', /^"bad\.js", line 1: SyntaxError: /],
  ['\n\nmissing();', /^"bad\.js", line 3: ReferenceError: missing is not defined\./],
  ['const x = 1;', /^The code defines no world, reward, player or method\./],
  [' '.repeat(100_001), /^"bad\.js" has 100001 characters\./],
])('refuses %j', async (bad, words) => {
  await expect(runCode({ name: 'bad.js', code: bad })).rejects.toThrow(words);
});
