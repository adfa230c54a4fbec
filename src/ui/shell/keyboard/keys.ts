/**
 * Single-key shortcuts, active only while no control has the focus and no dialog is open, and switched off altogether in the view
 * menu (WCAG 2.1.4). Ctrl+Z and Ctrl+Shift+Z undo set-up changes outside text fields. Human play keeps its keys to itself.
 */
import { lab } from '#client/lab.ts';
import { draftStore } from '#stores/draft.ts';
import { layoutStore } from '#stores/layout.ts';
import { stageStore } from '#stores/stage.ts';
import { pressMain, transportNow } from '#ui/runs/useTransport.ts';

export const SHORTCUTS: readonly { readonly keys: string; readonly what: string }[] = [
  { keys: 'Space', what: 'Train, pause or resume' },
  { keys: 'Shift .', what: 'One training iteration while paused' },
  { keys: '. ,', what: 'Next or previous frame of the episode' },
  { keys: '[ ]', what: 'Slower or faster playback' },
  { keys: 'P', what: 'Play or hold the episode' },
  { keys: 'F', what: 'Camera follows the agent' },
  { keys: '1 2 3 4', what: 'Camera: home, top, side, follow' },
  { keys: 'S', what: 'Share' },
  { keys: '/', what: 'Filter the runs' },
  { keys: 'G', what: 'Choose an experiment' },
  { keys: 'M', what: 'Stop all motion, or let it go on' },
  { keys: '?', what: 'This help' },
  { keys: 'Ctrl Z', what: 'Undo a change of the set-up' },
  { keys: 'Ctrl Shift Z', what: 'Redo it' },
];

const CAMERAS = ['home', 'top', 'side', 'follow'] as const;
const SPEEDS: readonly number[] = [0.25, 0.5, 1, 2, 4, 8, 16];

export function startKeys(): void {
  document.addEventListener('keydown', onKey);
}

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.altKey || layoutStore.getState().dialog !== 'none') return;
  if (event.ctrlKey || event.metaKey) {
    undoKeys(event);
    return;
  }
  if (!layoutStore.getState().shortcuts || inControl(event.target) || stageStore.getState().mode === 'play') return;
  if (press(event)) event.preventDefault();
}

function undoKeys(event: KeyboardEvent): void {
  if (inText(event.target)) return;
  const key = event.key.toLowerCase();
  if (key === 'z' && !event.shiftKey) draftStore.getState().undo();
  else if (key === 'y' || (key === 'z' && event.shiftKey)) draftStore.getState().redo();
  else return;
  event.preventDefault();
}

function press(event: KeyboardEvent): boolean {
  const stage = stageStore.getState();
  const { set } = layoutStore.getState();
  switch (event.key) {
    case ' ':
      pressMain(transportNow());
      return true;
    case '>': {
      const { canStep, group } = transportNow();
      if (canStep && group !== null) lab.trainer.stepOnce(group.id);
      return true;
    }
    case '.':
    case ',':
      stage.setPlaying(false);
      stage.seek(Math.min(stage.length - 1, Math.max(0, stage.t + (event.key === '.' ? 1 : -1))));
      return true;
    case '[':
    case ']': {
      const at = SPEEDS.findIndex((speed) => speed >= stage.speed);
      stage.setSpeed(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at + (event.key === ']' ? 1 : -1)))]!);
      return true;
    }
    case 'p':
      stage.setPlaying(!stage.playing);
      return true;
    case 'f':
      stage.setCamera(stage.camera === 'follow' ? 'home' : 'follow');
      return true;
    case '1':
    case '2':
    case '3':
    case '4':
      stage.setCamera(CAMERAS[Number(event.key) - 1]!);
      return true;
    case 's':
      set('dialog', 'share');
      return true;
    case 'g':
      set('dialog', 'gallery');
      return true;
    case '?':
      set('dialog', 'help');
      return true;
    case 'm':
      set('motion', layoutStore.getState().motion === 'none' ? 'system' : 'none');
      if (layoutStore.getState().motion === 'none') stage.setPlaying(false);
      return true;
    case '/': {
      set('runsOpen', true);
      set('tab', 'runs');
      requestAnimationFrame(() => document.getElementById('runs-filter')?.focus());
      return true;
    }
    default:
      return false;
  }
}

const CONTROLS =
  'input, select, textarea, button, a, summary, [contenteditable], [role="grid"], [role="separator"], [role="slider"], [role="tab"], [role="application"], [popover]';

function inControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(CONTROLS) !== null;
}

function inText(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input:not([type="checkbox"]):not([type="radio"]):not([type="range"]), textarea, [contenteditable]') !== null
  );
}
