/** All actions, in the order in which the help lists their keys. An action is declared in its room and listed here once. */
import { layoutStore } from '#stores/layout.ts';
import { stageStore } from '#stores/stage.ts';
import { msg } from '#text/text.ts';
import type { Action } from '#ui/kit/action.ts';
import { runActions } from '#ui/runs/actions.ts';
import { setupActions } from '#ui/setup/actions.ts';
import { stageActions } from '#ui/stage/actions.ts';
import { viewActions } from './view-actions.ts';

export const share: Action = {
  name: 'share',
  label: msg('Share'),
  key: { shown: 'S', code: 's' },
  where: 'lab',
  perform: () => layoutStore.getState().set('dialog', 'share'),
};

const chooseExperiment: Action = {
  name: 'choose-experiment',
  label: msg('Choose an experiment'),
  key: { shown: 'G', code: 'g' },
  where: 'lab',
  perform: () => layoutStore.getState().set('dialog', 'gallery'),
};

const stopMotion: Action = {
  name: 'stop-motion',
  label: msg('Stop all motion, or let it go on'),
  key: { shown: 'M', code: 'm' },
  where: 'page',
  perform: () => {
    const { motion, set } = layoutStore.getState();
    set('motion', motion === 'none' ? 'system' : 'none');
    if (motion !== 'none') stageStore.getState().setPlaying(false);
  },
};

/** Also while a field has the focus, as in other programs. */
export const commandBox: Action = {
  name: 'command-box',
  label: msg('Search worlds, papers, methods, lessons, settings and actions'),
  key: { shown: 'Ctrl K', code: 'k', ctrl: true },
  where: 'everywhere',
  perform: () => layoutStore.getState().set('dialog', 'commands'),
};

export const help: Action = {
  name: 'help',
  label: msg('Help'),
  key: { shown: '?', code: '?' },
  where: 'page',
  perform: () => layoutStore.getState().set('dialog', 'help'),
};

export const ACTIONS: readonly Action[] = [
  ...runActions,
  ...stageActions,
  commandBox,
  share,
  chooseExperiment,
  stopMotion,
  help,
  ...setupActions,
  ...viewActions,
];
