/**
 * Two racket drones of one side pass a ball to each other, high over the line between them. A cooperative drill of VolleyBots.
 * Obs per drone (37) own state, place off the anchor, drone minus ball, ball velocity, mate minus own place, whose turn (mine, the mate's).
 * Reward, shared: 1 per right hit, 1 per crossing of y = 0 above 4 m, -0.05 times the mean of max(0, distance to the anchor - 0.5 m),
 * 0.1 / (1 + horizontal distance to the ball) of the drone whose turn it is, -10 per fault: ball below 0.2 or above 16 m, in the net or out, drone
 * below 0.4 m or in the net, a hit out of turn, a touch with the body. Terminated at a fault; truncated after 800 steps of 0.02 s.
 * The reference's shaping term is not in its notes; the one here is ours. Source: `thu-uav/VolleyBots` at 680493a, MultiJuggleVolleyball.
 */
import { z } from 'zod';
import { BY_BODY, BY_RACKET } from './lib/ball.ts';
import { defineHall } from './lib/define.ts';
import { ASKED, DRILL_COURT, drillPolicy, drillShape, FAULT, inNet, isStandardDrill, out, writeDrill } from './lib/drill.ts';
import { type Game, OWN, OWN_LABELS, vector, writeBetween } from './lib/game.ts';

const ANCHORS = [4.5, -2.5, 2, 4.5, 2.5, 2] as const;
const ABOVE = 2; // m, the ball over drone 0 at the start
const HIGH = 4; // m

const HORIZON = 800;

const config = z.strictObject(drillShape(HORIZON));
type Config = z.infer<typeof config>;

function game(): Game {
  return {
    drones: 2,
    ball: true,
    sideOf: () => 1,
    labels: [
      ...OWN_LABELS,
      ...vector('off anchor'),
      ...vector('from ball'),
      ...vector('ball speed'),
      ...vector('to mate'),
      'my turn',
      'mate’s turn',
    ],
    fields: [
      { name: 'turn', type: 'u32', shape: [], doc: 'drone whose turn it is' },
      { name: 'passes', type: 'u32', shape: [], doc: 'right hits' },
      { name: 'half', type: 'u32', shape: [], doc: 'half of the ball: 0 y < 0, 1 y > 0' },
    ],
    names: ['drone 1', 'drone 2'],
    colourOf: (k) => k,
    parts: [],
    fixtures: [DRILL_COURT],
    bounds: [1.5, -4.5, 0, 7.5, 4.5, 5],
    extra: ['passes'],
    bind(hall) {
      const { floats, words, rows } = hall;
      const [TURN, PASSES, HALF] = [rows.offset('turn'), rows.offset('passes'), rows.offset('half')];
      return {
        start(row) {
          for (let k = 0; k < 2; k++) hall.put(row, k, ANCHORS[3 * k]!, ANCHORS[3 * k + 1]!, ANCHORS[3 * k + 2]!, 0);
          const s = hall.at(row, 0);
          hall.putBall(row, floats[s]!, floats[s + 1]!, floats[s + 2]! + ABOVE);
        },
        judge(row, touches, rewards) {
          const w = row * rows.wordStride;
          const b = hall.ballAt(row);
          const turn = words[w + TURN]!;
          const z = floats[b + 2]!;
          let reward = 0;
          let fault = z < 0.2 || z > 16 || inNet(floats, b) || out(floats, b);
          let away = 0;
          for (let k = 0; k < 2; k++) {
            const s = hall.at(row, k);
            if (touches[k] === BY_BODY || (touches[k] === BY_RACKET && k !== turn)) fault = true;
            else if (touches[k] === BY_RACKET) {
              reward += 1;
              words[w + TURN] = 1 - turn;
              words[w + PASSES] = words[w + PASSES]! + 1;
            }
            if (floats[s + 2]! < 0.4 || floats[s]! < 0) fault = true;
            let square = 0;
            for (let i = 0; i < 3; i++) square += (floats[s + i]! - ANCHORS[3 * k + i]!) ** 2;
            away += Math.max(0, Math.sqrt(square) - 0.5) / 2;
          }
          const half = floats[b + 1]! > 0 ? 1 : 0;
          if (half !== words[w + HALF]) {
            words[w + HALF] = half;
            if (z > HIGH) reward += 1;
          }
          const s = hall.at(row, turn);
          const dx = floats[s]! - floats[b]!;
          const dy = floats[s + 1]! - floats[b + 1]!;
          rewards.fill(reward - 0.05 * away + 0.1 / (1 + Math.sqrt(dx * dx + dy * dy)) - (fault ? FAULT : 0));
          return fault ? 1 : 0;
        },
        observe(row, k, o32, o) {
          writeDrill(hall, row, k, ANCHORS, 3 * k, o32, o);
          writeBetween(floats, hall.at(row, 1 - k), hall.at(row, k), 1, o32, o + OWN + 9);
          const mine = words[row * rows.wordStride + TURN] === k ? 1 : 0;
          o32[o + OWN + 12] = mine;
          o32[o + OWN + 13] = 1 - mine;
        },
        extra(row, o32, at) {
          o32[at] = words[row * rows.wordStride + PASSES]!;
        },
      };
    },
  };
}

export const volleyBumpAndPass = defineHall<Config>({
  id: 'volley-bump-and-pass',
  title: 'Bump and pass',
  summary: 'Two racket drones pass a ball to each other.',
  config,
  recommended: ASKED,
  learnNote:
    'Learned from the answers of the script, which is given the flight of the ball. By reward alone two drones do not learn to keep one ball up: IPPO is hardly above random play in half a million steps, PPO on normalised observations and rewards comes 16 % of the way in two million (one seed).',
  presets: [
    { id: 'standard', title: 'body rates and thrust', config: {} },
    { id: 'rotors', title: 'rotor commands', config: { actionType: 'prt' } },
  ],
  game,
  maxSteps: (c) => c.maxSteps,
  score: () => 'shared',
  references: (c) =>
    isStandardDrill(c, HORIZON) && c.actionType === 'ctbr'
      ? [
          { name: 'random', value: -6.1, source: 'uniform commands, 100 episodes here' },
          { name: 'passers', value: 38, source: 'policy "passers", 20 episodes here' },
        ]
      : [],
  policies: {
    passers: (c) =>
      drillPolicy(c, 2, ANCHORS, (obs, o, k) =>
        obs[o + OWN + 12] === 1 ? { height: 2.363, x: ANCHORS[0], y: ANCHORS[4 - 3 * k]!, apex: 1.659, drop: 0 } : null,
      ),
  },
});
