export const empty = `// The shortest world: walk to the right.
defineEnv({
  title: 'My world',
  about: 'Say here what the agent has to do.',
  observation: { labels: ['place'], low: 0, high: 1 },
  actions: ['left', 'right'],
  maxSteps: 50,

  reset(settings, random) {
    return { place: random.int(5) };
  },

  step(state, action, settings, random) {
    state.place = Math.max(0, state.place + (action === 1 ? 1 : -1));
    const ended = state.place === 10;
    return { reward: ended ? 1 : 0, ended };
  },

  observe: (state) => [state.place / 10],

  // what is seen: x to the right, y upwards
  view: { x: [-1, 11], y: [-1, 3], side: true },
  draw: (state) => [
    { line: [0, 0, 10, 0], colour: 'grey' },
    { goal: [10, 0.4], radius: 0.4 },
    { ball: [state.place, 0], radius: 0.4, colour: 'blue' },
  ],
});
`;
