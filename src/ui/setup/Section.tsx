/** One folding group of fields, those that have an effect. Fields of a deeper depth wait behind "n more"; a changed or wrong one is always in sight. */
import { Fragment, type ReactNode, useCallback, useState } from 'react';
import { useStore } from 'zustand';
import type { Json } from '#contract/kit/json.ts';
import { readPath } from '#contract/run/paths.ts';
import { draftStore } from '#stores/draft.ts';
import { layoutStore } from '#stores/layout.ts';
import { runsStore } from '#stores/runs.ts';
import { t, tn } from '#text/text.ts';
import { Field } from '#ui/form/Field.tsx';
import { invalidStore } from '#ui/form/invalid.ts';
import { type Leaf, offeredIn, valueIn, visibleAt, worldSliders } from '#ui/form/leaves.ts';
import { Icon } from '#ui/kit/Icon.tsx';
import { sizesStore, toggleFolded } from '#ui/kit/sizes.ts';
import styles from './Setup.module.css';
import { soughtField } from './show-field.ts';
import { changedSince, resetField, runningTwin, setField } from './useSetup.ts';

interface Props {
  readonly id: string;
  readonly title: string;
  readonly leaves: readonly Leaf[];
  /** Every leaf is shown, whatever the depth. */
  readonly all?: boolean;
  readonly children?: ReactNode;
  /** Behind the fields. */
  readonly after?: ReactNode;
  /** A view that stands behind the first group with one of these fields, which are shown at every depth. */
  readonly beside?: { readonly paths: readonly string[]; readonly view: ReactNode } | undefined;
}

export function Section({ id, title, leaves, all = false, children, after, beside }: Props) {
  const config = useStore(draftStore, (state) => state.config);
  const base = useStore(draftStore, (state) => state.base);
  const problems = useStore(draftStore, (state) => state.problems);
  const bad = useStore(invalidStore, (state) => state.fields);
  const depth = useStore(layoutStore, (state) => state.depth);
  const lock = useStore(layoutStore, (state) => state.lock);
  const folded = useStore(sizesStore, (state) => state.folded.includes(id));
  const sought = useStore(soughtField, (state) => state.path);
  const running = useStore(runsStore, (state) => runningTwin(state.groups, state.activeId, config) !== null);
  const [more, setMore] = useState(false);

  const change = useCallback(
    (path: string, value: Json | undefined) =>
      setField(
        leaves.find((leaf) => leaf.path === path),
        path,
        value,
      ),
    [leaves],
  );
  const reset = useCallback(
    (path: string) => {
      const leaf = leaves.find((candidate) => candidate.path === path);
      if (leaf !== undefined) resetField(leaf);
    },
    [leaves],
  );

  const wrong = (leaf: Leaf): boolean => leaf.path in bad || problems.some(({ field }) => belongs(leaf, field));
  const needsAttention = (leaf: Leaf): boolean => wrong(leaf) || changedSince(leaf, config, base);
  const acting = leaves.filter((leaf) => offeredIn(leaf, config) || needsAttention(leaf));
  const poked = id === 'env' ? worldSliders(acting) : [];
  const free = acting.filter((leaf) => !lock.some((path) => leaf.path === path || leaf.path.startsWith(`${path}.`)));
  const isBeside = ({ path }: Leaf): boolean => beside?.paths.includes(path) === true;
  const near = free.filter(
    (leaf) =>
      all ||
      leaf.path === sought ||
      isBeside(leaf) ||
      (depth === 'teach' ? poked.includes(leaf) || leaf.schema.simple === true : visibleAt(leaf, depth)) ||
      needsAttention(leaf),
  );
  const far = free.filter((leaf) => !near.includes(leaf));
  const shown = more ? free : near;
  if (shown.length === 0 && far.length === 0 && (children === undefined || children === false)) return null;
  if (depth === 'teach' && shown.length === 0 && id !== 'env') return null;
  const groups = grouped(shown);
  const groupBeside = groups.findIndex(([, fields]) => fields.some(isBeside));

  return (
    <section className={styles.section}>
      <h3 className={depth === 'teach' && id === 'env' ? 'visually-hidden' : styles.sectionTitle}>
        {depth === 'teach' ? (
          <span className={styles.sectionName}>{title}</span>
        ) : (
          <button type="button" aria-expanded={!folded} className={styles.fold} onClick={() => toggleFolded(id)}>
            <Icon name={folded ? 'right' : 'chevron'} />
            {title}
          </button>
        )}
      </h3>
      {!folded && (
        <div className={styles.sectionBody}>
          {children}
          {groups.map(([group, fields], at) => (
            <div key={group} className={styles.group}>
              {group !== '' && <h4 className={styles.groupTitle}>{t(group)}</h4>}
              {stacked(fields).map(({ id: stack, within, leaves: own }) => {
                const shownFields = own.map((leaf) => (
                  <Field
                    key={leaf.path}
                    leaf={leaf}
                    value={readPath(config, leaf.path)}
                    base={valueIn(leaf, base)}
                    problem={problems.find(({ field }) => belongs(leaf, field))?.message ?? null}
                    changedBeside={leaf.beside.length > 0 && changedSince(leaf, config, base)}
                    running={running}
                    onChange={change}
                    onReset={reset}
                  />
                ));
                return within === undefined ? (
                  <Fragment key={stack}>{shownFields}</Fragment>
                ) : (
                  <fieldset key={stack} className={styles.kind}>
                    <legend className="visually-hidden">
                      {within.title}: {String(readPath(config, within.path))}
                    </legend>
                    {shownFields}
                  </fieldset>
                );
              })}
              {at === groupBeside && beside?.view}
            </div>
          ))}
          {far.length > 0 && depth !== 'teach' && (
            <button type="button" className={styles.moreButton} aria-expanded={more} onClick={() => setMore(!more)}>
              {more ? t('Fewer fields') : tn('{n} more field', '{n} more fields', far.length)}
            </button>
          )}
          {after}
        </div>
      )}
    </section>
  );
}

