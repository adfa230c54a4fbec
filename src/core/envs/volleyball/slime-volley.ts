/**
 * Two slimes play volleyball; a ball on the ground of one half is a point for the other side. SlimeVolley-v0.
 * Obs (12) own x, y, vx, vy, ball x, y, vx, vy, opponent x, y, vx, vy, divided by 10, own side positive; the opponent in its own mirror.
 * After a point the observation is the one of the step before, as in the reference. Actions: six (none, forward, forward + jump,
 * jump, backward + jump, backward) or three buttons, on above 0; forward is towards the net. Agent 0 plays on the right; the left one
 * is agent 1, or a built-in player: volleyball/lib/slime/trained.ts, volleyball/lib/slime/scripted.ts; the published one remembers, over episodes as in the reference. Reward 1 per point made, -1 per point lost. Ends when a side has no lives left;
 * truncates at `maxSteps`. Source: `hardmaru/slimevolleygym` at 8ac2243 (Ha 2020).
 */
import { z } from 'zod';
import type { ActionSpace } from '#contract/game/spaces.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { defineEnv } from '../api/define.ts';
import { Draws } from '../api/draws.ts';
import { assemble } from '../api/environment.ts';
import { externData } from '../api/extern.ts';
import { maxStepsField } from '../api/limits.ts';
import { allocateRows, defineState } from '../api/state.ts';
import type { EnvMeta, StateField, StepBuffers } from '../api/types.ts';
import { slimeFrame, slimeLayout } from './lib/slime/frame.ts';
import { buttonsOf, DELAY, FLOATS, GROUND, LEFT, look, play, RIGHT, SEEN, START_X, START_Y, touched, WORDS } from './lib/slime/game.ts';
import { baselineChecks, fromGolden, goldenServes, netOf, toGolden } from './lib/slime/golden.ts';
import { buttonPolicy, OUTPUTS, recurrentButtons, recurrentPolicy, recurrentStep, scriptedButtons } from './lib/slime/scripted.ts';
import { trainedButtons } from './lib/slime/trained.ts';

const BASELINE = 'against the published net, 1000 episodes, slimevolleygym';

const config = z.strictObject({
  opponent: z.enum(['trained', 'scripted', 'published', 'agent']).default('trained').meta({
    title: 'left side',
    description:
      'A network that was trained here, a scripted player that foresees the ball, the published net (its numbers are not part of this project: command line with RL_DATA only), or a second agent (self-play).',
  }),
  actionType: z.enum(['discrete', 'buttons']).default('discrete').meta({
    title: 'actions',
    description: 'Six combinations, or three buttons that are on above 0.',
    source: 'slimevolleygym',
  }),
  maxSteps: maxStepsField(3000, 'SlimeVolley-v0'),
  lives: z.int().min(1).max(100).default(5).meta({ title: 'lives', description: 'Points a side may lose.', source: 'SlimeVolley-v0' }),
  survivalBonus: z.number().min(0).max(1).default(0).meta({
    title: 'survival bonus',
    description: 'Added to the reward of every step; 0.01 in the reference where it is used.',
    source: 'slimevolleygym',
    depth: 'research',
  }),
  gravity: z.number().min(1).max(100).default(29.4).meta({
    title: 'gravity',
    unit: 'units/s²',
    description: 'Pulls players and ball down.',
    source: 'SlimeVolley-v0',
    live: true,
    group: 'physics',
  }),
  playerSpeed: z.number().min(1).max(60).default(17.5).meta({
    title: 'running speed',
    unit: 'units/s',
    description: 'Of both players; the court is 48 wide.',
    source: 'SlimeVolley-v0',
    live: true,
    group: 'physics',
  }),
  jumpSpeed: z.number().min(0).max(40).default(13.5).meta({
    title: 'jumping speed',
    unit: 'units/s',
    description: 'Upwards, when a jump begins.',
    source: 'SlimeVolley-v0',
    live: true,
    group: 'physics',
  }),
  ballSpeedLimit: z.number().min(5).max(60).default(22.5).meta({
    title: 'ball speed limit',
    unit: 'units/s',
    description: 'A faster ball is slowed to this.',
    source: 'SlimeVolley-v0',
    live: true,
    group: 'physics',
  }),
  netHeight: z.number().min(2).max(10).default(3.5).meta({
    title: 'net height',
    unit: 'units',
    description: 'Where its round top is centred; the ground is at 1.5.',
    source: 'SlimeVolley-v0',
    group: 'physics',
  }),
});
type Config = z.infer<typeof config>;

/** Mean returns against the built-in players under the standard settings. */
const MEASURED: { readonly [opponent: string]: readonly (readonly [name: string, value: number])[] } = {
  trained: [
    ['random', -4.37],
    ['scripted', -0.78],
  ],
  scripted: [
    ['random', -4.94],
    ['trained', 0.84],
  ],
};

