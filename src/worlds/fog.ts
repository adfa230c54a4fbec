export const fog = `// A chase in fog: the one who flees is seen only when near, and remembered where it was last seen.
const clamp = (x) => Math.min(1, Math.max(-1, x));

defineEnv({
  title: 'Chase in fog',
  about: 'Catch the one who flees; beyond the range of sight only its last place is known.',
  agent: 'hunter',
  settings: {
    sight: { default: 0.7, min: 0.1, max: 3, about: 'How far the hunter sees.' },
    preySpeed: { default: 0.05, min: 0, max: 0.12, about: 'Way of the prey in a step.' },
    hunterSpeed: { default: 0.09, min: 0.02, max: 0.2, about: 'Way of the hunter in a step.' },
  },
  observation: { labels: ['x', 'y', 'way to the prey, x', 'way to the prey, y', 'seen'], low: -2, high: 2 },
  actions: ['left', 'right', 'up', 'down'],
  maxSteps: 100,
  view: { x: [-1.15, 1.15], y: [-1.15, 1.15] },

  reset(settings, random) {
    const state = { x: 0, y: 0, px: random.uniform(-1, 1), py: random.uniform(-1, 1), lastX: 0, lastY: 0, seen: false, heading: random.uniform(0, 6.28) };
    state.seen = Math.hypot(state.px, state.py) < settings.sight;
    if (state.seen) [state.lastX, state.lastY] = [state.px, state.py];
    return state;
  },

  step(state, action, settings, random) {
    const way = settings.hunterSpeed;
    if (action < 2) state.x = clamp(state.x + (action === 0 ? -way : way));
    else state.y = clamp(state.y + (action === 2 ? way : -way));
    state.heading += random.normal(0, 0.4); // the prey wanders
    state.px = clamp(state.px + settings.preySpeed * Math.cos(state.heading));
    state.py = clamp(state.py + settings.preySpeed * Math.sin(state.heading));
    if (Math.abs(state.px) === 1 || Math.abs(state.py) === 1) state.heading += 2; // and turns at the walls
    const distance = Math.hypot(state.px - state.x, state.py - state.y);
    state.seen = distance < settings.sight;
    if (state.seen) [state.lastX, state.lastY] = [state.px, state.py];
    const caught = distance < 0.12;
    return { reward: caught ? 1 : -0.01, ended: caught };
  },

  observe: (state) => [state.x, state.y, state.lastX - state.x, state.lastY - state.y, state.seen ? 1 : 0],

  draw(state, settings) {
    return [
      { zone: [state.x, state.y], radius: settings.sight, colour: 'cyan' },
      { ring: [state.lastX, state.lastY], radius: 0.06, colour: 'grey' },
      { disc: [state.px, state.py], radius: 0.06, colour: state.seen ? 'orange' : 'grey' },
      { disc: [state.x, state.y], radius: 0.07, colour: 'blue' },
    ];
  },
});
`;
