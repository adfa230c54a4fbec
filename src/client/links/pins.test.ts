import { beforeEach, expect, test } from 'vitest';
import { addPolicy } from '#client/runs/policies.ts';
import { type Pin, policyHash } from '#contract/link/pin.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { draftStore } from '#stores/draft.ts';
import { pinStore } from '#stores/pins.ts';
import { newSeed, runsStore } from '#stores/runs.ts';
import { stageStore } from '#stores/stage.ts';
import type { RunGroup, StageState } from '#stores/types.ts';
import { Pins } from './pins.ts';

const config = runConfigSchema.parse({ env: { id: 'e' }, algo: { id: 'a' } });
const snapshot = { seed: 1, step: 5, saved: { meta: {}, arrays: {} } } as unknown as PolicySnapshot;
const pin = { seed: 1, step: 5, policy: policyHash(snapshot), start: 7, t: 3, agent: 0, view: null, edits: [] } as unknown as Pin;

/** Opens the pin where the stage then shows a policy of `runId`; how it ended, and the episode's start. */
async function opened(runId: string): Promise<unknown> {
  const edits: unknown[] = [];
  const pins = new Pins({
    link: () => '',
    exploring: () => false,
    readRun: async () => {},
    watch: async () => stageStore.setState({ policy: { key: `${runId}/1/5`, runId, seed: 1, step: 5 } as unknown as StageState['policy'] }),
    train: async () => '',
    stop: () => {},
    edit: (made) => edits.push(made),
  });
  await pins.find();
  return [pinStore.getState().status, stageStore.getState().sameStart, edits.length];
}

beforeEach(() => {
  stageStore.setState(stageStore.getInitialState(), true);
  draftStore.setState({ config });
  runsStore.setState({ groups: [{ id: 'A', name: 'A', config, parent: null, seeds: [newSeed(1)] } as unknown as RunGroup] });
  addPolicy('A', snapshot, true);
  pinStore.setState({ pin, status: 'absent' });
});

test('the pinned moment is shown', async () => {
  expect(await opened('A')).toEqual(['shown', 7, 1]);
});

test('it gives way to another run that was chosen meanwhile', async () => {
  expect(await opened('B')).toEqual(['absent', null, 0]);
});
