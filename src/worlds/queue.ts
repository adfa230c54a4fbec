export const queue = `// A counter with two queues. Serving is certain in one and a gamble in the other.
defineEnv({
  title: 'Two queues',
  about: 'Choose in each step which queue is served, so that few people wait.',
  agent: 'clerk',
  settings: {
    arrivalsLeft: { default: 0.3, min: 0, max: 0.9, about: 'Chance that somebody joins the left queue in a step.' },
    arrivalsRight: { default: 0.3, min: 0, max: 0.9, about: 'Chance that somebody joins the right queue in a step.' },
    speedLeft: { default: 0.9, min: 0.1, max: 1, about: 'Chance that a step of serving is enough on the left.' },
    speedRight: { default: 0.6, min: 0.1, max: 1, about: 'Chance that a step of serving is enough on the right.' },
    patience: { default: 3, min: 1, max: 5, about: 'Cost of one person waiting on the left, where people are in a hurry.' },
  },
  observation: { labels: ['left queue', 'right queue'], low: 0, high: 1 },
  actions: ['left', 'right'],
  maxSteps: 100,
  view: { x: [-1, 11], y: [-1, 4], side: true },

  reset(settings, random) {
    return { left: random.int(4), right: random.int(4), served: 0, last: 0 };
  },

  step(state, action, settings, random) {
    const side = action === 0 ? 'left' : 'right';
    const speed = action === 0 ? settings.speedLeft : settings.speedRight;
    state.last = action;
    if (state[side] > 0 && random.chance(speed)) {
      state[side] -= 1;
      state.served += 1;
    }
    if (random.chance(settings.arrivalsLeft)) state.left = Math.min(10, state.left + 1);
    if (random.chance(settings.arrivalsRight)) state.right = Math.min(10, state.right + 1);
    return -(settings.patience * state.left + state.right) / 10;
  },

  observe: (state) => [state.left / 10, state.right / 10],

  draw(state) {
    const things = [
      { text: 'in a hurry', at: [9, 2.9], size: 0.4 },
      { text: 'with time', at: [9, 0.9], size: 0.4 },
      { box: [-0.4, 1.5], size: [0.4, 3.2], colour: 'grey' },
      { pointer: [0.3, state.last === 0 ? 2.2 : 0.2], radius: 0.2, heading: 0, colour: 'blue' },
      { number: 'served', value: state.served },
    ];
    for (let i = 0; i < state.left; i++) things.push({ ball: [1 + 0.8 * i, 2], radius: 0.3, colour: 'orange' });
    for (let i = 0; i < state.right; i++) things.push({ ball: [1 + 0.8 * i, 0], radius: 0.3, colour: 'green' });
    return things;
  },
});
`;
