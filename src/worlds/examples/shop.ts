export const shop = `// A shop orders bread in the evening and sells it the next day. What is left over goes stale; who finds none goes elsewhere.
defineEnv({
  title: 'Bread shop',
  about: 'Order as much bread as will be sold: more on market days.',
  agent: 'baker',
  settings: {
    price: { default: 3, min: 1, max: 6, about: 'For each loaf that is sold.' },
    cost: { default: 1, min: 0.2, max: 3, about: 'Of each loaf that is ordered.' },
    lost: { default: 0.5, min: 0, max: 3, about: 'Cost of each customer who finds nothing.' },
    keeps: { default: 0.5, min: 0, max: 1, about: 'Chance that a loaf left over can be sold a day later.' },
    usual: { default: 4, min: 1, max: 8, about: 'Mean number of customers on a usual day.' },
    market: { default: 9, min: 1, max: 12, about: 'Mean number of customers on the market day.' },
  },
  observation: { labels: ['loaves left', 'days to the market', 'market tomorrow'], low: 0, high: 1 },
  actions: ['order 0', 'order 2', 'order 4', 'order 6', 'order 8', 'order 10'],
  maxSteps: 35,
  fps: 2,
  view: { x: [0, 13], y: [0, 5], side: true },

  reset: (settings, random) => ({ left: random.int(4), day: random.int(7), sold: 0, missed: 0 }),

  step(state, action, settings, random) {
    const ordered = 2 * action;
    const loaves = Math.min(20, state.left + ordered);
    state.day = (state.day + 1) % 7;
    // customers come one by one: the sum of twenty chances
    const mean = state.day === 6 ? settings.market : settings.usual;
    let customers = 0;
    for (let i = 0; i < 20; i++) if (random.chance(mean / 20)) customers += 1;
    state.sold = Math.min(loaves, customers);
    state.missed = customers - state.sold;
    let kept = 0;
    for (let i = 0; i < loaves - state.sold; i++) if (random.chance(settings.keeps)) kept += 1;
    state.left = kept;
    return (settings.price * state.sold - settings.cost * ordered - settings.lost * state.missed) / 10;
  },

  observe: (state) => [state.left / 20, (6 - state.day) / 6, state.day === 5 ? 1 : 0],

  draw(state) {
    const things = [{ text: state.day === 6 ? 'market day' : 'day ' + (state.day + 1), at: [2, 4.4], size: 0.5 }];
    for (let i = 0; i < state.sold; i++) things.push({ ball: [0.6 + 0.6 * i, 3], radius: 0.25, colour: 'green' });
    for (let i = 0; i < state.missed; i++) things.push({ ring: [0.6 + 0.6 * (state.sold + i), 3], radius: 0.25, colour: 'orange' });
    for (let i = 0; i < state.left; i++) things.push({ box: [0.6 + 0.6 * i, 1], size: [0.45, 0.35], colour: 'olive' });
    things.push({ text: 'customers', at: [11, 3.6], size: 0.4 }, { text: 'loaves left', at: [11, 1.6], size: 0.4 });
    return things;
  },
});
`;
