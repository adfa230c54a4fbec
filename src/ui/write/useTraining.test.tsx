// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type SeedRun, trainSeed } from '#client/own/workshop.ts';
import type { OwnResult } from '#contract/own/sandbox.ts';
import { SEEDS, useTraining } from './useTraining.ts';

vi.mock('#client/own/workshop.ts', () => ({ trainSeed: vi.fn(), problemOf: (error: Error) => ({ message: error.message, fix: '' }) }));

beforeEach(() => vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true));
afterEach(() => vi.unstubAllGlobals());

/** A page that trains; `open` lets its sandboxes open, whose runs end when they are stopped. */
function rig() {
  const runs: { readonly stop: () => void; readonly close: () => void }[] = [];
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  vi.mocked(trainSeed).mockImplementation(async (): Promise<SeedRun> => {
    await opened;
    let answer: (result: OwnResult) => void = () => {};
    let refuse: (error: Error) => void = () => {};
    const result = new Promise<OwnResult>((resolve, reject) => {
      answer = resolve;
      refuse = reject;
    });
    const run = {
      result,
      watch: vi.fn(async () => ({}) as never),
      score: vi.fn(),
      save: vi.fn(),
      stop: vi.fn(() => answer({ steps: 7 } as OwnResult)),
      close: vi.fn(() => refuse(new Error('closed'))),
    };
    runs.push(run);
    return run;
  });
  const onClip = vi.fn();
  let training: ReturnType<typeof useTraining> | null = null;
  function Page() {
    training = useTraining('code', onClip);
    return null;
  }
  const root = createRoot(document.createElement('div'));
  act(() => root.render(<Page />));
  const now = () => training as ReturnType<typeof useTraining>;
  act(() => void now().train({ setup: { settings: {}, method: {}, seat: '' }, algo: 'ppo', steps: 1000 }, null));
  return { runs, onClip, now, leave: () => act(() => root.unmount()), open: () => act(async () => open()) };
}

test('a sandbox that opens after its page was left is closed and shows nothing', async () => {
  const { runs, onClip, leave, open } = rig();
  leave();
  await open();
  expect(runs).toHaveLength(SEEDS);
  for (const { close } of runs) expect(close).toHaveBeenCalledOnce();
  expect(onClip).not.toHaveBeenCalled();
});

test('what is stopped before its sandbox is open stops as soon as it is', async () => {
  const { runs, now, leave, open } = rig();
  act(() => now().stop());
  expect(now().running).toBe(true);
  await open();
  for (const { stop } of runs) expect(stop).toHaveBeenCalledOnce();
  expect(now()).toMatchObject({ running: false, seeds: Array.from({ length: SEEDS }, () => ({ step: 7, over: true, problem: '' })) });
  leave();
});
