import { expect, test } from 'vitest';
import type { Dataset } from '#contract/files/dataset.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { decodeSaved, encodeSaved } from '#contract/run/saved.ts';
import { Rng } from '#math/rng.ts';
import { getAlgo } from '../algos/all.ts';
import { getEnv } from '../envs/all.ts';
import { createActions } from '../envs/api/buffers.ts';
import { createVectorEnv } from '../envs/api/vector-env.ts';
import { completeRun } from './loaded.ts';
import { createSession } from './session.ts';
import { makeStarts } from './starts.ts';

const car = getEnv('mountain-car');
const none = (): Promise<Dataset> => Promise.reject(new Error('no recording'));
const options = { share: 0.5, from: 'random', steps: 30, states: 20 };

const positionOf = (state: Uint8Array): number => new DataView(state.buffer, state.byteOffset).getFloat64(8, true);

test('states are the same for the same run, lie on the way of the script, and their steps are counted', async () => {
  const made = await makeStarts(car, car.parse({}), options, 1, none);
  expect(await makeStarts(car, car.parse({}), options, 1, none)).toEqual(made);
  expect((await makeStarts(car, car.parse({}), options, 2, none)).states).not.toEqual(made.states);
  expect(made.states).toHaveLength(20);
  const { steps } = car.meta({}).state.toJSON(made.states[0]!) as { steps: number };
  expect(steps).toBeLessThanOrEqual(30);
  const total = made.states.reduce((sum, state) => sum + Number(car.meta({}).state.toJSON(state).steps), 0);
  expect(made.steps).toBe(total);
});

test('the share of episodes that begins there is drawn, and a save in the middle goes on with the same bits', () => {
  const config = car.parse({ maxSteps: 3 });
  const probe = car.create(config, 1);
  const marked = 0.4; // no usual start lies there
  const state = probe.meta.state.fromJSON({
    ...probe.meta.state.toJSON(probe.save(0)),
    position: marked,
    velocity: 0,
    steps: 0,
  } as JsonObject);
  const make = () => createVectorEnv(car, config, 10, Rng.from(3), undefined, { states: [state], share: 0.25 });
  const vector = make();
  vector.reset();
  const actions = createActions(vector.meta, 10).fill(1);
  let elsewhere = 0;
  let begun = 0;
  for (let t = 0; t < 300; t++) {
    vector.step(actions);
    if (vector.buffers.truncated[0] !== 1) continue;
    begun += 10;
    for (let row = 0; row < 10; row++) if (Math.abs(positionOf(vector.env.save(row)) - marked) < 1e-9) elsewhere++;
    expect([...vector.buffers.reward]).toEqual(new Array(10).fill(-1)); // of the step that ended the episode
  }
  expect(begun).toBe(1000);
  expect(Math.abs(elsewhere - 250)).toBeLessThan(55); // four standard deviations
  const other = make();
  other.reset();
  other.load(decodeSaved(encodeSaved(vector.save())));
  for (let t = 0; t < 40; t++) {
    vector.step(actions);
    other.step(actions);
    expect(other.buffers.obs).toEqual(vector.buffers.obs);
  }
  expect(other.save()).toEqual(vector.save());
});

test('a run tells the steps of training together with those of its starts, and is evaluated from normal starts', async () => {
  const run = { steps: 2000, seeds: 1, evalEpisodes: 5, starts: { share: 1, from: 'random', steps: 20, states: 50 } };
  const config = completeRun({ env: { id: 'mountain-car' }, algo: { id: 'random' }, run });
  const [env, algo] = [getEnv('mountain-car'), getAlgo('random')];
  const made = await makeStarts(env, env.parse({}), config.run.starts!, 1, none);
  const last: number[] = [];
  for await (const event of createSession({ config, env, algo, seed: 1, now: () => 0 })) {
    if (event.kind !== 'metrics') continue;
    const width = event.columns.length + 1;
    const at = event.columns.indexOf('startSteps') + 1;
    for (let i = 0; i < event.rows.length; i += width) if (Number.isFinite(event.rows[i + at])) last.push(event.rows[i + at]!);
  }
  expect(last.at(-1)).toBe(2000 + made.steps);
});

test('until a step of training: from then on all episodes begin as usual', async () => {
  const [env, algo] = [getEnv('mountain-car'), getAlgo('random')];
  const episodesOf = async (until: number): Promise<number> => {
    const starts = { share: 1, from: 'random', steps: 18, states: 50, until };
    const run = { steps: 8000, seeds: 1, evalEpisodes: 1, starts };
    const config = completeRun({ env: { id: 'mountain-car', config: { maxSteps: 20 } }, algo: { id: 'random' }, run });
    let ended = 0;
    for await (const event of createSession({ config, env, algo, seed: 1, now: () => 0 })) {
      if (event.kind !== 'metrics') continue;
      const width = event.columns.length + 1;
      const at = event.columns.indexOf('episodes') + 1;
      for (let i = at; i < event.rows.length; i += width) if (Number.isFinite(event.rows[i])) ended = event.rows[i]!;
    }
    return ended;
  };
  const [never, half, always] = [await episodesOf(1), await episodesOf(4000), await episodesOf(8000)];
  // those begun in the middle are cut sooner, so that more of them end
  expect(always - never).toBeGreaterThan(200);
  expect(Math.abs(half - (never + always) / 2)).toBeLessThan(60);
});

test.each([
  [{ share: 0.5, from: 'nobody' }, 'run.starts.from'],
  [{ share: 2 }, 'run.starts.share'],
])('%j is refused with the field %s', (starts, field) => {
  const wrong = () => completeRun({ env: { id: 'mountain-car' }, algo: { id: 'random' }, run: { starts } });
  expect(wrong).toThrow(expect.objectContaining({ failure: expect.objectContaining({ field }) }));
});

test('a share of 0 is no starts at all', () => {
  const plain = completeRun({ env: { id: 'mountain-car' }, algo: { id: 'random' } });
  expect(completeRun({ env: { id: 'mountain-car' }, algo: { id: 'random' }, run: { starts: { share: 0 } } })).toEqual(plain);
});
