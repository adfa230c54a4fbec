export const economy = `// A tiny economy: grow corn, keep some as seed, sell the rest while the price is good.
defineEnv({
  title: 'Tiny economy',
  about: 'Sow, wait or sell: end with as much money as possible.',
  agent: 'farmer',
  settings: {
    yield: { default: 2.2, min: 1, max: 4, about: 'Sacks that a sown sack gives.' },
    swing: { default: 0.35, min: 0, max: 0.8, about: 'How much the price goes up and down.' },
    drought: { default: 0.1, min: 0, max: 0.6, about: 'Chance that what was sown is lost.' },
    store: { default: 30, min: 5, max: 100, whole: true, about: 'Sacks that the barn holds.' },
  },
  observation: { labels: ['corn', 'sown', 'price', 'time left'], low: 0, high: 2 },
  actions: ['wait', 'sow half', 'sell half', 'sell all'],
  maxSteps: 40,
  view: { x: [0, 8], y: [0, 4], side: true },

  reset(settings, random) {
    return { corn: 4, sown: 0, price: 1, season: random.uniform(0, 6.28), money: 0, day: 0 };
  },

  step(state, action, settings, random) {
    const before = state.money;
    state.day += 1;
    // what was sown is reaped a step later
    if (state.sown > 0 && !random.chance(settings.drought)) state.corn = Math.min(settings.store, state.corn + settings.yield * state.sown);
    state.sown = 0;
    if (action === 1) {
      state.sown = state.corn / 2;
      state.corn -= state.sown;
    } else if (action >= 2) {
      const sold = action === 2 ? state.corn / 2 : state.corn;
      state.corn -= sold;
      state.money += sold * state.price;
    }
    state.season += 0.5;
    state.price = 1 + settings.swing * Math.sin(state.season) + random.uniform(-0.05, 0.05);
    return (state.money - before) / 10;
  },

  observe: (state, settings) => [state.corn / settings.store, state.sown / settings.store, state.price, 1 - state.day / settings.maxSteps],

  draw(state, settings) {
    return [
      { bar: [0.6, 0.6], size: [1, 3], value: state.corn / settings.store, colour: 'yellow' },
      { text: 'corn', at: [1.1, 0.3], size: 0.35 },
      { bar: [2.6, 0.6], size: [1, 3], value: state.sown / settings.store, colour: 'green' },
      { text: 'sown', at: [3.1, 0.3], size: 0.35 },
      { bar: [4.6, 0.6], size: [1, 3], value: state.price / 2, colour: 'orange' },
      { text: 'price', at: [5.1, 0.3], size: 0.35 },
      { bar: [6.6, 0.6], size: [1, 3], value: state.money / 200, colour: 'blue' },
      { text: 'money', at: [7.1, 0.3], size: 0.35 },
      { number: 'money', value: state.money },
    ];
  },
});
`;
