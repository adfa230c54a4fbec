export const ownReinforce = `// REINFORCE (Williams 1992) with a small network: actions of good episodes become more likely.
// Returns are compared with the mean of recent ones; each weight moves at most by its step size (Adam).
function forward(memory, seen, units) {
  const input = [...seen, 1];
  const hidden = Array.from({ length: units }, (_, h) =>
    Math.tanh(input.reduce((sum, x, i) => sum + memory.a[h * input.length + i] * x, 0)));
  const scores = Array.from({ length: memory.actions }, (_, k) => hidden.reduce((sum, x, h) => sum + memory.b[k * units + h] * x, 0));
  const top = Math.max(...scores);
  const raised = scores.map((x) => Math.exp(x - top));
  const total = raised.reduce((sum, x) => sum + x, 0);
  return { input, hidden, chances: raised.map((x) => x / total) };
}

defineMethod({
  title: 'My REINFORCE',
  env: 'cartpole',
  sees: 'numbers',
  acts: 'discrete',
  settings: {
    stepSize: { default: 0.01, min: 0.0001, max: 0.1 },
    units: { default: 16, min: 2, max: 64, whole: true, about: 'Of the hidden layer.' },
  },
  metrics: ['return'],

  start({ numbers, actions, gamma }, { units }, random) {
    const weights = (n, scale) => Float64Array.from({ length: n }, () => random.normal(0, scale));
    const net = { a: weights(units * (numbers + 1), 0.5), b: weights(actions * units, 0.1) };
    const zeros = (n) => ({ a: new Float64Array(net.a.length), b: new Float64Array(net.b.length) });
    return { ...net, gamma, actions, mean: zeros(), square: zeros(), updates: 0, usual: 0, spread: 1, episode: [] };
  },

  act(memory, seen, { units }, random) {
    let left = random.uniform();
    const { chances } = forward(memory, seen, units);
    return Math.min(chances.length - 1, chances.findIndex((p) => (left -= p) < 0) + (left >= 0 ? chances.length : 0));
  },

  best(memory, seen, { units }) {
    const { chances } = forward(memory, seen, units);
    return chances.indexOf(Math.max(...chances));
  },

  learn(memory, { seen, action, reward, ended, cut }, { stepSize, units }) {
    memory.episode.push({ seen: [...seen], action, reward });
    if (!ended && !cut) return;
    const slope = { a: new Float64Array(memory.a.length), b: new Float64Array(memory.b.length) };
    let later = 0;
    for (const step of memory.episode.reverse()) {
      later = step.reward + memory.gamma * later;
      const worth = (later - memory.usual) / memory.spread;
      const { input, hidden, chances } = forward(memory, step.seen, units);
      const push = chances.map((p, k) => worth * ((k === step.action ? 1 : 0) - p));
      hidden.forEach((x, h) => {
        const back = push.reduce((sum, d, k) => sum + d * memory.b[k * units + h], 0) * (1 - x * x);
        push.forEach((d, k) => (slope.b[k * units + h] += d * x));
        input.forEach((y, i) => (slope.a[h * input.length + i] += back * y));
      });
      memory.usual += 0.001 * (later - memory.usual);
      memory.spread += 0.001 * (Math.abs(later - memory.usual) - memory.spread);
    }
    const t = ++memory.updates;
    for (const name of ['a', 'b'])
      slope[name].forEach((g, i) => {
        const m = (memory.mean[name][i] += 0.1 * (g - memory.mean[name][i])) / (1 - Math.pow(0.9, t));
        const v = (memory.square[name][i] += 0.001 * (g * g - memory.square[name][i])) / (1 - Math.pow(0.999, t));
        memory[name][i] += (stepSize * m) / (Math.sqrt(v) + 1e-8);
      });
    const total = memory.episode.reduce((sum, { reward: paid }) => sum + paid, 0);
    memory.episode = [];
    return { return: total };
  },
});
`;
