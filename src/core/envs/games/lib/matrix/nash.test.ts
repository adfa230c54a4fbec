import { describe, expect, it } from 'vitest';
import { LabError } from '#contract/kit/errors.ts';
import { createActions, createBuffers } from '#core/envs/api/buffers.ts';
import { GAMES, gameOf } from '#core/envs/lib/payoffs.ts';
import { matrixGames } from '../../matrix-games.ts';
import { bestResponse, equilibria, nashConv, type Profile, pureEquilibria, value } from './nash.ts';
import { type CROWDS, crowd, fromBimatrix, normalForm } from './normal-form.ts';

const pair = (name: keyof typeof GAMES) => fromBimatrix(gameOf(name));
const many = (name: keyof typeof CROWDS, players: number, more: object = {}) =>
  crowd(name, { players, multiplier: 1.6, needed: players, ...more });

/** Every profile rounded, so that lists compare. */
const rounded = (list: readonly Profile[]) => list.map((profile) => profile.map((mix) => mix.map((x) => Math.round(x * 1e6) / 1e6)));

describe('equilibria of known games', () => {
  it.each([
    ['prisoners-dilemma', [[1, 1]]],
    ['deadlock', [[1, 1]]],
    [
      'stag-hunt',
      [
        [0, 0],
        [1, 1],
      ],
    ],
    [
      'trust-dilemma',
      [
        [0, 0],
        [1, 1],
      ],
    ],
    [
      'chicken',
      [
        [0, 1],
        [1, 0],
      ],
    ],
    [
      'battle-of-the-sexes',
      [
        [0, 0],
        [1, 1],
      ],
    ],
    [
      'coordination',
      [
        [0, 0],
        [1, 1],
      ],
    ],
    [
      'hi-lo',
      [
        [0, 0],
        [1, 1],
      ],
    ],
    ['matching-pennies', []],
    ['rock-paper-scissors', []],
    [
      'climbing',
      [
        [0, 0],
        [1, 1],
      ],
    ],
    [
      'penalty',
      [
        [0, 2],
        [1, 1],
        [2, 0],
      ],
    ],
  ] as const)('%s: pure ones', (name, expected) => {
    expect(pureEquilibria(pair(name))).toEqual(expected);
  });

  it.each([
    [
      'matching-pennies',
      [
        [
          [0.5, 0.5],
          [0.5, 0.5],
        ],
      ],
    ],
    [
      'rock-paper-scissors',
      [
        [
          [0.333333, 0.333333, 0.333333],
          [0.333333, 0.333333, 0.333333],
        ],
      ],
    ],
    [
      'stag-hunt',
      [
        [
          [1, 0],
          [1, 0],
        ],
        [
          [0, 1],
          [0, 1],
        ],
        [
          [0.5, 0.5],
          [0.5, 0.5],
        ],
      ],
    ],
    // dove with 1/2: 3 q + 2 (1 - q) = 5 q
    [
      'chicken',
      [
        [
          [1, 0],
          [0, 1],
        ],
        [
          [0, 1],
          [1, 0],
        ],
        [
          [0.5, 0.5],
          [0.5, 0.5],
        ],
      ],
    ],
    [
      'battle-of-the-sexes',
      [
        [
          [1, 0],
          [1, 0],
        ],
        [
          [0, 1],
          [0, 1],
        ],
        [
          [0.6, 0.4],
          [0.4, 0.6],
        ],
      ],
    ],
  ] as const)('%s: all of them', (name, expected) => {
    expect(rounded(equilibria(pair(name)))).toEqual(expected);
  });

  it('nobody gains by leaving one, in any named game', () => {
    for (const name of Object.keys(GAMES) as (keyof typeof GAMES)[])
      for (const profile of equilibria(pair(name))) expect(nashConv(pair(name), profile), name).toBeLessThan(1e-9);
  });

  it('values: matching pennies 0, the worst of battle of the sexes 6/5', () => {
    const [mix = []] = equilibria(pair('matching-pennies'));
    expect([value(pair('matching-pennies'), mix, 0), value(pair('matching-pennies'), mix, 1)]).toEqual([0, 0]);
    const worst = equilibria(pair('battle-of-the-sexes'))[2] as Profile;
    expect(value(pair('battle-of-the-sexes'), worst, 0)).toBeCloseTo(1.2, 12);
  });

  it('a game of 2 x 3', () => {
    const game = fromBimatrix({
      row: [
        [3, 0, 1],
        [1, 2, 0],
      ],
      column: [
        [1, 2, 0],
        [3, 1, 0],
      ],
      rowActions: ['u', 'd'],
      columnActions: ['l', 'm', 'r'],
    });
    expect(pureEquilibria(game)).toEqual([]);
    // row makes l and m alike: p + 3 (1 - p) = 2 p + 1 - p; column makes u and d alike: 3 q = q + 2 (1 - q)
    expect(rounded(equilibria(game))).toEqual([
      [
        [0.666667, 0.333333],
        [0.5, 0.5, 0],
      ],
    ]);
  });
});

