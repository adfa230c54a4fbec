export const ferry = `// A ferry crosses a river that carries it along: steer against the current and reach the landing place.
defineEnv({
  title: 'Ferry',
  about: 'Cross the river and reach the landing place on the other side, whatever the current does.',
  agent: 'ferry',
  settings: {
    current: { default: 0.6, min: 0, max: 1.2, unit: 'm/s', about: 'In the middle of the river, where it is fastest.' },
    gusts: { default: 0.2, min: 0, max: 1, unit: 'm/s' },
    speed: { default: 1, min: 0.5, max: 2, unit: 'm/s' },
    width: { default: 8, min: 4, max: 9, unit: 'm' },
  },
  observation: { labels: ['way across', 'way along', 'current here'], low: -2, high: 2 },
  actions: ['ahead', 'left', 'right', 'half left', 'half right'],
  maxSteps: 60,
  fps: 8,
  view: (settings) => ({ x: [-8, 8], y: [-1, settings.width + 1.6] }),

  reset: (settings, random) => ({ x: random.uniform(-4, 4), y: 0, goal: random.uniform(-4, 4), heading: Math.PI / 2 }),

  step(state, action, settings, random) {
    const dt = 0.4;
    state.heading = Math.PI / 2 + [0, 1.3, -1.3, 0.6, -0.6][action];
    const part = state.y / settings.width;
    const flow = 4 * settings.current * part * (1 - part) + random.normal(0, settings.gusts);
    const before = Math.hypot(state.goal - state.x, settings.width - state.y);
    state.x = Math.max(-8, Math.min(8, state.x + dt * (settings.speed * Math.cos(state.heading) + flow)));
    state.y += dt * settings.speed * Math.sin(state.heading);
    const after = Math.hypot(state.goal - state.x, settings.width - state.y);
    const closer = 0.1 * (before - after);
    if (state.y < settings.width) return { reward: closer - 0.01, ended: false };
    return { reward: closer + Math.max(0, 1 - Math.abs(state.goal - state.x)), ended: true };
  },

  observe(state, settings) {
    const part = state.y / settings.width;
    const seen = [1 - part, (state.goal - state.x) / 4, 4 * settings.current * part * (1 - part)];
    return seen.map((x) => Math.max(-2, Math.min(2, x)));
  },

  draw: (state, settings) => [
    { box: [0, settings.width + 1.2], size: [16, 0.8], colour: 'green' },
    { box: [0, -0.6], size: [16, 0.8], colour: 'green' },
    { goal: [state.goal, settings.width], radius: 0.8 },
    { arrow: [-6, settings.width / 2, -6 + 2 * settings.current, settings.width / 2], colour: 'blue' },
    { pointer: [state.x, state.y], radius: 0.4, heading: state.heading, colour: 'orange' },
  ],
});
`;
