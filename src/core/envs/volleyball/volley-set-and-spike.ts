/**
 * One racket drone sets the ball, the other one plays it over the net, at best hard and down. A cooperative drill of VolleyBots.
 * Obs per drone (43) own state, place off the anchor, drone minus ball, ball velocity, mate minus own place, target (hard: defender) minus own
 * place, turn one-hot (the setter's, the hitter's, none).
 * Reward, shared: 5 per right hit, 5 if the second one sends the ball down, 5 when it passes the net after both, 5 for landing within 1 m of
 * the target (easy) or anywhere in the other half, not returned (hard), -0.05 times the mean anchor distance beyond 0.5 m; after the
 * second hit 0.2 max(0, 5 - v_z) once, at the landing 0.2 max(0, 10 - distance to the target); -10 per fault (as in bump and pass).
 * The defender of `hard` is a board of 0.5 m radius that runs to where the ball comes down, at most 8 m/s, and gives it back if it gets there.
 * Terminated at a fault and when the ball is down or returned; truncated after 800 steps of 0.02 s.
 * Source: `thu-uav/VolleyBots` at 680493a, MultiAttackVolleyballEasy and Hard; the defender's rules are simplified.
 */
import { z } from 'zod';
import { putAt } from '../lib/drones/task.ts';
import { BY_BODY, BY_RACKET } from './lib/ball.ts';
import { defineHall } from './lib/define.ts';
import { ASKED, DRILL_COURT, drillPolicy, drillShape, FAULT, inNet, isStandardDrill, LENGTH, out, WIDTH, writeDrill } from './lib/drill.ts';
import { type Game, OWN, OWN_LABELS, vector, writeBetween } from './lib/game.ts';
import { type Plan, planHit } from './lib/hit.ts';
import { spikePair } from './lib/spike.ts';

const ANCHORS = [2, -2.5, 2.5, 2, 2.5, 3.5] as const;
const ABOVE = 2; // m, the ball over drone 0 at the start
const TARGET = [-4.5, 0] as const;
const RADIUS = 1; // m
const BOARD = { radius: 0.5, height: 0.3, z: 0.8, speed: 8 } as const; // m, m/s

const HORIZON = 800;

const config = z.strictObject({
  difficulty: z.enum(['easy', 'hard']).default('easy').meta({
    title: 'other side',
    description: 'A target on the floor, or a defender that runs to the ball.',
    source: 'VolleyBots',
  }),
  ...drillShape(HORIZON),
});
type Config = z.infer<typeof config>;

