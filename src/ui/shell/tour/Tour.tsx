/** One small card beside the control that a step of the tour is about. It takes no focus and lets presses through, but for its own buttons. */
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { canLearn } from '#contract/catalog/learnable.ts';
import { catalogStore } from '#stores/catalog.ts';
import { draftStore, isOpen } from '#stores/draft.ts';
import { layoutStore } from '#stores/layout.ts';
import { stageStore } from '#stores/stage.ts';
import { msg, t } from '#text/text.ts';
import { leavesOf, worldSliders } from '#ui/form/leaves.ts';
import { Button } from '#ui/kit/Button.tsx';
import { endTour, type TourStep, tourStore, tourWatched } from '#ui/stage/tour.ts';
import styles from './Tour.module.css';

const STEPS: { readonly [step in TourStep]: { readonly words: string; readonly at: readonly string[] } } = {
  train: {
    words: msg('A program that learns by trying. At first it acts at random: press Train and watch it learn.'),
    at: ['[data-tour="train"]'],
  },
  watch: {
    words: msg('Each line is one learner, and higher is better. The scene plays what they have learned so far.'),
    at: ['#tab-curves', '#panel-curves'],
  },
  change: {
    words: msg('Now you: change the world, for example “{setting}”, and watch what the trained program does.'),
    at: ['#tab-setup', '#panel-left [data-field]'],
  },
  done: {
    words: msg('That was your experiment: a program trained in one world plays in yours. Train again and it learns yours.'),
    at: ['#tab-setup', '#panel-left [data-field]'],
  },
};
/** Where the world has no slider. */
const CHANGE = msg('Now you: change a setting and watch what the trained program does.');
const NUMBER: { readonly [step in TourStep]: string } = {
  train: msg('1 of 3'),
  watch: msg('2 of 3'),
  change: msg('3 of 3'),
  done: msg('Done'),
};
const WIDTH = 264;
const GAP = 10;
/** Below this width one panel is shown at a time, and the card lies over the top of the scene: all else is being read or pressed. */
const NARROW = 700;

export default function Tour() {
  const step = useStore(tourStore, (state) => state.step);
  const ready = useStore(draftStore, isOpen);
  const [place, setPlace] = useState<Readonly<Record<string, string>> | null>(null);
  useEffect(() => {
    if (step === null) return;
    // A phone shows one panel at a time: the controls come to the front.
    if (step === 'change') layoutStore.getState().set('tab', 'setup');
    const follow = (): void => setPlace(placeFor(step));
    follow();
    // The page arranges itself while it loads, and tabs and panels move.
    const timer = setInterval(follow, 300);
    const onKey = (event: KeyboardEvent): void => {
      const busy = document.querySelector('dialog[open]') !== null || stageStore.getState().mode === 'play';
      if (event.key === 'Escape' && !event.defaultPrevented && !busy) endTour();
    };
    addEventListener('resize', follow);
    addEventListener('keydown', onKey);
    return () => {
      clearInterval(timer);
      removeEventListener('resize', follow);
      removeEventListener('keydown', onKey);
    };
  }, [step]);
  const env = useStore(draftStore, (state) => state.config.env.id);
  const card = useStore(catalogStore, ({ catalog }) => catalog?.envs.find(({ id }) => id === env));
  // Its steps train: where nothing can be learned it waits for another world.
  if (step === null || !ready || place === null || (card !== undefined && !canLearn(card))) return null;
  const last = step === 'done';
  const slider = card === undefined ? undefined : worldSliders(leavesOf('env', card.schema))[0];
  const words = step === 'change' && slider === undefined ? t(CHANGE) : t(STEPS[step].words, { setting: t(slider?.title ?? '') });
  return (
    <aside className={styles.card} style={place as object} aria-label={t('First steps')}>
      <p role="status">
        <b>{t(NUMBER[step])}</b> {words}
      </p>
      <span className={styles.ways}>
        {step === 'watch' && <Button onClick={tourWatched}>{t('Next')}</Button>}
        {/* A first visit has few stops for the tab key: there Escape does the same, and the button says so. */}
        <Button tabIndex={step === 'train' ? -1 : undefined} onClick={endTour}>
          {last ? t('Close') : t('Skip the tour (Esc)')}
        </Button>
      </span>
    </aside>
  );
}

/** Right or left of a wide thing, below or above a small one; null while it is not there. */
function placeFor(step: TourStep): Readonly<Record<string, string>> | null {
  const box = STEPS[step].at
    .map((selector) => document.querySelector(selector)?.getBoundingClientRect())
    .find((found) => found !== undefined && found.width > 0 && found.height > 0 && found.bottom > 0 && found.top < innerHeight);
  if (box === undefined) return null;
  if (innerWidth < NARROW && step !== 'train') {
    const top = document.querySelector('[data-tour="bar"]')?.getBoundingClientRect().bottom ?? 0;
    return { '--x': '8px', '--width': `${innerWidth - 16}px`, '--top': `${Math.round(top) + 4}px`, '--bottom': 'auto' };
  }
  const side = box.width > WIDTH / 2 && box.height < innerHeight * 0.9;
  const at = (x: number, y: number, up = false): Readonly<Record<string, string>> => ({
    '--x': `${Math.round(Math.min(innerWidth - WIDTH - 8, Math.max(8, x)))}px`,
    ...(up
      ? { '--bottom': `${Math.round(innerHeight - y)}px`, '--top': 'auto' }
      : { '--top': `${Math.round(Math.max(8, y))}px`, '--bottom': 'auto' }),
  });
  if (side && box.right + WIDTH + GAP < innerWidth) return at(box.right + GAP, box.top);
  if (side && box.left - WIDTH - GAP > 0) return at(box.left - WIDTH - GAP, box.top + 40);
  if (box.top > innerHeight / 2) return at(box.left, box.top - GAP, true);
  // The switch of who acts, at the left edge of the scene, stays free: the card goes left of it where it fits there.
  const modes = document.querySelector('[data-tour="modes"]')?.getBoundingClientRect();
  const left = modes === undefined ? box.left : Math.min(box.left, modes.left - WIDTH - GAP);
  return at(left < 8 ? box.left : left, box.bottom + GAP);
}
