import { expect, test } from 'vitest';
import { envFacts, header } from './envs.ts';

test('a header is read as paragraphs; lists stay lines', () => {
  const source = '/**\n * One thing, in\n * two lines. Reward: none.\n *   - a\n *   - b\n *\n * Source: me.\n */\nimport x;\n/** other */';
  expect(header(source)).toEqual(['One thing, in two lines. Reward: none.', '- a', '- b', 'Source: me.']);
  expect(header('/** One line. */\nx')).toEqual(['One line.']);
  expect(header('const x = 1; /** later */')).toEqual([]);
});

test('every environment explains itself, and what its family shares comes with it', () => {
  const facts = envFacts('.');
  expect(facts.cartpole?.about.join(' ')).toMatch(/Reward/);
  expect(facts.cartpole?.goldenCases).toBe(3);
  expect(facts.cartpole?.rates?.['64']).toBeGreaterThan(0);
  expect(facts['minigrid-doorkey']?.about.join(' ')).toContain('Reward 1 - 0.9');
});
