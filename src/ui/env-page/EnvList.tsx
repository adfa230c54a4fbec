/** Every environment with its picture; typing narrows the list by title, id, summary and source. */
import facts from 'virtual:env-facts';
import { useDeferredValue, useState } from 'react';
import type { EnvCard } from '#contract/catalog.ts';
import styles from './EnvPage.module.css';
import { Picture } from './Picture.tsx';
import { learnsIn, obsInWords } from './words.ts';

interface Props {
  readonly envs: readonly EnvCard[];
  readonly current: string | null;
  readonly onOpen: (id: string) => void;
}

export function EnvList({ envs, current, onOpen }: Props) {
  const [text, setText] = useState('');
  const wanted = useDeferredValue(text).trim().toLowerCase();
  const found = envs.filter(({ id, title, summary, source }) =>
    wanted.split(/\s+/).every((word) => `${id} ${title} ${summary} ${source.authors} ${source.title}`.toLowerCase().includes(word)),
  );
  return (
    <>
      <input
        type="search"
        className={styles.search}
        aria-label="Find an environment"
        placeholder="Find an environment"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <p className={styles.quiet} role="status">
        {found.length === envs.length ? `${envs.length} environments` : `${found.length} of ${envs.length}`}
      </p>
      <ul className={styles.cards}>
        {found.map((env) => {
          const preset = env.presets[0];
          return (
            <li key={env.id}>
              <button
                type="button"
                className={styles.card}
                aria-current={env.id === current ? 'true' : undefined}
                onClick={() => onOpen(env.id)}
              >
                <Picture env={env} preset={preset?.id ?? ''} config={{ ...env.defaults, ...preset?.config }} />
                <span className={styles.cardTitle}>{env.title}</span>
                <span className={styles.quiet}>
                  {env.agents === 1 ? 'one agent' : `${env.agents} agents`} · {obsInWords(env.obs)}
                  {learnsIn(facts[env.id]?.learned) && ` · ${learnsIn(facts[env.id]?.learned)}`}
                </span>
                <span className={styles.summary}>{env.summary}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </>
  );
}
