import { afterEach, expect, test, vi } from 'vitest';
import { defaultQuestion } from '#contract/explain.ts';
import { createExplainHost } from './explain-host.ts';

const request = {
  env: { id: 'mpe-simple-spread', config: {} },
  team: { scripted: 'scripted' },
  question: { ...defaultQuestion, maxSteps: 4000 },
  other: null,
  from: null,
};

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
  const answer = await host.explainAgents(request, { postMessage: () => {} });
  vi.restoreAllMocks();
  return { worked, slept, steps: answer?.steps ?? 0 };
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
