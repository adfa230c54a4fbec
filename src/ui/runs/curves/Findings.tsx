/** "What is wrong?": what speaks against the active run, with its numbers, and the setting to try, one press away. */
import { useState } from 'react';
import { useStore } from 'zustand';
import { planOf, type Standing, standingFindings } from '#client/runs/findings.ts';
import { fixRunner } from '#client/runs/later.ts';
import type { Way } from '#contract/run/findings.ts';
import { draftStore } from '#stores/draft.ts';
import { inLesson, routeStore } from '#stores/route.ts';
import { activeIn, runsStore } from '#stores/runs.ts';
import type { RunGroup } from '#stores/types.ts';
import { msg, t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { langOf } from '#ui/kit/format/fact.ts';
import { compact } from '#ui/kit/format/numbers.ts';
import { Icon } from '#ui/kit/Icon.tsx';
import styles from './Findings.module.css';

const MOST_WAYS = 2;

export function Findings() {
  const env = useStore(draftStore, ({ config }) => config.env.id);
  const group = useStore(runsStore, (state) => activeIn(state, env));
  const lesson = useStore(routeStore, inLesson);
  const [away, setAway] = useState('');
  // In a lesson the pupil is the one to find it.
  const found = lesson || group === null || group.imported !== undefined ? [] : standingFindings(group);
  const key = group === null ? '' : `${group.id} ${found.map(({ finding, seeds }) => `${finding.id}/${seeds.length}`).join(' ')}`;
  const shown = key === away ? [] : found;
  const act = group !== null && group.elsewhere !== true;
  return (
    <section className={styles.panel} aria-label={t('What is wrong?')} hidden={shown.length === 0}>
      {/* What it is called is news; buttons and numbers are not read out with it. */}
      {group !== null &&
        shown.map((standing, i) => (
          <div key={standing.finding.id} className={styles.finding}>
            <div className={styles.head}>
              <Icon name="warn" />
              <div role="status" className={styles.question}>
                <p className={styles.title}>
                  <b lang={langOf(standing.finding.title)}>{t(standing.finding.title)}.</b>{' '}
                  <span className={styles.sure}>{t(SURE[standing.finding.sure])}</span>
                </p>
              </div>
              {i === 0 && <Button kind="bare" icon="close" label={t('Put these findings away')} onClick={() => setAway(key)} />}
            </div>
            {act && standing.finding.ways.length > 0 && <Ways group={group} standing={standing} />}
            {/* Folded: the chart below keeps its room. */}
            <details className={styles.evidence}>
              <summary>{t('Evidence, {group}', { group: where(group, standing) })}</summary>
              <ul>
                {standing.finding.evidence.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            </details>
          </div>
        ))}
    </section>
  );
}

const SURE = { certain: msg('Certain'), likely: msg('Likely'), possible: msg('Possible') } as const;

function where(group: RunGroup, { seeds, step }: Standing): string {
  const which =
    group.seeds.length === 1
      ? ''
      : seeds.length === group.seeds.length
        ? `${t('all seeds')}, `
        : `${t('seed {seed}', { seed: seeds.join(', ') })}, `;
  return which + t('from step {step}', { step: compact(step) });
}

function Ways({ group, standing }: { readonly group: RunGroup; readonly standing: Standing }) {
  return (
    <div className={styles.ways}>
      {standing.finding.ways.slice(0, MOST_WAYS).map((way, i) => (
        <Button
          key={way.path}
          icon={i === 0 ? 'fork' : undefined}
          kind={i === 0 ? 'solid' : 'quiet'}
          onClick={() => void fixRunner.follow(group.id, standing, way)}
        >
          {wordsOf(group, standing, way)}
        </Button>
      ))}
    </div>
  );
}

/** "Start again with the learning rate back to 0.001". */
function wordsOf(group: RunGroup, standing: Standing, way: Way): string {
  const { parent } = planOf(group, standing, way);
  const begin = parent === null ? t('Start again') : t('Go on from step {reached}', { reached: compact(parent.step) });
  return `${begin}: ${way.text}`;
}
