/** Who did it: what each agent of the shown team contributes, with intervals, while it is being estimated. */
import { useStore } from 'zustand';
import { explain } from '#client/explain/service.ts';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { csv, findings, provenance } from '#report/explain-words.ts';
import { explainStore } from '#stores/explain.ts';
import { stageStore } from '#stores/stage.ts';
import { Button } from '#ui/kit/Button.tsx';
import { failureText } from '#ui/kit/format/failure.ts';
import { save } from '#ui/kit/save.ts';
import { Lane } from './Lane.tsx';
import { OverTraining } from './OverTraining.tsx';
import { Pairs } from './Pairs.tsx';
import { Question } from './Question.tsx';
import styles from './Team.module.css';
import { Trail } from './Trail.tsx';
import { Trust } from './Trust.tsx';
import { useTeamMarks } from './useTeamMarks.ts';
import { Values } from './Values.tsx';

export function TeamPanel({ env }: { readonly env: EnvCard }) {
  const { status, failure, about } = useStore(explainStore);
  const ours = useStore(explainStore, (state) => state.envId === env.id);
  const answer = useStore(explainStore, (state) => (state.envId === env.id ? state.latest : null));
  const trail = useStore(explainStore, (state) => state.trail);
  const shown = useStore(stageStore, (state) => state.policy !== null || (state.scripted !== null && state.scripted !== 'random'));
  const replay = useStore(stageStore, (state) => state.replay !== null);
  useTeamMarks(env, answer);
  const going = status === 'running' || status === 'paused';
  return (
    <section className={styles.body} aria-label="What each agent contributes">
      {answer === null && (
        <p className={styles.hint}>
          Shapley values: how much of the team’s return each agent brings. Episodes are played with every part of the team, the others
          replaced, and all are started alike, so that only the team differs.
        </p>
      )}
      <div className={styles.actions}>
        {going ? (
          <>
            <Button icon={status === 'paused' ? 'play' : 'pause'} onClick={() => explain.pause(status === 'running')}>
              {status === 'paused' ? 'Go on' : 'Pause'}
            </Button>
            <Button icon="stop" onClick={() => explain.cancel()}>
              Stop
            </Button>
          </>
        ) : (
          <>
            <Button kind="solid" disabled={!shown} onClick={() => void explain.agents(false)}>
              Who did it?
            </Button>
            <Button disabled={!shown || !replay} onClick={() => void explain.agents(true)}>
              From this frame on
            </Button>
            <OverTraining />
          </>
        )}
        {!shown && !going && (
          <span className={styles.small}>Train first, or watch a scripted policy: random agents contribute nothing.</span>
        )}
      </div>
      {/* Below the button: before the first press it must be in sight. */}
      <details className={styles.more}>
        <summary>Options</summary>
        <Question env={env} />
      </details>
      {status === 'failed' && failure !== null && (
        <p className={styles.failure} role="alert">
          {failureText(failure)}
        </p>
      )}
      {ours && about !== '' && status !== 'failed' && (
        <p className={styles.small} aria-live="polite">
          {status === 'running' ? 'Estimating' : status === 'paused' ? 'Paused:' : 'Values of'} {about}
          {answer === null && going ? ': playing the first episodes' : ''}
        </p>
      )}
      {answer !== null && (
        <>
          <ul className={styles.findings}>
            {findings(answer).map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
          <Values answer={answer} />
        </>
      )}
      <Lane />
      {answer !== null && (
        <>
          <Trail trail={trail} players={answer.players} />
          <Pairs answer={answer} />
          <p className={styles.small}>
            {provenance(answer)}. Intervals: 95&nbsp;%, over draws of coalitions and episodes, for this one policy.
          </p>
          <div className={styles.actions}>
            <Button
              kind="bare"
              icon="download"
              onClick={() => void save(new Blob([csv(answer)], { type: 'text/csv' }), `${env.id}-agents.csv`)}
            >
              CSV
            </Button>
            <Button
              kind="bare"
              icon="download"
              onClick={() =>
                void save(new Blob([`${JSON.stringify(answer, null, 2)}\n`], { type: 'application/json' }), `${env.id}-agents.json`)
              }
            >
              JSON
            </Button>
          </div>
        </>
      )}
      <Trust />
    </section>
  );
}
