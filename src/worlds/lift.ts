export const lift = `// One lift in a house. People wait on its floors and want to go to the ground floor.
defineEnv({
  title: 'Lift',
  about: 'Fetch the people who wait and bring them to the ground floor.',
  agent: 'lift',
  settings: {
    floors: { default: 5, min: 3, max: 9, whole: true },
    room: { default: 3, min: 1, max: 6, whole: true, about: 'How many people fit into the lift.' },
    arrivals: { default: 0.12, min: 0, max: 0.5, about: 'Chance that somebody comes in a step.' },
  },
  observation: (settings) => ({
    labels: ['floor', 'inside', ...Array.from({ length: settings.floors - 1 }, (_, i) => 'waiting on ' + (i + 1))],
    low: 0,
    high: 1,
  }),
  actions: ['down', 'stay', 'up'],
  maxSteps: 120,
  view: (settings) => ({ x: [-1, 5], y: [-0.5, settings.floors + 0.2], side: true }),

  reset(settings) {
    return { floor: 0, inside: 0, waiting: new Array(settings.floors).fill(0), served: 0 };
  },

  step(state, action, settings, random) {
    state.floor = Math.min(settings.floors - 1, Math.max(0, state.floor + action - 1));
    let reward = 0;
    if (state.floor === 0) {
      reward += state.inside; // everybody inside has arrived
      state.served += state.inside;
      state.inside = 0;
    } else {
      const enter = Math.min(settings.room - state.inside, state.waiting[state.floor]);
      state.waiting[state.floor] -= enter;
      state.inside += enter;
    }
    if (random.chance(settings.arrivals)) {
      const floor = 1 + random.int(settings.floors - 1);
      state.waiting[floor] = Math.min(5, state.waiting[floor] + 1);
    }
    const people = state.inside + state.waiting.reduce((sum, n) => sum + n, 0);
    return reward - 0.02 * people; // waiting costs a little
  },

  observe(state, settings) {
    return [state.floor / (settings.floors - 1), state.inside / settings.room, ...state.waiting.slice(1).map((n) => n / 5)];
  },

  draw(state, settings) {
    const things = [{ box: [0, state.floor + 0.4], size: [0.9, 0.8], colour: 'blue' }];
    for (let floor = 0; floor < settings.floors; floor++) {
      things.push({ line: [-0.6, floor, 4.6, floor], colour: 'grey' });
      for (let i = 0; i < state.waiting[floor]; i++) things.push({ ball: [1.1 + 0.6 * i, floor + 0.25], radius: 0.2, colour: 'orange' });
    }
    for (let i = 0; i < state.inside; i++) {
      things.push({ ball: [-0.28 + 0.28 * (i % 3), state.floor + 0.25 + 0.3 * Math.floor(i / 3)], radius: 0.12, colour: 'yellow' });
    }
    things.push({ number: 'served', value: state.served });
    return things;
  },
});
`;
