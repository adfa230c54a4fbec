/** How the agents hang together: influence as arrows over the frame, what they do at the same time, what they say. */
import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { explain } from '#client/explain/service.ts';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { COORDINATION, type Coordination } from '#contract/explain/coordination.ts';
import { spoken } from '#contract/game/seats.ts';
import { toFailure } from '#contract/kit/errors.ts';
import type { ThingTie } from '#scenes/types.ts';
import { stageStore } from '#stores/stage.ts';
import { Button } from '#ui/kit/Button.tsx';
import { compact, measure, percent } from '#ui/kit/format/numbers.ts';
import { Segmented } from '#ui/kit/Segmented.tsx';
import { thingOf } from '#ui/stage/agents.ts';
import { Badge } from '#ui/stage/Badge.tsx';
import { useSaid } from '#ui/stage/marks.ts';
import { influenceWords } from './influence-words.ts';
import styles from './Team.module.css';

/** Weaker ones, as a share of the strongest, are left to the table. */
const LEAST_TIE = 0.05;
const WHEN = [
  { value: 'here', label: 'In this frame' },
  { value: 'mean', label: 'On average' },
] as const;

export function InfluencePanel({ env }: { readonly env: EnvCard }) {
  const [answer, setAnswer] = useState<Coordination | null>(null);
  const [when, setWhen] = useState<'here' | 'mean'>('here');
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState('');
  const shown = useStore(stageStore, (state) => state.policy !== null || (state.scripted !== null && state.scripted !== 'random'));
  const t = useStore(stageStore, (state) => state.t);
  const ask = async (): Promise<void> => {
    stageStore.getState().setPlaying(false);
    setBusy(true);
    setFailed('');
    try {
      const found = (await explain.ask(COORDINATION, {}))?.detail ?? null;
      setAnswer(found);
      // a frame without influence is less informative than the episode
      setWhen(found?.influence.every((value) => value < 1e-6) ? 'mean' : 'here');
    } catch (error) {
      const { message, fix } = toFailure(error);
      setAnswer(null);
      setFailed(`${message} ${fix}`);
    } finally {
      setBusy(false);
    }
  };
  const matrix = answer === null ? [] : when === 'here' ? answer.influence : answer.meanInfluence;
  const fits = answer !== null && answer.agents.length === env.agents && (when === 'mean' || t === answer.t);
  useSaid(
    useMemo(() => {
      if (!fits) return null;
      const ties = tiesOf(matrix, env);
      if (ties.length === 0) return null;
      const title = 'Arc: influence of one agent’s action on another’s choices. Wider: more.';
      return { title, marks: [], ties, adds: '', takes: '' };
    }, [fits, matrix, env]),
  );
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
          <Button icon="stop" onClick={() => explain.cancel()}>
            Stop
          </Button>
        )}
        {!shown && <span className={styles.small}>Train first, or watch a scripted policy: random actions have no influence to show.</span>}
      </div>
      {failed !== '' && (
        <p className={styles.failure} role="alert">
          {failed}
        </p>
      )}
      {answer !== null && (
        <>
          <ul className={styles.findings} aria-live="polite">
            {influenceWords(answer).map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
          <Segmented label="When" value={when} options={WHEN} onChange={setWhen} />
          {fits ? (
            <p className={styles.small}>
              {matrix.every((value) => value < 1e-6)
                ? `${when === 'here' ? 'In this frame' : 'Over this episode'} no agent’s choices depend on another’s actions: no arcs are drawn.`
                : 'Arcs over the scene run from the agent that acts to the agent whose choices change.'}
            </p>
          ) : (
            <p className={styles.small}>
              Measured at frame {answer.t}; another is shown now.{' '}
              <Button kind="bare" onClick={() => stageStore.getState().seek(answer.t)}>
                Back to frame {answer.t}
              </Button>
            </p>
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

function tiesOf(matrix: readonly number[], env: EnvCard): ThingTie[] {
  const n = env.agents;
  const most = Math.max(...matrix, 1e-9);
  return matrix.flatMap((value, at) => {
    const [from, to] = [Math.floor(at / n), at % n];
    const weight = value / most;
    return from === to || weight < LEAST_TIE ? [] : [{ from: thingOf(env, from), to: thingOf(env, to), weight }];
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
              <Badge agent={i} />
              <span className="visually-hidden">{spoken(name)}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {agents.map((name, i) => (
          <tr key={name}>
            <th scope="row">
              <Badge agent={i} />
              {spoken(name)}
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
      <caption>Messages, and whose actions depend on them</caption>
      <thead>
        <tr>
          <th scope="col">speaker</th>
          <th scope="col">symbols</th>
          <th scope="col">dependent actions</th>
        </tr>
      </thead>
      <tbody>
        {answer.messages.map(({ agent, entropy, symbols, share, heard }) => (
          <tr key={agent}>
            <th scope="row">{spoken(answer.agents[agent] ?? '')}</th>
            <td>
              {symbols
                .map((symbol, k) => ({ symbol, share: share[k]! }))
                .filter((word) => word.share >= 0.01)
                .map((word) => `${word.symbol} ${percent(Math.round(100 * word.share))}`)
                .join(', ')}{' '}
              <small>entropy {measure(entropy, 2)}</small>
            </td>
            <td>
              {heard
                .map((nats, j) => (nats > 0 ? `${spoken(answer.agents[j] ?? '')} (${measure(nats, 2)})` : ''))
                .filter(Boolean)
                .join(', ') || 'none'}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
