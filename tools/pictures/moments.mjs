/**
 * Where the usual moment is not the one to show: by environment, or by environment/preset; a * stands for any letters, later lines
 * win. Fields as in tools/pictures.mjs, USUAL.
 */
const MOMENTS = {
  'drone-*': { steps: 40, turn: [0, 0, 0.66] },
  'drone-gates': { steps: 60, turn: [0, 0, 0.86] },
  'drone-track': { steps: 90, turn: [0, 0, 0.74] },
  'drone-volleyball': { steps: 60, turn: [0, 0, 0.9] },
  'drone-free-flight': { steps: 12, turn: [0, 0, 0.6] },
  'volley-*': { steps: 60, turn: [0, 0, 0.8] },
  'volley-set-and-spike': { steps: 103, turn: [0, 0, 0.8] },
  'slime-volley': { steps: 34, turn: [0, 0, 0.86] },
  'mpe-*': { steps: 14, turn: [0, 0, 0.84] },
  'vmas-*': { steps: 40, turn: [0, 0, 0.84] },
  'building-energy': { steps: 44 },
  'population-dilemma/alarm': { steps: 160 },
  'population-dilemma/pairs': { steps: 31, seed: 5 },
  cartpole: { steps: 9, policy: 'random', seed: 5 },
  'bsuite-cartpole': { steps: 9, policy: 'random', seed: 5 },
  acrobot: { steps: 62 },
  pendulum: { steps: 26 },
  'mountain-car*': { steps: 78 },
  'mujoco-*': { steps: 12, turn: [0, 0, 0.72] },
  'mujoco-inverted*': { steps: 4, turn: [0, 0, 0.86] },
  'mujoco-humanoid-standup': { steps: 120, turn: [0, 0, 0.72] },
  'mujoco-reacher': { steps: 12 },
  'mujoco-table-*': { steps: 11 },
  'mujoco-table-reach': { steps: 1 },
  'mujoco-pusher': { steps: 40, turn: [0, 0.1, 0.92] },
  snake: { steps: 90 },
  'snake/12x12': { steps: 260 },
  'tic-tac-toe': { steps: 6 },
  'connect-four': { steps: 20 },
  'minatar-*': { steps: 60 },
  'minigrid-*': { steps: 7 },
  'babyai-*': { steps: 7 },
  't-house': { steps: 3 },
  't-house/door-key': { steps: 7 },
  't-house/words': { steps: 9 },
  't-house/letters': { steps: 5 },
  't-talk': { steps: 1 },
  't-talk/one-shot': { steps: 0 },
  't-talk/customer': { steps: 2 },
  't-talk/static': { steps: 0 },
  't-talk/twenty': { steps: 6 },
  't-talk/wavering': { steps: 4 },
  'minatar-asterix': { steps: 90, seed: 4 },
  'memory-chain': { steps: 4 },
  'umbrella-chain': { steps: 5 },
  'discounting-chain': { steps: 30 },
  'gridworld-memory': { steps: 3 },
  'cliff-walking': { steps: 6 },
  'frozen-lake': { steps: 4 },
  'off-switch': { steps: 2 },
  coverage: { steps: 7 },
  'task-choice': { steps: 5, policy: 'equal gaps', seed: 2, turn: [0, 0, 0.92] },
  'task-choice/cart-mass': { steps: 5, policy: 'equal gaps', seed: 1, turn: [0, 0, 0.92] },
  overcooked: { steps: 62 },
};

const matches = (pattern, name) => new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(name);

export function momentOf(env, preset) {
  return Object.assign(
    {},
    ...Object.entries(MOMENTS).map(([pattern, moment]) => (matches(pattern, env) || matches(pattern, `${env}/${preset}`) ? moment : {})),
  );
}
