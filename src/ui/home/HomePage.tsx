/** Home: what this is in a sentence, a wall of worlds by family, each one press from learning, the lessons, the map of papers. */
import facts from 'virtual:env-facts';
import paperFacts from 'virtual:paper-facts';
import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { lab } from '#client/lab.ts';
import { listed, paperOf } from '#client/papers.ts';
import type { EnvCard } from '#contract/catalog.ts';
import type { Lesson } from '#lessons/define.ts';
import { catalogStore } from '#stores/catalog.ts';
import { hashOf } from '#stores/route.ts';
import { familiesOf } from '../env-page/finding.ts';
import { Picture } from '../env-page/Picture.tsx';
import { learnsIn } from '../env-page/words.ts';
import { Button } from '../kit/Button.tsx';
import { PageFrame } from '../pages/PageFrame.tsx';
import { entriesOf } from '../papers/filter.ts';
import papers from '../papers/Papers.module.css';
import { TopicMap } from '../papers/TopicMap.tsx';
import styles from './Home.module.css';

export default function HomePage() {
  const entries = useMemo(() => entriesOf(listed, paperOf, paperFacts), []);
  const built = entries.filter(({ card }) => card !== null).length;
  return (
    <PageFrame title="Train agents, watch them learn, ask them why, here in this tab." page="home">
      <p className={styles.actions}>
        <Button kind="solid" icon="play" big onClick={() => lab.links.backToLab()}>
          Open the laboratory
        </Button>
      </p>
      <section aria-labelledby="home-worlds">
        <h2 id="home-worlds" className={styles.heading}>
          Worlds, one press from learning
        </h2>
        <Wall />
      </section>
      <section aria-labelledby="home-lessons">
        <h2 id="home-lessons" className={styles.heading}>
          Lessons
        </h2>
        <Lessons />
      </section>
      <section aria-labelledby="home-papers">
        <h2 id="home-papers" className={styles.heading}>
          Papers
        </h2>
        <p className={styles.lead}>
          {listed.length} papers, {built} of them as comparisons that run here and can fail.{' '}
          <a href={hashOf({ page: 'papers', id: null, query: {} })}>All papers</a>
        </p>
        <TopicMap
          entries={entries}
          control={(topic, inside) => (
            <a className={papers.topic} href={hashOf({ page: 'papers', id: null, query: { topic } })}>
              {inside}
            </a>
          )}
        />
      </section>
    </PageFrame>
  );
}

/** One world of each family, the one that its family's sign shows. */
function Wall() {
  const envs = useStore(catalogStore, (state) => state.catalog?.envs);
  const families = useMemo(() => familiesOf(envs ?? []), [envs]);
  if (envs === undefined) return <p className={styles.lead}>Reading the catalogue.</p>;
  return (
    <ul className={styles.wall}>
      {families.map(({ title, count, sign }) => (
        <li key={title}>
          <World env={sign} family={title} count={count} />
        </li>
      ))}
    </ul>
  );
}

function World({ env, family, count }: { readonly env: EnvCard; readonly family: string; readonly count: number }) {
  return (
    <button type="button" className={styles.world} onClick={() => void lab.learnIn(env.id)}>
      <Picture env={env} preset={env.presets[0]?.id ?? ''} config={env.defaults} />
      <span className={styles.family}>{family}</span>
      <span className={styles.quiet}>
        {env.title}
        {count > 1 && ` and ${count - 1} more`}
      </span>
      <span className={styles.press}>Train{learnsIn(facts[env.id]?.learned) === '' ? '' : `: ${learnsIn(facts[env.id]?.learned)}`}</span>
    </button>
  );
}

function Lessons() {
  const [lessons, setLessons] = useState<readonly Lesson[]>([]);
  useEffect(() => {
    void import('#lessons/index.ts').then((module) => setLessons(module.lessons));
  }, []);
  return (
    <ul className={styles.lessons}>
      {lessons.map(({ id, title, goal, minutes }) => (
        <li key={id}>
          <a href={hashOf({ page: 'lessons', id, query: {} })}>
            <strong>{title}</strong>
            <span>{goal}</span>
            <span className={styles.quiet}>
              {minutes[0]} to {minutes[1]} minutes
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}
