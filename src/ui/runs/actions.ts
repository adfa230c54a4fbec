/** What can be done with the run of this set-up and with the table of runs. */
import { runs } from '#client/runs/service.ts';
import { layoutStore } from '#stores/layout.ts';
import { msg } from '#text/text.ts';
import type { Action } from '#ui/kit/action.ts';
import { pressMain, transportNow } from './useTransport.ts';

const train: Action = {
  name: 'train',
  label: msg('Train, pause or resume'),
  key: { shown: 'Space', code: ' ' },
  where: 'lab',
  perform: () => pressMain(transportNow()),
};

export const oneIteration: Action = {
  name: 'one-iteration',
  label: msg('One training iteration while paused'),
  key: { shown: 'Shift .', code: '>' },
  where: 'lab',
  perform: () => {
    const { canStep, group } = transportNow();
    if (canStep && group !== null) runs.stepOnce(group.id);
  },
};

const filterRuns: Action = {
  name: 'filter-runs',
  label: msg('Filter the runs'),
  key: { shown: '/', code: '/' },
  where: 'lab',
  perform: () => {
    const { set } = layoutStore.getState();
    set('runsOpen', true);
    set('tab', 'runs');
    requestAnimationFrame(() => document.getElementById('runs-filter')?.focus());
  },
};

export const runActions: readonly Action[] = [train, oneIteration, filterRuns];
