/** Below the set-up: the fork that is being set up, what a fork differs by from its parent, and the shadow of a run that was edited live. */
import { useState } from 'react';
import { useStore } from 'zustand';
import { forkProblem, lastEdit } from '#client/runs/forks.ts';
import { forks, runs } from '#client/runs/service.ts';
import { catalogStore } from '#stores/catalog.ts';
import { curvesStore } from '#stores/curves.ts';
import { draftStore } from '#stores/draft.ts';
import { cancelFork, forkOf, forkStore } from '#stores/fork.ts';
import { findGroup, forkStep, runsStore } from '#stores/runs.ts';
import type { RunGroup } from '#stores/types.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { compact } from '#ui/kit/format/numbers.ts';
import { editText } from '#ui/runs/edit-words.ts';
import { effectOf, effectText } from '#ui/runs/effect.ts';
import { runNames } from '#ui/runs/names.ts';
import { useTransport } from '#ui/runs/useTransport.ts';
import styles from './Setup.module.css';

export function ForkNotes() {
  const active = useStore(runsStore, (state) => state.groups.find(({ id }) => id === state.activeId) ?? null);
  const setting = useFork();
  if (setting) return <Setting />;
  if (active === null) return null;
  return (
    <>
      {active.parent !== null && <Origin group={active} />}
      <Shadow group={active} />
    </>
  );
}

/** Whether a fork is being set up. */
export function useFork(): boolean {
  const fork = useStore(forkStore);
  return useStore(draftStore, (draft) => forkOf(fork, draft) !== null);
}

function nameOf(group: RunGroup): string {
  const { groups } = runsStore.getState();
  return runNames(groups, catalogStore.getState().catalog, 'alike').get(group.id) ?? group.name;
}

function Setting() {
  const { fork } = useStore(forkStore);
  const config = useStore(draftStore, (state) => state.config);
  const transport = useTransport();
  useStore(runsStore, (state) => state.groups); // it may be deleted meanwhile
  if (fork === null) return null;
  const group = findGroup(fork.runId);
  const problem = forkProblem(fork, config);
  return (
    <div className={styles.forkNote} role="status">
      <p>
        {t(
          'Fork of {name} at step {step}. Change a setting of the learner or of the world; Train goes on from there. In a changed world episodes begin anew.',
          { name: group === null ? t('a run') : nameOf(group), step: compact(fork.step) },
        )}
      </p>
      {problem !== null && (
        <p className={styles.failure}>
          {problem.message} {problem.fix}
        </p>
      )}
      <div className={styles.forkButtons}>
        <Button icon="fork" kind="solid" disabled={problem !== null || transport.blocked !== ''} onClick={() => void runs.train()}>
          {t('Train the fork')}
        </Button>
        <Button onClick={cancelFork}>{t('Not a fork')}</Button>
      </div>
    </div>
  );
}

function Origin({ group }: { readonly group: RunGroup }) {
  const parent = useStore(runsStore, (state) => state.groups.find(({ id }) => id === group.parent?.id) ?? null);
  useStore(curvesStore, (state) => state.version);
  const at = compact(group.parent?.step ?? 0);
  if (parent === null) return <p className={styles.forkNote}>{t('A fork from step {at} of a run that is no longer here.', { at })}</p>;
  const effect = effectOf(group, parent, (seed) => forkStep(group, seed) ?? 0);
  return (
    <div className={styles.forkNote}>
      <p>
        {group.parent?.same === true
          ? t('Goes on from step {at} of {name}, with a live edit that some of its seeds were past; that run goes on without.', {
              at,
              name: nameOf(parent),
            })
          : t('Goes on from step {at} of {name}.', { at, name: nameOf(parent) })}{' '}
        {effect !== null && t('This run minus that one, {effect}.', { effect: effectText(effect) })}
      </p>
      <Button onClick={() => runs.open(parent.id)}>{t('Open that run')}</Button>
    </div>
  );
}

/** A run that goes on without the newest live edit of this one. */
function Shadow({ group }: { readonly group: RunGroup }) {
  const last = lastEdit(group);
  const shadow = useStore(runsStore, ({ groups }) =>
    last === null ? null : (groups.find(({ parent }) => parent?.id === group.id && parent.step === last.mark.step && !parent.same) ?? null),
  );
  const catalog = useStore(catalogStore, (state) => state.catalog);
  useStore(curvesStore, (state) => (shadow === null ? 0 : state.version));
  const [said, setSaid] = useState('');
  if (last === null || group.elsewhere === true) return null;
  if (group.parent?.same === true && group.parent.step === last.mark.step) return null; // the run before it is its shadow
  const { mark } = last;
  const words = editText(mark, group, catalog);
  if (shadow !== null) {
    const effect = effectOf(group, shadow, (seed) => forkStep(shadow, seed) ?? 0);
    return (
      <p className={styles.forkNote}>
        {effect === null
          ? t('{words}: its shadow goes on without it; both must measure something before they can be compared.', { words })
          : t('Effect of {words}: this run minus its shadow, {effect}.', { words, effect: effectText(effect) })}
      </p>
    );
  }
  const start = async (): Promise<void> => {
    const id = await forks.shadow(group.id);
    setSaid(id === null ? 'The state before this edit is no longer kept.' : '');
  };
  return (
    <div className={styles.forkNote}>
      <p>{t('{words}. A shadow run goes on from there without it, so that its effect can be measured.', { words })}</p>
      <Button icon="fork" onClick={() => void start()}>
        {t('Start the shadow')}
      </Button>
      {said !== '' && <p role="status">{said}</p>}
    </div>
  );
}
