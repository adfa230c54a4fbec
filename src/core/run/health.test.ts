import { expect, it } from 'vitest';
import { examine, type HealthState, healthy } from './health.ts';

function watch(rows: readonly { entropy?: number; episodicReturn: number }[], share = 0.5, episodes = 100): string[] {
  let state: HealthState = healthy;
  return rows.flatMap((row) => {
    const report = examine(state, row, { share, episodes });
    state = JSON.parse(JSON.stringify(report.state)) as HealthState; // as a checkpoint keeps it
    return [...report.warnings];
  });
}

it('a policy that stops exploring while its return is low is warned about, once', () => {
  const rows = [
    { entropy: 0.69, episodicReturn: 20 },
    { entropy: 0.5, episodicReturn: 200 },
    { entropy: 0.001, episodicReturn: 25 },
    { entropy: 0.001, episodicReturn: 25 },
  ];
  const found = watch(rows);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatch(/explores/);
});

it('a warning is withdrawn once when it no longer holds', () => {
  let state: HealthState = healthy;
  const found: string[] = [];
  const see = (episodicReturn: number): void => {
    const report = examine(state, { episodicReturn }, { share: 0.5, episodes: 100 });
    state = report.state;
    found.push(...report.warnings.map(() => 'warned'), ...report.withdrawn.map(() => 'withdrawn'));
  };
  for (let i = 0; i < 12; i++) see(0);
  expect(found).toEqual(['warned']);
  for (let i = 0; i < 3; i++) see(0.5);
  expect(found).toEqual(['warned', 'withdrawn']);
});

it('a policy that is sure because it is good is left alone', () => {
  expect(
    watch([
      { entropy: 0.69, episodicReturn: 20 },
      { entropy: 0.001, episodicReturn: 500 },
    ]),
  ).toEqual([]);
});

it('returns that never differ are warned about after a fifth of the budget, not before', () => {
  const rows = Array.from({ length: 20 }, () => ({ episodicReturn: 0 }));
  expect(watch(rows, 0.1)).toEqual([]);
  expect(watch(rows, 0.3, 10)).toEqual([]);
  expect(watch(rows, 0.3)).toHaveLength(1);
  expect(watch([...rows.slice(0, 5), { episodicReturn: 0.1 }, ...rows], 0.3)).toEqual([]);
});
