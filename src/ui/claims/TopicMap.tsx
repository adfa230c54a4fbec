/** The map of the field: topics by group, each with how many papers it has and how many of them can be run here. */
import type { ReactNode } from 'react';
import { topicMap } from '#client/compare/papers.ts';
import { t } from '#text/text.ts';
import type { Entry } from './filter.ts';
import styles from './Papers.module.css';

interface Props {
  readonly entries: readonly Entry[];
  /** The control of one topic. */
  readonly control: (topic: string, inside: ReactNode) => ReactNode;
}

export function TopicMap({ entries, control }: Props) {
  return (
    <div className={styles.map}>
      {topicMap.map(({ title, topics }) => (
        <section key={title} className={styles.group}>
          <h3>{t(title)}</h3>
          <ul>
            {topics.map((topic) => {
              const all = entries.filter((entry) => entry.topics.includes(topic));
              const built = all.filter(({ card }) => card !== null).length;
              return (
                <li key={topic}>
                  {control(
                    topic,
                    <>
                      <span className={styles.topicName}>{t(topic)}</span>
                      <span className={styles.count}>
                        {all.length}
                        <span className="visually-hidden">{t(' papers, {built} can be run', { built })}</span>
                      </span>
                      <Bar built={built} all={all.length} />
                    </>,
                  )}
                </li>
              );
            })}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** Length: how many papers, one to a pixel and a bit; the filled part can be run. */
function Bar({ built, all }: { readonly built: number; readonly all: number }) {
  return (
    <svg className={styles.bar} viewBox="0 0 80 4" preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <rect className={styles.barAll} width={all} height="4" rx="1" />
      <rect className={styles.barBuilt} width={built} height="4" rx="1" />
    </svg>
  );
}
