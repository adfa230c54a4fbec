/** Image networks: does a convolution pay where the picture has ten by ten cells? Suite: single.ts. */
import type { JsonObject } from '#contract/kit/json.ts';
import type { JudgedCard } from '#contract/papers/papers.ts';
import { GYMNAX_BREAKOUT } from '#contract/papers/published.ts';
import { definePaper } from '../define.ts';

/** The preset `minatar` of PPO, in both arms; flat layers in place of the convolution and 128 units. */
const SHARED: JsonObject = { envs: 64, minibatches: 8, lr: 1e-3, activation: 'relu', sharedTrunk: true };

const convolution = definePaper({
  id: 'minatar-convolution',
  title: 'Convolution against flattened planes',
  authors: 'Young and Tian',
  year: 2019,
  link: 'https://arxiv.org/abs/1903.03176',
  question: 'Does PPO with a convolution play MinAtar’s Breakout better after two million steps than with the same planes flattened?',
  idea: 'A filter that has learned what a ball beside a brick looks like knows it in every cell; a dense layer learns each cell by itself.',
  equation: 'h[y,x] = relu(sum_{dy,dx} W[dy,dx] o[y+dy,x+dx])',
  config: {
    v: 1,
    env: { id: 'minatar-breakout', config: GYMNAX_BREAKOUT },
    algo: { id: 'ppo', config: { ...SHARED, filters: 16, hidden: [128] } },
    run: { steps: 2_000_000 },
  },
  arms: [
    { id: 'convolution', title: '16 filters of 3x3, 128 units', trials: 1 },
    { id: 'flat', title: 'flat, 256 and 128 units', trials: 1, differs: { algo: { config: { filters: 0, hidden: [256, 128] } } } },
  ],
  quantity: { title: 'mean greedy return', of: 'evalReturn' },
  // one brick
  contrasts: [{ id: 'a convolution', kind: 'difference', arm: 'convolution', over: 'flat', claim: 'above', size: 1 }],
  scale: { better: 'more', random: 0.47 },
  tunedOn: null,
  noQuick: 'both are near random play in fewer steps',
  longer: { times: 5, why: 'the ten million of the published curves.' },
  scaledDown: 'Two million steps of ten; rules of gymnax: no sticky actions, 1,000 steps at most.',
  dishonest: 'A flat network of fewer weights, or another step size for one of them.',
  next: 'Ten million steps, and games with more kinds of things.',
});

export const images: readonly JudgedCard[] = [convolution];
