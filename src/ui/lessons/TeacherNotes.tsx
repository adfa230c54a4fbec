/** What a teacher should know of a lesson before the class does. */
import { t } from '#text/text.ts';
import styles from './Lessons.module.css';
import type { ShownLesson } from './language.ts';

export function TeacherNotes({ lesson: { belief, plan = [], teacher, extend, lang } }: { readonly lesson: ShownLesson }) {
  if (teacher.length === 0) return null;
  return (
    <details className={styles.notes}>
      <summary>{t('For the teacher')}</summary>
      <p>{t('Works on the belief: “{belief}”', { belief })}</p>
      {plan.length > 0 && (
        <>
          <p>{t('One way through it:')}</p>
          <ol lang={lang}>
            {plan.map((part) => (
              <li key={part}>{part}</li>
            ))}
          </ol>
        </>
      )}
      <p>{t('What to know:')}</p>
      <ul lang={lang}>
        {teacher.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
      <p>{t('To go on: {extend}', { extend })}</p>
    </details>
  );
}
