/** What the agent sees, number by number, each with a slider. States that are one of N are chosen from a list. */
import { useId } from 'react';
import type { ObsSpace } from '#contract/game/spaces.ts';
import { editable, measure } from '#ui/kit/format/numbers.ts';
import styles from './EditState.module.css';

/** Longer rows have no sliders: pictures are changed by dragging. */
const MOST = 40;

interface Props {
  readonly obs: ObsSpace;
  readonly seen: Float32Array;
  /** Of the frame as it was: sliders reach as far beyond it on both sides. */
  readonly was: Float32Array;
  readonly onChange: (obs: readonly number[]) => void;
}

export function Sliders({ obs, seen, was, onChange }: Props) {
  const id = useId();
  if (obs.kind === 'discrete')
    return (
      <label className={styles.state}>
        state
        <input
          type="number"
          min={0}
          max={obs.n - 1}
          value={Math.max(0, seen.indexOf(1))}
          onChange={(event) => {
            const state = Number(event.target.value);
            if (Number.isInteger(state) && state >= 0 && state < obs.n) onChange(Array.from(seen, (_, i) => Number(i === state)));
          }}
        />
        of {obs.n}
      </label>
    );
  const size = obs.kind === 'box' ? obs.shape.reduce((a, b) => a * b, 1) : Number.POSITIVE_INFINITY;
  if (obs.kind !== 'box' || size > MOST)
    return <p className={styles.small}>The observation is an image of many numbers: change it by dragging.</p>;
  return (
    <fieldset className={styles.sliders}>
      <legend>Observation</legend>
      {Array.from({ length: size }, (_, i) => {
        const label = obs.labels?.[i] ?? `observation ${i}`;
        const [low, high] = rangeOf(obs, was[i] ?? 0);
        const value = seen[i] ?? 0;
        const change = (next: number): void => {
          if (Number.isFinite(next)) onChange(Array.from(seen, (x, k) => (k === i ? Math.min(1e6, Math.max(-1e6, next)) : x)));
        };
        return (
          <div key={label} className={styles.slider}>
            <label htmlFor={`${id}-${i}`}>{label}</label>
            <input
              id={`${id}-${i}`}
              type="range"
              min={low}
              max={high}
              step={(high - low) / 400}
              value={value}
              aria-valuetext={measure(value)}
              onChange={(event) => change(Number(event.target.value))}
            />
            <input
              type="number"
              step="any"
              aria-label={`${label}, exactly`}
              value={editable(Number(value.toPrecision(6)))}
              onChange={(event) => change(event.target.value === '' ? Number.NaN : Number(event.target.value))}
            />
          </div>
        );
      })}
    </fieldset>
  );
}

/** The space's own bounds where it has some of a sensible size, else around what was seen. */
function rangeOf({ low, high }: Extract<ObsSpace, { kind: 'box' }>, was: number): readonly [number, number] {
  if (low !== null && high !== null && Math.abs(low) <= 1e3 && Math.abs(high) <= 1e3 && high > low) return [low, high];
  const reach = Math.max(1, 3 * Math.abs(was));
  return [-reach, reach];
}
