/** Which settings the pupil gets: those that are chosen, the usual ones, and all others by a search. */
import { useState } from 'react';
import { MOST_CONTROLS } from '#contract/link/lesson.ts';
import { t } from '#text/text.ts';
import type { Leaf } from '#ui/form/leaves.ts';
import fields from '#ui/kit/Fields.module.css';
import { finder } from '#ui/kit/format/search.ts';
import styles from './Make.module.css';

const USUAL = 5;
/** More are found by more words. */
const MOST_FOUND = 12;

/** The first five of those that the simple depth shows: those of the method first, two of the world among them. */
export function usual(leaves: readonly Leaf[]): readonly Leaf[] {
  const simple = leaves.filter(({ depth }) => depth === 'teach');
  const of = (room: string): readonly Leaf[] => simple.filter(({ path }) => path.startsWith(`${room}.`));
  const world = of('env').slice(0, 2);
  const first = [...of('algo').slice(0, USUAL - world.length), ...world, ...of('run')];
  return [...new Set([...first, ...simple, ...leaves])].slice(0, USUAL);
}

interface Props {
  readonly leaves: readonly Leaf[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

export function Controls({ leaves, chosen, onChange }: Props) {
  const [search, setSearch] = useState('');
  const sought = finder(search);
  const ticked = leaves.filter(({ path }) => chosen.includes(path));
  const top = usual(leaves);
  const others = search.trim() === '' ? top : leaves.filter(({ title, path }) => sought(`${t(title)} ${title} ${path}`));
  const offered = others.filter(({ path }) => !chosen.includes(path));
  const list = [...ticked, ...offered.slice(0, MOST_FOUND)];
  return (
    <>
      <input
        type="search"
        className={styles.search}
        aria-label={t('Find a setting')}
        placeholder={t('Find a setting: learning rate, gamma, gravity')}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <ul className={styles.controls} aria-label={t('Settings')}>
        {list.map(({ path, title }) => (
          <li key={path}>
            <label className={fields.check}>
              <input
                type="checkbox"
                checked={chosen.includes(path)}
                disabled={!chosen.includes(path) && chosen.length >= MOST_CONTROLS}
                onChange={(event) => onChange(event.target.checked ? [...chosen, path] : chosen.filter((other) => other !== path))}
              />
              {t(title)}
            </label>
          </li>
        ))}
      </ul>
      <p className={fields.quiet}>
        {search.trim() === ''
          ? t('The usual ones; the search finds all {n}.', { n: leaves.length })
          : offered.length === 0
            ? t('No other setting matches “{search}”.', { search })
            : offered.length > MOST_FOUND
              ? t('The first {n} of {all}.', { n: MOST_FOUND, all: offered.length })
              : ''}
      </p>
    </>
  );
}
