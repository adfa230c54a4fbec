/**
 * A step of the tour: a line of its own below the bar, which covers no part of the page. The control of the step is outlined (App.module.css). It
 * takes no focus.
 */
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { canLearn } from '#contract/catalog/learnable.ts';
import { type JsonObject, objectOf } from '#contract/kit/json.ts';
import { catalogStore } from '#stores/catalog.ts';
import { draftStore, isOpen } from '#stores/draft.ts';
import { layoutStore } from '#stores/layout.ts';
import { stageStore } from '#stores/stage.ts';
import { msg, t } from '#text/text.ts';
import { leavesOf, worldSliders } from '#ui/form/leaves.ts';
import { Button } from '#ui/kit/Button.tsx';
import { useRoom } from '#ui/kit/media.ts';
import { endTour, type TourStep, tourStore, tourWatched } from '#ui/stage/tour.ts';
import styles from './Tour.module.css';

const STEPS: { readonly [step in TourStep]: string } = {
  train: msg('A program that learns by trying. At first it acts at random: press Train and watch it learn.'),
  watch: msg('Each line is one learner, and higher is better. The scene plays what they have learned so far.'),
  change: msg('Now you: change the world, for example “{setting}”, and watch what the trained program does.'),
  done: msg('That was your experiment: a program trained in one world plays in yours. Train again and it learns yours.'),
};
/** Where it begins with weights that were trained before. */
const PRETRAINED = msg('A program that learns by trying. It begins with what a model has learned before: press Train and watch it change.');
/** Where the world has no slider. */
const CHANGE = msg('Now you: change a setting and watch what the trained program does.');
const NUMBER: { readonly [step in TourStep]: string } = {
  train: msg('1 of 3'),
  watch: msg('2 of 3'),
  change: msg('3 of 3'),
  done: msg('Done'),
};

export default function Tour() {
  const step = useStore(tourStore, (state) => state.step);
  const ready = useStore(draftStore, isOpen);
  const phone = useRoom() === 'phone';
  useEffect(() => {
    if (step === null) return;
    // A phone shows one panel at a time: the controls come to the front.
    if (step === 'change') layoutStore.getState().set('tab', 'setup');
    const onKey = (event: KeyboardEvent): void => {
      const busy = document.querySelector('dialog[open]') !== null || stageStore.getState().mode === 'play';
      if (event.key === 'Escape' && !event.defaultPrevented && !busy) endTour();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [step]);
  const env = useStore(draftStore, (state) => state.config.env.id);
  const { kind = 'not used' } = objectOf(useStore(draftStore, ({ config }) => (config.algo.config as JsonObject).pretrained));
  const pretrained = kind !== 'not used';
  const card = useStore(catalogStore, ({ catalog }) => catalog?.envs.find(({ id }) => id === env));
  // Its steps train: where nothing can be learned it waits for another world.
  if (step === null || !ready || (card !== undefined && !canLearn(card))) return null;
  const last = step === 'done';
  const slider = card === undefined ? undefined : worldSliders(leavesOf('env', card.schema))[0];
  const words =
    step === 'change' && slider === undefined
      ? t(CHANGE)
      : t(step === 'train' && pretrained ? PRETRAINED : STEPS[step], { setting: t(slider?.title ?? '') });
  const close = last ? t('Close') : t('Skip the tour (Esc)');
  return (
    <aside className={styles.card} aria-label={t('First steps')}>
      <p role="status">
        <b>{t(NUMBER[step])}</b> {words}
      </p>
      <span className={styles.ways}>
        {step === 'watch' && <Button onClick={tourWatched}>{t('Next')}</Button>}
        {/* A first visit has few stops for the tab key: there Escape does the same, and the button says so. */}
        <Button
          {...(phone ? { icon: 'close' as const, kind: 'bare' as const, label: close } : { children: close })}
          tabIndex={step === 'train' ? -1 : undefined}
          onClick={endTour}
        />
      </span>
    </aside>
  );
}
