/**
 * A racket drone flies to and fro between two places: arrive, stay for five steps, back. A drill of VolleyBots without a ball.
 * Obs (26) own state (volleyball/lib/game.ts), own place minus the target. Actions: volleyball/lib/quad.ts.
 * Reward 0.5 / (1 + d^2) * 0.02 (50 - n) + 2.5 n with d the distance to the target and n the steps in a row within 0.6 m; -10 when
 * lost. Terminated below 0.4 m, above 5 m or 7.5 m off the target; truncated after 800 steps of 0.02 s. Metric: targets reached.
 * Source: `thu-uav/VolleyBots` at 680493a, task BackAndForth.
 */
import { z } from 'zod';
import { putAt } from '../lib/drones/task.ts';
import { airframeOf } from './lib/airframes.ts';
import { command } from './lib/command.ts';
import { defineHall } from './lib/define.ts';
import { ASKED, DRILL_COURT, drillShape, FAULT, isStandardDrill } from './lib/drill.ts';
import { type Game, OWN, OWN_LABELS, vector, writeOwn } from './lib/game.ts';
import { wish } from './lib/pilot.ts';
import { hover } from './lib/rally.ts';

const PLACES = [
  [4.5, 0, 2],
  [9, 4.5, 2],
] as const;
const NEAR = 0.6; // m
const STAY = 5; // steps

const HORIZON = 800;

const config = z.strictObject(drillShape(HORIZON));
type Config = z.infer<typeof config>;

function game(): Game {
  return {
    drones: 1,
    ball: false,
    sideOf: () => 1,
    labels: [...OWN_LABELS, ...vector('off target')],
    fields: [
      { name: 'target', type: 'u32', shape: [], doc: 'place it flies to: 0 or 1' },
      { name: 'inside', type: 'u32', shape: [], doc: 'steps in a row within 0.6 m of it' },
      { name: 'reached', type: 'u32', shape: [], doc: 'targets reached' },
    ],
    names: ['drone'],
    colourOf: () => 0,
    parts: [{ name: 'target', shape: 'sphere', size: [0.15], colour: 'goal', model: 'target' }],
    fixtures: [DRILL_COURT],
    bounds: [2.5, -2, 0, 10, 5.5, 3.5],
    extra: ['targets reached'],
    bind(hall) {
      const { floats, words, rows } = hall;
      const [TARGET, INSIDE, REACHED] = [rows.offset('target'), rows.offset('inside'), rows.offset('reached')];
      const place = (row: number) => PLACES[words[row * rows.wordStride + TARGET] === 1 ? 1 : 0];
      const off = (row: number, i: number) => floats[hall.at(row, 0) + i]! - place(row)[i]!;
      return {
        start(row) {
          hall.put(row, 0, PLACES[0][0], PLACES[0][1], PLACES[0][2], 0);
          words[row * rows.wordStride + TARGET] = 1;
        },
        judge(row, _touches, rewards) {
          const w = row * rows.wordStride;
          const d = Math.sqrt(off(row, 0) ** 2 + off(row, 1) ** 2 + off(row, 2) ** 2);
          const n = d < NEAR ? words[w + INSIDE]! + 1 : 0;
          words[w + INSIDE] = n;
          const z = floats[hall.at(row, 0) + 2]!;
          const lost = z < 0.4 || z > 5 || d > 7.5;
          rewards[0] = (0.5 / (1 + d * d)) * 0.02 * (50 - n) + 2.5 * n - (lost ? FAULT : 0);
          if (n >= STAY) {
            words[w + TARGET] = 1 - words[w + TARGET]!;
            words[w + INSIDE] = 0;
            words[w + REACHED] = words[w + REACHED]! + 1;
          }
          return lost ? 1 : 0;
        },
        observe(row, k, out, o) {
          writeOwn(hall, row, k, 1, out, o);
          for (let i = 0; i < 3; i++) out[o + OWN + i] = off(row, i);
        },
        frame(row, out, at) {
          const [x, y, z] = place(row);
          putAt(out, at, x, y, z);
        },
        extra(row, out, at) {
          out[at] = words[row * rows.wordStride + REACHED]!;
        },
      };
    },
  };
}

export const volleyBackAndForth = defineHall<Config>({
  id: 'volley-back-and-forth',
  title: 'Back and forth',
  summary: 'A racket drone flies to and fro between two places of the court.',
  config,
  recommended: ASKED,
  learnNote:
    'Learned from the answers of the script. By reward alone a million steps bring PPO 18 % of the way: staying at the first place pays a little, and most seeds end there; three million steps with normalised observations and rewards do too, and SAC in 60,000 (one seed each).',
  presets: [
    { id: 'standard', title: 'body rates and thrust', config: {} },
    { id: 'velocity', title: 'velocity commands, by hand too', config: { actionType: 'velocity' } },
    { id: 'rotors', title: 'rotor commands', config: { actionType: 'prt' } },
  ],
  game,
  maxSteps: (c) => c.maxSteps,
  score: () => 'mean',
  references: (c) =>
    isStandardDrill(c, HORIZON) && c.actionType === 'ctbr'
      ? [
          { name: 'random', value: -9.4, source: 'uniform commands, 100 episodes here' },
          { name: 'pilot', value: 397.3, source: 'policy "pilot", 20 episodes here' },
        ]
      : [],
  policies: {
    pilot: (c) => {
      const frame = airframeOf(c.airframe, c.gravity);
      const to = wish();
      return {
        act(env, { obs }, out) {
          const { obsSize: O, actionSize: D } = env.meta;
          for (let row = 0; row < env.batch; row++) {
            const place = (i: number) => obs[row * O + i]! - obs[row * O + OWN + i]!;
            hover(to, place(0), place(1), place(2));
            command(c, frame, obs, row * O, to, out, row * D);
          }
        },
      };
    },
  },
});
