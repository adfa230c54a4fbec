/** The scores of every group in every panel: interquartile means with their intervals. */

import { capital } from '#contract/kit/capital.ts';
import { t } from '#text/text.ts';
import { compact, measure } from '#ui/kit/format/numbers.ts';
import { Swatch } from '#ui/runs/Row.tsx';
import styles from './Compare.module.css';
import type { ScoredFacet } from './scores.ts';
import { SCORES, type Score, type View } from './view.ts';

interface Props {
  readonly facets: readonly ScoredFacet[];
  readonly view: View;
}

export function ScoreTable({ facets, view }: Props) {
  const columns = (Object.keys(SCORES) as Score[]).filter(
    (key) => (key !== 'at' || view.at !== null) && (key !== 'reach' || view.level !== null),
  );
  const several = facets.length > 1;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className={styles.scroll} tabIndex={0} aria-label={t('Table of scores')}>
      <table className={styles.scores}>
        <caption>{t('Interquartile mean over runs, with a 95 % interval from five on')}</caption>
        <thead>
          <tr>
            {several && <th scope="col">{t('Panel')}</th>}
            <th scope="col">{t('Group')}</th>
            <th scope="col" data-numeric="">
              {t('Runs')}
            </th>
            {columns.map((key) => (
              <th key={key} scope="col" data-numeric="" aria-sort={key === view.score ? 'other' : undefined}>
                {titleOf(key, view)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {facets.flatMap(({ facet, sets }) =>
            sets.map(({ set, summary }, i) => (
              <tr key={`${facet.key}/${set.key}`}>
                {several && <th scope="row">{i === 0 ? facet.title : ''}</th>}
                <th scope="row">
                  <span className={styles.name}>
                    <Swatch colour={set.colour} dash={set.dash} on />
                    {set.name}
                  </span>
                </th>
                <td data-numeric="" title={set.setups > 1 ? t('of {setups} configurations', { setups: set.setups }) : undefined}>
                  {set.members.length}
                </td>
                {columns.map((key) => {
                  const { iqm, ci95, n } = summary[key];
                  const text = (value: number | null): string => (key === 'reach' && value !== null ? compact(value) : measure(value));
                  return (
                    <td key={key} data-numeric="">
                      {text(iqm)}
                      {ci95 !== null && <small>{` [${text(ci95[0])}, ${text(ci95[1])}]`}</small>}
                      {iqm !== null && n < set.members.length && <small>{` n=${n}`}</small>}
                    </td>
                  );
                })}
              </tr>
            )),
          )}
        </tbody>
      </table>
    </section>
  );
}

function titleOf(key: Score, { at, level }: View): string {
  if (key === 'at') return `At ${at === null ? '' : compact(at)}`;
  if (key === 'reach') return `Steps to ${measure(level)}`;
  return capital(SCORES[key]);
}
