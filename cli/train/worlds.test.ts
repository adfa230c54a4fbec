import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { worldId } from '#contract/run/config-hash.ts';
import { getEnv } from '#core/envs/index.ts';
import { allPoints, startingPoints } from '#worlds/index.ts';
import { codeSettings, givenWorlds, keepWorld, reopenWorld, runWorld } from './worlds.ts';

const folder = mkdtempSync(join(tmpdir(), 'worlds-'));
afterAll(() => rmSync(folder, { recursive: true }));
const code = startingPoints[0]?.code ?? '';

it('makes a world known by the hash of its code, whatever ends its lines', async () => {
  const { env: entry } = await runWorld({ name: 'walk.js', code: code.replaceAll('\n', '\r\n') });
  expect(entry.id).toBe(worldId(code));
  expect(entry.id).toMatch(/^own-[0-9a-f]{12}$/);
  expect(getEnv(entry.id)).toBe(entry);
  expect(givenWorlds()).toContainEqual({ name: 'walk.js', code });
});

it('gives settings that carry the code, and takes them back, of its own code alone', async () => {
  const made = await runWorld({ name: 'walk.js', code });
  const settings = codeSettings(made);
  expect(settings).toEqual({ $code: code });
  expect(made.env.parse(settings)).toMatchObject({ $code: code, maxSteps: 50 });
  expect(made.env.parse({})).not.toHaveProperty('$code');
  expect(() => made.env.parse({ $code: `${code}//` })).toThrow('The code in these settings is not that of My world.');
  const player = allPoints.find(({ id }) => id === 'by-hand')?.code ?? '';
  expect(codeSettings(await runWorld({ name: 'player.js', code: player }))).toEqual({});
});

it('says that the code of a world is missing, and where to give it', () => {
  expect(() => getEnv('own-000000000000')).toThrow(/written by a person, and its code is not here\. .*--env-file/);
});

it('keeps the code in the folder of a run, and reads it from there', async () => {
  const { env } = await runWorld({ name: 'walk.js', code });
  const ref = (id: string) => ({ id, version: 1, config: {} });
  keepWorld(folder, { env: ref(env.id), algo: ref('ppo') });
  keepWorld(folder, { env: ref('cartpole'), algo: ref('ppo') });
  expect(readFileSync(join(folder, 'world.js'), 'utf8')).toBe(code);
  await reopenWorld(folder);
  expect(givenWorlds()).toContainEqual({ name: join(folder, 'world.js'), code });
});

it.each([
  ['const x = ;', /^"bad\.js", line 1: SyntaxError: /],
  ['\n\nmissing();', /^"bad\.js", line 3: ReferenceError: missing is not defined\./],
  ['const x = 1;', /^The code defines no world, reward, player or method\./],
  [' '.repeat(100_001), /^"bad\.js" has 100001 characters\./],
])('refuses %j', async (bad, words) => {
  await expect(runWorld({ name: 'bad.js', code: bad })).rejects.toThrow(words);
});
