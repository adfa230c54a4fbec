/** All lessons: what each is about, how long it takes, and the way in. */
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { lab } from '#client/lab.ts';
import type { JsonObject } from '#contract/json.ts';
import type { Lesson } from '#lessons/define.ts';
import { catalogStore } from '#stores/catalog.ts';
import { hashOf } from '#stores/route.ts';
import { Picture } from '../env-page/Picture.tsx';
import { nearestPreset } from '../gallery/card-text.ts';
import { Button } from '../kit/Button.tsx';
import styles from './Lessons.module.css';

export default function LessonsPage() {
  const [lessons, setLessons] = useState<readonly Lesson[]>([]);
  useEffect(() => {
    void import('#lessons/index.ts').then((module) => setLessons(module.lessons));
  }, []);
  return (
    <main className={styles.page}>
      <header className={styles.pageHead}>
        <h1 tabIndex={-1} ref={(element) => element?.focus({ preventScroll: true })}>
          Lessons
        </h1>
        <Button onClick={() => lab.links.backToLab()}>Back to the laboratory</Button>
      </header>
      <p className={styles.lead}>
        Each is a link for a whole class: predict, run it on your own machine, compare. No account, no names, nothing is sent.
      </p>
      <ol className={styles.list}>
        {lessons.map((lesson) => (
          <li key={lesson.id}>
            <a className={styles.entry} href={hashOf({ page: 'lessons', id: lesson.id, query: {} })}>
              <span className={styles.thumb}>
                <LessonPicture lesson={lesson} />
              </span>
              <span className={styles.entryText}>
                <strong>{lesson.title}</strong>
                <span>{lesson.goal}</span>
                <span className={styles.quiet}>
                  {lesson.minutes[0]} to {lesson.minutes[1]} minutes · {lesson.age} · {lesson.steps.length} steps
                </span>
              </span>
            </a>
            <details className={styles.notes}>
              <summary>For the teacher</summary>
              <p>Works on the belief: “{lesson.belief}”</p>
              <ul>
                {lesson.teacher.map((note) => (
                  <li key={note}>{note}</li>
                ))}
              </ul>
              <p>To go on: {lesson.extend}</p>
            </details>
          </li>
        ))}
      </ol>
    </main>
  );
}

function LessonPicture({ lesson }: { readonly lesson: Lesson }) {
  const { id, config = {} } = lesson.config.env as { readonly id: string; readonly config?: JsonObject };
  const env = useStore(catalogStore, (state) => state.catalog?.envs.find((card) => card.id === id));
  return env === undefined ? null : <Picture env={env} preset={nearestPreset(env, config)} config={config} />;
}
