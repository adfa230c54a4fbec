import { expect, test } from 'vitest';
import type { Catalog } from '#contract/catalog/catalog.ts';
import { fail } from '#contract/kit/errors.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import type { WatchApi } from '#contract/session/session.ts';
import { catalogStore } from '#stores/catalog.ts';
import { draftStore } from '#stores/draft.ts';
import { Drafts } from './drafts.ts';

const config = (lr: number | null) =>
  runConfigSchema.parse({ env: { id: 'e', config: { size: 4 } }, algo: { id: 'a', config: lr === null ? {} : { lr } } });

function rig() {
  let settled = 0;
  const asked: unknown[] = [];
  const watch = {
    complete: async (json: ReturnType<typeof config>) => {
      asked.push(json.algo.config.lr);
      await new Promise((resolve) => setTimeout(resolve, 5));
      if ((json.algo.config.lr as number) > 1) throw fail('config-invalid', 'too large', '1 or less', 'algo.lr');
      return { ...json, algo: { ...json.algo, config: { lr: 0.5, ...json.algo.config } } };
    },
    describe: async (env: { id: string; config: object }) => ({ id: env.id, described: JSON.stringify(env.config) }),
  } as unknown as WatchApi;
  const drafts = new Drafts(
    () => watch,
    () => void settled++,
  );
  return { drafts, asked, settled: () => settled };
}

test('a draft gets its missing fields and its environment card without an undo step', async () => {
  const { drafts, settled } = rig();
  draftStore.getState().open(config(null));
  const past = draftStore.getState().past.length;
  await drafts.check();
  expect(draftStore.getState()).toMatchObject({
    config: { algo: { config: { lr: 0.5 } } },
    env: { described: '{"size":4}' },
    problems: [],
  });
  expect(draftStore.getState().base).toEqual(draftStore.getState().config);
  expect(draftStore.getState().past).toHaveLength(past);
  expect(settled()).toBe(1);
});

test('a draft that was opened before the page follows it is checked too', async () => {
  const { drafts, asked } = rig();
  draftStore.getState().open(config(0.3));
  drafts.follow();
  await expect.poll(() => asked).toEqual([0.3]);
});

test('a problem names its field and goes when it is mended', async () => {
  const { drafts } = rig();
  draftStore.getState().open(config(2));
  await drafts.check();
  expect(draftStore.getState().problems).toMatchObject([{ field: 'algo.lr' }]);
  draftStore.getState().set('algo.lr', 1);
  await drafts.check();
  expect(draftStore.getState().problems).toEqual([]);
});

test('while one check is under way changes are not checked one by one: the newest wins', async () => {
  const { drafts, asked } = rig();
  draftStore.getState().open(config(0.1));
  const first = drafts.check();
  for (const lr of [0.2, 0.3, 3, 0.4]) {
    draftStore.getState().set('algo.lr', lr);
    void drafts.check();
  }
  await first;
  expect(asked).toEqual([0.1, 0.4]);
  expect(draftStore.getState()).toMatchObject({ config: { algo: { config: { lr: 0.4 } } }, problems: [] });
});

test('what the schema of the catalogue forbids is refused here, without asking the worker', async () => {
  const { drafts, asked } = rig();
  const schema = { type: 'object', properties: { lr: { type: 'number', maximum: 1 } }, additionalProperties: false } as const;
  const { version } = config(null).algo;
  const algo = { id: 'a', version, schema };
  catalogStore.setState({ catalog: { envs: [], algos: [algo], experiments: [], explainers: [] } as unknown as Catalog });
  try {
    draftStore.getState().open(config(7));
    await drafts.check();
    expect(draftStore.getState().problems).toEqual([
      { id: 'config-invalid', field: 'algo.lr', message: 'algo.lr cannot be 7.', fix: 'Allowed: number, 1 or less.' },
    ]);
    expect(asked).toEqual([]);
    draftStore.getState().set('algo.lr', 0.25);
    await drafts.check();
    expect(asked).toEqual([0.25]);
    expect(draftStore.getState().problems).toEqual([]);
  } finally {
    catalogStore.setState({ catalog: null });
  }
});
