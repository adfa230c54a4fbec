import { expect, it } from 'vitest';
import continual from './golden/eval-continual.json' with { type: 'json' };
import mapf from './golden/eval-mapf.json' with { type: 'json' };
import social from './golden/eval-social.json' with { type: 'json' };
import { efficiency, equality, oneShot, peace, sustainability, throughput } from './measures.ts';
import {
  l2Normalise,
  l2Transfer,
  performanceMaintenance,
  performanceRecovery,
  relativePerformance,
  sampleEfficiency,
  terminalPerformance,
  transfer,
} from './measures-continual.ts';

type File = { readonly cases: readonly { readonly name: string }[] };
function find<I, E>(file: File, name: string): { input: I; expected: E } {
  const found = file.cases.find((c) => c.name === name);
  if (found === undefined) throw new Error(`no case ${name}`);
  return found as unknown as { input: I; expected: E };
}
const close = (found: object, expected: object): void => {
  for (const [key, value] of Object.entries(expected)) expect((found as Record<string, number>)[key], key).toBeCloseTo(value as number, 12);
};

it.each(['equality', 'equality_equal', 'equality_one_takes_all'])('social: %s', (name) => {
  const { input, expected } = find<{ returns: number[] }, { equality: number }>(social, name);
  expect(equality(input.returns)).toBeCloseTo(expected.equality, 12);
});

it('equality is undefined, not 1, where no agent earns or one earns a negative sum', () => {
  const { input, expected } = find<{ returns: number[] }, { equality: null }>(social, 'efficiency_equality_undefined');
  expect(expected.equality).toBeNull();
  expect(equality(input.returns)).toBeNaN();
  expect(equality([3, -1])).toBeNaN();
});

it('social: efficiency, sustainability, peace', () => {
  const e = find<{ rewards: number[][]; T: number }, { per_step: number }>(social, 'efficiency');
  const returns = e.input.rewards.map((row) => row.reduce((a, b) => a + b, 0));
  expect(efficiency(returns, e.input.T)).toBeCloseTo(e.expected.per_step, 12);
  const s = find<{ rewards: number[][] }, { sustainability: number; per_agent: number[] }>(social, 'sustainability');
  expect(sustainability(s.input.rewards)).toBeCloseTo(s.expected.sustainability, 12);
  s.input.rewards.forEach((row, i) => {
    expect(sustainability([row])).toBeCloseTo(s.expected.per_agent[i]!, 12);
  });
  expect(sustainability([...s.input.rewards, [0, 0]])).toBeCloseTo(s.expected.sustainability, 12);
  const p = find<{ tagged: number[][] }, { peace: number }>(social, 'peace');
  expect(peace(p.input.tagged)).toBeCloseTo(p.expected.peace, 12);
});

it('path finding: throughput and one-shot costs', () => {
  const l = find<{ goals_reached: number[]; steps: number }, { throughput: number }>(mapf, 'lifelong');
  expect(throughput(l.input.goals_reached, l.input.steps)).toBeCloseTo(l.expected.throughput, 12);
  const o = find<{ arrival: (number | null)[]; horizon: number }, Record<string, number>>(mapf, 'oneshot');
  expect(oneShot(o.input.arrival, o.input.horizon)).toEqual(o.expected);
  expect(oneShot([3, 5], 9)).toEqual({ isr: 1, csr: 1, makespan: 5, soc: 8 });
});

it('continual: transfer matrix', () => {
  const { input, expected } = find<{ R: number[][]; b: number[] }, Record<string, number>>(continual, 'transfer_matrix');
  const found = transfer(input.R, input.b);
  close(found, {
    average: expected.average,
    backward: expected.backward_transfer,
    forward: expected.forward_transfer,
    forgetting: expected.forgetting,
  });
});

it('continual: L2Metrics', () => {
  const t = find<{ before: number; after: number }, object>(continual, 'l2_transfer');
  close(l2Transfer(t.input.before, t.input.after), t.expected);
  const pm = find<{ reference_eval: number; later_evals: number[] }, { pm: number }>(continual, 'l2_performance_maintenance');
  expect(performanceMaintenance(pm.input.reference_eval, pm.input.later_evals)).toBeCloseTo(pm.expected.pm, 12);
  const rp = find<{ lifelong: number[]; expert: number[] }, { rp: number }>(continual, 'l2_relative_performance');
  expect(relativePerformance(rp.input.lifelong, rp.input.expert)).toBeCloseTo(rp.expected.rp, 12);
  const se = find<Record<string, number>, { se: number }>(continual, 'l2_sample_efficiency');
  const at = (who: string) => ({ value: se.input[`${who}_saturation`] as number, experience: se.input[`${who}_experience`] as number });
  expect(sampleEfficiency(at('ll'), at('ste'))).toBeCloseTo(se.expected.se, 12);
  const pr = find<{ recovery_times: number[] }, { pr: number }>(continual, 'l2_performance_recovery');
  expect(performanceRecovery(pr.input.recovery_times)).toBeCloseTo(pr.expected.pr, 12);
  const tp = find<{ values: number[]; window: number }, { terminal: number }>(continual, 'l2_terminal_performance');
  expect(terminalPerformance(tp.input.values, tp.input.window)).toBeCloseTo(tp.expected.terminal, 12);
  const n = find<{ values: number[]; min: number; max: number; scale: number; offset: number }, { normalised: number[] }>(
    continual,
    'l2_normalise',
  );
  expect(l2Normalise(n.input.values, n.input.min, n.input.max, n.input.scale, n.input.offset)).toEqual(n.expected.normalised);
});
