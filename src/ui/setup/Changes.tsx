/** What differs from where this draft came from, what the link has fixed, and whether a run that goes on can follow. */
import { useStore } from 'zustand';
import { runs } from '#client/runs/service.ts';
import { contextsIn } from '#contract/catalog/contexts.ts';
import { capital } from '#contract/kit/capital.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { readPath } from '#contract/run/paths.ts';
import { draftStore } from '#stores/draft.ts';
import { layoutStore } from '#stores/layout.ts';
import { hashOf } from '#stores/route.ts';
import { runsStore } from '#stores/runs.ts';
import { t, tn } from '#text/text.ts';
import { type Leaf, textOf } from '#ui/form/leaves.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Popover } from '#ui/kit/Popover.tsx';
import { useTransport } from '#ui/runs/useTransport.ts';
import { ForkNotes, useFork } from './ForkNote.tsx';
import styles from './Setup.module.css';
import { allLeaves, changedSince, newRunFields, resetField, runningTwin, type Setup } from './useSetup.ts';

export function Changes({ setup }: { readonly setup: Setup }) {
  const config = useStore(draftStore, (state) => state.config);
  const base = useStore(draftStore, (state) => state.base);
  const depth = useStore(layoutStore, (state) => state.depth);
  const lock = useStore(layoutStore, (state) => state.lock);
  const running = useStore(runsStore, (state) => runningTwin(state.groups, state.activeId, config)?.config ?? null);
  const transport = useTransport();
  const fork = useFork();
  const leaves = allLeaves(setup);
  const changed = diff(leaves, config, base);
  const [drawn] = Object.keys(contextsIn(config.env.config as JsonObject)?.draw ?? {});
  const forks = running === null ? [] : newRunFields(leaves, config, running);

  return (
    <footer className={styles.foot}>
      {depth !== 'teach' && <ForkNotes />}
      {forks.length > 0 && !fork && (
        <div className={styles.forkNote}>
          <p>
            {tn(
              '{fields} needs a new run; the one going on keeps its own.',
              '{fields} need a new run; the one going on keeps its own.',
              forks.length,
              { fields: list(forks.map((leaf) => t(leaf.title))) },
            )}
          </p>
          <Button icon="fork" disabled={transport.blocked !== ''} onClick={() => void runs.train()}>
            {t('Train as a new run')}
          </Button>
        </div>
      )}
      {lock.length > 0 && (
        <div className={styles.forkNote}>
          <p>{tn('This link fixes {n} setting for its lesson.', 'This link fixes {n} settings for its lesson.', lock.length)}</p>
          <Button icon="lock" onClick={() => layoutStore.getState().set('lock', [])}>
            {t('Unlock')}
          </Button>
        </div>
      )}
      {depth !== 'teach' && (
        <div className={styles.footRow}>
          {changed.length === 0 ? (
            <span className={styles.quiet}>{t('Nothing changed')}</span>
          ) : (
            <Popover width={340} trigger={<span className={styles.changed}>{tn('{n} change', '{n} changes', changed.length)}</span>}>
              {() => <DiffList changed={changed} config={config} base={base} />}
            </Popover>
          )}
          <span className={styles.space} />
          <a className={styles.sweep} href={hashOf({ page: 'sweeps', id: null, query: {} })}>
            {t('Sweep')}
          </a>
          <a
            className={styles.sweep}
            href={hashOf({ page: 'transfer', id: null, query: drawn === undefined ? {} : { field: `env.${drawn}` } })}
            title={t('Train with some settings, test with others')}
          >
            {t('Grid')}
          </a>
          <Button kind="bare" onClick={() => layoutStore.getState().set('dialog', 'json')}>
            {t('JSON')}
          </Button>
        </div>
      )}
    </footer>
  );
}

function DiffList({ changed, config, base }: { readonly changed: readonly Leaf[]; readonly config: RunConfig; readonly base: RunConfig }) {
  return (
    <div className={styles.diff}>
      <h3>{t('Changed from where you started')}</h3>
      <ul aria-label={t('Changed fields')}>
        {changed.map((leaf) => (
          <li key={leaf.path}>
            <span className={styles.diffName}>
              {leaf.title}
              <code>{leaf.path}</code>
            </span>
            <span className={styles.diffValues}>
              <del>{words(leaf, base)}</del> <ins>{words(leaf, config)}</ins>
            </span>
            <Button kind="bare" icon="reset" label={t('Reset {title}', { title: leaf.title })} onClick={() => resetField(leaf)} />
          </li>
        ))}
      </ul>
      <Button onClick={() => draftStore.getState().reset()}>{t('Reset all')}</Button>
    </div>
  );
}

function diff(leaves: readonly Leaf[], config: RunConfig, base: RunConfig): readonly Leaf[] {
  return leaves.filter((leaf) => changedSince(leaf, config, base));
}

function list(names: readonly string[]): string {
  if (names.length <= 2) return capital(names.join(t(' and ')));
  return capital(t('{some} and {n} more', { some: names.slice(0, 2).join(', '), n: names.length - 2 }));
}

function words(leaf: Leaf, config: RunConfig): string {
  const own = leaf.kind === 'payoffs' && leaf.beside.some((path) => (readPath(config, path) ?? null) !== null);
  return own ? 'own payoffs' : short(textOf(leaf, readPath(config, leaf.path)));
}

function short(text: string): string {
  if (text === '') return 'empty';
  return text.length > 28 ? `${text.slice(0, 27)}…` : text;
}
