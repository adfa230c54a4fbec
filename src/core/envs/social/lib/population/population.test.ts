import { describe, expect, it } from 'vitest';
import { LabError } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { createActions, createBuffers } from '#core/envs/api/buffers.ts';
import { Draws } from '#core/envs/api/draws.ts';
import { misfit } from '#core/testing/chi-square.ts';
import { Rng } from '#math/rng.ts';
import { populationDilemma } from '../../population-dilemma.ts';
import { smallWorld } from './network.ts';
import { CHOOSE, COOPERATE, DEFECT, PUNISH, SPARE } from './pairs.ts';
import { advantage, hopf, logistic, replicate } from './replicator.ts';

const LAW = { benefit: 0.5, punishment: 1, steepness: 10, threshold: 0.3 };

function world(config: object, batch = 1) {
  const env = populationDilemma.create(config, batch);
  const buffers = createBuffers(env.meta, batch);
  env.reset(
    Uint32Array.from({ length: batch }, (_, i) => i + 1),
    buffers,
  );
  return { env, buffers, n: env.meta.agentCount, actions: createActions(env.meta, batch) };
}

const report = (w: ReturnType<typeof world>, row = 0): JsonObject => w.env.extras?.(row) ?? {};

describe('the delayed replicator equation', () => {
  it('rests at the threshold when the benefit is half the punishment; K = x* (1 - x*) 10 / 4', () => {
    const { rest, rate, criticalDelay } = hopf(LAW);
    expect(rest).toBeCloseTo(0.3, 14);
    expect(rate).toBeCloseTo((0.3 * 0.7 * 10) / 4, 12);
    expect(criticalDelay).toBeCloseTo(Math.PI / (2 * 0.525), 12);
    expect(populationDilemma.check('critical-delay', {}, {}, {})).toEqual({ restPoint: rest, rate, criticalDelay });
    expect(hopf({ ...LAW, benefit: 2 }).rest).toBeNaN();
  });

  it('K is the slope at the rest point for any law', () => {
    for (const law of [LAW, { benefit: 0.2, punishment: 0.9, steepness: 14, threshold: 0.5 }]) {
      const { rest, rate } = hopf(law);
      const slope = (advantage(law, rest + 1e-6) - advantage(law, rest - 1e-6)) / 2e-6;
      expect(-rest * (1 - rest) * slope).toBeCloseTo(rate, 6);
    }
  });

  it('starts to oscillate at pi / (2 K): below, departures die out, above, they stay', () => {
    const { rest, rate, criticalDelay } = hopf(LAW);
    const amplitude = (factor: number) => {
      const x = replicate(LAW, rest + 0.02, factor * criticalDelay, 3000, 50);
      const late = Array.from(x.subarray(2700));
      return Math.max(...late) - Math.min(...late);
    };
    expect(amplitude(0.95)).toBeLessThan(1e-6);
    expect(amplitude(0.98)).toBeLessThan(1e-3);
    expect(amplitude(1.02)).toBeGreaterThan(0.05);
    expect(amplitude(1.05)).toBeGreaterThan(0.1);
    // the oscillation is bounded, and just above the threshold its period is 4 tau = 2 pi / K
    expect(amplitude(3)).toBeLessThan(1);
    const x = replicate(LAW, rest + 0.02, 1.02 * criticalDelay, 3000, 50);
    let rises = 0;
    for (let t = 2001; t <= 3000; t++) if (x[t - 1]! < rest && x[t]! >= rest) rises++;
    expect(Math.abs(1000 / rises - (2 * Math.PI) / rate)).toBeLessThan(0.5);
  });

  it('without delay it is the plain replicator equation', () => {
    // x' = x (1 - x) a with constant a: logistic growth
    const law = { ...LAW, punishment: 1e-9 };
    const x = replicate(law, 0.1, 0, 10, 200);
    for (const t of [1, 5, 10]) expect(x[t]).toBeCloseTo(1 / (1 + 9 * Math.exp(-0.5 * t)), 5);
    const rest = replicate(LAW, 0.9, 0, 200);
    expect(rest[200]).toBeCloseTo(0.3, 6);
  });

  it('the logistic function does not overflow', () => {
    expect([logistic(0), logistic(1000), logistic(-1000)]).toEqual([0.5, 1, 0]);
  });
});

