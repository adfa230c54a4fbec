/** Links to an explanation. Loaded with the panels that make them, or with a page that is opened by one. */
import { runs } from '#client/runs/service.ts';
import { network } from '#client/stage/network-service.ts';
import { stageController, watchPolicy } from '#client/stage/service.ts';
import { runsStore } from '#stores/runs.ts';
import { Pins } from './pins.ts';
import { pinnedAddress } from './writing.ts';

export const pins: Pick<Pins, 'make' | 'find' | 'recompute' | 'dismiss'> = new Pins({
  link: pinnedAddress,
  exploring: () => stageController.exploring,
  readRun: runs.read,
  watch: watchPolicy,
  train: async (config) => {
    const id = await runs.trainQuietly(config, { kind: 'link', title: 'an explanation' });
    runsStore.getState().rename(id, `seed ${config.run.seedStart}, trained again for a link`);
    return id;
  },
  stop: runs.stop,
  edit: (edits) => network.edit(edits),
});
