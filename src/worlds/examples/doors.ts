export const doors = `// Three doors (Selvin 1975): a prize behind one. You choose, a door without the prize is opened, and you may change your mind.
// Numbered states, so that tables learn it: 0 before the choice; 1 to 9: the door you hold and the door that is open.
const stateOf = ({ held, open }) => (held < 0 ? 0 : 1 + 3 * held + open);

defineEnv({
  title: 'Three doors',
  about: 'Choose a door, see another one opened, stay or change: then yours is opened.',
  agent: 'guest',
  observation: { states: 10 },
  actions: ['door 1', 'door 2', 'door 3'],
  maxSteps: 2,
  // a prize is chance: small steps average over many games
  learn: { method: 'q-learning', steps: 20_000, settings: { alpha: 0.02 } },
  fps: 1,
  view: { x: [0, 6], y: [0, 4], side: true },

  reset: (settings, random) => ({ prize: random.int(3), held: -1, open: -1, over: false, won: false }),

  step(state, action, settings, random) {
    if (state.held < 0) {
      state.held = action;
      // the host opens a door that is neither yours nor that of the prize
      state.open = random.pick([0, 1, 2].filter((door) => door !== action && door !== state.prize));
      return 0;
    }
    state.held = action;
    state.over = true;
    state.won = action === state.prize;
    return { reward: state.won ? 1 : 0, ended: true };
  },

  observe: stateOf,
  // the open door cannot be chosen
  legal: (state) => [0, 1, 2].map((door) => door !== state.open),

  draw(state) {
    const things = [];
    for (let door = 0; door < 3; door++) {
      const x = 1 + 2 * door;
      const shown = door === state.open || (state.over && door === state.held);
      things.push({ box: [x, 1.6], size: [1.3, 2.6], colour: shown ? 'grey' : 'olive' });
      if (shown && door === state.prize) things.push({ ball: [x, 1.2], radius: 0.4, colour: 'yellow' });
      if (door === state.held) things.push({ ring: [x, 3.4], radius: 0.3, colour: 'green' });
      things.push({ text: String(door + 1), at: [x, 0.1], size: 0.4 });
    }
    return things;
  },
});
`;
