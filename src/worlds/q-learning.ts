export const ownQLearning = `// Q-learning (Watkins 1989): a table of how good each action is in each state.
defineMethod({
  title: 'My Q-learning',
  env: 'cliff-walking',
  sees: 'states',
  acts: 'discrete',
  settings: {
    stepSize: { default: 0.5, min: 0.01, max: 1 },
    explore: { default: 0.1, min: 0, max: 1, about: 'Share of random actions.' },
    discount: { default: 1, min: 0, max: 1 },
  },
  metrics: ['error'],

  start: (task) => ({ actions: task.actions, q: new Float64Array(task.states * task.actions) }),

  act(memory, state, settings, random) {
    return random.chance(settings.explore) ? random.int(memory.actions) : this.best(memory, state);
  },

  best(memory, state) {
    const values = this.values(memory, state);
    return values.indexOf(Math.max(...values));
  },

  values: ({ q, actions }, state) => [...q.slice(state * actions, (state + 1) * actions)],

  learn(memory, { seen, action, reward, next, ended }, settings) {
    const later = ended ? 0 : Math.max(...this.values(memory, next));
    const error = reward + settings.discount * later - memory.q[seen * memory.actions + action];
    memory.q[seen * memory.actions + action] += settings.stepSize * error;
    return { error: Math.abs(error) };
  },
});
`;
