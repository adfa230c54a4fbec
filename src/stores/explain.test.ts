import { expect, test } from 'vitest';
import type { AgentAttribution } from '#contract/explain/explain.ts';
import { explainStore, trainingBegins } from './explain.ts';

const point = (step: number) => ({ step, answer: {} as AgentAttribution });

test('values over the training of one run change nothing once those of another are asked for', () => {
  const first = trainingBegins({ runId: 'a', seed: 1, wanted: 2, points: [] });
  first.came(point(200));
  first.came(point(100));
  expect(explainStore.getState().training?.points.map(({ step }) => step)).toEqual([100, 200]);
  const second = trainingBegins({ runId: 'b', seed: 1, wanted: 2, points: [] });
  first.came(point(300));
  first.ends();
  expect(explainStore.getState().training).toEqual({ runId: 'b', seed: 1, status: 'running', wanted: 2, points: [] });
  second.came(point(100));
  second.ends();
  expect(explainStore.getState().training).toMatchObject({ runId: 'b', status: 'stopped' });
  second.came(point(200));
  second.ends();
  expect(explainStore.getState().training).toMatchObject({ runId: 'b', status: 'done' });
});