describe('the small world', () => {
  it('is a ring of six neighbours without rewiring', () => {
    const edges = new Uint32Array(30);
    smallWorld(new Draws([Rng.from(1)], undefined), 0, edges, 0, 10, 3, 0);
    expect(Array.from(edges.subarray(0, 3))).toEqual([1, 2, 3]);
    expect(Array.from(edges.subarray(27))).toEqual([0, 1, 2]);
  });

  it('a tenth of its 100,000 edges leads elsewhere, never doubled, never to itself', () => {
    const n = 200;
    const half = 5;
    let moved = 0;
    const rng = Rng.from(3);
    const edges = new Uint32Array(n * half);
    for (let k = 0; k < 100; k++) {
      smallWorld(new Draws([rng], undefined), 0, edges, 0, n, half, 0.1);
      const seen = new Set<number>();
      edges.forEach((j, e) => {
        const i = Math.floor(e / half);
        if (j !== (i + 1 + (e % half)) % n) moved++;
        expect(i).not.toBe(j);
        seen.add(Math.min(i, j) * n + Math.max(i, j));
      });
      expect(seen.size).toBe(n * half);
    }
    expect(misfit([moved, 100_000 - moved], [0.1, 0.9])).toBeLessThan(1);
  });

  it('an edge that moves may end at each node that is not joined yet: chi-square of 100,000 draws', () => {
    const rng = Rng.from(4);
    const draws = new Draws([rng], undefined);
    const edges = new Uint32Array(10);
    const ends = new Array<number>(10).fill(0);
    for (let k = 0; k < 100_000; k++) {
      smallWorld(draws, 0, edges, 0, 10, 1, 1); // the edge of node 0 moves first, while the ring is whole
      ends[edges[0]!] = ends[edges[0]!]! + 1;
    }
    expect([ends[0], ends[1], ends[9]]).toEqual([0, 0, 0]);
    expect(misfit(ends.slice(2, 9))).toBeLessThan(1);
  });
});

