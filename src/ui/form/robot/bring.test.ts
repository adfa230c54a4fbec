// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import { robotOfFile } from '#client/own/robots.ts';
import type { Inspection } from '#client/workers/robots.ts';
import type { Catalog } from '#contract/catalog/catalog.ts';
import { ROBOT_ENV } from '#contract/link/robot.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import { catalogStore } from '#stores/catalog.ts';
import { draftStore } from '#stores/draft.ts';
import { bringRobot } from './bring.ts';

vi.mock('#ui/kit/toasts.ts', () => ({ toast: vi.fn() }));
vi.mock('#client/own/robots.ts', () => ({ robotOfFile: vi.fn(), holdsRobot: vi.fn() }));

const inspection = (name: string) =>
  ({ robot: { name }, card: { name, motors: [], positions: 0, notes: [], task: {} } }) as unknown as Inspection;

test('of two robots the one dropped last stays, and what was set while one was read', async () => {
  const env = { id: ROBOT_ENV, version: 1, defaults: {}, presets: [], recommended: { algo: 'ppo', config: {}, steps: 1000 } };
  catalogStore.setState({ catalog: { envs: [env], algos: [], experiments: [] } as unknown as Catalog });
  draftStore.getState().open(runConfigSchema.parse({ env: { id: 'lake' }, algo: { id: 'ppo' } }));
  const reads: { readonly resolve: (read: Inspection) => void; readonly reject: (error: Error) => void }[] = [];
  vi.mocked(robotOfFile).mockImplementation(() => new Promise((resolve, reject) => reads.push({ resolve, reject })));
  const bring = (name: string) => bringRobot(new File([], name));
  const both = [bring('ant.xml'), bring('dog.xml')];
  reads[1]?.resolve(inspection('dog'));
  expect(await both[1]).toBe('');
  reads[0]?.resolve(inspection('ant'));
  expect(await both[0]).toBe('');
  expect(draftStore.getState().config.env).toMatchObject({ id: ROBOT_ENV, config: { robot: { name: 'dog' } } });

  const third = bring('cat.xml');
  draftStore.getState().undo();
  draftStore.getState().undo();
  reads[2]?.reject(new Error('a bad model'));
  expect(await third).toBe('');
  expect(draftStore.getState().config.env.id).toBe('lake');
});
