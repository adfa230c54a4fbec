/** Who matters from here on, along the shown episode: a line per agent, made while it plays. */
import { useStore } from 'zustand';
import { explain } from '#client/explain/service.ts';
import type { AgentAttribution } from '#contract/explain/explain.ts';
import { nameOf, withWidth } from '#report/explain-words.ts';
import { type AtFrame, explainStore } from '#stores/explain.ts';
import { stageStore } from '#stores/stage.ts';
import { measure } from '#ui/kit/format/numbers.ts';
import { shownStore } from '#ui/kit/shown.ts';
import { Badge } from '#ui/stage/Badge.tsx';
import { useAgentColour } from '#ui/stage/useAgentColour.ts';
import styles from './Team.module.css';

const W = 320;
const H = 88;

export function Lane() {
  const lane = useStore(explainStore, (state) => state.lane);
  const length = useStore(stageStore, (state) => state.length);
  const replay = useStore(stageStore, (state) => state.replay);
  const t = useStore(shownStore, (state) => state.t);
  const colourOf = useAgentColour();
  const { points } = lane.replay === replay ? lane : { points: [] };
  const first = points[0]?.answer;
  const last = Math.max(1, length - 2);
  const reach = points
    .flatMap(({ answer }) => answer.value.map((v, i) => [v - wide(answer.halfWidth[i]!), v + wide(answer.halfWidth[i]!)]))
    .flat();
  const low = Math.min(0, ...reach);
  const high = Math.max(0, ...reach);
  const x = (frame: number): number => (W * frame) / last;
  const y = (v: number): number => H - (H * (v - low)) / (high - low || 1);
  const here = laneAt(points, t);
  const toFrame = (event: { readonly clientX: number; readonly currentTarget: Element }): void => {
    const box = event.currentTarget.getBoundingClientRect();
    const frame = Math.round((last * (event.clientX - box.left)) / box.width);
    stageStore.getState().setPlaying(false);
    stageStore.getState().seek(frame);
  };
  return (
    <div className={styles.lane}>
      <label className={styles.toggle}>
        <input type="checkbox" checked={lane.on} onChange={(event) => explain.lane(event.target.checked)} />
        Who matters from here on, while it plays
      </label>
      {lane.on && first === undefined && <p className={styles.small}>The rest of the episode is being played from many of its frames.</p>}
      {first !== undefined && (
        <figure className={styles.trail}>
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: the episode's own timeline does the same from the keyboard */}
          <svg
            viewBox={`0 0 ${W} ${H}`}
            preserveAspectRatio="none"
            role="img"
            aria-label="What each agent contributes to the rest of the episode, by frame"
            onClick={toFrame}
          >
            <line x1={0} x2={W} y1={y(0)} y2={y(0)} className={styles.axis} />
            {first.players.map(({ agent }, i) => (
              <g key={agent} style={{ color: colourOf(agent) }}>
                <polygon
                  className={styles.band}
                  points={[
                    ...points.map((p) => `${x(p.t)},${y(p.answer.value[i]! + wide(p.answer.halfWidth[i]!))}`),
                    ...points.map((p) => `${x(p.t)},${y(p.answer.value[i]! - wide(p.answer.halfWidth[i]!))}`).reverse(),
                  ].join(' ')}
                />
                <polyline className={styles.line} points={points.map((p) => `${x(p.t)},${y(p.answer.value[i]!)}`).join(' ')} />
              </g>
            ))}
            <line x1={x(Math.min(t, last))} x2={x(Math.min(t, last))} y1={0} y2={H} className={styles.cursor} />
          </svg>
          <figcaption>
            <span>frame 0</span>
            <span>
              {measure(low, 2)} to {measure(high, 2)}
            </span>
            <span>{last}</span>
          </figcaption>
          {here !== undefined && (
            <p className={styles.small}>
              From frame {here.t} on:{' '}
              {here.answer.players.map((player, i) => (
                <span key={player.agent} className={styles.laneValue}>
                  <Badge agent={player.agent} />
                  {nameOf(player)} <span className="figures">{withWidth(here.answer.value[i]!, here.answer.halfWidth[i]!)}</span>
                </span>
              ))}
              {points.length < lane.wanted && ` ${points.length} of ${lane.wanted} frames so far.`}
            </p>
          )}
        </figure>
      )}
    </div>
  );
}

/** What is known of the frame, or of the nearest one before it. */
export function laneAt(points: readonly AtFrame<AgentAttribution>[], t: number): AtFrame<AgentAttribution> | undefined {
  return points.findLast((point) => point.t <= t) ?? points[0];
}

const wide = (halfWidth: number): number => (Number.isFinite(halfWidth) ? halfWidth : 0);
