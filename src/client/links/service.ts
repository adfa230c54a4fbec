/** Links: opening one, the address of what is set up, and links to an explanation. Nothing here throws, except where a link cannot be made. */
import { runs } from '#client/runs/service.ts';
import { network, stageController, watchPolicy } from '#client/stage/service.ts';
import { workers } from '#client/workers/service.ts';
import { runsStore } from '#stores/runs.ts';
import { Links } from './links.ts';
import { Pins } from './pins.ts';

export interface LinkService extends Pick<Links, 'address' | 'hashOf'> {
  /** Whether the link was opened; where it is not, the page says why. */
  open(hash: string): Promise<boolean>;
}

export const addressBar = new Links(workers.player);

const found = new Pins({
  link: (config, pin) => addressBar.pinned(config, pin),
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

export const links: LinkService = {
  open: async (hash) => {
    const opened = (await addressBar.open(hash)) === true;
    if (opened) await found.find();
    return opened;
  },
  address: () => addressBar.address(),
  hashOf: (config, view) => addressBar.hashOf(config, view),
};

/** Links to an explanation. */
export const pins: Pick<Pins, 'make' | 'find' | 'recompute' | 'dismiss'> = found;
