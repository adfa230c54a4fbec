/** Actions without a key of their own: how the page looks, files and storage. The view menu and the command box offer them. */
import { laboratory } from '#client/address/laboratory.ts';
import { layoutStore } from '#stores/layout.ts';
import type { LayoutState } from '#stores/types.ts';
import { msg } from '#text/text.ts';
import type { Action } from '#ui/kit/action.ts';
import { startTour } from '#ui/stage/tour.ts';

const setting = <K extends 'theme' | 'depth'>(key: K, value: LayoutState[K], label: string): Action => ({
  name: `${key}-${value}`,
  label,
  where: key === 'depth' ? 'lab' : 'page',
  perform: () => layoutStore.getState().set(key, value),
});

export const openFileAction: Action = {
  name: 'open-file',
  label: msg('Open a file'),
  where: 'page',
  perform: () => void import('./dialogs/open.ts').then(({ openAnything }) => openAnything()),
};

export const openStorage: Action = {
  name: 'storage',
  label: msg('Storage'),
  where: 'page',
  perform: () => layoutStore.getState().set('dialog', 'storage'),
};

export const printRun: Action = {
  name: 'print',
  label: msg('Print this run'),
  where: 'lab',
  // The menu must be gone before the page is laid out for paper.
  perform: () => void requestAnimationFrame(() => window.print()),
};

const projector: Action = {
  name: 'projector',
  label: msg('Projector mode: large type'),
  where: 'page',
  perform: () => {
    const { projector: on, set } = layoutStore.getState();
    set('projector', !on);
  },
};

const tour: Action = { name: 'tour', label: msg('Start the tour'), where: 'lab', perform: () => startTour() };

const chooseWorld: Action = {
  name: 'choose-world',
  label: msg('Choose a world'),
  where: 'lab',
  perform: () => layoutStore.getState().set('dialog', 'environments'),
};

const openLaboratory: Action = { name: 'laboratory', label: msg('Open the laboratory'), where: 'page', perform: () => laboratory.back() };

export const viewActions: readonly Action[] = [
  openLaboratory,
  chooseWorld,
  setting('depth', 'teach', 'Show little: simple'),
  setting('depth', 'lab', 'Show all settings'),
  setting('depth', 'research', 'Show everything: research'),
  setting('theme', 'light', 'Light theme'),
  setting('theme', 'dark', 'Dark theme'),
  setting('theme', 'system', 'Theme of the system'),
  projector,
  openFileAction,
  openStorage,
  printRun,
  tour,
];
