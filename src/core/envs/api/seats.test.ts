import { describe, expect, test } from 'vitest';
import { Rng } from '#math/rng.ts';
import { randomAction } from '#math/sampling.ts';
import { envs } from '../../testing/ready.ts';
import { getEnv } from '../all.ts';
import { createActions, createBuffers } from './buffers.ts';
import type { Actions, Environment, StepBuffers } from './types.ts';

const BATCH = 3;

function drawn(env: Environment, buffers: StepBuffers, rng: Rng, out: Actions): void {
  const { meta } = env;
  const box = meta.agents[0]!.action;
  for (let row = 0; row < BATCH * meta.agentCount; row++) {
    if (meta.actionCount > 0) out[row] = randomAction(rng, meta.actionCount, buffers.mask, row * meta.actionCount);
    else if (box.kind === 'box') {
      for (let d = 0; d < meta.actionSize; d++) out[row * meta.actionSize + d] = box.low[d]! + (box.high[d]! - box.low[d]!) * rng.uniform();
    }
  }
}

function run(env: Environment, steps: number, actionSeed: number, from?: readonly Uint8Array[]): { states: Uint8Array[]; sum: number } {
  const buffers = createBuffers(env.meta, BATCH);
  const actions = createActions(env.meta, BATCH);
  const rng = Rng.from(actionSeed);
  env.reset(Uint32Array.of(5, 6, 7), buffers);
  from?.forEach((state, row) => {
    env.load(row, state, buffers);
  });
  const ended = new Uint8Array(BATCH);
  let sum = 0;
  for (let t = 0; t < steps; t++) {
    drawn(env, buffers, rng, actions);
    env.step(actions, buffers);
    for (const x of buffers.reward) sum += x;
    for (let b = 0; b < BATCH; b++) ended[b] = buffers.terminated[b]! | buffers.truncated[b]!;
    if (ended.some((x) => x !== 0)) env.restart(ended, buffers);
  }
  return { states: Array.from({ length: BATCH }, (_, row) => env.save(row)), sum };
}

const teams = envs.filter((entry) => entry.schema.properties?.seats !== undefined);

describe('seats given to players', () => {
  test('there are many environments with more than one seat, and none with a single one has the field', () => {
    expect(teams.length).toBeGreaterThan(30);
    expect(getEnv('cartpole').schema.properties?.seats).toBeUndefined();
  });

  test.each(teams.map((entry) => [entry.id, entry] as const))(
    '%s: one learns, the rest play; any state continues with the same bits',
    (_, entry) => {
      const config = [{}, ...entry.presets.map((preset) => preset.config)].find((c) => entry.meta(c).agentCount > 1)!;
      const { agents, agentCount } = entry.meta(config);
      const names = agents.flatMap((group) => group.names);
      const choices = ['random', ...entry.policyNames];
      const seats = Object.fromEntries(names.slice(1).map((name, i) => [name, choices[i % choices.length]!]));
      const seated = { ...config, seats };
      const meta = entry.meta(seated);
      expect(meta.agentCount).toBe(1);
      expect(agentCount).toBeGreaterThan(1);
      expect(entry.parse(seated).seats).toEqual(seats);
      const half = run(entry.create(seated, BATCH), 20, 1);
      const again = run(entry.create(seated, BATCH), 20, 1);
      expect(again.states).toEqual(half.states);
      const json = half.states.map((state) => meta.state.fromJSON(meta.state.toJSON(state)));
      expect(json).toEqual(half.states);
      const a = run(entry.create(seated, BATCH), 20, 2, half.states);
      const b = run(entry.create(seated, BATCH), 20, 2, json);
      expect(b).toEqual(a);
    },
  );

  test('a team of which nobody is seated elsewhere behaves as without players', () => {
    const tag = getEnv('mpe-simple-tag');
    expect(tag.parse({ seats: {} })).toEqual(tag.parse({}));
    expect(tag.meta({ seats: { agent: 'random' } }).agents.flatMap((group) => group.names)).toEqual([
      'adversary_0',
      'adversary_1',
      'adversary_2',
    ]);
    expect(tag.meta({ seats: { agent: 'random' } }).obsSize).toBe(16);
  });

  test('idle seats stand still: foraging with an idle partner equals sending its no-op oneself', () => {
    const entry = getEnv('level-based-foraging');
    const alone = entry.create({ seats: { [entry.meta({}).agents[0]!.names[1]!]: 'idle' } }, 1);
    const both = entry.create({}, 1);
    const [a, b] = [createBuffers(alone.meta, 1), createBuffers(both.meta, 1)];
    alone.reset(Uint32Array.of(9), a);
    both.reset(Uint32Array.of(9), b);
    const rng = Rng.from(3);
    for (let t = 0; t < 40; t++) {
      const action = rng.int(6);
      alone.step(Int32Array.of(action), a);
      both.step(Int32Array.of(action, 0), b);
      expect(a.obs).toEqual(b.obs.slice(0, alone.meta.obsSize));
      expect(a.reward[0]).toBe(b.reward[0]);
    }
  });

  test('its own policies act for the open seats alone', () => {
    const entry = getEnv('mpe-simple-spread');
    const config = { seats: { agent_2: 'scripted' } };
    const env = entry.create(config, 1);
    const full = entry.create({}, 1);
    const [a, b] = [createBuffers(env.meta, 1), createBuffers(full.meta, 1)];
    env.reset(Uint32Array.of(4), a);
    full.reset(Uint32Array.of(4), b);
    const [two, three] = [createActions(env.meta, 1), createActions(full.meta, 1)];
    for (let t = 0; t < 25; t++) {
      entry.policies(config).scripted!.act(env, a, two);
      entry.policies({}).scripted!.act(full, b, three);
      expect([...two]).toEqual([...three].slice(0, 2));
      env.step(two, a);
      full.step(three, b);
      expect([...a.reward]).toEqual([...b.reward].slice(0, 2));
    }
  });

  test.each([
    [{ nobody: 'random' }, 'env.seats.nobody'],
    [{ agent_0: 'champion' }, 'env.seats.agent_0'],
    [{ agent: 'random', adversary: 'random' }, 'env.seats'],
    ['random', 'env.seats'],
  ])('%j is refused by name', (seats, field) => {
    expect(() => getEnv('mpe-simple-tag').parse({ seats })).toThrow(
      expect.objectContaining({ failure: expect.objectContaining({ field }) }),
    );
  });
});
