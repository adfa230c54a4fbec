/** Below a run that has ended: three next presses chosen from what it showed, and its film. Loaded when the first run of a visit has ended. */
import paperFacts from 'virtual:paper-facts';
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { cardOf, listed, runsHere } from '#client/compare/papers.ts';
import { runs } from '#client/runs/service.ts';
import type { Preset } from '#contract/catalog/catalog.ts';
import { sameJson } from '#contract/kit/canonical.ts';
import { lessons } from '#lessons/index.ts';
import { standingOf } from '#math/standing.ts';
import { algoCard, envCard } from '#stores/catalog.ts';
import { draftStore } from '#stores/draft.ts';
import { hashOf } from '#stores/route.ts';
import type { RunGroup } from '#stores/types.ts';
import { t } from '#text/text.ts';
import { entriesOf } from '#ui/claims/filter.ts';
import { Button } from '#ui/kit/Button.tsx';
import { compact } from '#ui/kit/format/numbers.ts';
import { watching } from '#ui/kit/media.ts';
import { Popover } from '#ui/kit/Popover.tsx';
import type { Figures } from '#ui/runs/moment.ts';
import { LearningFilm } from '#ui/stage/film/LearningFilm.tsx';
import { loadLessons, type ShownLesson } from '../language.ts';
import styles from './Next.module.css';
import { nextPresses, type Press } from './next.ts';

interface Props {
  readonly group: RunGroup;
  readonly figures: Figures;
}

const TIMES_LONGER = 3;
/** Where the scene needs the height the presses fold into a list. */
const SMALL = '(width < 700px) or (height < 760px)';
const onSmall = watching(SMALL);

export default function ThenWhat({ group, figures }: Props) {
  const { env, algo, run } = group.config;
  const small = useSyncExternalStore(onSmall, () => matchMedia(SMALL).matches);
  const [shown, setShown] = useState<readonly ShownLesson[] | null>(null);
  useEffect(() => {
    let current = true;
    // the words of this strip come with those of the lessons
    void loadLessons().then((all) => {
      if (current) setShown(all);
    });
    return () => {
      current = false;
    };
  }, []);
  const lessonId = lessonOf(env.id, algo.id);
  const lesson = shown?.find(({ id }) => id === lessonId) ?? null;
  const world = otherForm(group);
  const paper = entriesOf(listed, cardOf, paperFacts, runsHere).find(({ card, envs }) => card !== null && envs.includes(env.id)) ?? null;
  if (shown === null) return null;
  const standing = standingOf(figures.scores, figures.budget);
  const presses = nextPresses({
    course: standing?.course ?? null,
    chance: standing !== null && standing.course === 'same' && !standing.near,
    seeds: run.seeds,
    world: world !== null,
    lesson: lesson !== null,
    paper: paper !== null,
  });
  const train = (change: () => void) => () => {
    change();
    void runs.train();
  };
  const { set, setEnv } = draftStore.getState();
  const drawn: { readonly [press in Press]: () => ReactNode } = {
    seeds: () => (
      <Button key="seeds" icon="play" onClick={train(() => set('run.seedStart', run.seedStart + run.seeds))}>
        {t('Again with other seeds')}
      </Button>
    ),
    longer: () => (
      <Button key="longer" icon="play" onClick={train(() => set('run.steps', TIMES_LONGER * run.steps))}>
        {t('Train longer: {steps}', { steps: compact(TIMES_LONGER * run.steps) })}
      </Button>
    ),
    world: () => (
      <Button key="world" icon="play" onClick={train(() => world !== null && setEnv(env.id, world.id))}>
        {t('In another world: {title}', { title: t(world?.title ?? '') })}
      </Button>
    ),
    lesson: () =>
      lesson === null ? null : (
        <a key="lesson" className={styles.way} lang={lesson.lang} href={hashOf({ page: 'lessons', id: lesson.id, query: {} })}>
          {t('Lesson: {title}', { title: lesson.title })}
        </a>
      ),
    paper: () =>
      paper === null ? null : (
        <a key="paper" className={styles.way} href={hashOf({ page: 'papers', id: paper.id.toLowerCase(), query: {} })}>
          {t('A paper that runs here: {id}', { id: paper.id })}
        </a>
      ),
  };
  return (
    <section className={styles.next} aria-label={t('Then what?')}>
      {small ? (
        <Popover look="word" width={300} trigger={t('Then what?')} label={t('Then what?')}>
          {() => <div className={styles.list}>{presses.map((press) => drawn[press]())}</div>}
        </Popover>
      ) : (
        <>
          <span className={styles.ask}>{t('Then what?')}</span>
          {presses.map((press) => drawn[press]())}
        </>
      )}
      <LearningFilm group={group} title={`${t(algoCard(algo.id)?.title ?? algo.id)} · ${t(envCard(env.id)?.title ?? env.id)}`} />
    </section>
  );
}

/** The lesson on this world, one on this method first. */
function lessonOf(env: string, algo: string): string | null {
  const about = lessons.map(({ id, config }) => ({ id, text: JSON.stringify(config) }));
  const names = (text: string, one: string): boolean => text.includes(`"id":"${one}"`);
  const here = about.filter(({ text }) => names(text, env));
  return (here.find(({ text }) => names(text, algo)) ?? here[0])?.id ?? null;
}

/** The form of the world that stands after the one of the run; null: it was the last. */
function otherForm({ config }: RunGroup): Preset | null {
  const card = envCard(config.env.id);
  if (card === null) return null;
  const at = card.presets.findIndex((one) => sameJson({ ...card.defaults, ...one.config }, config.env.config));
  return card.presets[at + 1] ?? null;
}
