/** A run of a config that another run has trained measures what that one learned, and says the same as if it had trained by itself. */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { encodePolicyFile } from '#contract/files/files.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { PolicySnapshot, SeedResult } from '#contract/run/events.ts';
import { completeRun, createSession, loadRun } from '#core/run/by-id.ts';
import { seedFolder } from '../kit/seed-folder.ts';
import { measuredAlike, measureLearned } from './measured.ts';

const config = {
  env: { id: 'mpe-simple-spread', config: { agents: 3 } },
  algo: {
    id: 'policy-set',
    config: {
      ...{ envs: 4, rolloutSteps: 25, minibatches: 2, epochs: 1, hidden: [8], codes: 2 },
      ...{ trainOn: [{ agents: 2 }], body: { kind: 'entities', units: 4, heads: 1, blocks: 1 } },
    },
  },
  run: { steps: 200, evalEpisodes: 3 },
};

async function learned(seed: number): Promise<{ readonly snapshot: PolicySnapshot; readonly result: SeedResult }> {
  const session = createSession({ config: completeRun(config), seed, now: () => 0, sliceMs: 0 });
  let [snapshot, result]: [PolicySnapshot | null, SeedResult | null] = [null, null];
  for await (const event of session) {
    if (event.kind === 'policy') snapshot = event.snapshot;
    if (event.kind === 'result') result = event.result;
  }
  if (snapshot === null || result === null) throw new Error('it did not end');
  return { snapshot, result };
}

test('what was learned is measured elsewhere without being learned again', async () => {
  await loadRun(config);
  const root = mkdtempSync(join(tmpdir(), 'alike-'));
  const [first, second] = [join(root, 'first'), join(root, 'second')];
  const [from, at] = [seedFolder(first, 5), seedFolder(second, 5)];
  for (const folder of [from, at]) mkdirSync(folder, { recursive: true });
  const against: readonly JsonObject[] = [{ agents: 4 }];
  const job = { config: completeRun(config), seed: 5, folder: second, against, alike: [join(root, 'not there'), first] };
  expect(await measuredAlike(job, at)).toBeNull();

  const { snapshot, result } = await learned(5);
  const there = await measureLearned(snapshot, { ...job, against: [{ agents: 2 }] });
  writeFileSync(join(from, 'policy.json'), encodePolicyFile(snapshot));
  writeFileSync(join(from, 'curve.csv'), 'run,seed,step,metric,value\n');
  writeFileSync(join(from, 'result.json'), JSON.stringify({ ...result, ...there, coreSeconds: 100 }));
  writeFileSync(join(from, 'commit'), 'abc');

  const alike = await measuredAlike(job, at);
  const again = await measureLearned(snapshot, job);
  expect(alike).toMatchObject({ parameterHash: result.parameterHash, evalReturn: result.evalReturn, againstReturn: again.againstReturn });
  expect(alike!.againstReturn).not.toBe(there.againstReturn);
  expect(alike!.coreSeconds).toBeLessThan(100); // its own cost, not that of learning
  expect(readFileSync(join(at, 'commit'), 'utf8')).toBe('abc');
  expect(JSON.parse(readFileSync(join(at, 'result.json'), 'utf8')).againstReturn).toBe(again.againstReturn);
});