describe('games of many', () => {
  it('public goods: nobody gives, though all would gain', () => {
    for (const players of [2, 3, 5]) {
      const game = many('public-goods', players);
      expect(pureEquilibria(game)).toEqual([new Array(players).fill(1)]);
      expect(game.pay[0]).toBeCloseTo(0.6, 12); // all give
      expect(game.pay.at(-1)).toBe(0);
    }
    expect(pureEquilibria(many('public-goods', 3, { multiplier: 4 }))).toEqual([[0, 0, 0]]);
  });

  it('the dilemma and the stag hunt of two are those of the tables', () => {
    const dilemma = many('n-dilemma', 2);
    expect(Array.from(dilemma.pay)).toEqual([3, 3, 0, 5, 5, 0, 1, 1]);
    const hunt = many('n-stag-hunt', 2);
    expect(Array.from(hunt.pay)).toEqual([4, 4, 0, 2, 2, 0, 2, 2]);
  });

  it('the dilemma of five: defection dominates', () => {
    const game = many('n-dilemma', 5);
    expect(pureEquilibria(game)).toEqual([[1, 1, 1, 1, 1]]);
    expect(game.pay[0]).toBe(3);
  });

  it('stag hunt of three: all or none, or as many as are needed', () => {
    expect(pureEquilibria(many('n-stag-hunt', 3))).toEqual([
      [0, 0, 0],
      [1, 1, 1],
    ]);
    expect(pureEquilibria(many('n-stag-hunt', 3, { needed: 2 }))).toEqual([
      [0, 0, 0],
      [1, 1, 1],
    ]);
    expect(pureEquilibria(many('n-stag-hunt', 3, { needed: 1 }))).toEqual([[0, 0, 0]]);
  });

  it('volunteer: exactly one does; minority of three: two against one; coordination: all alike', () => {
    expect(pureEquilibria(many('volunteer', 3))).toEqual([
      [0, 1, 1],
      [1, 0, 1],
      [1, 1, 0],
    ]);
    expect(pureEquilibria(many('minority', 3)).every((joint) => new Set(joint).size === 2)).toBe(true);
    expect(pureEquilibria(many('minority', 3))).toHaveLength(6);
    expect(pureEquilibria(many('n-coordination', 3))).toEqual([
      [0, 0, 0],
      [1, 1, 1],
    ]);
  });

  it('best responses against mixes', () => {
    const game = normalForm(
      [
        ['a', 'b'],
        ['a', 'b'],
        ['a', 'b'],
      ],
      ([x = 0, y = 0, z = 0], p) => (p === 0 ? (x === y ? 2 : 0) + (x === z ? 1 : 0) : 0),
    );
    const profile = [
      [0.5, 0.5],
      [0.25, 0.75],
      [1, 0],
    ];
    // a: 2 * 1/4 + 1; b: 2 * 3/4 + 0
    expect(bestResponse(game, profile, 0)).toEqual({ actions: [0, 1], value: 1.5 });
    expect(
      bestResponse(
        game,
        [
          [0.5, 0.5],
          [0, 1],
          [1, 0],
        ],
        0,
      ),
    ).toEqual({ actions: [1], value: 2 });
  });
});

