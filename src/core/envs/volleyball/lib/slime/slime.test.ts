import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { createActions, createBuffers } from '#core/envs/api/buffers.ts';
import { giveExtern } from '#core/envs/api/extern.ts';
import type { Actions, Environment, ScriptedPolicy, StepBuffers } from '#core/envs/api/types.ts';
import { Rng } from '#math/rng.ts';
import { slimeVolley } from '../../slime-volley.ts';

type Play = (env: Environment, buffers: StepBuffers, out: Actions) => void;
const TWO = { opponent: 'agent', actionType: 'buttons' };

/** Mean return of the right side over `games` whole games played at once. */
function match(games: number, right: Play, left: Play, config: object = TWO): number {
  const env = slimeVolley.create(config, games);
  const buffers = createBuffers(env.meta, games);
  const [actions, other] = [createActions(env.meta, games), createActions(env.meta, games)];
  env.reset(
    Uint32Array.from({ length: games }, (_, i) => i + 1),
    buffers,
  );
  const done = new Uint8Array(games);
  let sum = 0;
  for (let t = 0; t < env.meta.maxSteps && done.includes(0); t++) {
    right(env, buffers, actions);
    if (env.meta.agentCount === 2) {
      left(env, buffers, other);
      for (let g = 0; g < games; g++) for (let k = 0; k < 3; k++) actions[6 * g + 3 + k] = other[6 * g + 3 + k]!;
    }
    env.step(actions, buffers);
    for (let g = 0; g < games; g++) {
      if (done[g] === 1) continue;
      sum += buffers.reward[g * env.meta.agentCount]!;
      done[g] = buffers.terminated[g] || buffers.truncated[g] ? 1 : 0;
    }
    env.restart(done, buffers);
  }
  return sum / games;
}

const asPlay =
  (policy: ScriptedPolicy | undefined): Play =>
  (env, buffers, out) =>
    policy?.act(env, buffers, out);
const random =
  (rng: Rng): Play =>
  (_env, _buffers, out) => {
    for (let i = 0; i < out.length; i++) out[i] = rng.int(2) === 1 ? 1 : -1;
  };

describe('slime volleyball', () => {
  it('the scripted player loses next to nothing to random buttons, from either side', () => {
    const scripted = asPlay(slimeVolley.policies(TWO).scripted);
    expect(match(10, scripted, random(Rng.from(1)))).toBeGreaterThan(4.5);
    expect(match(10, random(Rng.from(2)), scripted)).toBeLessThan(-4.5);
  });

  it('two scripted players are equals', () => {
    const scripted = asPlay(slimeVolley.policies(TWO).scripted);
    expect(Math.abs(match(20, scripted, scripted))).toBeLessThan(2);
  });

  it('the trained player beats the scripted one', () => {
    const { trained, scripted } = slimeVolley.policies(TWO);
    expect(match(60, asPlay(trained), asPlay(scripted))).toBeGreaterThan(0.1);
  });

  it.each(['trained', 'scripted'])('the built-in opponent is the %s player', (opponent) => {
    const run = (config: object, both: boolean) => {
      const env = slimeVolley.create(config, 1);
      const buffers = createBuffers(env.meta, 1);
      const actions = createActions(env.meta, 1);
      const policy = slimeVolley.policies(config)[opponent];
      env.reset(Uint32Array.of(5), buffers);
      for (let t = 0; t < 400; t++) {
        policy?.act(env, buffers, actions);
        for (let k = 0; k < 3; k++) actions[k] = t % 3 === k ? 1 : -1;
        env.step(actions, buffers);
      }
      expect(env.meta.agentCount).toBe(both ? 2 : 1);
      return Array.from(buffers.obs.subarray(0, 12));
    };
    expect(run({ opponent, actionType: 'buttons' }, false)).toEqual(run(TWO, true));
  });

  it('ends after the fifth lost point, and pays both sides oppositely', () => {
    const env = slimeVolley.create(TWO, 1);
    const buffers = createBuffers(env.meta, 1);
    const still = createActions(env.meta, 1);
    env.reset(Uint32Array.of(3), buffers);
    const points = [0, 0];
    let steps = 0;
    while (buffers.terminated[0] === 0 && steps < 3000) {
      env.step(still, buffers);
      steps++;
      expect(buffers.reward[0]).toBe(buffers.reward[1] === 0 ? 0 : -buffers.reward[1]!);
      const r = buffers.reward[0]!;
      if (r !== 0) points[r > 0 ? 0 : 1] = points[r > 0 ? 0 : 1]! + 1;
    }
    expect(Math.max(...points)).toBe(5);
    expect(buffers.truncated[0]).toBe(0);
  });

  it('a person can press two keys at once, and every action has its buttons', () => {
    const { keys } = slimeVolley.meta({});
    expect(keys.length).toBe(6);
    expect(keys[2]?.[0]).toBe('ArrowLeft+ArrowUp');
  });
});

const file = process.env.RL_DATA === undefined ? '' : join(process.env.RL_DATA, 'slimevolley_baseline.json');
describe.runIf(file !== '' && existsSync(file))('against the published player (RL_DATA)', () => {
  const baseline = () =>
    asPlay(slimeVolley.golden.extern?.(JSON.parse(readFileSync(file, 'utf8')) as JsonObject).policies?.['slimevolley-baseline']);

  it('random buttons reach about -4.85', () => {
    expect(Math.abs(match(200, random(Rng.from(7)), baseline()) + 4.85)).toBeLessThan(0.12);
  });

  it('is an opponent too, and its memory is part of the state', () => {
    const config = { opponent: 'published' };
    expect(() => slimeVolley.create(config, 1)).toThrow(/slimevolley_baseline.json|not part of this project/);
    giveExtern('slimevolley_baseline.json', JSON.parse(readFileSync(file, 'utf8')) as JsonObject);
    const make = () => {
      const env = slimeVolley.create(config, 1);
      return { env, buffers: createBuffers(env.meta, 1) };
    };
    const [whole, half] = [make(), make()];
    const idle = new Int32Array(1);
    whole.env.reset(Uint32Array.of(5), whole.buffers);
    half.env.reset(Uint32Array.of(6), half.buffers);
    for (let t = 0; t < 100; t++) whole.env.step(idle, whole.buffers);
    half.env.load(0, whole.env.save(0), half.buffers);
    for (let t = 0; t < 100; t++) {
      whole.env.step(idle, whole.buffers);
      half.env.step(idle, half.buffers);
    }
    expect(half.env.save(0)).toEqual(whole.env.save(0));
    const played = whole.env.meta.state.toJSON(whole.env.save(0)) as { readonly memory: number[] };
    expect(played.memory.some((v) => v !== 0)).toBe(true);
  });

  it('it is its own equal', () => {
    expect(Math.abs(match(30, baseline(), baseline()))).toBeLessThan(0.8);
  });

  it('the trained and the scripted player are about its equals', () => {
    expect(Math.abs(match(100, asPlay(slimeVolley.policies(TWO).trained), baseline()))).toBeLessThan(0.8);
    expect(Math.abs(match(100, asPlay(slimeVolley.policies(TWO).scripted), baseline()))).toBeLessThan(0.6);
  });
});
