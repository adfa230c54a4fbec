export const bandit = `// A bandit: slot machines that pay 1 or nothing, each at a rate of its own. Nothing is seen; only what was paid tells them apart.
const RATES = [0.3, 0.5, 0.4, 0.7, 0.6];

defineEnv({
  title: 'Slot machines',
  about: 'Find the machine that pays most often; every pull of another one costs.',
  agent: 'player',
  settings: {
    spread: { default: 1, min: 0, max: 1, about: 'How far the machines differ; 0: all pay alike.' },
  },
  observation: { states: 1 },
  actions: RATES.map((rate, i) => 'machine ' + (i + 1)),
  maxSteps: 50,
  learn: { method: 'ucb1', steps: 5_000, settings: { c: 0.5 } },

  reset: () => ({ pulls: RATES.map(() => 0), wins: RATES.map(() => 0) }),

  step(state, machine, settings, random) {
    const rate = 0.5 + settings.spread * (RATES[machine] - 0.5);
    const paid = random.chance(rate) ? 1 : 0;
    state.pulls[machine] += 1;
    state.wins[machine] += paid;
    return paid;
  },

  observe: () => 0,

  view: { x: [-0.4, 5.2], y: [-0.5, 1.5], side: true },
  // a bar for each machine: what it paid on average in this episode
  draw: (state) =>
    state.pulls.flatMap((pulls, i) => [
      { bar: [i + 0.1, 0], size: [0.6, 1.2], value: pulls === 0 ? 0 : state.wins[i] / pulls, colour: i },
      { text: String(i + 1), at: [i + 0.4, -0.25], size: 0.25 },
    ]),
});
`;
