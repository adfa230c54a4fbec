/**
 * The page in words, for those who do not see it: what changed state at once, how training goes at most every ten seconds. Polite,
 * never repeated, never the focus.
 */
import { useEffect, useState } from 'react';
import { summariseSeeds } from '#math/seeds.ts';
import { catalogStore } from '#stores/catalog.ts';
import { curves } from '#stores/curves.ts';
import { runsStore } from '#stores/runs.ts';
import type { RunGroup } from '#stores/types.ts';
import { t } from '#text/text.ts';
import { failureText } from '#ui/kit/format/failure.ts';
import { clock, compact, measure } from '#ui/kit/format/numbers.ts';
import { phaseOf, progressOf, statusText } from '#ui/kit/progress.ts';
import { runNames } from './runs/names.ts';

const APART = 10_000; // ms

export default function Announcer() {
  const [text, setText] = useState('');
  useEffect(() => {
    let saidAt = Number.NEGATIVE_INFINITY;
    let phase = '';
    const now = () => {
      const { groups, activeId } = runsStore.getState();
      return groups.find((candidate) => candidate.id === activeId) ?? null;
    };
    const say = (group: RunGroup) => {
      saidAt = performance.now();
      setText(sentence(group));
    };
    const timer = setInterval(() => {
      const group = now();
      if (group !== null && phaseOf(group) === 'running' && performance.now() - saidAt >= APART) say(group);
    }, 1000);
    const unsubscribe = runsStore.subscribe(() => {
      const group = now();
      const next = group === null ? '' : `${group.id} ${phaseOf(group)}`;
      if (next === phase) return;
      const first = phase === '';
      phase = next;
      // What was restored from an earlier visit is no news; the end of a run is, at once.
      if (group !== null && !(first && phaseOf(group) !== 'running')) say(group);
    });
    return () => {
      clearInterval(timer);
      unsubscribe();
    };
  }, []);
  return (
    <div className="visually-hidden" role="log" aria-live="polite" aria-label={t('Training in words')}>
      {text}
    </div>
  );
}

function sentence(group: RunGroup): string {
  const { step, total, left } = progressOf(group);
  const latest = group.seeds
    .map((seed) => curves.series(group.id, seed.seed, 'episodicReturn')?.values.at(-1))
    .filter((value) => value !== undefined && Number.isFinite(value)) as number[];
  const { iqm } = summariseSeeds(latest);
  const { catalog } = catalogStore.getState();
  const parts = [
    t('{run}: {state}, {step} of {total} steps.', {
      run: runNames([group], catalog, 'all').get(group.id) ?? group.name,
      state: statusText(group),
      step: compact(step),
      total: compact(total),
    }),
  ];
  if (iqm !== null) parts.push(t('Return while exploring: {value}.', { value: measure(iqm) }));
  if (Number.isFinite(left)) parts.push(t('Time left: {time}.', { time: clock(left) }));
  const failure = group.seeds.find((seed) => seed.failure !== null)?.failure;
  if (failure) parts.push(failureText(failure));
  return parts.join(' ');
}
