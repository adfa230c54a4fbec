export const chase = `// A chase of two teams: hunters catch runners, and both learn. What is for one agent only is asked with its number.
const MOVES = [[-1, 0], [1, 0], [0, -1], [0, 1], [0, 0]];

defineEnv({
  title: 'Chase of two teams',
  about: 'Hunters catch every runner; runners keep away for as long as they can.',
  settings: {
    size: { default: 7, min: 4, max: 12, whole: true, unit: 'cells', about: 'Side of the square.' },
    hunters: { default: 2, min: 1, max: 4, whole: true, about: 'They are paid together for each catch.' },
    runners: { default: 2, min: 1, max: 4, whole: true, about: 'Each is out once it is caught.' },
    stumble: { default: 0.3, min: 0, max: 1, about: 'Chance that a runner stays where it is.' },
  },
  // agents are numbered: the hunters first, then the runners
  agents: (settings) => [
    { name: 'hunter', count: settings.hunters },
    { name: 'runner', count: settings.runners },
  ],
  // where I am, and the way to each agent: 0, 0 to one that was caught
  observation: (settings) => ({
    labels: ['x', 'y', ...Array.from({ length: settings.hunters + settings.runners }, (_, i) => ['to ' + i + ', x', 'to ' + i + ', y']).flat()],
    low: -1,
    high: 1,
  }),
  actions: ['left', 'right', 'up', 'down', 'stay'],
  maxSteps: 50,
  score: 'hunter', // its mean return is the curve
  learn: { method: 'ippo', steps: 200_000, settings: { lr: 0.001 } },
  view: (settings) => ({ cells: [settings.size, settings.size] }),

  reset(settings, random) {
    const count = settings.hunters + settings.runners;
    const cells = random.shuffle(Array.from({ length: settings.size * settings.size }, (_, i) => i));
    return {
      x: cells.slice(0, count).map((cell) => cell % settings.size),
      y: cells.slice(0, count).map((cell) => Math.floor(cell / settings.size)),
      out: new Array(count).fill(false),
    };
  },

  // a list of actions, one for each agent; the reward is a list, too
  step(state, actions, settings, random) {
    const last = settings.size - 1;
    actions.forEach((action, i) => {
      if (state.out[i] || (i >= settings.hunters && random.chance(settings.stumble))) return;
      state.x[i] = Math.min(last, Math.max(0, state.x[i] + MOVES[action][0]));
      state.y[i] = Math.min(last, Math.max(0, state.y[i] + MOVES[action][1]));
    });
    const reward = actions.map((_, i) => (i < settings.hunters ? -0.02 : 0.02)); // time is with the runners
    for (let r = settings.hunters; r < actions.length; r++) {
      let caught = false;
      for (let h = 0; h < settings.hunters; h++) caught ||= state.x[h] === state.x[r] && state.y[h] === state.y[r];
      if (state.out[r] || !caught) continue;
      state.out[r] = true;
      reward[r] = -1;
      for (let h = 0; h < settings.hunters; h++) reward[h] += 1; // a team: all hunters are paid
    }
    return { reward, ended: state.out.slice(settings.hunters).every((out) => out) };
  },

  observe(state, settings, agent) {
    const way = (list, i) => (state.out[i] ? 0 : (list[i] - list[agent]) / settings.size);
    return [state.x[agent] / settings.size, state.y[agent] / settings.size, ...state.x.flatMap((_, i) => [way(state.x, i), way(state.y, i)])];
  },

  alive: (state, settings, agent) => !state.out[agent],

  draw: (state, settings) =>
    state.x.map((x, i) => ({ agent: [x, state.y[i]], colour: i < settings.hunters ? 'orange' : 'blue', alive: !state.out[i] })),
});
`;
