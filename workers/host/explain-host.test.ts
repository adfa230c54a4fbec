import { afterEach, expect, test, vi } from 'vitest';
import { AGENTS, type AgentAttribution } from '#contract/explain/explain.ts';
import { requestOf } from '#contract/explain/explain-api.ts';
import { createExplainHost } from './explain-host.ts';

const request = requestOf(AGENTS, { maxSteps: 4000 }, { env: { id: 'mpe-simple-spread', config: {} }, team: { scripted: 'scripted' } });

afterEach(() => vi.restoreAllMocks());

/** Milliseconds that an explanation worked and slept on a clock of the test's own: every look at the clock comes after 4 ms of work. */
async function timed(share: number): Promise<{ worked: number; slept: number; steps: number }> {
  let [worked, slept, awake] = [0, 0, true];
  vi.spyOn(performance, 'now').mockImplementation(() => {
    if (awake) worked += 4;
    awake = true;
    return worked + slept;
  });
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((done: () => void, ms = 0) => {
    slept += ms;
    awake = false;
    queueMicrotask(done);
    return 0;
  }) as never);
  const host = createExplainHost();
  await host.paceExplanation(share);
  const answer = await host.explain(request, { postMessage: () => {} });
  vi.restoreAllMocks();
  return { worked, slept, steps: (answer!.detail as AgentAttribution).steps };
}

test('beside training an explanation works no more than its share of the time, and says the same', async () => {
  const whole = await timed(1);
  expect(whole.slept).toBeLessThan(whole.worked);
  for (const share of [0.25, 0.1, 0.04]) {
    const { worked, slept, steps } = await timed(share);
    expect(steps).toBe(whole.steps);
    expect(slept).toBeGreaterThan(0);
    // what it does after the last pause is not followed by one
    expect(worked / (worked + slept)).toBeLessThan(1.1 * share);
  }
});

test('a share outside of what is offered is brought inside', async () => {
  const { worked, slept } = await timed(0);
  expect(worked / (worked + slept)).toBeGreaterThan(0.015);
});

test('a new explanation ends the old one of the same explainer, and cancelling ends it with what it had', async () => {
  const host = createExplainHost();
  const long = { ...request, config: { maxSteps: 50_000_000 } };
  const posted: unknown[] = [];
  const first = host.explain(long, { postMessage: (answer) => posted.push(answer) });
  await expect.poll(() => posted.length, { timeout: 20_000 }).toBeGreaterThan(0);
  const second = host.explain(long, { postMessage: () => {} });
  expect((await first)?.end).toBe('cancelled');
  await host.cancelExplanation();
  const answer = await second;
  expect(answer === null || answer.end === 'cancelled').toBe(true);
});

test('what no explainer fits is refused with the field', async () => {
  const host = createExplainHost();
  const one = { ...request, env: { id: 'mpe-simple', config: {} } };
  await expect(host.explain(one, { postMessage: () => {} })).rejects.toMatchObject({ failure: { id: 'incompatible', field: 'agents' } });
  await expect(host.explain({ ...request, explainer: 'tea-leaves' }, { postMessage: () => {} })).rejects.toMatchObject({
    failure: { id: 'unknown-id', field: 'explainer' },
  });
});
