/** The runs of a step: one press starts them, a row each says what they measured, one of them plays on the stage, a sentence sums them up. */
import { useEffect, useId, useState } from 'react';
import { useStore } from 'zustand';
import { stage } from '#client/stage/service.ts';
import type { Measure, Outcome } from '#lessons/define.ts';
import { runsStore } from '#stores/runs.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { useKeptFocus } from '#ui/kit/useKeptFocus.ts';
import { pairArms } from '#ui/stage/pair.ts';
import type { ArmRun } from './arms.ts';
import { foundSentence } from './found.ts';
import styles from './Lessons.module.css';
import { figure, measureWords, summary } from './results.ts';

interface Props {
  readonly runs: readonly ArmRun[] | null;
  readonly measure: Measure;
  readonly words: string;
  /** Why it cannot start; '' when it can. */
  readonly blocked: string;
  readonly onRun: () => void;
}

export function Runs({ runs, measure, words, blocked, onRun }: Props) {
  const started = runs?.every(({ group }) => group !== null);
  const sentence = runs === null ? null : foundSentence(runs, measure);
  const [box, keep] = useKeptFocus();
  // On a phone it comes below the fold, where a pupil who has just started the run does not see it.
  const said = sentence !== null;
  useEffect(() => {
    if (said && box.current?.contains(document.activeElement) === true) box.current.scrollIntoView({ block: 'nearest' });
  }, [said, box]);
  return (
    <fieldset ref={box} className={styles.runs} aria-label={t('Runs')} tabIndex={-1}>
      {!started && (
        <Button kind="solid" icon="play" disabled={runs === null || blocked !== ''} onClick={() => keep(onRun)}>
          {words}
        </Button>
      )}
      {blocked !== '' && !started && <p className={styles.quiet}>{blocked}</p>}
      {runs?.some(({ group }) => group !== null) && <Table runs={runs} measure={measure} />}
      {sentence !== null && (
        <p className={styles.found} role="status">
          {sentence}
        </p>
      )}
    </fieldset>
  );
}

function Table({ runs, measure }: { readonly runs: readonly ArmRun[]; readonly measure: Measure }) {
  // The stage follows the active run. Which policy it shows this moment is no measure: a newer episode may have taken the place of the one that was asked for.
  const active = useStore(runsStore, ({ activeId }) => activeId);
  const name = useId();
  /** Chosen, and not active yet: its policy may still be on the disk. */
  const [coming, setComing] = useState<string | null>(null);
  const several = runs.length > 1;
  return (
    <table className={styles.results}>
      <thead>
        <tr>
          <th scope="col">{t('run')}</th>
          <th scope="col">{t('return, {measure}', { measure: measureWords(measure) })}</th>
          {several && <th scope="col">{t('scene')}</th>}
        </tr>
      </thead>
      <tbody>
        {runs.map(({ label, group, outcome }) => (
          <tr key={label}>
            <th scope="row">
              <span
                className={styles.swatch}
                style={{ background: group === null ? 'var(--line-strong)' : `var(--series-${group.colour % 8})` }}
              />
              {label}
            </th>
            <td>{outcome === null ? progress(group) : text(outcome, measure)}</td>
            {several && (
              <td>
                <input
                  type="radio"
                  name={name}
                  aria-label={t('Show the agent of {label} in the scene', { label })}
                  title={t('Show this agent in the scene')}
                  disabled={group === null}
                  checked={group !== null && group.id === (coming ?? active)}
                  onChange={() => {
                    if (group === null) return;
                    pairArms([]); // one scene again
                    setComing(group.id);
                    void stage.watch(group.id, group.seeds[0]?.seed ?? 1).finally(() => setComing(null));
                  }}
                />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function progress(group: ArmRun['group']): string {
  if (group === null) return t('not started');
  const done = group.seeds.reduce((sum, { step }) => sum + Math.min(1, step / group.config.run.steps), 0) / group.seeds.length;
  return t('{n} % trained', { n: Math.floor(100 * done) });
}

function text(outcome: Outcome, measure: Measure): string {
  const found = summary(outcome, measure);
  if (found === null) return t('nothing measured');
  const { middle, min, max } = found;
  return outcome.length === 1 || figure(min) === figure(max)
    ? figure(middle)
    : t('{mean} ({n} seeds, {min} to {max})', { mean: figure(middle), n: outcome.length, min: figure(min), max: figure(max) });
}
