export const cartpole = `// A cart with a pole on a hinge: push left or right so that the pole stays up.
// The same physics as CartPole of the catalogue, to the last bit.
defineEnv({
  title: 'My CartPole',
  about: 'Keep the pole upright by pushing the cart.',
  agent: 'cart',
  settings: {
    gravity: { default: 9.8, min: 0, max: 30, unit: 'm/s2' },
    force: { default: 10, min: 1, max: 50, unit: 'N' },
    halfLength: { default: 0.5, min: 0.1, max: 3, unit: 'm', title: 'half length of the pole' },
  },
  observation: ['x', 'x speed', 'angle', 'angular speed'],
  actions: ['left', 'right'],
  maxSteps: 500,
  fps: 30,
  view: { x: [-2.6, 2.6], y: [-0.4, 1.6], side: true },

  reset(settings, random) {
    return {
      x: random.uniform(-0.05, 0.05),
      v: random.uniform(-0.05, 0.05),
      angle: random.uniform(-0.05, 0.05),
      turn: random.uniform(-0.05, 0.05),
    };
  },

  step(state, action, settings) {
    const { gravity, halfLength } = settings;
    const perMass = 1 / (1 + 0.1); // cart and pole, kg
    const force = action === 1 ? settings.force : -settings.force;
    const cos = Math.cos(state.angle);
    const sin = Math.sin(state.angle);
    const push = (force + 0.1 * halfLength * state.turn * state.turn * sin) * perMass;
    const angular = (gravity * sin - cos * push) / (halfLength * (4 / 3 - 0.1 * perMass * cos * cos));
    const linear = push - 0.1 * halfLength * perMass * angular * cos;
    state.x += 0.02 * state.v;
    state.v += 0.02 * linear;
    state.angle += 0.02 * state.turn;
    state.turn += 0.02 * angular;
    return { reward: 1, ended: Math.abs(state.x) > 2.4 || Math.abs(state.angle) > (12 * 2 * Math.PI) / 360 }; // 12 degrees
  },

  observe: (state) => [state.x, state.v, state.angle, state.turn],

  draw(state, settings) {
    const length = 2 * settings.halfLength;
    return [
      { line: [-2.4, 0, 2.4, 0], colour: 'grey' },
      { box: [state.x, 0.12], size: [0.5, 0.24], colour: 'blue' },
      { line: [state.x, 0.24, state.x + length * Math.sin(state.angle), 0.24 + length * Math.cos(state.angle)], colour: 'orange' },
    ];
  },
});
`;
