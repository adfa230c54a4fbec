import { expect, test } from 'vitest';
import { type DraftEvent, type DraftPhase, nextPhase } from './draft-phase.ts';

const PHASES = {
  empty: { kind: 'empty' },
  open: { kind: 'open' },
  'loading over empty': { kind: 'loading', over: 'empty' },
  'loading over open': { kind: 'loading', over: 'open' },
} as const satisfies Readonly<Record<string, DraftPhase>>;

type Name = DraftPhase extends infer P
  ? P extends { kind: 'loading'; over: infer O extends string }
    ? `loading over ${O}`
    : P extends { kind: infer K extends string }
      ? K
      : never
  : never;

/** Every phase and every event: a new one is missing here until it is added. */
const TABLE: { readonly [P in Name]: { readonly [E in DraftEvent]: Name } } = {
  empty: { asked: 'loading over empty', ended: 'empty', chosen: 'open', first: 'open' },
  open: { asked: 'loading over open', ended: 'open', chosen: 'open', first: 'open' },
  'loading over empty': { asked: 'loading over empty', ended: 'empty', chosen: 'open', first: 'loading over open' },
  'loading over open': { asked: 'loading over open', ended: 'open', chosen: 'open', first: 'loading over open' },
};

const cases = Object.entries(TABLE).flatMap(([from, row]) =>
  Object.entries(row).map(([event, to]) => [from, event, to] as [Name, DraftEvent, Name]),
);

test.each(cases)('%s, %s: %s', (from, event, to) => {
  expect(nextPhase(PHASES[from], event)).toEqual(PHASES[to]);
});
