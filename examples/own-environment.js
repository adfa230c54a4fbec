// An environment of one's own in the simple form, checked, then trained on. Run: node own-environment.js
import { train } from 'rl-workbench';
import { ppo } from 'rl-workbench/algos/ppo';
import { defineEnv } from 'rl-workbench/own-env';
import { checkEnv } from 'rl-workbench/testing';

const pier = defineEnv({
  id: 'pier',
  title: 'Pier',
  about: 'Walk to the end of the pier while gusts push you back.',
  settings: { length: { default: 8, min: 3, max: 50, whole: true }, wind: { default: 0.2, min: 0, max: 0.9 } },
  observation: { labels: ['place'], low: 0, high: 1 },
  actions: ['back', 'stay', 'on'],
  maxSteps: 50,
  reset: () => ({ place: 2 }),
  step(state, action, { length, wind }, random) {
    state.place += action - 1;
    if (state.place > 0 && state.place < length && random.chance(wind)) state.place -= 1;
    if (state.place <= 0) return { reward: -1, ended: true };
    return state.place >= length ? { reward: 1, ended: true } : 0;
  },
  observe: (state, { length }) => [state.place / length],
  view: ({ length }) => ({ cells: [length + 1, 1] }),
  draw: (state, { length }) => [{ cell: [length, 0], look: 'goal' }, { agent: [state.place, 0] }],
});

// Throws in words where training would fail or could not be repeated.
for (const { verdict, title, words } of await checkEnv(pier)) console.log(`${verdict}: ${title}. ${words}`);

for await (const { result } of train({ env: pier, algo: ppo, envConfig: { wind: 0.3 }, steps: 20_000 }))
  if (result !== null) console.log('greedy return', result.evalReturn);
