/** All lessons: what each is about, how long it takes, and the way in. */
import { useEffect, useState } from 'react';
import type { Keepable } from '#client/files/offline.ts';
import { hashOf, NEW_LESSON } from '#stores/route.ts';
import { t } from '#text/text.ts';
import { KeepHere } from '#ui/frame/KeepHere.tsx';
import { keepable, worldsIn } from '#ui/frame/keepable.ts';
import { PageFrame } from '#ui/frame/PageFrame.tsx';
import { Button } from '#ui/kit/Button.tsx';
import { LessonPicture } from './LessonPicture.tsx';
import styles from './Lessons.module.css';
import { loadLessons, type ShownLesson } from './language.ts';
import { classMinutes } from './minutes.ts';
import { TeacherNotes } from './TeacherNotes.tsx';

export default function LessonsPage() {
  const [lessons, setLessons] = useState<readonly ShownLesson[]>([]);
  useEffect(() => {
    void loadLessons().then(setLessons);
  }, []);
  return (
    <PageFrame title={t('Lessons')} page="lessons">
      <p className={styles.lead}>
        {t('Each is a link for a whole class: predict, run it on your own machine, compare. No account, no names, nothing is sent.')}
      </p>
      <p className={styles.make}>
        <Button icon="plus" onClick={() => (location.hash = hashOf({ page: 'lessons', id: NEW_LESSON, query: {} }))}>
          {t('Make a lesson')}
        </Button>
      </p>
      <ol className={styles.list}>
        {lessons.map((lesson) => (
          <li key={lesson.id}>
            <a className={styles.entry} href={hashOf({ page: 'lessons', id: lesson.id, query: {} })}>
              <span className={styles.thumb}>
                <LessonPicture lesson={lesson} />
              </span>
              <span className={styles.entryText}>
                <strong lang={lesson.lang}>{lesson.title}</strong>
                <span lang={lesson.lang}>{lesson.goal}</span>
                <span className={styles.quiet}>
                  {t('{from} to {to} minutes alone', { from: lesson.minutes[0], to: lesson.minutes[1] })}
                  {lesson.plan !== undefined && `, ${t('about {n} with a class', { n: classMinutes(lesson.plan) })}`} · {lesson.age} ·{' '}
                  {t('in {n} steps', { n: lesson.steps.length })}
                </span>
              </span>
            </a>
            <div className={styles.forTeachers}>
              <a href={hashOf({ page: 'class', id: lesson.id, query: {} })}>{t('For a class: {lesson}', { lesson: lesson.title })}</a>
              <TeacherNotes lesson={lesson} />
              <KeepHere name={lesson.title} thing={ofLesson(lesson)} />
            </div>
          </li>
        ))}
      </ol>
    </PageFrame>
  );
}

/** Its worlds, what explains them, the editor where code is written, and the class page of the teacher. */
function ofLesson(lesson: ShownLesson): Keepable {
  const written = lesson.steps.some(({ reward, view }) => reward !== undefined || view !== undefined);
  return keepable(worldsIn(lesson), ['explainers', 'class', ...(written ? ['code'] : [])], ['lessons', 'why']);
}
