// @vitest-environment happy-dom
/// <reference path="../../env.d.ts" />
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import { runConfigSchema } from '#contract/run/config.ts';
import { newSeed, runsStore } from '#stores/runs.ts';
import type { SeedRun } from '#stores/types.ts';
import { FailureNote } from './FailureNote.tsx';

vi.mock('#client/runs/service.ts', () => ({ runs: {} })); // workers and storage, which the note needs for its buttons only

const mark = (type: 'warning' | 'recovered', step: number, text: string): SeedRun['marks'][number] => ({
  kind: 'mark',
  step,
  type,
  text,
  by: 'system',
});

/** What the note says of a run with these marks. */
async function said(marks: SeedRun['marks']): Promise<string> {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  const group = {
    ...{ id: 'r', name: 'r', hash: 'h', colour: 0, dash: 0, createdAt: 1, visible: true, note: '', parent: null, executorReason: '' },
    config: runConfigSchema.parse({ env: { id: 'e' }, algo: { id: 'a' } }),
    seeds: [{ ...newSeed(1), marks }],
  };
  runsStore.setState({ groups: [group], activeId: 'r' });
  const home = document.createElement('div');
  const root = createRoot(home);
  await act(async () => root.render(<FailureNote />));
  const text = home.textContent ?? '';
  await act(async () => root.unmount());
  return text;
}

test('a warning stands until it is withdrawn, and a later one stands again', async () => {
  const [first, over, second] = [
    mark('warning', 100, 'All alike.'),
    mark('recovered', 200, 'They differ.'),
    mark('warning', 300, 'No more.'),
  ];
  expect(await said([first])).toContain('All alike.');
  expect(await said([first, over])).toBe('');
  expect(await said([first, over, second])).toContain('No more.');
});
