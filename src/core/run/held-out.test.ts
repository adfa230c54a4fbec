/** Held-out tasks: what of a world holds some out, that they are measured beside the training and change nothing of it. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { envFamilies, loadEnv } from '#core/envs/index.ts';
import { evaluateHeldOut, heldOutColumns, heldOutOf } from './held-out.ts';
import { completeRun, createSession } from './loaded.ts';

const LANGUAGE = envFamilies.flatMap(({ envs }) => Object.keys(envs)).filter((id) => /^[tw]-|^(lookup|tool)-worlds$/.test(id));

describe('the other tasks of a world', () => {
  it('are those that are held out where it trains on the rest; there are none where it plays all of them, or those', () => {
    expect(heldOutOf({ task: 'seq', split: 'train' })).toEqual({ task: 'seq', split: 'held-out' });
    expect(heldOutOf({ game: { kind: 'grid', split: 'train' }, mistakes: 0 })).toEqual({
      game: { kind: 'grid', split: 'held-out' },
      mistakes: 0,
    });
    for (const split of ['all', 'held-out']) expect(heldOutOf({ split })).toBeNull();
    expect(heldOutColumns({})).toEqual([]);
  });

  it.each(LANGUAGE)(
    'are held out by the first offer of %s, which draws a line of them and of what is earned without looking',
    async (id) => {
      const entry = await loadEnv(id);
      const world = entry.recommended?.env ?? {};
      expect(heldOutOf(world)).not.toBeNull();
      expect(entry.recommended?.evalEvery).toBeLessThanOrEqual(entry.recommended!.steps / 10);
      const { references, agents } = entry.meta(world);
      const blind = references.find(({ name }) => name === 'without looking');
      expect(blind?.stays).toBe(true);
      const expert = references.find(({ name }) => name === 'expert')!;
      if (id !== 'w-stories') expect(blind?.value).toBeLessThan(expert.value); // its judges can be pleased by one word
      // what is trained on one part can be asked about the other
      expect(entry.meta(heldOutOf(world)).agents[0]!.obs).toEqual(agents[0]!.obs);
    },
  );
});

const config = (split: string): JsonObject => ({
  env: { id: 't-reason', config: { split } },
  algo: { id: 'group-rl', config: { prompts: 4, group: 4, width: 16, layers: 1 } },
  run: { steps: 400, seeds: 1, evalEvery: 100, evalEpisodes: 8 },
});

async function rowsOf(split: string, change: JsonObject = {}) {
  const complete = completeRun({ ...config(split), run: { ...(config(split).run as JsonObject), ...change } });
  const held: number[] = [];
  let hash = '';
  for await (const event of createSession({ config: complete, seed: 1, now: () => 0 })) {
    if (event.kind === 'metrics') {
      const at = event.columns.indexOf('heldOut');
      if (at < 0) continue;
      for (let row = 0; row < event.rows.length; row += event.columns.length + 1) held.push(event.rows[row + 1 + at]!);
    }
    if (event.kind === 'result') hash = event.result.parameterHash;
  }
  return { held: held.filter((value) => !Number.isNaN(value)), hash };
}

it('is measured at every evaluation of a run that holds tasks out, and the parameters are the same without', async () => {
  const often = await rowsOf('train');
  expect(often.held.length).toBeGreaterThanOrEqual(3);
  const once = await rowsOf('train', { evalEvery: 0 });
  expect(once.held).toHaveLength(1);
  expect(once.hash).toBe(often.hash);
  expect((await rowsOf('all')).held).toEqual([]);
});

it('plays held-out tasks as in training: actions are drawn', async () => {
  const entry = await loadEnv('t-reason');
  const asked: boolean[] = [];
  const policy = {
    initial: () => new Float32Array(0),
    act: async ({ rows, greedy }: { readonly rows: number; readonly greedy: boolean }) => {
      asked.push(greedy);
      return { actions: new Float32Array(rows).fill(2), hidden: new Float32Array(0) }; // the end token
    },
  } as unknown as Parameters<typeof evaluateHeldOut>[0];
  expect(await evaluateHeldOut(policy, entry, { split: 'train' }, 4)).toEqual({ heldOut: expect.any(Number) });
  expect(asked).toEqual([false]);
});
