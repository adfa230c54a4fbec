/** All runs of this page: groups of seeds, sorted, filtered, renamed, exported. Only the rows in sight are drawn. */
import { lazy, Suspense, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { catalogStore } from '#stores/catalog.ts';
import { curvesStore } from '#stores/curves.ts';
import { hashOf } from '#stores/route.ts';
import { runsStore } from '#stores/runs.ts';
import type { RunGroup, SeedRun } from '#stores/types.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { DidYouMean } from '#ui/kit/DidYouMean.tsx';
import { Icon } from '#ui/kit/Icon.tsx';
import { Popover } from '#ui/kit/Popover.tsx';
import { runsHere } from './here.ts';
import { runNames } from './names.ts';
import { GroupRow, SeedRow } from './Row.tsx';
import styles from './Runs.module.css';
import { arrange, columnsFor, depthOf } from './rows.ts';
import { useWindow } from './useWindow.ts';

const WhatDiffers = lazy(() => import('./WhatDiffers.tsx').then((module) => ({ default: module.WhatDiffers })));

type Line = { readonly group: RunGroup; readonly seed: SeedRun | null };

interface Props {
  readonly open: boolean;
  /** null: the panel cannot be folded here. */
  readonly onFold: (() => void) | null;
  /** It is a page of its own, which has a title and ways to the other views. */
  readonly page?: boolean;
}

export function RunsPanel({ open, onFold, page = false }: Props) {
  const every = useStore(runsStore, (state) => state.groups);
  const filter = useStore(runsStore, (state) => state.filter);
  const sort = useStore(runsStore, (state) => state.sort);
  const activeId = useStore(runsStore, (state) => state.activeId);
  const catalog = useStore(catalogStore, (state) => state.catalog);
  const [all, setAll] = useState(false);
  const mine = useMemo(() => runsHere(every, activeId, null), [every, activeId]);
  const groups = all || mine.length === 0 ? every : mine;
  const others = every.length - mine.length;
  // Best and speed follow the curves, at their pace.
  const version = useStore(curvesStore, (state) => (open ? state.version : 0));
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const body = useRef<HTMLElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `version` stands for the curves that sorting may read
  const shown = useMemo(() => arrange(groups, filter, sort, catalog), [groups, filter, sort, catalog, version]);
  const lines = useMemo(
    () =>
      shown.flatMap<Line>((group) => [
        { group, seed: null },
        ...(expanded.has(group.id) ? group.seeds.map((seed) => ({ group, seed })) : []),
      ]),
    [shown, expanded],
  );
  const names = runNames(groups, catalog, 'alike');
  const byId = useMemo(() => new Map(shown.map((group) => [group.id, group])), [shown]);
  const columns = columnsFor(shown, catalog);
  const fields = columns.filter(({ text }) => text !== undefined);
  const drawn = shown.filter((group) => group.visible);
  const { first, last, before, after } = useWindow(body, lines.length);
  const toggle = (id: string) => {
    const next = new Set(expanded);
    if (!next.delete(id)) next.add(id);
    setExpanded(next);
  };

  return (
    <section className={styles.panel} data-page={page || undefined} aria-labelledby="runs-title">
      <header className={styles.head}>
        <h2 id="runs-title" className={page ? 'visually-hidden' : undefined}>
          {onFold === null ? (
            t('Runs')
          ) : (
            <button type="button" className={styles.fold} aria-expanded={open} onClick={onFold}>
              <Icon name={open ? 'chevron' : 'right'} />
              {t('Runs')}
            </button>
          )}
        </h2>
        <span className={styles.count}>
          {groups.length === 0 ? '' : page ? `${groups.length} ${groups.length === 1 ? 'run' : 'runs'}` : groups.length}
        </span>
        <span className={styles.space} />
        {open && !page && groups.length > 1 && (
          <a className={styles.compare} href={hashOf({ page: 'compare', id: null, query: {} })}>
            {t('Compare')}
          </a>
        )}
        {open && !page && groups.length > 0 && (
          <a className={styles.compare} href={hashOf({ page: 'side', id: null, query: { run: activeId ?? '' } })}>
            {t('Side by side')}
          </a>
        )}
        {open && others > 0 && mine.length > 0 && (
          <Button kind="bare" pressed={all} onClick={() => setAll(!all)}>
            {t('and {others} more, of lessons and papers', { others })}
          </Button>
        )}
        {open && drawn.length > 1 && (
          <Popover
            trigger={<span className={styles.differ}>{t('What differs')}</span>}
            title={t('Between the runs that are drawn')}
            align="end"
            width={720}
          >
            {() => (
              <Suspense fallback={null}>
                <WhatDiffers groups={drawn} />
              </Suspense>
            )}
          </Popover>
        )}
        {open && groups.length > 0 && (
          <input
            id="runs-filter"
            type="search"
            className={styles.filter}
            aria-label={t('Filter the runs')}
            placeholder={t('Filter')}
            value={filter}
            onChange={(event) => runsStore.getState().setFilter(event.target.value)}
          />
        )}
      </header>
      {open && groups.length === 0 && (
        <p className={styles.empty}>
          {t(
            'No runs yet. Train starts every seed of the configuration; each run then keeps its line here, with its curves, its policy and its config.',
          )}
        </p>
      )}
      {open && groups.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        <section ref={body} className={styles.scroll} tabIndex={0} aria-label={t('Table of runs')}>
          <table className={styles.table} aria-rowcount={lines.length + 1}>
            <thead>
              <tr>
                {columns.map((column) => (
                  <th
                    key={column.id}
                    scope="col"
                    data-column={column.id}
                    data-numeric={column.numeric ? '' : undefined}
                    aria-sort={sort.column === column.id ? (sort.down ? 'descending' : 'ascending') : undefined}
                  >
                    <button type="button" title={t(column.hint)} onClick={() => runsStore.getState().setSort(column.id)}>
                      {t(column.title)}
                      {sort.column === column.id && (
                        <span aria-hidden="true" className={styles.arrow} data-down={sort.down}>
                          <Icon name="chevron" size={12} />
                        </span>
                      )}
                    </button>
                  </th>
                ))}
                <th scope="col" data-column="actions">
                  <span className="visually-hidden">{t('Actions')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {before > 0 && <tr style={{ blockSize: `${before}px` }} />}
              {lines
                .slice(first, last)
                .map((line, i) =>
                  line.seed === null ? (
                    <GroupRow
                      key={line.group.id}
                      group={line.group}
                      name={names.get(line.group.id) ?? line.group.name}
                      fields={fields}
                      depth={depthOf(line.group, byId)}
                      index={first + i + 2}
                      active={line.group.id === activeId}
                      expanded={expanded.has(line.group.id)}
                      onExpand={toggle}
                    />
                  ) : (
                    <SeedRow
                      key={`${line.group.id}/${line.seed.seed}`}
                      group={line.group}
                      seed={line.seed}
                      fields={fields.length}
                      index={first + i + 2}
                    />
                  ),
                )}
              {after > 0 && <tr style={{ blockSize: `${after}px` }} />}
            </tbody>
          </table>
          {lines.length === 0 && (
            <div className={styles.empty}>
              <DidYouMean query={filter} texts={groups.map(({ name }) => name)} onTake={(text) => runsStore.getState().setFilter(text)} />
            </div>
          )}
          {lines.length === 0 && (
            <p className={styles.empty}>
              {t('No run matches “{filter}”.', { filter })}{' '}
              <Button kind="bare" onClick={() => runsStore.getState().setFilter('')}>
                {t('Show all')}
              </Button>
            </p>
          )}
        </section>
      )}
    </section>
  );
}
