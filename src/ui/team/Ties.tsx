/** How the agents hang together: influence as arrows over the frame, what they do at the same time, what they say. */
import { useState } from 'react';
import { useStore } from 'zustand';
import { lab } from '#client/lab.ts';
import type { EnvCard } from '#contract/catalog.ts';
import type { Coordination } from '#contract/coordination.ts';
import { toFailure } from '#contract/errors.ts';
import { stageStore } from '#stores/stage.ts';
import { compact, measure } from '../format/numbers.ts';
import { Button } from '../kit/Button.tsx';
import { Segmented } from '../kit/Segmented.tsx';
import { type Arrow, Plan } from '../why/Plan.tsx';
import { useFrame } from '../why/useFrame.ts';
import styles from './Team.module.css';
import { tieWords } from './tie-words.ts';

const WHEN = [
  { value: 'here', label: 'In this frame' },
  { value: 'mean', label: 'On average' },
] as const;

export function Ties({ env }: { readonly env: EnvCard }) {
  const [answer, setAnswer] = useState<Coordination | null>(null);
  const [when, setWhen] = useState<'here' | 'mean'>('here');
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState('');
  const shown = useStore(stageStore, (state) => state.policy !== null || (state.scripted !== null && state.scripted !== 'random'));
  const now = useFrame();
  const ask = async (): Promise<void> => {
    stageStore.getState().setPlaying(false);
    setBusy(true);
    setFailed('');
    try {
      setAnswer(await lab.explain.coordination());
    } catch (error) {
      const { message, fix } = toFailure(error);
      setAnswer(null);
      setFailed(`${message} ${fix}`);
    } finally {
      setBusy(false);
    }
  };
  const matrix = answer === null ? [] : when === 'here' ? answer.influence : answer.meanInfluence;
  return (
    <section className={styles.body} aria-label="How the agents hang together">
      {answer === null && (
        <p className={styles.hint}>
          Influence: every action an agent might have taken is tried, and the others’ next choices are compared. An arrow means: what this
          one does moves what that one chooses.
        </p>
      )}
      <div className={styles.actions}>
        <Button kind="solid" disabled={!shown || busy} onClick={() => void ask()}>
          {busy ? 'Trying every action' : 'Who moves whom?'}
        </Button>
        {busy && (
          <Button icon="stop" onClick={() => lab.explain.cancel()}>
            Stop
          </Button>
        )}
        {!shown && <span className={styles.small}>Train first, or watch a scripted policy: random agents follow nobody.</span>}
      </div>
      {failed !== '' && (
        <p className={styles.failure} role="alert">
          {failed}
        </p>
      )}
      {answer !== null && (
        <>
          <ul className={styles.findings} aria-live="polite">
            {tieWords(answer).map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
          <Segmented label="When" value={when} options={WHEN} onChange={setWhen} />
          {now !== null && (
            <Plan
              layout={now.layout}
              frame={now.frame}
              label="Influence between agents, as arrows from who acts to whose choice moves"
              arrows={arrowsOf(matrix, answer)}
            />
          )}
          {when === 'here' && now !== null && now.t !== answer.t && (
            <p className={styles.small}>Measured at frame {answer.t}; another is shown now.</p>
          )}
          <Matrix
            caption={`Influence of row on column, ${answer.unit === 'nats' ? 'nats' : 'share of other actions that change its choice'}`}
            agents={answer.agents}
            values={matrix}
          />
          <Matrix
            caption="Actions taken together: mutual information beyond chance, nats"
            agents={answer.agents}
            values={answer.together}
            faint={(at) => answer.together[at]! <= answer.chance[at]!}
          />
          {answer.messages.length > 0 && <Messages answer={answer} />}
          <p className={styles.small}>
            Frame {answer.t} and {answer.frames} frames of this episode; {answer.episodes} episodes with drawn actions for what happens
            together; {compact(answer.steps)} steps. {env.title}.
          </p>
        </>
      )}
    </section>
  );
}

function arrowsOf(matrix: readonly number[], { agents, unit }: Coordination): Arrow[] {
  const n = agents.length;
  const most = Math.max(...matrix, 1e-9);
  return matrix.flatMap((value, at) => {
    const [from, to] = [Math.floor(at / n), at % n];
    const weight = value / most;
    if (from === to || weight < 0.05) return [];
    return [{ from, to, weight, title: `${agents[from]} on ${agents[to]}: ${measure(value, 2)} ${unit}` }];
  });
}

function Matrix({
  caption,
  agents,
  values,
  faint,
}: {
  readonly caption: string;
  readonly agents: readonly string[];
  readonly values: readonly number[];
  readonly faint?: (at: number) => boolean;
}) {
  const n = agents.length;
  const most = Math.max(...values.map(Math.abs), 1e-9);
  return (
    <table className={styles.pairs}>
      <caption>{caption}</caption>
      <thead>
        <tr>
          <td />
          {agents.map((name, i) => (
            <th key={name} scope="col">
              {i + 1}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {agents.map((name, i) => (
          <tr key={name}>
            <th scope="row">
              {i + 1} <small>{name.replaceAll('_', ' ')}</small>
            </th>
            {agents.map((other, j) => {
              const at = i * n + j;
              const quiet = faint?.(at) === true;
              const strength = quiet ? 0 : Math.round((60 * Math.max(0, values[at]!)) / most);
              return i === j ? (
                <td key={other} className={styles.self} />
              ) : (
                <td
                  key={other}
                  className="figures"
                  data-quiet={quiet || undefined}
                  style={{ background: `color-mix(in oklab, var(--div-pos) ${strength}%, transparent)` }}
                >
                  {measure(values[at], 2)}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Messages({ answer }: { readonly answer: Coordination }) {
  return (
    <table className={styles.known}>
      <caption>What is said, and who acts on it</caption>
      <thead>
        <tr>
          <th scope="col">speaker</th>
          <th scope="col">says</th>
          <th scope="col">heard by</th>
        </tr>
      </thead>
      <tbody>
        {answer.messages.map(({ agent, entropy, symbols, share, heard }) => (
          <tr key={agent}>
            <th scope="row">{answer.agents[agent]?.replaceAll('_', ' ')}</th>
            <td>
              {symbols
                .map((symbol, k) => ({ symbol, share: share[k]! }))
                .filter((word) => word.share >= 0.01)
                .map((word) => `${word.symbol} ${Math.round(100 * word.share)} %`)
                .join(', ')}{' '}
              <small>entropy {measure(entropy, 2)}</small>
            </td>
            <td>
              {heard
                .map((nats, j) => (nats > 0 ? `${answer.agents[j]} (${measure(nats, 2)})` : ''))
                .filter(Boolean)
                .join(', ') || 'nobody'}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
