/** Exact values and exact regret of independent learners, against brute force; the bound of hedge in one-shot games. */
import { describe, expect, it, test } from 'vitest';
import { present } from '#contract/kit/errors.ts';
import { Rng } from '#math/rng.ts';
import { createActions, createBuffers } from '../../envs/api/buffers.ts';
import type { JointModel } from '../../envs/api/types.ts';
import { markovGame } from '../../envs/games/markov-game.ts';
import { train } from '../../run/train.ts';
import { Hindsight, hedge, MarkovPlay } from './hedge.ts';

const modelOf = (config: object): JointModel => present(markovGame.create(config, 1).joint?.(), 'table');

/** Random chances [P][H, S, N]. */
function drawPolicies({ players, horizon, states, actions }: JointModel, rng: Rng): readonly Float64Array[] {
  return Array.from({ length: players }, () => {
    const pi = new Float64Array(horizon * states * actions);
    for (let at = 0; at < pi.length; at += actions) {
      const cuts = Array.from({ length: actions }, () => rng.uniform() + 0.01);
      const sum = cuts.reduce((a, b) => a + b);
      for (let a = 0; a < actions; a++) pi[at + a] = cuts[a]! / sum;
    }
    return pi;
  });
}

/** What player 0 of a game of two with horizon 2 earns by a plan: its first action, and for each place that follows its second. */
function planned(m: JointModel, other: Float64Array, first: number, second: readonly number[]): number {
  let sum = 0;
  for (let b = 0; b < m.actions; b++) {
    const j = first * m.actions + b;
    const to = m.next[j]!;
    let later = 0;
    for (let d = 0; d < m.actions; d++)
      later += other[(m.states + to) * m.actions + d]! * m.pay[(to * m.joint + second[to]! * m.actions + d) * 2]!;
    sum += other[b]! * (m.pay[j * 2]! + later);
  }
  return sum;
}

describe('the game', () => {
  test.each([{}, { players: 3, horizon: 1 }, { players: 4, horizon: 2, actions: 3, states: 3, modelSeed: 7 }])(
    'is scaled so that answering even play best earns every player 1 more than even play: %o',
    (config) => {
      const play = new MarkovPlay(modelOf(config));
      const { players, actions } = play.model;
      play.update(Array.from({ length: players }, () => new Float64Array(play.size).fill(1 / actions)));
      for (let p = 0; p < players; p++) expect(play.bestAnswer(p) - play.v[p]![0]!).toBeCloseTo(1, 9);
    },
  );

  it('steps as its table says: the mean over all sequences of joint actions is the value of even play', () => {
    const config = { players: 3, horizon: 2, states: 4, modelSeed: 3 };
    const env = markovGame.create(config, 1);
    const buffers = createBuffers(env.meta, 1);
    const actions = createActions(env.meta, 1);
    let sum = 0;
    for (let code = 0; code < 64; code++) {
      env.reset(Uint32Array.of(1), buffers);
      for (let h = 0; h < 2; h++) {
        for (let p = 0; p < 3; p++) actions[p] = (code >> (3 * h + p)) & 1;
        expect(buffers.terminated[0]).toBe(0);
        env.step(actions, buffers);
        for (let p = 0; p < 3; p++) sum += buffers.reward[p]!;
      }
      expect(buffers.terminated[0]).toBe(1);
    }
    const random = present(
      env.meta.references.find(({ name }) => name === 'random'),
      'reference',
    );
    expect(sum / 64).toBeCloseTo(random.value, 6);
  });
});

describe('regret', () => {
  const model = modelOf({ states: 2, horizon: 2, modelSeed: 5 });
  const rng = Rng.from(4).split('test');
  const episodes = Array.from({ length: 4 }, () => drawPolicies(model, rng));

  it('is measured against the best plan over all episodes together, found by trying every plan', () => {
    const play = new MarkovPlay(model);
    const hindsight = new Hindsight(model);
    for (const pi of episodes) {
      play.update(pi);
      hindsight.add(play.sides[0]!);
    }
    let best = Number.NEGATIVE_INFINITY;
    for (let code = 0; code < 8; code++) {
      const [first, second] = [code & 1, [(code >> 1) & 1, code >> 2]];
      best = Math.max(
        best,
        episodes.reduce((sum, pi) => sum + planned(model, pi[1]!, first, second), 0),
      );
    }
    expect(hindsight.best()).toBeCloseTo(best, 9);
  });

  it('of one episode is the gain of the best answer to it', () => {
    const play = new MarkovPlay(modelOf({ players: 3, horizon: 3, states: 3 }));
    play.update(drawPolicies(play.model, rng));
    const hindsight = new Hindsight(play.model);
    hindsight.add(play.sides[2]!);
    expect(hindsight.best()).toBeCloseTo(play.bestAnswer(2), 9);
  });

  it('of hedge in one-shot games falls below its bound', async () => {
    for (const [players, modelSeed] of [
      [2, 1],
      [3, 2],
      [5, 3],
    ] as const) {
      const steps = 400;
      const envConfig = { players, horizon: 1, modelSeed };
      let regret = Number.NaN;
      for await (const { metrics } of train({ env: markovGame, algo: hedge, envConfig, steps, evalEpisodes: 2 }))
        regret = metrics.regret ?? regret;
      const model = modelOf(envConfig);
      const pays = model.pay.subarray(0, model.joint * players);
      const range = Math.max(...pays) - Math.min(...pays);
      // ln N / eta_T + range^2 / 8 sum_t eta_t, with eta_t = sqrt(ln N / t)
      expect(regret).toBeLessThan((1 + (range * range) / 4) * Math.sqrt(Math.log(2) / steps));
    }
  });
});
