/** The explainer of docs/adding-an-explainer.md, taken out of the page: type-checked like the core, and held to what every explainer must hold. */
import { describe, expect, test } from 'vitest';
import { AGENTS, type AgentAttribution } from '#contract/explain/explain.ts';
import { type Answer, type ExplainRequest, requestOf } from '#contract/explain/explain-api.ts';
import { agents } from '#core/explain/agents.ts';
import type { ExplainerEntry } from '#core/explain/api/define.ts';
import { builtIn } from '#core/run/loaded.ts';
import { explainerSuite } from '#core/testing/explainer-suite.ts';
import { openWalkthrough } from './walkthrough.ts';

const page = openWalkthrough('docs/adding-an-explainer.md', 'src/core/explain');
const explainer = ((await page.load('leave-one-out')) as { readonly leaveOneOut: ExplainerEntry }).leaveOneOut;

explainerSuite(explainer);

describe('the explainer of the walk-through', () => {
  test('is there in full and type-checks with the settings of the core', () => {
    expect(page.paths).toEqual(['src/core/explain/leave-one-out.ts']);
    expect(() => page.typeCheck()).not.toThrow();
  }, 120_000);

  test('agrees with the table of all coalitions, by its intervals', async () => {
    const about = { env: { id: 'mpe-simple-spread', config: {} }, team: { scripted: 'scripted' } };
    const last = async (entry: ExplainerEntry, request: ExplainRequest): Promise<Answer> => {
      let answer: Answer | null = null;
      for await (answer of entry.explain(request, { registry: builtIn }));
      if (answer === null) throw new Error('no answer');
      return answer;
    };
    const { detail } = (await last(agents, requestOf(AGENTS, { scheme: 'exact', maxSteps: 100_000 }, about))) as Answer<AgentAttribution>;
    const { data } = await last(explainer, requestOf({ id: explainer.id }, { episodes: 200 }, about));
    if (data.kind !== 'bars' || detail.table === null) throw new Error('no values');
    expect(data.bars.map(({ label }) => label)).toEqual(detail.players.map(({ name }) => name));
    data.bars.forEach(({ value, halfWidth }, i) => {
      const exact = detail.table?.[7] ?? Number.NaN;
      const without = detail.table?.[7 - 2 ** i] ?? Number.NaN;
      expect(Math.abs(value - (exact - without))).toBeLessThan(1.5 * (halfWidth ?? 0)); // both are estimates
      expect(halfWidth).toBeLessThan(1.5);
    });
  }, 60_000);
});
