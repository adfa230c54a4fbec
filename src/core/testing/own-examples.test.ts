/** The example worlds are whole, and what is recommended for each learns it: in every test run on one seed, in the night on five fresh ones. */
import { compileFunction } from 'node:vm';
import { expect, it } from 'vitest';
import { OWN_SCOPE } from '#contract/own/text.ts';
import { exampleWorlds } from '#worlds/index.ts';
import { loadAlgo } from '../algos/index.ts';
import { randomPolicy } from '../algos/lib/random-policy.ts';
import { checkWorld } from '../own/check.ts';
import { type Definition, define } from '../own/definition.ts';
import { inexact } from '../own/inexact.ts';
import { scopeOf } from '../own/scope.ts';
import { candidates, recommend } from '../recommend.ts';
import { completeRun } from '../run/complete.ts';
import { evaluate } from '../run/evaluate.ts';
import { registryOf } from '../run/registry.ts';
import { createSession } from '../run/session.ts';

/** Return that every seed's policy reaches. */
const REACHED: { readonly [id: string]: number } = { doors: 0.61, landing: 1, shop: 24, beam: 9, ferry: 1.35 };

function open(code: string): Promise<Definition> {
  const scope = scopeOf();
  Reflect.apply(compileFunction(`'use strict';${code}`, [...OWN_SCOPE], { filename: 'own.js' }), undefined, scope.values);
  return define(
    scope.given(),
    'own-test',
    () => null,
    () => expect.fail('a world has no base'),
  );
}

async function learned({ env }: Definition, steps: number, seed: number): Promise<number> {
  await Promise.all(candidates(env).map(loadAlgo));
  const first = recommend(env);
  const algo = await loadAlgo(first.algo);
  const config = completeRun(
    {
      env: { id: env.id, config: {} },
      algo: { id: algo.id, config: first.config },
      run: { steps, seeds: 1, seedStart: seed, evalEpisodes: 1000 },
    },
    registryOf([env], [algo]),
  );
  for await (const event of createSession({ config, env, algo, seed, now: () => 0 })) {
    if (event.kind === 'state' && event.error !== undefined) expect.fail(event.error.message);
    if (event.kind === 'result') return event.result.evalReturn;
  }
  return expect.fail('the run ended without a result');
}

it.each(exampleWorlds)('$id holds what worlds hold, in 30 to 80 lines', async ({ code }) => {
  expect(code.trim().split('\n').length).toBeGreaterThanOrEqual(30);
  expect(code.trim().split('\n').length).toBeLessThanOrEqual(80);
  expect(inexact(code).verdict).toBe('holds');
  const { env } = await open(code);
  const faults = checkWorld(env, {}, () => 0, ['speed']).filter(({ verdict }) => verdict === 'fault');
  expect(faults).toEqual([]);
});

it.each(exampleWorlds)('$id is learned', { timeout: 300_000 }, async ({ id, steps, code }) => {
  const made = await open(code);
  const { env } = made;
  const chance = await evaluate(randomPolicy(env.meta({})), env, {}, { episodes: 1000 });
  const reached = await learned(made, steps, 1000);
  console.info(id, 'random', chance.score, 'learned', reached);
  expect(reached).toBeGreaterThan(REACHED[id]!);
  expect(chance.score).toBeLessThan(REACHED[id]!);
});

it.each(exampleWorlds)('$id is learned on five fresh seeds @night', { timeout: 900_000 }, async ({ steps, code, id }) => {
  const made = await open(code);
  for (const seed of [2001, 2002, 2003, 2004, 2005]) expect(await learned(made, steps, seed)).toBeGreaterThan(REACHED[id]!);
});
