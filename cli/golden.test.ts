import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { golden } from './commands/golden.ts';

test('the command says what of a case it did not compare', async () => {
  const home = mkdtempSync(join(tmpdir(), 'rl-golden-'));
  const written: string[] = [];
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  try {
    const file = JSON.parse(readFileSync('src/core/envs/golden/cartpole.json', 'utf8'));
    const [first] = file.cases;
    writeFileSync(join(home, 'two.json'), JSON.stringify({ ...file, cases: [first, { ...first, agentNames: ['cart'] }] }));
    await golden.run(['two.json'], {
      project: '.',
      typedIn: home,
      bundle: () => Promise.reject(new Error('unused')),
      servePage: () => Promise.reject(new Error('unused')),
    });
  } finally {
    spy.mockRestore();
    rmSync(home, { recursive: true });
  }
  const said = written.filter((line) => line.includes('not compared'));
  expect(said).toEqual(['          not compared: agentNames, which only explains\n']);
});
