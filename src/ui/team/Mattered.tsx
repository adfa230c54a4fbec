/** What mattered: which parts of the observation the shown decision, or the expectation, rests on. Asked for one frame. */
import { useState } from 'react';
import { useStore } from 'zustand';
import { lab } from '#client/lab.ts';
import type { EnvCard } from '#contract/catalog.ts';
import { toFailure } from '#contract/errors.ts';
import type { FeatureAttribution } from '#contract/explain.ts';
import { stageStore } from '#stores/stage.ts';
import { measure } from '../format/numbers.ts';
import { Button } from '../kit/Button.tsx';
import styles from './Team.module.css';
import { withWidth } from './words.ts';

const SHOWN = 8;
const DRAWS = 300;

interface Answer {
  readonly of: FeatureAttribution;
  readonly t: number;
  readonly agent: number;
}

export function Mattered({ env }: { readonly env: EnvCard }) {
  const [about, setAbout] = useState<'behaviour' | 'prediction'>('behaviour');
  const [agent, setAgent] = useState(0);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [failed, setFailed] = useState('');
  const [busy, setBusy] = useState(false);
  const now = useStore(stageStore, (state) => state.t);
  const playing = useStore(stageStore, (state) => state.playing);
  const ask = async (): Promise<void> => {
    const { t, setPlaying } = stageStore.getState();
    setPlaying(false);
    setBusy(true);
    setFailed('');
    try {
      const of = await lab.explain.features({ agent, about, action: null, method: 'orders', draws: DRAWS, seed: 1 });
      setAnswer(of === null ? null : { of, t, agent });
    } catch (error) {
      const { message, fix } = toFailure(error);
      setAnswer(null);
      setFailed(`${message} ${fix}`);
    } finally {
      setBusy(false);
    }
  };
  const names = env.groups.flatMap((group) => group.names);
  return (
    <details className={styles.more}>
      <summary>What mattered</summary>
      <div className={styles.mattered}>
        <div className={styles.question}>
          <label htmlFor="mattered-about">explain</label>
          <select id="mattered-about" value={about} onChange={(event) => setAbout(event.target.value as typeof about)}>
            <option value="behaviour">what it does</option>
            <option value="prediction">what it expects</option>
          </select>
          {env.agents > 1 && (
            <>
              <label htmlFor="mattered-agent">of</label>
              <select id="mattered-agent" value={agent} onChange={(event) => setAgent(Number(event.target.value))}>
                {Array.from({ length: env.agents }, (_, i) => (
                  <option key={names[i] ?? i} value={i}>
                    {(names[i] ?? `agent ${i}`).replaceAll('_', ' ')}
                  </option>
                ))}
              </select>
            </>
          )}
        </div>
        <div className={styles.actions}>
          <Button disabled={busy} onClick={() => void ask()}>
            {busy ? 'Hiding parts of what it sees' : playing ? 'Stop here and explain' : 'Explain this frame'}
          </Button>
        </div>
        {failed !== '' && (
          <p className={styles.failure} role="alert">
            {failed}
          </p>
        )}
        {answer !== null && <Shares answer={answer} env={env} stale={answer.t !== now} />}
      </div>
    </details>
  );
}

function Shares({ answer: { of, t }, env, stale }: { readonly answer: Answer; readonly env: EnvCard; readonly stale: boolean }) {
  const { features, value, halfWidth, base, output, question, action } = of;
  const what =
    question.about === 'prediction'
      ? 'the return it expects'
      : env.action.kind === 'discrete'
        ? `how likely it finds "${env.action.labels[action] ?? action}"`
        : `its ${env.action.labels[action] ?? `action ${action}`}`;
  const order = features.map((_, i) => i).sort((a, b) => Math.abs(value[b]!) - Math.abs(value[a]!));
  const shown = order.slice(0, SHOWN);
  const most = Math.max(...value.map(Math.abs)) || 1;
  const rest = order.slice(SHOWN).reduce((sum, i) => sum + value[i]!, 0);
  return (
    <div aria-live="polite">
      <p className={styles.small}>
        Frame {t}
        {stale ? ' (another is shown now)' : ''}: {what} is {measure(output, 3)}; over other moments of this episode it is{' '}
        {measure(base, 3)} on average. The difference is shared among what it sees.
      </p>
      {of.view !== null && <View of={of} most={most} />}
      <table className={styles.values}>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">seen</th>
            <th scope="col">share, as a bar</th>
            <th scope="col">share</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((i) => (
            <tr key={features[i]!.name}>
              <th scope="row">{features[i]!.name}</th>
              <td className={styles.track}>
                <span
                  className={styles.bar}
                  style={{
                    insetInlineStart: `${value[i]! < 0 ? 50 - (50 * Math.abs(value[i]!)) / most : 50}%`,
                    inlineSize: `${(50 * Math.abs(value[i]!)) / most}%`,
                    background: `var(--series-${value[i]! < 0 ? 4 : 5})`,
                  }}
                />
                <i className={styles.zero} style={{ insetInlineStart: '50%' }} />
              </td>
              <td className={`${styles.number} figures`}>{withWidth(value[i]!, halfWidth[i]!)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={styles.small}>
        {order.length > SHOWN ? `The other ${order.length - SHOWN} together: ${measure(rest, 2)}. ` : ''}
        {of.draws} draws against {of.background} other moments; sum check {of.gap === 0 ? '0' : Math.abs(of.gap).toExponential(0)}.
      </p>
    </div>
  );
}

/** The agent's own view, each cell in the colour of its share. */
function View({ of, most }: { readonly of: FeatureAttribution; readonly most: number }) {
  const [width, height] = of.view as readonly [number, number];
  return (
    <svg
      className={styles.sight}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label="The agent’s view; cells coloured by their share"
    >
      {of.features.map(({ cell, name }, i) =>
        cell === null ? null : (
          <rect
            key={name}
            x={(cell % width) + 0.04}
            y={Math.floor(cell / width) + 0.04}
            width={0.92}
            height={0.92}
            rx={0.12}
            style={{
              fill: `color-mix(in oklab, var(--series-${of.value[i]! < 0 ? 4 : 5}) ${(100 * Math.abs(of.value[i]!)) / most}%, var(--raised))`,
            }}
          >
            <title>{`${name}: ${measure(of.value[i], 3)}`}</title>
          </rect>
        ),
      )}
    </svg>
  );
}