const fields: readonly StateField[] = [
  { name: 'ball', type: 'f64', shape: [4], doc: 'x, y, vx, vy in units of the game' },
  { name: 'left', type: 'f64', shape: [4], doc: 'x, y, vx, vy of the left player' },
  { name: 'right', type: 'f64', shape: [4], doc: 'x, y, vx, vy of the right player' },
  { name: 'seen', type: 'f64', shape: [12], doc: 'ball, left and right as last observed' },
  { name: 'lives', type: 'u32', shape: [2], doc: 'lives left: left, right' },
  { name: 'delay', type: 'u32', shape: [], doc: 'steps the ball is still held' },
  { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
];
const state = defineState(1, fields, ['seen']);
const remembering = defineState(
  1,
  [...fields, { name: 'memory', type: 'f64', shape: [OUTPUTS], doc: 'last outputs of the left player' }],
  ['seen', 'memory'],
);
const stateOf = (c: Config) => (c.opponent === 'published' ? remembering : state);
/** The file with the published net. */
const PUBLISHED = 'slimevolley_baseline.json';

const ACTION: { readonly [type in Config['actionType']]: ActionSpace } = {
  discrete: { kind: 'discrete', n: 6, labels: ['none', 'forward', 'forward and jump', 'jump', 'backward and jump', 'backward'] },
  buttons: { kind: 'box', size: 3, low: [-1, -1, -1], high: [1, 1, 1], labels: ['forward', 'backward', 'jump'] },
};
/** Buttons of the six actions, as bits. */
const BITS = Int32Array.of(0, 1, 5, 4, 6, 2);

function meta(c: Config): EnvMeta {
  const two = c.opponent === 'agent';
  const agents = two ? 2 : 1;
  const frame = slimeLayout(c.netHeight);
  const labels = [
    'own x',
    'own y',
    'own vx',
    'own vy',
    'ball x',
    'ball y',
    'ball vx',
    'ball vy',
    'other x',
    'other y',
    'other vx',
    'other vy',
  ];
  return {
    id: 'slime-volley',
    version: 1,
    agents: [
      {
        count: agents,
        names: two ? ['right', 'left'] : ['right'],
        obs: { kind: 'box', shape: [12], low: -30, high: 30, labels },
        action: ACTION[c.actionType],
      },
    ],
    agentCount: agents,
    obsSize: 12,
    actionSize: c.actionType === 'buttons' ? 3 : 1,
    actionCount: c.actionType === 'buttons' ? 0 : 6,
    rewards: ['reward'],
    costs: [],
    globalSize: 0,
    masked: false,
    score: two ? [0] : 'mean',
    gamma: 0.99,
    maxSteps: c.maxSteps,
    evalMaxSteps: c.maxSteps,
    state: stateOf(c),
    frame,
    references: [
      ...(MEASURED[c.opponent] ?? []).map(([name, value]) => ({ name, value, source: `against the ${c.opponent} player, 200 games here` })),
      { name: 'upper bound', value: c.lives, source: 'no point lost' },
      { name: 'published PPO', value: 1.377, source: BASELINE },
      { name: 'published random', value: -4.866, source: BASELINE },
    ],
    keys:
      c.actionType === 'discrete'
        ? [[], ['ArrowLeft', 'a'], ['ArrowLeft+ArrowUp', 'a+w'], ['ArrowUp', 'w', ' '], ['ArrowRight+ArrowUp', 'd+w'], ['ArrowRight', 'd']]
        : [],
    idleAction: c.actionType === 'discrete' ? 0 : null,
    fps: 30,
  };
}

const physicsOf = (c: Config) => ({
  gravity: c.gravity,
  speed: c.playerSpeed,
  jump: c.jumpSpeed,
  ballLimit: c.ballSpeedLimit,
  netHeight: c.netHeight,
});

export const slimeVolley = defineEnv<Config>({
  spec: {
    id: 'slime-volley',
    version: 1,
    title: 'Slime volleyball',
    summary: 'A slime learns to keep the ball in the air and to put it down on the other side.',
    source: { title: 'Slime Volleyball Gym Environment', authors: 'Ha', year: 2020, url: 'https://github.com/hardmaru/slimevolleygym' },
    config,
    // as experiments/ppo-slime-volley.ts
    recommended: {
      algo: 'ppo',
      config: {
        envs: 16,
        rolloutSteps: 256,
        minibatches: 32,
        epochs: 10,
        lr: 5e-4,
        entropyCoef: 0,
        clipValue: false,
        valueCoef: 1,
        normaliseObs: true,
      },
      steps: 1_500_000,
    },
    presets: [
      { id: 'standard', title: 'SlimeVolley-v0, against the trained player', config: {} },
      { id: 'scripted', title: 'against the scripted player', config: { opponent: 'scripted' } },
      { id: 'self-play', title: 'two agents', config: { opponent: 'agent' } },
      { id: 'buttons', title: 'three buttons, two agents', config: { opponent: 'agent', actionType: 'buttons' } },
      { id: 'low-gravity', title: 'on the moon', config: { gravity: 5, jumpSpeed: 8 } },
    ],
    meta,
  },
  create(c, batch, options) {
    const m = meta(c);
    let p = physicsOf(c);
    const two = c.opponent === 'agent';
    const A = m.agentCount;
    const rows = allocateRows(stateOf(c), batch);
    const { floats, words, floatStride, wordStride } = rows;
    const net = c.opponent === 'published' ? netOf(externData(PUBLISHED, 'The published player')) : null;
    const draws = new Draws(rows.rng, options?.draws);
    const rings = new Float64Array(batch); // strength of the last touch, for the frame
    const eyes = new Float64Array(12);
    const remember = (b: number) => floats.copyWithin(b + SEEN, b, b + SEEN);
    const serve = (row: number) => {
      const b = row * floatStride;
      floats[b] = 0;
      floats[b + 1] = START_Y;
      floats[b + 2] = -20 + 40 * draws.uniform(row, 'serve vx');
      floats[b + 3] = 10 + 15 * draws.uniform(row, 'serve vy');
      words[row * wordStride + WORDS.delay] = DELAY;
    };
    const buttons = (actions: ArrayLike<number>, slot: number): number =>
      m.actionSize === 3 ? buttonsOf(actions[3 * slot]!, actions[3 * slot + 1]!, actions[3 * slot + 2]!) : BITS[actions[slot]!]!;
    const observe = (row: number, out: StepBuffers) => {
      look(floats, row * floatStride, 1, out.obs, row * A * 12);
      if (two) look(floats, row * floatStride, -1, out.obs, (row * A + 1) * 12);
      if (out.alive) out.alive.fill(1, row * A, (row + 1) * A);
    };
    return assemble(m, batch, rows, {
      start(row) {
        const b = row * floatStride;
        const w = row * wordStride;
        floats.fill(0, b, b + SEEN);
        floats[b + LEFT] = -START_X;
        floats[b + RIGHT] = START_X;
        floats[b + LEFT + 1] = GROUND;
        floats[b + RIGHT + 1] = GROUND;
        words[w + WORDS.livesLeft] = c.lives;
        words[w + WORDS.livesRight] = c.lives;
        words[w + WORDS.steps] = 0;
        serve(row);
        remember(b);
        rings[row] = 0;
      },
      step(actions, out) {
        for (let row = 0; row < batch; row++) {
          const b = row * floatStride;
          const w = row * wordStride;
          let left = 0;
          if (two) left = buttons(actions, row * 2 + 1);
          else {
            look(floats, b, -1, eyes, 0);
            if (net !== null) {
              recurrentStep(net, eyes, 0, floats, b + FLOATS);
              left = recurrentButtons(floats, b + FLOATS);
            } else left = c.opponent === 'trained' ? trainedButtons(eyes, 0) : scriptedButtons(eyes, 0, p);
          }
          const held = words[w + WORDS.delay]! > 0;
          if (held) words[w + WORDS.delay] = words[w + WORDS.delay]! - 1;
          const point = play(floats, b, held, left, buttons(actions, row * A), p);
          rings[row] = touched() === 0 ? 0 : 1;
          if (point === 0) remember(b);
          else {
            const loser = point > 0 ? WORDS.livesLeft : WORDS.livesRight;
            words[w + loser] = words[w + loser]! - 1;
            serve(row);
          }
          out.reward[row * A] = point + c.survivalBonus;
          if (two) out.reward[row * A + 1] = -point + c.survivalBonus;
          const steps = words[w + WORDS.steps]! + 1;
          words[w + WORDS.steps] = steps;
          const over = words[w + WORDS.livesLeft] === 0 || words[w + WORDS.livesRight] === 0;
          out.terminated[row] = over ? 1 : 0;
          out.truncated[row] = !over && steps >= c.maxSteps ? 1 : 0;
          observe(row, out);
        }
      },
      observe,
      loaded(row) {
        rings[row] = 0;
        const b = row * floatStride;
        // a state written by hand need not say what was seen: it is seen now
        if (floats.subarray(b + SEEN, b + FLOATS).every((x) => x === 0)) remember(b);
      },
      configure(next) {
        p = physicsOf(next as Config);
      },
      frame: (row, out) => slimeFrame(floats, row * floatStride, words, row * wordStride, rings[row]!, c.netHeight, out),
    });
  },
  policies: {
    trained: () => buttonPolicy(trainedButtons),
    scripted: (c) => buttonPolicy((obs, at) => scriptedButtons(obs, at, physicsOf(c))),
  },
  golden: {
    // the reference has both players outside and takes buttons
    config: (given: JsonObject) => ({ opponent: 'agent', actionType: 'buttons', ...given }),
    fromJson: (json) => state.fromJSON(fromGolden(json)),
    toJson: (bytes) => toGolden(state.toJSON(bytes)),
    draws: goldenServes,
    extern: (data: JsonObject) => {
      const net = netOf(data);
      return net === null ? {} : { policies: { 'slimevolley-baseline': recurrentPolicy(net) }, checks: baselineChecks(net) };
    },
  },
});
