/** The page, the command line, claims and reports state the same numbers for the same seeds. */
import { expect, test } from 'vitest';
import { measure } from '#contract/kit/numbers.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import { contrastInterval } from '#math/contrast-interval.ts';
import { Rng } from '#math/rng.ts';
import { reportPage } from '#report/report.ts';
import type { RunGroup } from '#stores/types.ts';
import { aggregate } from '#ui/runs/curves/aggregate.ts';
import { outcomeOf } from '#ui/runs/rows.ts';
import type { SeedOutcome } from './train/seeds.ts';
import { summarise } from './train/summary.ts';

const config = runConfigSchema.parse({ env: { id: 'cartpole' }, algo: { id: 'ppo' }, run: { steps: 1000 } });

function outcome(seed: number, value: number): SeedOutcome {
  const result = { seed, finalReturn: value, evalReturn: value, evalLoops: 0, perAgent: [], steps: 1000, seconds: 1 };
  return { ...result, stepsPerSecond: 1000, parameterHash: 'x' } as unknown as SeedOutcome;
}

test('200 random sets of seeds', () => {
  const rng = Rng.from(14);
  for (let round = 0; round < 200; round++) {
    const values = Array.from({ length: 5 + (round % 8) }, () => Math.round(rng.uniform() * 10_000) / (1 + rng.int(20)));
    const outcomes = values.map((value, i) => outcome(i + 1, value));
    const cli = summarise(config, outcomes);
    const stated = { iqm: cli.iqm.evalReturn, ci: cli.ci95.evalReturn };
    expect(stated.ci).not.toBeNull();
    expect(cli.ci95.finalReturn).toEqual(stated.ci);

    const claim = contrastInterval({ id: 'l', kind: 'level', arm: 'a', none: 0, claim: 'above' }, { a: values }, 0.025);
    expect(claim.estimate).toBe(stated.iqm);

    const group = { id: `g${round}`, seeds: outcomes.map((result, i) => ({ seed: i + 1, result, marks: [] })) } as unknown as RunGroup;
    expect(outcomeOf(group)).toEqual({ n: values.length, ...stated });

    const curve = aggregate(values.map((value) => ({ x: Float64Array.of(0, 1), y: Float64Array.of(0, value) })))!;
    expect({ iqm: curve.line[1], ci: [curve.low[1], curve.high[1]] }).toEqual(stated);

    const lines = values.map((value, i) => ({ name: `seed ${i + 1}`, x: [0, 1], y: [0, value] }));
    const page = reportPage({
      ...{
        title: 't',
        made: '2026-01-01T00:00:00Z',
        about: '',
        config: {},
        agents: null,
        training: [],
        features: null,
        whatIf: null,
        picture: null,
      },
      curve: { title: 'return', lines },
    });
    const [low, high] = stated.ci!;
    expect(page).toContain(
      `interquartile mean ${measure(stated.iqm, 4)} over ${values.length} seeds, 95\u00a0% interval ${measure(low, 4)} to ${measure(high, 4)}`,
    );
  }
});