describe('matrix-games with many players', () => {
  function world(config: object) {
    const env = matrixGames.create(config, 1);
    const buffers = createBuffers(env.meta, 1);
    env.reset(Uint32Array.of(1), buffers);
    const actions = createActions(env.meta, 1);
    const O = env.meta.obsSize;
    return {
      env,
      buffers,
      actions,
      play(...chosen: number[]) {
        env.step(Int32Array.from(chosen), buffers);
        return Array.from(buffers.reward);
      },
      seen: (player: number) => buffers.obs.subarray(player * O, (player + 1) * O).indexOf(1),
    };
  }

  it('pays all players, who see the round from their own side', () => {
    const w = world({ game: 'n-stag-hunt', players: 3 });
    expect(w.play(0, 0, 0)).toEqual([4, 4, 4]);
    expect(w.play(0, 0, 1)).toEqual([0, 0, 2]);
    // own action first, then the next players in a circle: 001, 010, 100
    expect([w.seen(0), w.seen(1), w.seen(2)]).toEqual([2, 3, 5]);
  });

  it('an own tensor: one list per joint action, the first player slowest', () => {
    const payoffTensor = Array.from({ length: 8 }, (_, j) => [j, 10 * j, 100 * j]);
    const w = world({ players: 3, payoffTensor });
    expect(w.play(1, 0, 1)).toEqual([5, 50, 500]);
    expect(world({ players: 2, payoffTensor: Array.from({ length: 9 }, (_, j) => [j, -j]) }).play(2, 1)).toEqual([7, -7]);
  });

  it('memory: none, one round, several rounds', () => {
    const none = world({ memory: 0 });
    expect(none.env.meta.obsSize).toBe(1);
    none.play(1, 0);
    expect(none.seen(0)).toBe(0);
    const two = world({ memory: 2 });
    expect(two.env.meta.obsSize).toBe(25);
    two.play(0, 1); // row sees CD = round 2
    expect([two.seen(0), two.seen(1)]).toEqual([2, 3]);
    two.play(1, 1); // latest DD = 4, before it CD = 2
    expect([two.seen(0), two.seen(1)]).toEqual([4 + 5 * 2, 4 + 5 * 3]);
    expect(two.env.meta.state.toJSON(two.env.save(0)).last).toEqual([
      [2, 2],
      [1, 2],
    ]);
  });

  it.each([
    [{ players: 3 }],
    [{ game: 'public-goods', players: 3, payoffs: [1, 2, 3, 4] }],
    [
      {
        players: 2,
        payoffTensor: [
          [1, 2],
          [1, 2],
          [1, 2],
          [1, 2],
          [1, 2],
        ],
      },
    ],
    [{ players: 3, payoffTensor: Array.from({ length: 8 }, () => [1, 2]) }],
    [{ game: 'n-stag-hunt', players: 3, needed: 4 }],
    [{ game: 'n-dilemma', players: 5, memory: 3 }],
  ])('%j is refused', (config) => {
    expect(() => matrixGames.meta(config)).toThrow(LabError);
  });

  it('refuses rounds that only some played', () => {
    const w = world({ memory: 2 });
    expect(() =>
      w.env.load(
        0,
        w.env.meta.state.fromJSON({
          last: [
            [1, 0],
            [0, 0],
          ],
        }),
        w.buffers,
      ),
    ).toThrow(LabError);
  });

  it('keeps the names of actions where an own table fits the game', () => {
    const labels = (config: object) => matrixGames.meta(config).agents[0]?.action.labels;
    expect(
      labels({
        game: 'stag-hunt',
        rowPayoffs: [
          [1, 2],
          [3, 4],
        ],
      }),
    ).toEqual(['stag', 'hare']);
    expect(
      labels({
        rowPayoffs: [
          [1, 2, 3],
          [4, 5, 6],
        ],
      }),
    ).toEqual(['row 1', 'row 2']);
  });

  it.each([
    [{}],
    [{ game: 'matching-pennies' }],
    [{ game: 'rock-paper-scissors' }],
    [{ game: 'public-goods', players: 4 }],
    [{ game: 'n-stag-hunt', players: 3 }],
  ])('%j: the scripted equilibrium is worth what is stated', (config: object) => {
    const { env, buffers, actions } = world({ ...config, maxSteps: 4000 });
    const nash = matrixGames.policies(config).nash;
    let sum = 0;
    for (let t = 0; t < 4000; t++) {
      nash?.act(env, buffers, actions);
      env.step(actions, buffers);
      for (const r of buffers.reward) sum += r;
    }
    const stated = env.meta.references.find((r) => r.name === 'equilibrium')?.value as number;
    expect(Math.abs(sum - stated) / 4000).toBeLessThan(0.02);
    expect(matrixGames.check('equilibria', config, {}, {})).toHaveProperty('pure');
  });

  it('strategies of many: conditional cooperators and best replies', () => {
    const w = world({ game: 'public-goods', players: 3 });
    const act = (name: string) => {
      matrixGames.policies({ game: 'public-goods', players: 3 })[name]?.act(w.env, w.buffers, w.actions);
      return Array.from(w.actions);
    };
    expect(act('tit-for-tat')).toEqual([0, 0, 0]);
    w.play(0, 0, 1);
    expect(act('tit-for-tat')).toEqual([1, 1, 0]); // the third saw two contribute
    expect(act('win-stay-lose-shift')).toEqual([1, 1, 1]);
    expect(act('best-response')).toEqual([1, 1, 1]);
    w.play(1, 1, 1);
    expect(act('win-stay-lose-shift')).toEqual([0, 0, 0]);
    expect(
      matrixGames.check(
        'best-response',
        { game: 'chicken' },
        {
          profile: [
            [1, 0],
            [1, 0],
          ],
          player: 0,
        },
        {},
      ),
    ).toEqual({
      actions: [1],
      value: 5,
      nashConv: 4,
    });
  });

  it('references of the dilemma: random, equilibrium, best', () => {
    const values = Object.fromEntries(matrixGames.meta({}).references.map((r) => [r.name, r.value]));
    expect(values).toEqual({ random: -300, equilibrium: -400, 'best for all': -200 });
  });
});
