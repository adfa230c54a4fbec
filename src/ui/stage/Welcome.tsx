/** What this page is, in one sentence, until the first run exists. */
import { useStore } from 'zustand';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { canLearn, decides } from '#contract/catalog/learnable.ts';
import { algoCard } from '#stores/catalog.ts';
import { inLesson, routeStore } from '#stores/route.ts';
import { runsStore } from '#stores/runs.ts';
import { stageStore } from '#stores/stage.ts';
import { t } from '#text/text.ts';
import { langOf } from '#ui/kit/format/fact.ts';
import { Rich } from '#ui/kit/Rich.tsx';
import styles from './Stage.module.css';
import { tourStore } from './tour.ts';

export function Welcome({ env }: { readonly env: EnvCard | null }) {
  const fresh = useStore(runsStore, (state) => state.groups.length === 0);
  const watching = useStore(stageStore, (state) => state.mode === 'live' || state.mode === 'idle');
  const lesson = useStore(routeStore, inLesson);
  const told = useStore(tourStore, ({ step }) => step === 'train'); // the tour's first card says the same
  if (!fresh || !watching || lesson || env === null || (told && canLearn(env))) return null;
  const about = (
    <span className={styles.about} lang={langOf(env.summary)}>
      {t(env.summary)}
    </span>
  );
  if (!decides(env))
    return (
      <p className={styles.welcome}>
        {about} {t('Nothing is learned here: every member follows a built-in rule. Move its settings and watch what the group does.')}
      </p>
    );
  if (!canLearn(env))
    return (
      <p className={styles.welcome}>
        {about}{' '}
        <Rich
          text={t(
            'Nothing is learned here, because nothing is rewarded. Press <b>Play yourself</b> to fly, or change the physics and watch.',
          )}
        />
      </p>
    );
  // the offer's method: what a person chooses later has a line of its own in the settings
  if (algoCard(env.recommended.algo)?.shown === true)
    return (
      <p className={styles.welcome}>
        <b>{t('A program that learns from an expert.')}</b> {about}{' '}
        <Rich text={t('Press <b>Train</b> and watch it learn, here in your browser.')} />
      </p>
    );
  return (
    <p className={styles.welcome}>
      <b>{t('A program that learns by trying.')}</b> {about}{' '}
      <Rich
        text={
          env.learnNote === undefined
            ? t('Press <b>Train</b> and watch it learn, here in your browser.')
            : t('Press <b>Train</b> and watch. Learning is slow here, or fails: the page of this world says why.')
        }
      />
    </p>
  );
}
