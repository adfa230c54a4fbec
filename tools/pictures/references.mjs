/**
 * Scenes whose pixels are pinned (e2e/pictures.spec.ts): one per way of drawing. The clock is fixed: a step of an episode with a fixed
 * seed and a scripted policy, nothing between two frames, no motion of the camera. `npm run pictures -- --references` rewrites
 * e2e/golden/<name>.webp (lossless).
 */
const SIZE = { width: 240, height: 150, quality: 1 };
const USUAL = { seed: 3, policy: 'expert', camera: 'home', turn: [0, 0, 1] };

const scene = (name, env, preset, wish) => ({ name, env, preset, wish: { ...SIZE, ...USUAL, ...wish } });

export const FOLDER = 'e2e/golden';

export const REFERENCES = [
  scene('grid', 'cliff-walking', 'standard', { steps: 6 }),
  scene('minigrid', 'minigrid-doorkey', '8x8', { steps: 7 }),
  scene('map', 'lifelong-mapf', 'warehouse-16-16', { steps: 20 }),
  scene('rack', 'connect-four', 'two-players', { steps: 20 }),
  scene('particles', 'mpe-simple-spread', '3-agents', { steps: 5, camera: 'top' }),
  scene('swarm', 'boids', 'standard', { steps: 24 }),
  scene('drones', 'drone-multi-hover', '2-drones', { steps: 12, turn: [0.3, 0.1, 0.6] }),
  scene('volleyball', 'volley-set-and-spike', 'easy', { steps: 60 }),
  scene('cartpole', 'cartpole', 'standard', { steps: 9, policy: 'random', seed: 5 }),
  scene('matrix', 'matrix-games', 'prisoners-dilemma', { steps: 3, policy: 'random' }),
  scene('network', 'population-dilemma', 'pairs', { steps: 31, seed: 5 }),
];
