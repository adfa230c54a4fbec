import { describe, expect, it } from 'vitest';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { actionRows, barShares, entropy } from './inspect.ts';

const env = { action: { kind: 'discrete', n: 3, labels: ['left', 'right'] } } as unknown as EnvCard;
const empty = { obs: new Float32Array(), probs: null, mean: null, std: null, q: null, value: null, chosen: Float32Array.of(2), extras: [] };

describe('explanations', () => {
  it('names every action, marks the chosen one, leaves unknown numbers out', () => {
    const rows = actionRows({ ...empty, q: Float32Array.of(1, 2, 3) }, env);
    expect(rows.map((r) => r.label)).toEqual(['left', 'right', '2']);
    expect(rows.map((r) => r.chosen)).toEqual([false, false, true]);
    expect(rows[0]!.probability).toBeNaN();
    expect(rows[1]!.q).toBe(2);
  });

  it('names the skills of who chooses among them', () => {
    const card = { title: '', description: '', labels: ['hold', 'attack'] };
    const extras = [
      { card: { ...card, id: 'skills', kind: 'logits' as const, chosen: 'skill' }, values: Float32Array.of(0.25, 0.75) },
      { card: { ...card, id: 'skill', kind: 'choice' as const }, values: Float32Array.of(1) },
    ];
    const said = { ...empty, extras };
    const rows = actionRows(said, env);
    expect(rows.map((r) => [r.label, r.probability, r.chosen])).toEqual([
      ['hold', 0.25, false],
      ['attack', 0.75, true],
    ]);
  });

  it('measures indecision', () => {
    expect(entropy([0.25, 0.25, 0.25, 0.25])).toBeCloseTo(Math.log(4));
    expect(entropy([1, 0])).toBe(0);
    expect(entropy([Number.NaN, 1])).toBeNaN();
  });

  it('scales bars between the worst and the best value', () => {
    expect(barShares([-3, 5, 1])).toEqual([0.04, 1, 0.52]);
    expect(barShares([2, 2])).toEqual([0.5, 0.5]);
  });
});
