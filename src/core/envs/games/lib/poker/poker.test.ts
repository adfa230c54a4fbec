import { describe, expect, it } from 'vitest';
import { createActions, createBuffers } from '#core/envs/api/buffers.ts';
import type { EnvEntry } from '#core/envs/api/types.ts';
import { kuhnPoker } from '../../kuhn-poker.ts';
import { leducPoker } from '../../leduc-poker.ts';

/** Mean of what the first player wins when both follow a scripted policy. */
function meanWin(entry: EnvEntry, episodes: number): number {
  const env = entry.create({}, 100);
  const buffers = createBuffers(env.meta, 100);
  const actions = createActions(env.meta, 100);
  const policy = entry.policies({}).equilibrium;
  env.reset(
    Uint32Array.from({ length: 100 }, (_, i) => i),
    buffers,
  );
  let sum = 0;
  let done = 0;
  while (done < episodes) {
    policy?.act(env, buffers, actions);
    env.step(actions, buffers);
    for (let row = 0; row < 100; row++) {
      if (buffers.terminated[row] === 0) continue;
      done++;
      sum += buffers.reward[2 * row]!;
    }
    env.restart(buffers.terminated, buffers);
  }
  return sum / done;
}

describe('kuhn poker', () => {
  it('has an equilibrium that nobody can exploit, worth -1/18', () => {
    const result = kuhnPoker.check('policy-evaluation', {}, { policyName: 'equilibrium' }, {}) as { [key: string]: number };
    expect(Math.abs(result.nashConv as number)).toBeLessThan(1e-14);
    expect(result.valueFirstPlayer).toBeCloseTo(-1 / 18, 14);
  });

  it('plays worth that in the environment', () => {
    // standard error of 5,000 games is about 0.019
    expect(Math.abs(meanWin(kuhnPoker, 5000) + 1 / 18)).toBeLessThan(0.08);
  });

  it('knows what always passing loses', () => {
    const policy = Object.fromEntries(['J', 'Q', 'K'].flatMap((c) => ['', 'p', 'b', 'pb'].map((h) => [c + h, [1, 0]])));
    const result = kuhnPoker.check('policy-evaluation', {}, { policy }, {}) as { [key: string]: number };
    expect(result.nashConv).toBeCloseTo(2, 14);
  });
});

describe.each([kuhnPoker, leducPoker])('$id', (entry) => {
  it('says whose turn it is, the one whose mask leaves a choice; the score is what the first player wins', () => {
    const env = entry.create({}, 64);
    const buffers = createBuffers(env.meta, 64);
    const actions = createActions(env.meta, 64);
    const N = env.meta.actionCount;
    env.reset(
      Uint32Array.from({ length: 64 }, (_, i) => i),
      buffers,
    );
    expect(Array.from(buffers.toMove ?? [])).toEqual(new Array(64).fill(0));
    for (let t = 0; t < 8; t++) {
      for (let row = 0; row < 64; row++) {
        const mover = buffers.toMove![row]!;
        const choices = (seat: number) => buffers.mask?.subarray((2 * row + seat) * N, (2 * row + seat + 1) * N) ?? new Uint8Array();
        if (mover < 0) continue;
        expect(choices(mover).reduce((a, b) => a + b, 0)).toBeGreaterThan(1);
        expect(Array.from(choices(1 - mover))).toEqual(Array.from({ length: N }, (_, a) => Number(a === 0)));
        actions[2 * row + mover] = choices(mover).lastIndexOf(1);
      }
      env.step(actions, buffers);
      for (let row = 0; row < 64; row++) {
        expect(buffers.toMove![row]! < 0).toBe(buffers.terminated[row] === 1);
        expect(buffers.reward[2 * row]! + buffers.reward[2 * row + 1]!).toBe(0);
      }
      env.restart(buffers.terminated, buffers);
    }
    expect(env.meta.score).toEqual([0]);
  });
});

describe('leduc poker', () => {
  it('is solved closely by CFR+', () => {
    const result = leducPoker.check('solver-result', {}, {}, {}) as { [key: string]: number };
    expect(result.nashConv).toBeGreaterThanOrEqual(0);
    expect(result.nashConv).toBeLessThan(0.01);
    expect(result.valueFirstPlayer).toBeCloseTo(-0.0856, 2);
  });

  it('says what is legal', () => {
    expect(leducPoker.check('legal-actions', {}, { history: '' }, {})).toMatchObject({ toMove: 0, letters: ['c', 'r'] });
    expect(leducPoker.check('legal-actions', {}, { history: 'rr' }, {})).toMatchObject({ toMove: 0, letters: ['f', 'c'] });
    expect(leducPoker.check('legal-actions', {}, { history: 'crc/' }, {})).toMatchObject({ toMove: 0, letters: ['c', 'r'] });
    expect(leducPoker.check('legal-actions', {}, { history: 'crf' }, {})).toMatchObject({ terminal: true, letters: [] });
    expect(() => leducPoker.check('payoff', {}, { cards: ['K', 'Q'], public: 'J', history: 'f' }, {})).not.toThrow();
  });

  it('shows a player no card of the other', () => {
    const env = leducPoker.create({}, 1);
    const buffers = createBuffers(env.meta, 1);
    const own = (json: object) => {
      env.load(0, env.meta.state.fromJSON(json), buffers);
      return Array.from(buffers.obs.subarray(0, env.meta.obsSize));
    };
    const history = [2, 2, 0, 0, 0, 0, 0, 0];
    expect(own({ cards: [0, 2, 4], history })).toEqual(own({ cards: [1, 5, 4], history }));
    expect(own({ cards: [0, 2, 4], history })).not.toEqual(own({ cards: [2, 0, 4], history }));
  });
});