describe('alarm', () => {
  it('a radical gains 0.5 and pays the logistic of the lagged share, a normal agent gets nothing', () => {
    const w = world({ agents: 20, delay: 2, initialShare: 0 });
    const shares = [0.5, 0.25, 1, 0, 0.75];
    shares.forEach((share, t) => {
      for (let i = 0; i < 20; i++) w.actions[i] = i < 20 * share ? 1 : 0;
      w.env.step(w.actions, w.buffers);
      const lagged = t < 2 ? 0 : shares[t - 2]!;
      const gain = 0.5 - 1 / (1 + Math.exp(-10 * (lagged - 0.3)));
      for (let i = 0; i < 20; i++) expect(w.buffers.reward[i]).toBeCloseTo(i < 20 * share ? gain : 0, 6);
      // what agents see next is the share that was in force
      expect(w.buffers.obs[0]).toBeCloseTo(lagged, 6);
      expect(w.buffers.obs[3]).toBe(share > 0 ? 1 : 0);
    });
  });

  it('without delay the alarm is of this very step', () => {
    const w = world({ agents: 10, delay: 0, neighbours: 2 });
    w.actions.fill(1);
    w.env.step(w.actions, w.buffers);
    expect(w.buffers.reward[0]).toBeCloseTo(0.5 - 1 / (1 + Math.exp(-7)), 6);
  });

  it('shows the share of radicals among the neighbours', () => {
    const w = world({ agents: 10, neighbours: 4, rewiring: 0 });
    for (let i = 0; i < 10; i++) w.actions[i] = i < 3 ? 1 : 0;
    w.env.step(w.actions, w.buffers);
    const seen = Array.from({ length: 10 }, (_, i) => w.buffers.obs[4 * i + 2]);
    expect(seen).toEqual([0.5, 0.5, 0.5, 0.5, 0.25, 0, 0, 0, 0.25, 0.5]);
  });

  it('in bins it is a table of share and own choice', () => {
    const w = world({ agents: 10, neighbours: 2, delay: 0, bins: 10 });
    for (let i = 0; i < 10; i++) w.actions[i] = i < 4 ? 1 : 0;
    w.env.step(w.actions, w.buffers);
    expect(w.buffers.obs.subarray(0, 20).indexOf(1)).toBe(9);
    expect(w.buffers.obs.subarray(180, 200).indexOf(1)).toBe(8);
    w.actions.fill(1);
    w.env.step(w.actions, w.buffers);
    expect(w.buffers.obs.subarray(0, 20).indexOf(1)).toBe(19);
  });

  it('the equation beside the agents is the one integrated apart', () => {
    const w = world({ delay: 5 });
    const x = replicate(LAW, 0.1, 5, 60);
    for (let t = 1; t <= 60; t++) {
      w.env.step(w.actions, w.buffers);
      expect(report(w).equation).toBe(x[t]);
    }
  });

  it('as many start as radicals as told: chi-square of 100,000 draws', () => {
    const w = world({ initialShare: 0.1, rewiring: 0 });
    let radicals = 0;
    let members = 0;
    for (; members < 100_000; members += 240) {
      // one's own choice is the last number each sees
      for (let i = 0; i < 240; i++) radicals += w.buffers.obs[4 * i + 3]!;
      w.env.restart(Uint8Array.of(1), w.buffers);
    }
    expect(misfit([radicals, members - radicals], [0.1, 0.9])).toBeLessThan(1);
  });

  it('a runaway is a share above 0.9 at some step of the last fifth, not before', () => {
    const run = (when: number) => {
      const w = world({ agents: 10, neighbours: 2, maxSteps: 50 });
      for (let t = 1; t <= 50; t++) {
        w.actions.fill(t === when ? 1 : 0);
        w.env.step(w.actions, w.buffers);
        expect(w.buffers.truncated[0]).toBe(t === 50 ? 1 : 0);
      }
      return report(w);
    };
    expect(run(40)).toMatchObject({ runaway: false, latePeak: 0, lateMean: 0 });
    expect(run(41)).toMatchObject({ runaway: true, latePeak: 1, lateMean: 0.1 });
  });

  it('memoryless agents run away with delay 8 and not without; fixed ones never (Itkin 2026: 96 %, 0 %)', () => {
    const runaways = (name: 'fixed' | 'reactive', delay: number) => {
      const n = 20;
      const w = world({ delay }, n);
      const policy = populationDilemma.policies({ delay })[name];
      for (let t = 0; t < 500; t++) {
        policy?.act(w.env, w.buffers, w.actions);
        w.env.step(w.actions, w.buffers);
      }
      let sum = 0;
      for (let row = 0; row < n; row++) if (report(w, row).runaway) sum++;
      return sum / n;
    };
    expect(runaways('reactive', 0)).toBe(0);
    expect(runaways('reactive', 8)).toBeGreaterThanOrEqual(0.95);
    expect(runaways('fixed', 8)).toBe(0);
    expect(runaways('fixed', 20)).toBe(0);
  });

  it('random play is worth what is stated, per agent', () => {
    const w = world({}, 10);
    const rng = Rng.from(2);
    let sum = 0;
    for (let t = 0; t < 500; t++) {
      for (let i = 0; i < w.actions.length; i++) w.actions[i] = rng.int(2);
      w.env.step(w.actions, w.buffers);
      for (const r of w.buffers.reward) sum += r;
    }
    const stated = w.env.meta.references.find((r) => r.name === 'random')?.value as number;
    expect(Math.abs(sum / 2400 - stated)).toBeLessThan(2); // the noise of 240 agents bends the curve a little
  });

  it.each([
    ['all radical', 'always-defect', {}],
    ['all radical', 'always-defect', { delay: 8, initialShare: 0.5 }],
    ['all normal', 'always-cooperate', { delay: 8 }],
  ] as const)('%s is worth what is stated, per agent: %s %j', (name, policy, config) => {
    const w = world(config, 10);
    let sum = 0;
    for (let t = 0; t < 500; t++) {
      populationDilemma.policies(config)[policy]?.act(w.env, w.buffers, w.actions);
      w.env.step(w.actions, w.buffers);
      for (const r of w.buffers.reward) sum += r;
    }
    const stated = w.env.meta.references.find((r) => r.name === name)?.value as number;
    expect(Math.abs(sum / 2400 - stated)).toBeLessThan(0.5); // the start is drawn: 8 steps under an alarm that saw some more or less
  });
});

