export const landing = `// A capsule falls. Its engine slows it down, but there is little fuel: land softly.
defineEnv({
  title: 'Soft landing',
  about: 'Fire the engine at the right moments, so that the capsule touches down slowly.',
  agent: 'capsule',
  settings: {
    gravity: { default: 1.6, min: 0.5, max: 4, unit: 'm/s²' },
    thrust: { default: 4, min: 2, max: 8, unit: 'm/s²' },
    fuel: { default: 40, min: 10, max: 80, whole: true, unit: 'steps' },
    softest: { default: 1.5, min: 0.5, max: 4, unit: 'm/s', about: 'What is faster is a crash.' },
  },
  observation: { labels: ['height', 'speed', 'fuel'], low: -2, high: 2 },
  actions: ['fall', 'fire'],
  maxSteps: 200,
  fps: 12,
  view: { x: [-8, 8], y: [-1, 22], side: true },

  reset: (settings, random) => ({ height: random.uniform(14, 20), speed: random.uniform(-1, 1), fuel: settings.fuel, fires: false }),

  step(state, action, settings) {
    const dt = 0.1;
    state.fires = action === 1 && state.fuel > 0;
    if (state.fires) state.fuel -= 1;
    state.speed += dt * ((state.fires ? settings.thrust : 0) - settings.gravity);
    state.height += dt * state.speed;
    if (state.height > 22) return { reward: -1, ended: true }; // it flew away
    if (state.height > 0) return { reward: 0, ended: false };
    const impact = Math.abs(state.speed);
    state.height = 0;
    const soft = impact <= settings.softest;
    // softer is better, and a crash is worse the faster it is
    return { reward: soft ? 1 + state.fuel / 100 : -Math.min(1, impact / 8), ended: true };
  },

  observe: (state, settings) => [state.height / 15, state.speed / 5, state.fuel / settings.fuel].map((x) => Math.max(-2, Math.min(2, x))),

  draw(state, settings) {
    const { height } = state;
    const things = [
      { box: [0, -0.5], size: [16, 0.6], colour: 'grey' },
      { box: [0, height + 0.6], size: [1.4, 1.2], colour: 'blue' },
      { arrow: [2, height + 0.6, 2, height + 0.6 + state.speed], colour: 'orange' },
      { bar: [-7, 1], size: [0.8, 8], value: state.fuel / settings.fuel, colour: 'green' },
      { number: 'speed', value: state.speed },
    ];
    if (state.fires) things.push({ ball: [0, height - 0.5], radius: 0.5, colour: 'orange' });
    return things;
  },
});
`;
