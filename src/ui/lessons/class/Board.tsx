/** One line for each result of a step: seat, settings, what it came to, and whether it is true. */
import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { FieldSchema } from '#contract/catalog/catalog.ts';
import { catalogStore } from '#stores/catalog.ts';
import { t } from '#text/text.ts';
import { leavesOf } from '#ui/form/leaves.ts';
import { Button } from '#ui/kit/Button.tsx';
import { figureBeside } from '../results.ts';
import { alikeIn, goalReached, scoreOf, settingsOf, verdictText } from './board.ts';
import styles from './Class.module.css';
import { type Entry, useEntries } from './entries.ts';
import type { Verdict } from './verify.ts';

interface Props {
  readonly entries: readonly Entry[];
  readonly verdicts: Readonly<Record<string, Verdict>>;
}

const WAITING: Verdict = { state: 'waiting', checked: 0, of: 0, why: '' };

export function Board({ entries, verdicts }: Props) {
  const catalog = useStore(catalogStore, (state) => state.catalog);
  const remove = useEntries((state) => state.remove);
  const titles = useMemo(() => {
    const schemas = (prefix: string, schema: FieldSchema | undefined) => (schema === undefined ? [] : leavesOf(prefix, schema));
    const lesson = entries[0]?.result.lesson;
    const env = catalog?.envs.find(({ id }) => id === lesson?.config.env.id);
    const algo = catalog?.algos.find(({ id }) => id === lesson?.config.algo.id);
    return new Map([...schemas('env', env?.schema), ...schemas('algo', algo?.schema)].map(({ path, title }) => [path, t(title)]));
  }, [catalog, entries]);
  const alike = alikeIn(entries);
  const first = entries[0]?.result;
  const common = first === undefined || alike.size === 0 ? '' : settingsOf(first, titles, (path) => alike.has(path));
  const table = (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls sideways must be reached by keys
    <section className={styles.scroll} tabIndex={0} aria-label={t('Board')}>
      <table className={styles.board}>
        <thead>
          <tr>
            <th scope="col">{t('seat')}</th>
            <th scope="col">{t('result')}</th>
            <th scope="col">{t('settings')}</th>
            <th scope="col">{t('checked here')}</th>
            <th scope="col">
              <span className="visually-hidden">{t('remove')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {entries
            .toSorted((a, b) => a.result.seat - b.result.seat)
            .map(({ code, result }) => {
              const { value, met } = scoreOf(result);
              const { min, max } = result.lesson.steps[result.step]?.check ?? {};
              const verdict = verdicts[code] ?? WAITING;
              const reached = goalReached(verdict.state, met);
              return (
                <tr key={code} data-state={verdict.state}>
                  <th scope="row">{result.seat === 0 ? '–' : result.seat}</th>
                  <td>
                    {value === null ? t('nothing measured') : figureBeside(value, min ?? max ?? null)}
                    {reached !== null && ` ${reached ? t('✓ goal') : t('not yet')}`}
                  </td>
                  <td>{settingsOf(result, titles, (path) => !alike.has(path)) || t('as given')}</td>
                  <td>{verdictText(verdict)}</td>
                  <td>
                    <Button
                      kind="bare"
                      icon="close"
                      label={t('Remove the result of seat {n}', { n: result.seat })}
                      onClick={(event) => {
                        event.currentTarget.closest('section')?.focus(); // its row goes
                        remove(code);
                      }}
                    />
                  </td>
                </tr>
              );
            })}
        </tbody>
      </table>
    </section>
  );
  return (
    <>
      {common !== '' && <p className={styles.quiet}>{t('The same for all: {settings}.', { settings: common })}</p>}
      {table}
    </>
  );
}
