/** One term of the glossary, with the numbers of the step on the stage and of the run, as they are while it is open. */
import { Fragment, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { network } from '#client/stage/network-service.ts';
import { toFailure } from '#contract/kit/errors.ts';
import type { StepNumbers } from '#contract/run/step-numbers.ts';
import { curves, curvesStore } from '#stores/curves.ts';
import { draftStore } from '#stores/draft.ts';
import { explainStore } from '#stores/explain.ts';
import { findGroup, runsStore } from '#stores/runs.ts';
import { stageStore } from '#stores/stage.ts';
import { shownStore } from '#ui/kit/shown.ts';
import { Formula } from './Formula.tsx';
import styles from './Glossary.module.css';
import type { TermId } from './ids.ts';
import { TERMS, type Term } from './terms.ts';

/** Seven significant figures: six that can be relied on when compared. */
const figures = (value: number): string => String(Number(value.toPrecision(7)));

export function Entry({ id }: { readonly id: TermId }) {
  const term = TERMS[id];
  return (
    <div className={styles.entry}>
      <h3>{term.term}</h3>
      <p>
        <Meaning text={term.meaning} />
      </p>
      <Formula tex={term.tex} block />
      <dl className={styles.symbols}>
        {term.symbols.map(([tex, words]) => (
          <Fragment key={tex}>
            <dt>
              <Formula tex={tex} />
            </dt>
            <dd>{words}</dd>
          </Fragment>
        ))}
      </dl>
      {term.value !== undefined && <AtStep term={term} />}
      <InRun term={term} />
    </div>
  );
}

/** Text with $formulas$ and *emphasis* in it, as in docs/glossary.md. */
function Meaning({ text }: { readonly text: string }) {
  return text.split(/(\$[^$]+\$|\*[^*]+\*)/).map((part, i) => {
    const key = `${i} ${part}`;
    if (part.startsWith('$')) return <Formula key={key} tex={part.slice(1, -1)} />;
    return part.startsWith('*') && part.length > 1 ? <em key={key}>{part.slice(1, -1)}</em> : <Fragment key={key}>{part}</Fragment>;
  });
}

/** The term at the frame on the stage, by the shown policy. */
function AtStep({ term }: { readonly term: Term }) {
  const policy = useStore(stageStore, (state) => state.policy);
  const replay = useStore(stageStore, (state) => state.replay);
  const t = useStore(shownStore, (state) => state.t);
  const agent = useStore(explainStore, (state) => state.agent);
  const [step, setStep] = useState<StepNumbers | null>(null);
  const [failed, setFailed] = useState('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: another frame, policy or agent has other numbers
  useEffect(() => {
    let gone = false;
    network.stepNumbers().then(
      (found) => {
        if (gone) return;
        setStep(found);
        setFailed('');
      },
      (error: unknown) => {
        if (!gone) setFailed(toFailure(error).message);
      },
    );
    return () => {
      gone = true;
    };
  }, [replay, policy, t, agent]);
  if (policy === null) return <p className={styles.hint}>Its number appears here when a learned policy is on the stage.</p>;
  if (failed !== '') return <p className={styles.hint}>{failed}</p>;
  if (step === null) return <p className={styles.hint}>Evaluating the policy.</p>;
  const value = term.value?.(step) ?? null;
  const filled = term.filled?.(step) ?? null;
  const assumed = step.assumed.filter((name) => term.tex.includes(name)).map((name) => `${name} = ${step[name]}`);
  return (
    <section aria-label="At this step" className={styles.numbers}>
      <h4>
        Now, frame <span className="figures">{step.t}</span>, policy at step {policy.step.toLocaleString('en')}
      </h4>
      {value === null ? (
        <p className={styles.hint}>
          {step.reward === null ? 'Nothing follows the last frame.' : 'This policy has no such number at this frame.'}
        </p>
      ) : (
        <>
          {filled !== null && <Formula tex={`= ${filled}`} block />}
          <p>
            = <output className="figures">{figures(value)}</output>
          </p>
        </>
      )}
      {assumed.length > 0 && value !== null && (
        <p className={styles.hint}>Its method has no such setting; used here: {assumed.join(', ')}.</p>
      )}
    </section>
  );
}

/** The setting of this name in the set-up, and the newest row of the metric. */
function InRun({ term }: { readonly term: Term }) {
  const config = useStore(draftStore, (state) => state.config);
  const activeId = useStore(runsStore, (state) => state.activeId);
  useStore(curvesStore, (state) => state.version);
  const seed = findGroup(activeId)?.seeds[0]?.seed;
  const setting = term.setting === undefined ? undefined : config.algo?.config?.[term.setting];
  const series = term.metric === undefined || activeId === null || seed === undefined ? null : curves.series(activeId, seed, term.metric);
  const newest = series === null ? undefined : series.values.at(-1);
  if (typeof setting !== 'number' && newest === undefined) return null;
  return (
    <dl className={styles.symbols}>
      {typeof setting === 'number' && (
        <>
          <dt className="figures">{figures(setting)}</dt>
          <dd>in the configuration</dd>
        </>
      )}
      {newest !== undefined && Number.isFinite(newest) && (
        <>
          <dt className="figures">{figures(newest)}</dt>
          <dd>
            newest row of seed {seed} ({term.metric})
          </dd>
        </>
      )}
    </dl>
  );
}