function game(c: Config): Game {
  const hard = c.difficulty === 'hard';
  return {
    drones: 2,
    ball: true,
    sideOf: () => 1,
    labels: [
      ...[...OWN_LABELS, ...vector('off anchor'), ...vector('from ball'), ...vector('ball speed'), ...vector('to mate')],
      ...[...vector(hard ? 'to defender' : 'to target'), 'setter’s turn', 'hitter’s turn', 'no turn'],
    ],
    fields: [
      { name: 'defender', type: 'f64', shape: [3], unit: 'm', doc: 'middle of the board of the defender; where the target is without one' },
      { name: 'stage', type: 'u32', shape: [], doc: 'right hits: 0, 1, 2' },
      { name: 'passed', type: 'u32', shape: [], doc: '1 once the ball was over the net' },
    ],
    names: ['setter', 'hitter'],
    colourOf: (k) => k,
    parts: [
      hard
        ? { name: 'defender', shape: 'cylinder', size: [BOARD.radius, BOARD.height], colour: 'hazard' }
        : { name: 'target', shape: 'sphere', size: [0.2], colour: 'goal', model: 'target' },
    ],
    fixtures: [DRILL_COURT],
    bounds: [-LENGTH / 2, -WIDTH / 2, 0, 5, WIDTH / 2, 5],
    extra: ['hits'],
    bind(hall) {
      const { floats, words, rows } = hall;
      const DEFENDER = rows.offset('defender');
      const [STAGE, PASSED] = [rows.offset('stage'), rows.offset('passed')];
      const plan: Plan = { time: 0, x: 0, y: 0, z: 0 };
      /** Moves the board; true if it is under the ball when that comes down. */
      const defend = (row: number, b: number): boolean => {
        const d = row * rows.floatStride + DEFENDER;
        if (words[row * rows.wordStride + STAGE] !== 2) return false;
        planHit(floats, b, BOARD.z, c.gravity, plan);
        const dx = Math.min(-0.6, plan.x) - floats[d]!;
        const dy = plan.y - floats[d + 1]!;
        const far = Math.sqrt(dx * dx + dy * dy);
        const step = Math.min(far, BOARD.speed * c.dt);
        if (far > 0) {
          floats[d] = floats[d]! + (dx / far) * step;
          floats[d + 1] = floats[d + 1]! + (dy / far) * step;
        }
        const flat = Math.sqrt((floats[b]! - floats[d]!) ** 2 + (floats[b + 1]! - floats[d + 1]!) ** 2);
        return flat < BOARD.radius && Math.abs(floats[b + 2]! - BOARD.z) < BOARD.height / 2 + 0.1;
      };
      return {
        start(row) {
          for (let k = 0; k < 2; k++) hall.put(row, k, ANCHORS[3 * k]!, ANCHORS[3 * k + 1]!, ANCHORS[3 * k + 2]!, 0);
          const s = hall.at(row, 0);
          hall.putBall(row, floats[s]!, floats[s + 1]!, floats[s + 2]! + ABOVE);
          const d = row * rows.floatStride + DEFENDER;
          floats[d] = TARGET[0];
          floats[d + 1] = TARGET[1];
          floats[d + 2] = hard ? BOARD.z : 0;
        },
        judge(row, touches, rewards) {
          const w = row * rows.wordStride;
          const b = hall.ballAt(row);
          let reward = 0;
          let away = 0;
          let over = false;
          const z = floats[b + 2]!;
          let fault = z > 16 || inNet(floats, b);
          for (let k = 0; k < 2; k++) {
            const s = hall.at(row, k);
            if (touches[k] === BY_BODY || (touches[k] === BY_RACKET && k !== words[w + STAGE])) fault = true;
            else if (touches[k] === BY_RACKET) {
              words[w + STAGE] = k + 1;
              reward += 5;
              const vz = floats[b + 5]!;
              if (k === 1) reward += (vz < 0 ? 5 : 0) + 0.2 * Math.max(0, 5 - vz);
            }
            if (floats[s + 2]! < (hard ? 0.4 : 0.2) || floats[s]! < 0) fault = true;
            let square = 0;
            for (let i = 0; i < 3; i++) square += (floats[s + i]! - ANCHORS[3 * k + i]!) ** 2;
            away += Math.max(0, Math.sqrt(square) - 0.5) / 2;
          }
          const beyond = floats[b]! < 0;
          if (words[w + STAGE] === 2 && beyond && words[w + PASSED] === 0) {
            words[w + PASSED] = 1;
            reward += 5;
          }
          if (hard && defend(row, b)) over = true;
          if (z < 0.2 && !over) {
            if (words[w + PASSED] === 1 && !out(floats, b)) {
              const dx = floats[b]! - TARGET[0];
              const dy = floats[b + 1]! - TARGET[1];
              const distance = Math.sqrt(dx * dx + dy * dy);
              reward += (hard || distance < RADIUS ? 5 : 0) + 0.2 * Math.max(0, 10 - distance);
              over = true;
            } else fault = true;
          }
          rewards.fill(reward - 0.05 * away - (fault ? FAULT : 0));
          return fault || over ? 1 : 0;
        },
        observe(row, k, o32, o) {
          const d = row * rows.floatStride + DEFENDER;
          const stage = words[row * rows.wordStride + STAGE]!;
          writeDrill(hall, row, k, ANCHORS, 3 * k, o32, o);
          writeBetween(floats, hall.at(row, 1 - k), hall.at(row, k), 1, o32, o + OWN + 9);
          writeBetween(floats, d, hall.at(row, k), 1, o32, o + OWN + 12);
          for (let i = 0; i < 3; i++) o32[o + OWN + 15 + i] = i === stage ? 1 : 0;
        },
        frame(row, o32, at) {
          const d = row * rows.floatStride + DEFENDER;
          putAt(o32, at, floats[d]!, floats[d + 1]!, floats[d + 2]!);
        },
        extra(row, o32, at) {
          o32[at] = words[row * rows.wordStride + STAGE]!;
        },
      };
    },
  };
}

export const volleySetAndSpike = defineHall<Config>({
  id: 'volley-set-and-spike',
  title: 'Set and spike',
  summary: 'One racket drone sets the ball, the other one plays it over the net.',
  config,
  recommended: ASKED,
  learnNote:
    'Learned from the answers of the script, which is given the flight of the ball. By reward alone two drones do not learn to set and spike: IPPO is hardly above random play in half a million steps, PPO on normalised observations and rewards comes 9 % of the way in two million (one seed).',
  presets: [
    { id: 'easy', title: 'onto a target', config: {} },
    { id: 'hard', title: 'past a defender', config: { difficulty: 'hard' } },
  ],
  game,
  maxSteps: (c) => c.maxSteps,
  score: () => 'shared',
  references: (c) =>
    !isStandardDrill(c, HORIZON)
      ? []
      : c.difficulty === 'easy'
        ? [
            { name: 'random', value: -8.5, source: 'uniform commands, 100 episodes here' },
            { name: 'spike', value: 27.3, source: 'policy "spike": down and onto the target, 60 episodes here' },
            { name: 'pair', value: 20.1, source: 'policy "pair": an arc onto the target, 20 episodes here' },
          ]
        : [
            { name: 'random', value: -8.4, source: 'uniform commands, 100 episodes here' },
            { name: 'spike', value: 20.9, source: 'policy "spike": too fast to be returned at best, 60 episodes here' },
            { name: 'pair', value: 13.1, source: 'policy "pair", 20 episodes here' },
          ],
  policies: {
    spike: (c) => spikePair(c, ANCHORS, TARGET),
    // sets high beside the net, then plays an arc onto the target: no spike
    pair: (c) =>
      drillPolicy(c, 2, ANCHORS, (obs, o, k) => {
        if (obs[o + OWN + 15 + k] !== 1) return null;
        return k === 0
          ? { height: 3.045, x: ANCHORS[3], y: ANCHORS[4], apex: 2.434, drop: -1 }
          : { height: 3.703, x: TARGET[0], y: TARGET[1], apex: 0.893, drop: 3.503 };
      }),
  },
});
