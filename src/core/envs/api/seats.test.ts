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
    [{ agent: { pool: ['random'] } }, 'env.seats.agent.pool'],
    [{ agent: { pool: 'random' } }, 'env.seats.agent.pool'],
    [{ agent: { pool: ['random', 'scripted', 'random'] } }, 'env.seats.agent.pool'],
    [{ agent: { pool: Array.from({ length: 17 }, (_, i) => `player ${i}`) } }, 'env.seats.agent.pool'],
    [{ agent: { pool: ['random', 'champion'] } }, 'env.seats.agent.pool.1'],
    [{ agent: { pool: ['random', 'idle'], tell: 'yes' } }, 'env.seats.agent.tell'],
    [{ agent: { pool: ['random', 'idle'], odds: [1, 2] } }, 'env.seats.agent.odds'],
  ])('%j is refused by name', (seats, field) => {
    expect(() => getEnv('mpe-simple-tag').parse({ seats })).toThrow(
      expect.objectContaining({ failure: expect.objectContaining({ field }) }),
    );
  });
});

const POOL = ['random', 'idle', 'scripted', 'prey-circles-left'];
const PARTNERS = ['modest-patient', 'modest-hasty', 'greedy-patient', 'selfish-patient', 'random', 'idle'];

describe('seats given to pools', () => {
  const tag = getEnv('mpe-simple-tag');
  const pooled = { maxCycles: 4, seats: { agent_0: { pool: POOL } } };

  /** Who plays in each of so many episodes of three rows. */
  function drawnIn(config: unknown, episodes: number): number[][] {
    const env = tag.create(config, BATCH);
    const buffers = createBuffers(env.meta, BATCH);
    const actions = createActions(env.meta, BATCH);
    env.reset(Uint32Array.of(1, 2, 3), buffers);
    const out: number[][] = [];
    for (let e = 0; e < episodes; e++) {
      out.push(Array.from({ length: BATCH }, (_, row) => env.partner!(row, 0)));
      for (let t = 0; t < 4; t++) {
        env.step(actions, buffers);
        expect(Array.from({ length: BATCH }, (_, row) => env.partner!(row, 0))).toEqual(out.at(-1)); // one player for a whole episode
      }
      expect([...buffers.truncated]).toEqual([1, 1, 1]);
      env.restart(Uint8Array.of(1, 1, 1), buffers);
    }
    return out;
  }

  test('each row draws anew for each episode, all members alike often (chi-square of 1,800 draws)', () => {
    const drawn = drawnIn(pooled, 600);
    const counts = POOL.map((_, m) => drawn.flat().filter((one) => one === m).length);
    const expected = (600 * BATCH) / POOL.length;
    expect(counts.reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0)).toBeLessThan(16.27); // 3 degrees, p = 0.001
    expect(drawn.some((row) => new Set(row).size > 1)).toBe(true);
    expect(drawnIn(pooled, 20)).toEqual(drawn.slice(0, 20));
  });

  test('the state says who plays, and continues with the same bits, draws included', () => {
    const { meta } = tag.create(pooled, 1);
    expect(meta.partners).toEqual([{ seat: 'agent_0', members: POOL, told: false }]);
    const half = run(tag.create(pooled, BATCH), 10, 1);
    const json = half.states.map((state) => meta.state.fromJSON(meta.state.toJSON(state)));
    expect(json).toEqual(half.states);
    const a = run(tag.create(pooled, BATCH), 30, 2, half.states);
    const b = run(tag.create(pooled, BATCH), 30, 2, json);
    expect(b).toEqual(a);
    expect(meta.state.toJSON(a.states[0]!).seatPlayers).toHaveLength(1);
    const env = tag.create(pooled, 1);
    const wrong = meta.state.fromJSON({ ...meta.state.toJSON(half.states[0]!), seatPlayers: [POOL.length] });
    expect(() => env.load(0, wrong, createBuffers(meta, 1))).toThrow(
      expect.objectContaining({ failure: expect.objectContaining({ id: 'state-invalid' }) }),
    );
  });

  test('an episode with a drawn player is that of the player alone, bit for bit', () => {
    const env = tag.create({ seats: { agent_0: { pool: ['scripted', 'prey-circles-left'] } } }, 1);
    const buffers = createBuffers(env.meta, 1);
    const met = new Set<number>();
    for (let seed = 0; seed < 12; seed++) {
      env.reset(Uint32Array.of(seed), buffers);
      const who = env.partner!(0, 0);
      met.add(who);
      const alone = tag.create({ seats: { agent_0: ['scripted', 'prey-circles-left'][who]! } }, 1);
      const other = createBuffers(alone.meta, 1);
      alone.reset(Uint32Array.of(seed), other);
      for (let t = 0; t < 25; t++) {
        expect(buffers.obs).toEqual(other.obs);
        env.step(Int32Array.of(1, 4, 2), buffers);
        alone.step(Int32Array.of(1, 4, 2), other);
        expect([...buffers.reward]).toEqual([...other.reward]);
      }
    }
    expect(met.size).toBe(2);
  });

  test('told learners see one number for each member behind what they saw; nothing else changes', () => {
    const entry = getEnv('level-based-foraging');
    const seats = (tell: boolean) => ({ foods: 3, maxSteps: 5, seats: { 'player 2': { pool: PARTNERS, ...(tell && { tell }) } } });
    const [quiet, told] = [entry.create(seats(false), BATCH), entry.create(seats(true), BATCH)];
    const width = quiet.meta.obsSize;
    expect(told.meta.obsSize).toBe(width + PARTNERS.length);
    const [a, b] = [createBuffers(quiet.meta, BATCH), createBuffers(told.meta, BATCH)];
    const seeds = Uint32Array.of(7, 8, 9);
    quiet.reset(seeds, a);
    told.reset(seeds, b);
    const rng = Rng.from(3);
    const met = new Set<number>();
    for (let t = 0; t < 60; t++) {
      for (let row = 0; row < BATCH; row++) {
        const seen = b.obs.slice(row * told.meta.obsSize, (row + 1) * told.meta.obsSize);
        const who = told.partner!(row, 0);
        met.add(who);
        expect(seen.slice(0, width)).toEqual(a.obs.slice(row * width, (row + 1) * width));
        expect([...seen.slice(width)]).toEqual(PARTNERS.map((_, m) => (m === who ? 1 : 0)));
        expect(quiet.partner!(row, 0)).toBe(who);
      }
      const actions = Int32Array.from({ length: BATCH }, () => rng.int(6));
      quiet.step(actions, a);
      told.step(actions, b);
      expect(b.reward).toEqual(a.reward);
      const ended = Uint8Array.from(a.terminated, (x, row) => x | a.truncated[row]!);
      quiet.restart(ended, a);
      told.restart(ended, b);
    }
    expect(met.size).toBeGreaterThan(3);
  });

  test('a kind of agents draws one player for each of them; contexts carry it', () => {
    const config = { seats: { adversary: { pool: ['random', 'scripted'] } }, contexts: { draw: { goodSpeed: [1, 1.3] } } };
    const env = tag.create(config, 2);
    expect(env.meta.partners?.map(({ seat }) => seat)).toEqual(['adversary_0', 'adversary_1', 'adversary_2']);
    env.reset(Uint32Array.of(1, 2), createBuffers(env.meta, 2));
    for (const seat of [0, 1, 2]) expect([0, 1]).toContain(env.partner!(1, seat));
    expect(tag.parse(tag.parse(config))).toEqual(tag.parse(config));
  });

  test('learners that see a picture cannot be told', () => {
    const config = { gridObservation: true, seats: { 'player 2': { pool: ['random', 'idle'], tell: true } } };
    expect(() => getEnv('level-based-foraging').meta(config)).toThrow('picture');
  });
});
