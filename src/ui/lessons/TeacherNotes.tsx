/** What a teacher should know of a lesson before the class does. */
import type { Lesson } from '#lessons/define.ts';
import styles from './Lessons.module.css';

export function TeacherNotes({ lesson: { belief, plan = [], teacher, extend } }: { readonly lesson: Lesson }) {
  if (teacher.length === 0) return null;
  return (
    <details className={styles.notes}>
      <summary>For the teacher</summary>
      <p>Works on the belief: “{belief}”</p>
      {plan.length > 0 && (
        <>
          <p>One way through it:</p>
          <ol>
            {plan.map((part) => (
              <li key={part}>{part}</li>
            ))}
          </ol>
        </>
      )}
      <p>What to know:</p>
      <ul>
        {teacher.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
      <p>To go on: {extend}</p>
    </details>
  );
}
