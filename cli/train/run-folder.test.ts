import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { completeRun } from '#core/run/loaded.ts';
import { UsageError } from '../kit/failure.ts';
import { readSeed } from '../kit/seed-folder.ts';
import { createRunFolder, openRunFolder } from './run-folder.ts';

const config = completeRun({ env: { id: 'cartpole' }, algo: { id: 'ppo' } });
let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'rl-folder-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test('a folder that cannot be made is a wrong argument, and the attempt ends', () => {
  writeFileSync(join(home, 'file'), '');
  for (const folder of [join(home, 'file'), join(home, 'file', 'x'), '/dev/null/x', '/proc/x/y'])
    expect(() => createRunFolder(folder, config), folder).toThrow(UsageError);
  createRunFolder(join(home, 'a', 'b'), config);
  expect(openRunFolder(join(home, 'a', 'b'))).toEqual(config);
});

test('only what train --out wrote is resumed', () => {
  for (const json of [
    'null',
    '{}',
    '{"kind":"run","version":1}',
    '{"kind":"run","version":2,"config":{}}',
    '{"kind":"cli-run","version":2,"config":{}}',
    '{',
  ]) {
    writeFileSync(join(home, 'run.json'), json);
    expect(() => openRunFolder(home), json).toThrow(UsageError);
  }
});

test('a damaged file of a seed is named, with what to do', () => {
  mkdirSync(join(home, 'seed-1'));
  for (const name of ['result.json', 'checkpoint.rlwb']) {
    for (const content of ['', '{}', 'null', '[1]']) {
      writeFileSync(join(home, 'seed-1', name), content);
      expect(() => readSeed(home, 1), `${name} ${content}`).toThrow(/cannot be read.*Delete it to train this seed from its start/);
    }
    rmSync(join(home, 'seed-1', name));
  }
  expect(readSeed(home, 1).checkpoint).toBeNull();
});
