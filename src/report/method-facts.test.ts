import { expect, it } from 'vitest';
import { methodCode, methodFacts } from './method-facts.ts';

const SOURCE = `/**
 * Q-learning (Watkins 1989): a table (lib/table.ts) of values.
 * It learns from single steps. Equations: lib/td.ts. Differs: nothing.
 *   Q(s,a) += alpha d
 *   d = r - Q(s,a)
 *
 * Needs a table.
 * Pseudo-code:
 *   for each step
 *     act
 * Throws LabError('nan-loss').
 */
import { a } from './a.ts';
import {
  b,
} from './b.ts';

/** What it does. */
export const update = (): number => a + b;
`;

it('the head of a file is its idea, its equations and its pseudo-code; what only helps who changes the file is left out', () => {
  expect(methodFacts('x.ts', SOURCE)).toEqual({
    file: 'x.ts',
    about: [
      { kind: 'text', text: 'Q-learning (Watkins 1989): a table of values. It learns from single steps. Differs: nothing.' },
      { kind: 'equation', text: 'Q(s,a) += alpha d\nd = r - Q(s,a)' },
      { kind: 'text', text: 'Needs a table.' },
    ],
    pseudo: ['for each step', '  act'],
  });
});

it('a file without a head has nothing to say', () => {
  expect(methodFacts('x.ts', 'export {};')).toEqual({ file: 'x.ts', about: [], pseudo: [] });
});

it('the code is what follows head and imports', () => {
  expect(methodCode(SOURCE)).toBe('/** What it does. */\nexport const update = (): number => a + b;');
});
