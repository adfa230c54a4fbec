/** Sentences about agent values, made from the numbers and nothing else. */

import type { AgentAttribution, ReplacementRule } from '#contract/explain/explain.ts';
import { spoken } from '#contract/game/seats.ts';
import { capital } from '#contract/kit/capital.ts';
import { csvCell } from '#contract/kit/csv.ts';
import { listed } from '#contract/kit/listed.ts';
import { compact, measure } from '#contract/kit/numbers.ts';
import { normalCritical } from '#math/stats-compare.ts';

export const SCHEMES: Readonly<Record<AgentAttribution['scheme'], string>> = {
  exact: 'all coalitions',
  permutation: 'arrival orders',
  antithetic: 'pairs of an order and its reverse',
  stratified: 'orders and their rotations',
  owen: 'orders of groups (Owen values)',
  banzhaf: 'coalitions of fair coins (Banzhaf values)',
};

export function absentWords(absent: ReplacementRule): string {
  switch (absent.kind) {
    case 'noop':
      return 'does nothing';
    case 'random':
      return 'acts at random';
    case 'other-agent':
      return 'does what another agent would do';
    case 'scripted':
      return `follows the script "${absent.name}"`;
    case 'policy':
      return `follows ${absent.title}`;
  }
}

export function worthWords({ question: { payoff }, players }: Pick<AgentAttribution, 'question' | 'players'>): string {
  if (payoff.kind === 'team') return 'the team’s return';
  if (payoff.kind === 'component') return `the reward "${payoff.name}"`;
  const whose = players.find(({ agent }) => agent === payoff.agent);
  return `the return of ${whose === undefined ? `agent ${payoff.agent + 1}` : nameOf(whose)}`;
}

/** "5.55 ± 0.12": to the digits that the interval supports. */
export function withWidth(value: number, halfWidth: number): string {
  if (!Number.isFinite(halfWidth)) return measure(value, 3);
  if (halfWidth < 1e-9 * Math.max(1, Math.abs(value))) return measure(value, 4);
  const places = Math.min(6, Math.max(0, 1 - Math.floor(Math.log10(halfWidth))));
  return `${value.toFixed(places).replace('-', '−')} ± ${halfWidth.toFixed(places)}`;
}

/** "predator 1" for predator_1. */
export function nameOf(player: AgentAttribution['players'][number]): string {
  return spoken(player.name);
}

/** Whether two values differ, at 95 % for all pairs together (Bonferroni): with many agents some pair always looks different by chance. */
export function apart(answer: AgentAttribution, i: number, j: number): boolean {
  const n = answer.players.length;
  const pairs = (n * (n - 1)) / 2;
  const wider = normalCritical(0.05 / pairs) / normalCritical(0.05);
  return Math.abs(answer.value[i]! - answer.value[j]!) > wider * answer.differenceHalfWidth[i * n + j]!;
}

/** Whose value is highest, with all that cannot be told from it, by place; null: there are no intervals yet. */
export function foremost(answer: AgentAttribution): readonly number[] | null {
  if (!answer.halfWidth.every(Number.isFinite)) return null;
  const order = answer.players.map((_, i) => i).sort((a, b) => answer.value[b]! - answer.value[a]!);
  const best = order[0]!;
  return order.filter((i) => i === best || !apart(answer, best, i));
}

/** What the values say, most important first. Empty before there are intervals. */
export function findings(answer: AgentAttribution): string[] {
  const { players, value, halfWidth, vEmpty, vGrand } = answer;
  const level = foremost(answer);
  if (level === null) return [];
  const order = players.map((_, i) => i).sort((a, b) => value[b]! - value[a]!);
  const name = (i: number): string => nameOf(players[i]!);
  const out: string[] = [];
  const best = level[0]!;
  if (level.length === players.length)
    out.push('No difference between the agents is visible: they contribute alike, or the interval is still too wide.');
  else if (level.length === 1) {
    const brought = vGrand - vEmpty;
    const share =
      brought > 0 && value.every((v) => v >= 0) ? `, ${Math.round((100 * value[best]!) / brought)}\u00a0% of what the team brings` : '';
    out.push(`${name(best)} contributes most: ${withWidth(value[best]!, halfWidth[best]!)}${share}.`);
  } else out.push(`${listed(level.map(name))} contribute most, with no visible difference between them.`);
  const nothing = order.filter((i) => Math.abs(value[i]!) <= halfWidth[i]!);
  if (nothing.length > 0) out.push(`${listed(nothing.map(name))}: 0 lies inside the interval, so perhaps nothing at all.`);
  const harm = order.filter((i) => value[i]! < -halfWidth[i]!);
  if (harm.length > 0)
    out.push(
      `${listed(harm.map(name))} make${harm.length === 1 ? 's' : ''} it worse: the team does better when that agent ${absentWords(answer.question.replacement)}.`,
    );
  out.push(`With no agent acting, ${worthWords(answer)} is ${measure(vEmpty, 3)}; with all agents, ${measure(vGrand, 3)}.`);
  return out.map(capital);
}

/** Estimator, samples, replacement, cost and the sum check, in one line. */
export function provenance(answer: AgentAttribution): string {
  const { scheme, draws, episodes, steps, question, efficiencyGap } = answer;
  const actions = question.greedy ? 'best actions' : 'drawn actions';
  const sum = scheme === 'banzhaf' ? '' : `; sum check ${efficiencyGap === 0 ? '0' : Math.abs(efficiencyGap).toExponential(0)}`;
  return `${SCHEMES[scheme]}, ${compact(draws)} draws, ${compact(episodes)} episodes, ${compact(steps)} steps; ${actions}; an absent agent ${absentWords(question.replacement)}${sum}`;
}

/** One row per agent, for spreadsheets. */
export function csv(answer: AgentAttribution): string {
  const rows = answer.players.map(({ agent, name }, i) => [
    agent,
    csvCell(name),
    answer.value[i],
    answer.halfWidth[i],
    answer.banzhaf?.[i] ?? '',
  ]);
  return [['agent', 'name', 'value', 'half_width_95', 'banzhaf'], ...rows]
    .map((row) => row.join(','))
    .join('\n')
    .concat('\n');
}