interface Stack {
  readonly id: string;
  /** Of the fields of the kind that is chosen: which variant's. */
  readonly within: NonNullable<Leaf['within']>[number] | undefined;
  readonly leaves: Leaf[];
}

/** Fields of one variant's kind follow each other: they are one stack, what stands alone is in others. */
function stacked(leaves: readonly Leaf[]): readonly Stack[] {
  const stacks: Stack[] = [];
  for (const leaf of leaves) {
    const within = leaf.within?.at(-1);
    const last = stacks.at(-1);
    if (last !== undefined && last.within?.path === within?.path) last.leaves.push(leaf);
    else stacks.push({ id: leaf.path, within, leaves: [leaf] });
  }
  return stacks;
}

/** A problem with a cell of a table is a problem with the table. */
export function belongs(leaf: Leaf, field: string | undefined): boolean {
  return (
    field !== undefined && [leaf.path, ...leaf.beside].some((path) => field === path || (isList(leaf) && field.startsWith(`${path}.`)))
  );
}

function isList({ kind }: Leaf): boolean {
  return kind === 'robot' || kind === 'map' || kind === 'payoffs' || kind === 'seats' || kind === 'json';
}

/** In order of first appearance; maps come first, then fields without a group. */
function grouped(leaves: readonly Leaf[]): readonly (readonly [string, readonly Leaf[]])[] {
  const groups = new Map<string, Leaf[]>([['', []]]);
  const large = ({ kind, group }: Leaf) => (kind === 'robot' || kind === 'map' || kind === 'payoffs') && group === '';
  const ordered = [...leaves.filter(large), ...leaves.filter((leaf) => !large(leaf))];
  for (const leaf of ordered) groups.set(leaf.group, [...(groups.get(leaf.group) ?? []), leaf]);
  return [...groups].filter(([, fields]) => fields.length > 0);
}
