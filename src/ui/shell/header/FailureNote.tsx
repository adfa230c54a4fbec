/** What went wrong in the run that is shown, why it probably did, and the one thing to do. Stays until put away; takes no focus. */
import { useState } from 'react';
import { useStore } from 'zustand';
import { runs } from '#client/runs/service.ts';
import { draftStore } from '#stores/draft.ts';
import { layoutStore } from '#stores/layout.ts';
import { hashOf, inLesson, routeStore } from '#stores/route.ts';
import { runsStore } from '#stores/runs.ts';
import type { RunGroup } from '#stores/types.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { failureText } from '#ui/kit/format/failure.ts';
import { compact } from '#ui/kit/format/numbers.ts';
import { Icon } from '#ui/kit/Icon.tsx';
import { useRoom } from '#ui/kit/media.ts';
import { copyReport } from '#ui/kit/report.ts';
import { showFindings } from '#ui/runs/curves/show-findings.ts';
import styles from './FailureNote.module.css';

interface Trouble {
  readonly key: string;
  readonly tone: 'failed' | 'caution';
  readonly title: string;
  readonly text: string;
  /** Not the user's doing: worth a report. */
  readonly ours: boolean;
  /** A finding: its numbers and the way on stand beside the curves. */
  readonly found: boolean;
  /** A dataset is missing. */
  readonly noData: boolean;
}

export function FailureNote() {
  const group = useStore(runsStore, (state) => state.groups.find((candidate) => candidate.id === state.activeId) ?? null);
  const draft = useStore(draftStore, (state) => state.hash);
  const [dismissed, setDismissed] = useState('');
  const room = useRoom();
  const beside = useStore(layoutStore, ({ tab, rightOpen }) => (room === 'phone' ? tab === 'curves' || tab === 'scene' : rightOpen));
  const lesson = useStore(routeStore, inLesson);
  const trouble = group === null ? null : troubleOf(group);
  // Beside the curves stands what is wrong, with its numbers; in a lesson the pupil is the one to find it.
  if (group === null || trouble === null || trouble.key === dismissed || (trouble.found && (beside || lesson))) return null;
  return (
    <div className={styles.note} role={trouble.tone === 'failed' ? 'alert' : 'status'} data-tone={trouble.tone}>
      <Icon name="warn" />
      <p className={styles.text}>
        <b>{trouble.title}</b> {trouble.text}
      </p>
      {trouble.tone === 'failed' && (
        <span className={styles.ways}>
          {trouble.ours && (
            <Button icon="copy" onClick={() => void copyReport(group.name, `${trouble.title} ${trouble.text}`)}>
              {t('Copy report')}
            </Button>
          )}
          {trouble.noData && <a href={hashOf({ page: 'data', id: null, query: {} })}>{t('Load it on the Data page')}</a>}
          {group.hash !== draft && <Button onClick={() => runs.open(group.id)}>{t('Open its configuration')}</Button>}
          <Button icon="play" onClick={() => runs.resume(group.id)}>
            {wayBack(group)}
          </Button>
        </span>
      )}
      {trouble.found && <Button onClick={showFindings}>{t('What is wrong?')}</Button>}
      <Button kind="bare" icon="close" label={t('Put this note away')} onClick={() => setDismissed(trouble.key)} />
    </div>
  );
}

/** A failure before a warning; of several seeds the first speaks for all. */
function troubleOf(group: RunGroup): Trouble | null {
  const failed = group.seeds.filter((seed) => seed.failure !== null);
  const failure = failed[0]?.failure;
  if (failure) {
    return {
      key: `${group.id} failed ${failed.length}`,
      tone: 'failed',
      title: `${which(group, failed)} of ${group.name} stopped.`,
      text: failureText(failure),
      ours: failure.id === 'internal' || failure.id === 'worker-lost',
      found: false,
      noData: failure.id === 'dataset-missing',
    };
  }
  const warned = group.seeds.filter((seed) => standingWarning(seed) !== undefined);
  const mark = warned[0] && standingWarning(warned[0]);
  if (mark === undefined) return null;
  return {
    key: `${group.id} warned ${mark.text}`,
    tone: 'caution',
    title: `${which(group, warned)}, step ${compact(mark.step)}.`,
    text: mark.finding === undefined ? mark.text : `${mark.finding.title}.`,
    ours: false,
    found: mark.finding !== undefined,
    noData: false,
  };
}

/** The last warning, unless it was withdrawn since: the event lane keeps both. */
function standingWarning({ marks }: RunGroup['seeds'][number]): RunGroup['seeds'][number]['marks'][number] | undefined {
  const last = marks.findLast(({ type }) => type === 'warning' || type === 'recovered');
  return last?.type === 'warning' ? last : undefined;
}

/** The step from which the run goes on; live fields hold from there. */
function wayBack({ seeds }: RunGroup): string {
  const steps = seeds.filter(({ failure }) => failure !== null).map(({ checkpointStep }) => Math.max(0, checkpointStep));
  const [first = 0] = steps;
  if (steps.some((step) => step !== first)) return 'Resume from the last good states';
  return first === 0 ? 'Start it again' : `Resume from step ${compact(first)}`;
}

function which(group: RunGroup, some: RunGroup['seeds']): string {
  if (some.length === group.seeds.length && some.length > 1) return 'All seeds';
  return some.length === 1 ? `Seed ${some[0]?.seed}` : `${some.length} seeds`;
}
