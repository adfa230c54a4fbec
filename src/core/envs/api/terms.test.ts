import { expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { getAt, setAt } from '#contract/run/paths.ts';
import { envs } from '../../testing/ready.ts';
import { createActions, createBuffers } from './buffers.ts';
import type { EnvEntry } from './types.ts';

const STEPS = 400;

/** What every term adds in the first steps of an episode that the world's first scripted policy plays: [steps, terms]. They add up to the reward. */
function played(entry: EnvEntry, config: JsonObject): readonly (readonly number[])[] {
  const env = entry.create(config, 1);
  const { meta } = env;
  const [buffers, actions] = [createBuffers(meta, 1), createActions(meta, 1)];
  const policy = Object.values(entry.policies(config))[0];
  const out = new Float64Array(meta.terms?.length ?? 0);
  env.reset(Uint32Array.of(3), buffers);
  const found: number[][] = [];
  while (found.length < STEPS) {
    policy?.act(env, buffers, actions);
    env.step(actions, buffers);
    env.terms?.(0, out, 0);
    found.push(Array.from(out));
    expect(out.reduce((a, b) => a + b, 0)).toBeCloseTo(
      buffers.reward.reduce((a, b) => a + b, 0),
      3,
    );
    if (buffers.terminated[0] === 1 || buffers.truncated[0] === 1) break;
  }
  return found;
}

const cases = envs.flatMap((entry) => {
  const preset = entry.presets.find(({ config }) => entry.meta(config).terms !== undefined);
  const parsed = entry.parse(preset?.config ?? {});
  const terms = entry.meta(parsed).terms ?? [];
  // What is not paid by this preset is paid here.
  const config = terms.reduce<JsonObject>((c, { weights }) => {
    const keys = weights[0]?.split('.') ?? [];
    return weights.length === 1 && getAt(c, keys) === 0 ? setAt(c, keys, 0.05) : c;
  }, parsed);
  return terms.flatMap(({ id, weights }, k) => {
    const alone = weights.length === 1 && !terms.some((other, i) => i !== k && other.weights.some((field) => weights.includes(field)));
    return alone ? [{ entry, config, id, field: weights[0]!, k }] : [];
  });
});

it('there are such worlds of different kinds', () => {
  const worlds = new Set(cases.map(({ entry }) => entry.id));
  for (const id of ['pendulum', 'drone-learning-to-fly', 'boids', 'building-energy']) expect(worlds).toContain(id);
});

it.each(cases)('$entry.id: twice the weight of $id, twice what it pays, and nothing else changes', ({ entry, config, field, k }) => {
  const once = played(entry, config);
  const keys = field.split('.');
  const twice = played(entry, setAt(config, keys, 2 * Number(getAt(config, keys))));
  expect(once.flat().some((paid) => paid !== 0)).toBe(true);
  expect(twice).toEqual(once.map((terms) => terms.map((paid, i) => (i === k ? 2 * paid : paid))));
});
