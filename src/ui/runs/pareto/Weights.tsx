/** How much each reward counts: one slider between two, or one for each of more. Native sliders: dragged, and moved by keys. */
import type { Front } from '#contract/files/pareto.ts';
import { type Choice, stretches } from './front.ts';
import styles from './Pareto.module.css';

interface Props {
  readonly front: Front;
  readonly choices: readonly Choice[];
  readonly chosen: Choice;
  readonly weights: readonly number[];
  readonly onChange: (weights: readonly number[]) => void;
}

export function Weights(props: Props) {
  return props.front.objectives.length === 2 ? <Between {...props} /> : <Each {...props} />;
}

const share = (x: number): string => `${Math.round(100 * x)}\u202f%`;

function Between({ front, choices, chosen, weights, onChange }: Props) {
  const [a, b] = front.objectives;
  const at = weights[0]!;
  return (
    <div className={styles.between}>
      <div className={styles.ends}>
        <span>{`only ${b}`}</span>
        <output className={styles.now}>{`${share(at)} ${a}, ${share(1 - at)} ${b}`}</output>
        <span>{`only ${a}`}</span>
      </div>
      <input
        type="range"
        min={0}
        max={1}
        step={1 / Math.max(1, front.points.length - 1)}
        value={at}
        aria-label={`Weight of ${a}`}
        aria-valuetext={`${share(at)} ${a}, ${share(1 - at)} ${b}`}
        onChange={(event) => onChange([Number(event.target.value), 1 - Number(event.target.value)])}
      />
      <div className={styles.strip} aria-hidden="true">
        {stretches(front, choices).map((s) => (
          <i
            key={s.from}
            data-chosen={s.choice === chosen}
            style={{ flexGrow: s.to - s.from + 1 / Math.max(1, front.points.length - 1) }}
          />
        ))}
      </div>
    </div>
  );
}

function Each({ front, weights, onChange }: Props) {
  const sum = weights.reduce((x, y) => x + y, 0) || 1;
  return (
    <div className={styles.each}>
      {front.objectives.map((name, k) => (
        <label key={name}>
          <span>{name}</span>
          <input
            type="range"
            min={0}
            max={1}
            step={0.05}
            value={weights[k]! / sum}
            aria-label={`Weight of ${name}`}
            aria-valuetext={share(weights[k]! / sum)}
            onChange={(event) => onChange(moved(weights, k, Number(event.target.value)))}
          />
          <output>{share(weights[k]! / sum)}</output>
        </label>
      ))}
    </div>
  );
}

/** One share set; the others keep their proportions and fill the rest. */
export function moved(weights: readonly number[], k: number, to: number): readonly number[] {
  const rest = weights.reduce((sum, w, i) => (i === k ? sum : sum + w), 0);
  const even = (1 - to) / (weights.length - 1);
  return weights.map((w, i) => (i === k ? to : rest > 0 ? (w / rest) * (1 - to) : even));
}
