/**
 * Every environment with its picture. What was used last and the finest come first; a family narrows the list, and so do words: of title,
 * summary and source, and tags such as "3d", "swarm", "team".
 */
import facts from 'virtual:env-facts';
import { useDeferredValue, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { workers } from '#client/workers/service.ts';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { familiesOf } from '#contract/catalog/families.ts';
import { isOwnWorld } from '#contract/run/own-world.ts';
import { learnsIn, obsInWords } from '#ui/form/env-words.ts';
import { DidYouMean } from '#ui/kit/DidYouMean.tsx';
import { finder } from '#ui/kit/format/search.ts';
import { Picture } from '#ui/kit/picture/Picture.tsx';
import { chooseMine, MINE, useMine } from '#ui/setup/mine.ts';
import styles from './EnvPage.module.css';
import { find } from './finding.ts';
import { recentStore } from './recent.ts';

/** " · learns in about 4 s". */
function learns(learned: Parameters<typeof learnsIn>[0]): string {
  const words = learnsIn(learned, workers.parallel());
  return words === '' ? '' : ` · ${words}`;
}

interface Props {
  readonly envs: readonly EnvCard[];
  readonly current: string | null;
  readonly onOpen: (id: string) => void;
  /** The list is left for another page. */
  readonly onLeave: () => void;
}

export function EnvList({ envs: all, current, onOpen, onLeave }: Props) {
  const envs = useMemo(() => all.filter(({ id }) => !isOwnWorld(id)), [all]); // own ones are listed by themselves, opened or not
  const [text, setText] = useState('');
  const [family, setFamily] = useState('');
  const mine = useMine(null);
  const recent = useStore(recentStore, (state) => state.ids);
  const words = useDeferredValue(text);
  const families = useMemo(() => familiesOf(envs), [envs]);
  const found = useMemo(() => find(envs, words, family), [envs, words, family]);
  const sought = finder(words);
  const ownFound = family === '' || family === MINE ? mine.filter(({ title }) => sought(`${title} ${MINE}`)) : [];
  const whole = words.trim() === '' && family === '';
  const last = whole ? recent.flatMap((id) => envs.find((env) => env.id === id) ?? []) : [];
  return (
    <>
      <input
        type="search"
        className={styles.search}
        aria-label="Find an environment"
        placeholder="Find an environment: fly, poker, 3d, swarm, team"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <fieldset className={styles.families}>
        <legend className="visually-hidden">Families</legend>
        {families.map(({ title, count, sign }) => (
          <button
            key={title}
            type="button"
            className={styles.family}
            aria-pressed={family === title}
            onClick={() => setFamily(family === title ? '' : title)}
          >
            <Picture env={sign} preset={sign.presets[0]?.id ?? ''} config={sign.defaults} />
            <span>{title}</span>
            <small className="figures">{count}</small>
          </button>
        ))}
      </fieldset>
      <p className={styles.quiet} role="status">
        {found.length === envs.length ? `${envs.length} environments` : `${found.length} of ${envs.length}`}
      </p>
      {found.length === 0 && ownFound.length === 0 && (
        <DidYouMean query={words} texts={envs.map(({ title, id }) => `${title} ${id}`)} onTake={setText} />
      )}
      {ownFound.length > 0 && (
        <>
          <h3 className={styles.heading}>Written by you</h3>
          <ul className={styles.cards}>
            {ownFound.map((each) => (
              <li key={each.at}>
                <button
                  type="button"
                  className={styles.card}
                  onClick={() => {
                    onLeave();
                    void chooseMine(each);
                  }}
                >
                  <span className={styles.cardTitle}>{each.title}</span>
                  <span className={styles.quiet}>{`a ${each.kind} of your own, of ${new Date(each.at).toLocaleString()}`}</span>
                  <span className={styles.summary}>Trained in a sandbox without network and storage.</span>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      {last.length > 0 && (
        <>
          <h3 className={styles.heading}>Recently used</h3>
          <Cards envs={last} current={current} onOpen={onOpen} />
          <h3 className={styles.heading}>All</h3>
        </>
      )}
      <Cards envs={found} current={current} onOpen={onOpen} />
    </>
  );
}

function Cards({ envs, current, onOpen }: Omit<Props, 'onLeave'>) {
  return (
    <ul className={styles.cards}>
      {envs.map((env) => {
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
                {learns(facts[env.id]?.learned)}
              </span>
              <span className={styles.summary}>{env.summary}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
