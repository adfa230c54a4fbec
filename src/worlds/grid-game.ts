export const gridGame = `// A grid game: collect the coins, keep out of the lava, then go to the door.
defineEnv({
  title: 'Coins and lava',
  about: 'Collect every coin, then leave through the door.',
  agent: 'player',
  settings: {
    size: { default: 6, min: 4, max: 10, whole: true, unit: 'cells', about: 'Side of the square.' },
    coins: { default: 2, min: 1, max: 4, whole: true, about: 'The goal opens once all are taken.' },
    lava: { default: 3, min: 0, max: 8, whole: true, unit: 'cells', about: 'Entering one ends the episode.' },
    slip: { default: 0, min: 0, max: 0.5, about: 'Chance that a move goes another way.' },
  },
  // the way to the nearest coin, or to the door once all are collected, and where lava is near
  observation: { labels: ['way, x', 'way, y', 'coins left', 'lava left', 'lava right', 'lava above', 'lava below'], low: -1, high: 1 },
  actions: ['left', 'right', 'up', 'down'],
  maxSteps: 60,
  view: (settings) => ({ cells: [settings.size, settings.size] }),

  reset(settings, random) {
    const cells = settings.size * settings.size;
    const places = random.shuffle(Array.from({ length: cells - 2 }, (_, i) => i + 1)); // not the first and the last cell
    const coin = new Array(cells).fill(false);
    const lava = new Array(cells).fill(false);
    for (let i = 0; i < settings.coins; i++) coin[places[i]] = true;
    for (let i = 0; i < settings.lava; i++) lava[places[settings.coins + i]] = true;
    return { x: 0, y: 0, coin, lava, left: settings.coins };
  },

  step(state, action, settings, random) {
    const way = random.chance(settings.slip) ? random.int(4) : action;
    const last = settings.size - 1;
    if (way === 0) state.x = Math.max(0, state.x - 1);
    if (way === 1) state.x = Math.min(last, state.x + 1);
    if (way === 2) state.y = Math.max(0, state.y - 1);
    if (way === 3) state.y = Math.min(last, state.y + 1);
    const here = state.y * settings.size + state.x;
    if (state.lava[here]) return { reward: -1, ended: true };
    if (state.coin[here]) {
      state.coin[here] = false;
      state.left -= 1;
      return { reward: 0.5, ended: false };
    }
    const out = state.left === 0 && state.x === last && state.y === last;
    return { reward: out ? 1 : -0.01, ended: out };
  },

  observe(state, settings) {
    const size = settings.size;
    let way = [size - 1 - state.x, size - 1 - state.y];
    let nearest = Infinity;
    for (let cell = 0; cell < state.coin.length; cell++) {
      const [dx, dy] = [(cell % size) - state.x, Math.floor(cell / size) - state.y];
      if (!state.coin[cell] || Math.abs(dx) + Math.abs(dy) >= nearest) continue;
      nearest = Math.abs(dx) + Math.abs(dy);
      way = [dx, dy];
    }
    const lava = (x, y) => (x >= 0 && y >= 0 && x < size && y < size && state.lava[y * size + x] ? 1 : 0);
    const { x, y } = state;
    return [way[0] / size, way[1] / size, state.left / settings.coins, lava(x - 1, y), lava(x + 1, y), lava(x, y - 1), lava(x, y + 1)];
  },

  draw(state, settings) {
    const things = [];
    const last = settings.size - 1;
    for (let cell = 0; cell < state.coin.length; cell++) {
      const place = [cell % settings.size, Math.floor(cell / settings.size)];
      if (state.coin[cell]) things.push({ cell: place, look: 'coin', colour: 'yellow' });
      if (state.lava[cell]) things.push({ cell: place, look: 'lava' });
    }
    things.push({ cell: [last, last], look: state.left === 0 ? 'goal' : 'door', state: 1, colour: 'green' });
    things.push({ agent: [state.x, state.y] });
    return things;
  },
});
`;
