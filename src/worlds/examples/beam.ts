export const beam = `// A ball rolls on a beam that you tilt: keep it at the mark. The action is a number.
defineEnv({
  title: 'Ball on a beam',
  about: 'Tilt the beam so that the ball comes to rest at the mark.',
  agent: 'hand',
  settings: {
    gravity: { default: 5, min: 1, max: 10, unit: 'm/s²' },
    friction: { default: 0.3, min: 0, max: 2, unit: '1/s' },
    shake: { default: 0.05, min: 0, max: 0.5, about: 'Random pushes.' },
  },
  observation: { labels: ['place', 'speed', 'mark', 'tilt'], low: -3, high: 3 },
  actions: { labels: ['tilt'], low: -1, high: 1 },
  maxSteps: 120,
  fps: 15,
  view: { x: [-3, 3], y: [-1.5, 2], side: true },

  reset: (settings, random) => ({ place: random.uniform(-1.5, 1.5), speed: 0, mark: random.uniform(-1, 1), tilt: 0 }),

  step(state, action, settings, random) {
    const dt = 0.05;
    state.tilt += 0.5 * (0.4 * action - state.tilt); // the hand takes a moment
    const push = -settings.gravity * Math.sin(state.tilt) - settings.friction * state.speed + random.normal(0, settings.shake) / dt;
    state.speed = Math.max(-3, Math.min(3, state.speed + dt * push));
    state.place += dt * state.speed;
    if (Math.abs(state.place) > 2) return { reward: -5, ended: true }; // it rolled off
    const off = state.place - state.mark;
    return { reward: 0.1 - 0.1 * Math.min(1, Math.abs(off)) - 0.01 * Math.abs(state.speed), ended: false };
  },

  observe: (state) => [state.place, state.speed, state.mark, state.tilt].map((x) => Math.max(-3, Math.min(3, x))),

  draw(state) {
    const [c, s] = [Math.cos(state.tilt), Math.sin(state.tilt)];
    const at = (along, above) => [along * c - above * s, along * s + above * c];
    const [mx, my] = at(state.mark, -0.12);
    const [bx, by] = at(state.place, 0.2);
    return [
      { line: [-2 * c, -2 * s, 2 * c, 2 * s], colour: 'grey' },
      { box: [0, -0.75], size: [0.3, 1.4], colour: 'grey' },
      { ball: [mx, my], radius: 0.08, colour: 'green' },
      { ball: [bx, by], radius: 0.2, colour: 'orange' },
    ];
  },
});
`;