const ALL = { scenario: 'pairs', partnerChoice: true, directPunishment: true, thirdPartyPunishment: true, reputation: true };

describe('pairs', () => {
  const stateOf = (w: ReturnType<typeof world>) =>
    w.env.meta.state.toJSON(w.env.save(0)) as JsonObject & { partner: number[]; watched: number[]; met: number[][]; reputation: number[] };
  /** Of agent 0: the first number behind the reputations and the phase. */
  const firstPartner = (w: ReturnType<typeof world>, row: number) => new DataView(w.env.save(row).buffer).getUint32(8 + 8 * w.n + 4, true);
  const legal = (w: ReturnType<typeof world>, agent: number) => {
    const N = w.env.meta.actionCount;
    return Array.from(w.buffers.mask?.subarray(agent * N, (agent + 1) * N) ?? []).flatMap((x, a) => (x === 1 ? [a] : []));
  };

  it('phases follow one another as they are switched on', () => {
    const w = world({ ...ALL, agents: 4 });
    const seen: number[][] = [];
    for (let t = 0; t < 5; t++) {
      seen.push(legal(w, 0));
      const action = legal(w, 0)[0]!;
      for (let i = 0; i < 4; i++) w.actions[i] = action >= CHOOSE ? CHOOSE + ((i + 1) % 4) : action;
      w.env.step(w.actions, w.buffers);
    }
    expect(seen).toEqual([
      [CHOOSE + 1, CHOOSE + 2, CHOOSE + 3],
      [COOPERATE, DEFECT],
      [SPARE, PUNISH],
      [SPARE, PUNISH],
      [5, 6, 7],
    ]);
    const plain = world({ scenario: 'pairs', agents: 4 });
    expect(legal(plain, 0)).toEqual([COOPERATE, DEFECT]);
    plain.env.step(plain.actions, plain.buffers);
    expect(legal(plain, 0)).toEqual([COOPERATE, DEFECT]);
  });

  it('partners are mutual, and paid by the game', () => {
    const w = world({ scenario: 'pairs', agents: 6, payoffs: [3, 0, 5, 1] });
    const { partner } = stateOf(w);
    partner.forEach((j, i) => {
      expect(partner[j]).toBe(i);
      expect(j).not.toBe(i);
    });
    for (let i = 0; i < 6; i++) w.actions[i] = i % 3 === 0 ? DEFECT : COOPERATE;
    w.env.step(w.actions, w.buffers);
    for (let i = 0; i < 6; i++) {
      const j = partner[i]!;
      expect(w.buffers.reward[i]).toBe([3, 0, 5, 1][2 * w.actions[i]! + w.actions[j]!]);
      expect(stateOf(w).met[i]?.[j]).toBe(w.actions[j]! + 1);
    }
  });

  it('who names each other become partners; the rest is paired by lot', () => {
    const w = world({ scenario: 'pairs', agents: 6, partnerChoice: true });
    [1, 0, 3, 2, 0, 0].forEach((j, i) => {
      w.actions[i] = CHOOSE + j;
    });
    w.env.step(w.actions, w.buffers);
    const { partner } = stateOf(w);
    expect(partner.slice(2, 4)).toEqual([3, 2]); // nobody else named these
    expect([...partner].sort()).toEqual([0, 1, 2, 3, 4, 5]);
    // 0 is named by three: the first in the drawn order
    const many = world({ scenario: 'pairs', agents: 6, partnerChoice: true }, 1000);
    for (let i = 0; i < many.actions.length; i++) many.actions[i] = w.actions[i % 6]!;
    const counts = [0, 0, 0];
    for (let k = 0; k < 100; k++) {
      many.env.restart(new Uint8Array(1000).fill(1), many.buffers);
      many.env.step(many.actions, many.buffers);
      for (let row = 0; row < 1000; row++) counts[[1, 4, 5].indexOf(firstPartner(many, row))]!++;
    }
    // orders of 0, 1, 4, 5: 1 gets 0 if it or 0 itself comes first
    expect(misfit(counts, [0.5, 0.25, 0.25])).toBeLessThan(1);
  });

  it('pairs by lot are uniform (chi-square, 100,000 draws)', () => {
    const w = world({ scenario: 'pairs', agents: 10 }, 1000);
    const counts = new Float64Array(10);
    for (let k = 0; k < 100; k++) {
      for (let row = 0; row < 1000; row++) {
        counts[firstPartner(w, row)]!++;
      }
      w.env.step(w.actions, w.buffers);
    }
    expect(counts[0]).toBe(0);
    expect(misfit(Array.from(counts.slice(1)))).toBeLessThan(1);
  });

  it('punishing costs 1 and takes 3 from the partner', () => {
    const w = world({ scenario: 'pairs', agents: 4, directPunishment: true });
    const { partner } = stateOf(w);
    w.actions.fill(DEFECT);
    w.env.step(w.actions, w.buffers);
    w.actions.fill(SPARE);
    w.actions[0] = PUNISH;
    w.env.step(w.actions, w.buffers);
    const expected = [0, 0, 0, 0];
    expected[0] = -1;
    expected[partner[0]!] = -3;
    expect(Array.from(w.buffers.reward)).toEqual(expected);
    // the punished one sees it
    expect(w.buffers.obs[partner[0]! * w.env.meta.obsSize + 9]).toBe(1);
    expect(w.env.extras?.(0)).toMatchObject({ directPunishments: 1, thirdPartyPunishments: 0, unfairPunishments: 0, cooperation: 0 });
  });

  it('third parties punish a player of another pair', () => {
    const w = world({ scenario: 'pairs', agents: 6, thirdPartyPunishment: true });
    w.actions.fill(COOPERATE);
    w.env.step(w.actions, w.buffers);
    const { partner, watched } = stateOf(w);
    for (const [i, j] of watched.entries()) expect([i, partner[i]]).not.toContain(j);
    w.actions.fill(SPARE);
    w.actions[0] = PUNISH;
    w.env.step(w.actions, w.buffers);
    const expected = [-1, 0, 0, 0, 0, 0];
    expected[watched[0]!] = -3;
    expect(Array.from(w.buffers.reward)).toEqual(expected);
    expect(w.env.extras?.(0)).toMatchObject({ thirdPartyPunishments: 1, unfairPunishments: 1 });
  });

  it('whom a third party watches is uniform (chi-square, 100,000 draws)', () => {
    const w = world({ scenario: 'pairs', agents: 6, thirdPartyPunishment: true }, 1000);
    const counts = new Array<number>(6).fill(0);
    for (let k = 0; k < 100; k++) {
      w.actions.fill(COOPERATE);
      w.env.step(w.actions, w.buffers);
      for (let row = 0; row < 1000; row++) {
        const view = new DataView(w.env.save(row).buffer);
        const watched = view.getUint32(8 + 8 * 6 + 4 + 4 * 6, true); // of agent 0, behind all partners
        expect(watched).not.toBe(firstPartner(w, row));
        counts[watched]!++;
      }
      w.actions.fill(SPARE);
      w.env.step(w.actions, w.buffers);
    }
    expect(counts[0]).toBe(0);
    expect(misfit(counts.slice(1))).toBeLessThan(1);
  });

  it('reputation is the moving average of cooperation, and shown only when switched on', () => {
    const on = world({ scenario: 'pairs', agents: 4, reputation: true });
    const off = world({ scenario: 'pairs', agents: 4 });
    let expected = 0.5;
    for (const own of [COOPERATE, COOPERATE, DEFECT]) {
      for (const w of [on, off]) {
        w.actions.fill(own);
        w.env.step(w.actions, w.buffers);
      }
      expected += 0.1 * ((own === COOPERATE ? 1 : 0) - expected);
      expect(stateOf(on).reputation[2]).toBeCloseTo(expected, 12);
    }
    expect(on.buffers.obs[5]).toBeCloseTo(expected, 6);
    expect(on.buffers.obs[6]).toBeCloseTo(expected, 6);
    expect([off.buffers.obs[5], off.buffers.obs[6]]).toEqual([0, 0]);
  });

  it('agents see what partners did, before and now', () => {
    const w = world({ scenario: 'pairs', agents: 4, directPunishment: true, thirdPartyPunishment: true });
    const { partner } = stateOf(w);
    for (let i = 0; i < 4; i++) w.actions[i] = i === 0 ? DEFECT : COOPERATE;
    w.env.step(w.actions, w.buffers);
    const O = w.env.meta.obsSize;
    const p = partner[0]!;
    expect([w.buffers.obs[4], w.buffers.obs[8], w.buffers.obs[p * O + 4], w.buffers.obs[p * O + 8]]).toEqual([-1, 1, 1, -1]);
    w.actions.fill(SPARE);
    w.env.step(w.actions, w.buffers);
    const { watched } = stateOf(w);
    const other = Array.from({ length: 4 }, (_, i) => i).filter((i) => i !== 0 && i !== p);
    for (const i of other) expect(w.buffers.obs[i * O + 10]).toBe(watched[i] === 0 ? -1 : 1);
  });

  it.each([
    [{ ...ALL }, 'random'],
    [{ scenario: 'pairs', directPunishment: true, maxSteps: 101 }, 'random'],
    [{ ...ALL }, 'all cooperate'],
    [{ scenario: 'pairs', thirdPartyPunishment: true, maxSteps: 33 }, 'all defect'],
  ])('%j: "%s" is worth what is stated', (config, name) => {
    const w = world(config, 20);
    const rng = Rng.from(5);
    const policy =
      name === 'random' ? null : populationDilemma.policies(config)[name === 'all cooperate' ? 'always-cooperate' : 'always-defect'];
    const N = w.env.meta.actionCount;
    let sum = 0;
    for (let t = 0; t < w.env.meta.maxSteps; t++) {
      if (policy === null)
        for (let slot = 0; slot < w.actions.length; slot++) {
          do w.actions[slot] = rng.int(N);
          while (w.buffers.mask?.[slot * N + w.actions[slot]!] === 0);
        }
      else policy?.act(w.env, w.buffers, w.actions);
      w.env.step(w.actions, w.buffers);
      for (const r of w.buffers.reward) sum += r;
    }
    const stated = w.env.meta.references.find((r) => r.name === name)?.value as number;
    const got = sum / (20 * w.n);
    if (name === 'random') expect(Math.abs(got / stated - 1)).toBeLessThan(0.02);
    else expect(got).toBe(stated);
  });

  it('conditional cooperators hold together, and shut out a defector by choosing each other', () => {
    const config = { ...ALL, maxSteps: 400 };
    const w = world(config);
    const policy = populationDilemma.policies(config).reactive;
    const total = new Float64Array(20);
    for (let t = 0; t < 400; t++) {
      policy?.act(w.env, w.buffers, w.actions);
      if (w.actions[0] === COOPERATE) w.actions[0] = DEFECT;
      if (w.actions[0] === PUNISH) w.actions[0] = SPARE;
      w.env.step(w.actions, w.buffers);
      for (let i = 0; i < 20; i++) total[i]! += w.buffers.reward[i]!;
    }
    const others = total.slice(1).reduce((a, b) => a + b, 0) / 19;
    expect(total[0]).toBeLessThan(others); // temptation does not pay here
    expect(others).toBeGreaterThan(-150); // near 100 rounds of mutual cooperation at -1
  });
});

describe('settings', () => {
  it.each([[{ agents: 5, scenario: 'pairs' }], [{ agents: 6 }], [{ agents: 500 }], [{ neighbours: 3 }]])('%j is refused', (config) => {
    expect(() => populationDilemma.meta(config)).toThrow(LabError);
  });

  it('has the sizes that were asked for', () => {
    expect(populationDilemma.meta({}).agentCount).toBe(240);
    expect(populationDilemma.meta({}).maxSteps).toBe(500);
    expect(populationDilemma.meta({ scenario: 'pairs' }).agentCount).toBe(20);
  });
});
