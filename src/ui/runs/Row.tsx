import { memo, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { standingFindings } from '#client/runs/findings.ts';
import { runs } from '#client/runs/service.ts';
import { stage } from '#client/stage/service.ts';
import { partsOf } from '#stores/alike.ts';
import { catalogStore } from '#stores/catalog.ts';
import { runsStore } from '#stores/runs.ts';
import { strengthStore } from '#stores/strength.ts';
import type { RunGroup, SeedRun } from '#stores/types.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { ago } from '#ui/kit/format/ago.ts';
import { titleOf } from '#ui/kit/format/fact.ts';
import { failureText } from '#ui/kit/format/failure.ts';
import { clock, compact, measure } from '#ui/kit/format/numbers.ts';
import { Icon } from '#ui/kit/Icon.tsx';
import { phaseOf, progressOf, speedOf, statusText } from '#ui/kit/progress.ts';
import { showFindings } from './curves/show-findings.ts';
import { editsNote } from './edit-words.ts';
import { RowMenu } from './RowMenu.tsx';
import styles from './Runs.module.css';
import { bestOf, bestOfGroup, type Column, exploringOf, fromText, greedyTells, headlineOf, headlineOfSeed } from './rows.ts';

interface GroupProps {
  readonly group: RunGroup;
  /** Name of the run beside the others. */
  readonly name: string;
  readonly fields: readonly Column[];
  /** Runs above it in the tree of forks. */
  readonly depth: number;
  readonly index: number;
  readonly active: boolean;
  readonly expanded: boolean;
  readonly onExpand: (id: string) => void;
}

export const GroupRow = memo(function GroupRow({ group, name, fields, depth, index, active, expanded, onExpand }: GroupProps) {
  const catalog = useStore(catalogStore, (state) => state.catalog);
  const [renaming, setRenaming] = useState(false);
  const { step, total, spent, finished } = progressOf(group);
  const greedy = greedyTells(group);
  useStore(strengthStore, ({ version }) => (greedy ? 0 : version));
  const outcome = headlineOf(group);
  const phase = phaseOf(group);
  const edits = editsNote(group, catalog);
  const parts = partsOf(group).length;
  const failure = group.seeds.find((seed) => seed.failure !== null)?.failure;
  const findings = standingFindings(group)
    .flatMap(({ finding }) => titleOf(finding.title) ?? [])
    .join('; ');
  const env = t(catalog?.envs.find((card) => card.id === group.config.env.id)?.title ?? group.config.env.id);
  const learned = t(catalog?.algos.find((card) => card.id === group.config.algo.id)?.title ?? group.config.algo.id);
  const algo = group.imported === undefined ? learned : `imported: ${group.imported.source}`;

  return (
    <tr data-active={active ? '' : undefined} aria-rowindex={index} aria-current={active ? 'true' : undefined}>
      <th scope="row" className={styles.nameCell}>
        <div className={styles.nameRow}>
          {depth > 0 && <Branch depth={depth} step={group.parent?.step ?? 0} />}
          <button
            type="button"
            className={styles.expand}
            aria-expanded={expanded}
            aria-label={t('Seeds of {name}', { name })}
            onClick={() => onExpand(group.id)}
          >
            <Icon name={expanded ? 'chevron' : 'right'} size={14} />
          </button>
          <button
            type="button"
            className={styles.swatch}
            aria-pressed={group.visible}
            aria-label={t('Show the curves of {name}', { name })}
            title={group.visible ? t('Hide its curves') : t('Show its curves')}
            onClick={() => runsStore.getState().toggleVisible(group.id)}
          >
            <Swatch colour={group.colour} dash={group.dash} on={group.visible} />
          </button>
          {renaming ? (
            <Rename
              name={name}
              onDone={() => setRenaming(false)}
              onName={(next) => next !== name && runsStore.getState().rename(group.id, next)}
            />
          ) : (
            <button
              type="button"
              className={styles.name}
              title={
                group.imported === undefined
                  ? t('{name}; config {hash}. Double click to rename.', { name, hash: group.hash })
                  : t('{name}, from {file}. Double click to rename.', { name, file: group.imported.file })
              }
              onClick={() => runs.open(group.id)}
              onDoubleClick={() => setRenaming(true)}
            >
              {name}
            </button>
          )}
        </div>
      </th>
      <td>{env}</td>
      <td>{algo}</td>
      {fields.map((column) => (
        <td key={column.id} data-numeric={column.numeric ? '' : undefined}>
          {column.text?.(group)}
        </td>
      ))}
      <td className={styles.from}>
        <From group={group} />
      </td>
      <td data-numeric="" title={edits === '' ? undefined : edits}>
        {finished}/{group.seeds.length}
        {edits !== '' && <span className={styles.ci}> {parts > 1 ? t('not alike') : t('changed')}</span>}
      </td>
      <td data-numeric="" title={t('of {total}', { total: compact(total) })}>
        {compact(step)}
      </td>
      <td data-numeric="" data-column="return" className={styles.outcome}>
        {measure(outcome.iqm)}
        {outcome.ci !== null && (
          <span className={styles.ci}>
            {' '}
            [{measure(outcome.ci[0])}, {measure(outcome.ci[1])}]
          </span>
        )}
        {outcome.iqm !== null && outcome.ci === null && <span className={styles.ci}> n={outcome.n}</span>}
        {outcome.iqm !== null && !greedy && <span className={styles.ci}> {t('against random')}</span>}
      </td>
      <td data-numeric="">{measure(exploringOf(group).iqm)}</td>
      <td data-numeric="">{measure(bestOfGroup(group))}</td>
      <td data-numeric="">{compact(speedOf(group))}</td>
      <td data-numeric="">{clock(spent)}</td>
      <td data-numeric="" data-column="createdAt">
        {ago(group.createdAt, Date.now())}
      </td>
      <td data-column="status">
        <span className={styles.statusRow}>
          <Status phase={phase} text={statusText(group)} title={!failure ? undefined : failureText(failure)} />
          {findings !== '' && (
            <Button
              kind="bare"
              icon="warn"
              label={
                findings === '' ? t('What is wrong with {name}', { name }) : t('What is wrong with {name}: {findings}', { name, findings })
              }
              onClick={() => {
                runs.open(group.id);
                showFindings();
              }}
            />
          )}
        </span>
      </td>
      <td className={styles.noteCell}>
        <Note key={group.note} note={group.note} name={name} onNote={(text) => runsStore.getState().note(group.id, text)} />
      </td>
      <td data-column="actions">
        <RowMenu group={group} name={name} onRename={() => setRenaming(true)} />
      </td>
    </tr>
  );
});

/** The place where the run was started, with a link back. */
function From({ group }: { readonly group: RunGroup }) {
  const text = fromText(group);
  const address = group.origin?.address;
  return address === undefined ? (
    <span title={text}>{text}</span>
  ) : (
    <a href={address} title={text}>
      {text}
    </a>
  );
}

/** Where a fork hangs in the tree. */
function Branch({ depth, step }: { readonly depth: number; readonly step: number }) {
  return (
    <span
      className={styles.branch}
      data-depth={Math.min(depth, DEEPEST)}
      title={t('Goes on from step {step} of the run above', { step: compact(step) })}
    >
      <span className="visually-hidden">{t('Fork, level {depth}, from step {step}:', { depth, step: compact(step) })}</span>
    </span>
  );
}

/** Deeper forks stand no further in. */
const DEEPEST = 4;

interface SeedProps {
  readonly group: RunGroup;
  readonly seed: SeedRun;
  /** Columns of fields, which a seed has in common with its run. */
  readonly fields: number;
  readonly index: number;
}

export const SeedRow = memo(function SeedRow({ group, seed, fields, index }: SeedProps) {
  return (
    <tr className={styles.seed} aria-rowindex={index}>
      <th scope="row">
        {group.imported === undefined ? (
          <button
            type="button"
            className={styles.seedName}
            onClick={() => void stage.watch(group.id, seed.seed)}
            title={t('Watch this seed’s newest policy')}
          >
            {t('seed {seed}', { seed: seed.seed })}
          </button>
        ) : (
          <span className={styles.seedName}>{t('seed {seed}', { seed: seed.seed })}</span>
        )}
      </th>
      <td colSpan={4 + fields} />
      <td data-numeric="">{compact(seed.step)}</td>
      <td data-numeric="" data-column="return">
        {measure(headlineOfSeed(group, seed))}
      </td>
      <td data-numeric="">{measure(seed.result?.finalReturn)}</td>
      <td data-numeric="">{measure(bestOf(group.id, seed))}</td>
      <td data-numeric="">{compact(seed.result?.stepsPerSecond ?? seed.stepsPerSecond)}</td>
      <td data-numeric="">{clock(seed.seconds)}</td>
      <td />
      <td data-column="status">
        <Status phase={seed.state} text={seed.state} title={seed.failure === null ? undefined : failureText(seed.failure)} />
      </td>
      <td className={styles.noteCell}>
        {seed.failure?.message ??
          (seed.result === null ? '' : <code title={t('Hash of the learned parameters')}>{seed.result.parameterHash.slice(0, 12)}</code>)}
      </td>
      <td />
    </tr>
  );
});

function Status({ phase, text, title }: { readonly phase: string; readonly text: string; readonly title: string | undefined }) {
  return (
    <span className={styles.status} data-phase={phase} title={title}>
      {text}
    </span>
  );
}

const DASHES = ['', '6 3', '2 3', '7 3 2 3'] as const;

export function Swatch({ colour, dash, on }: { readonly colour: number; readonly dash: number; readonly on: boolean }) {
  return (
    <svg aria-hidden="true" width="20" height="12" viewBox="0 0 20 12" focusable="false">
      <line
        x1="1"
        x2="19"
        y1="6"
        y2="6"
        stroke={`var(--series-${colour % 8})`}
        strokeWidth={on ? 3 : 1}
        strokeDasharray={DASHES[dash % 4]}
        opacity={on ? 1 : 0.5}
      />
    </svg>
  );
}

interface RenameProps {
  readonly name: string;
  readonly onName: (name: string) => void;
  readonly onDone: () => void;
}

function Rename({ name, onName, onDone }: RenameProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.select(), []);
  return (
    <input
      ref={input}
      className={styles.rename}
      aria-label={t('New name of {name}', { name })}
      defaultValue={name}
      onBlur={(event) => {
        onName(event.target.value);
        onDone();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur();
        if (event.key === 'Escape') {
          event.currentTarget.value = name;
          event.currentTarget.blur();
        }
      }}
    />
  );
}

interface NoteProps {
  readonly note: string;
  readonly name: string;
  readonly onNote: (text: string) => void;
}

function Note({ note, name, onNote }: NoteProps) {
  return (
    <input
      className={styles.note}
      aria-label={t('Note on {name}', { name })}
      defaultValue={note}
      placeholder={t('note')}
      onBlur={(event) => {
        if (event.target.value !== note) onNote(event.target.value);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur();
      }}
    />
  );
}
