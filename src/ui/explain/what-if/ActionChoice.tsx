/** One action of an agent: a list of names, or one slider per dimension. */
import type { ActionSpace } from '#contract/game/spaces.ts';
import styles from './WhatIf.module.css';

/** What stands there before anything is chosen. */
export function usualAction(space: ActionSpace): readonly number[] {
  return space.kind === 'discrete' ? [0] : space.low.map((low, d) => (low + space.high[d]!) / 2);
}

interface Props {
  readonly space: ActionSpace;
  readonly value: readonly number[];
  readonly onChange: (action: readonly number[]) => void;
}

export function ActionChoice({ space, value, onChange }: Props) {
  if (space.kind === 'discrete')
    return (
      <>
        <label htmlFor="whatif-action">does</label>
        <select id="whatif-action" value={value[0]} onChange={(event) => onChange([Number(event.target.value)])}>
          {Array.from({ length: space.n }, (_, a) => (
            <option key={space.labels[a] ?? a} value={a}>
              {space.labels[a] ?? `action ${a}`}
            </option>
          ))}
        </select>
      </>
    );
  return (
    <>
      {value.map((x, d) => {
        const name = space.labels[d] ?? `action ${d}`;
        return [
          <label key={`${name} label`} htmlFor={`whatif-action-${d}`}>
            {name}
          </label>,
          <span key={name} className={styles.row}>
            <input
              id={`whatif-action-${d}`}
              type="range"
              min={space.low[d]}
              max={space.high[d]}
              step={(space.high[d]! - space.low[d]!) / 100}
              value={x}
              onChange={(event) => onChange(value.map((old, i) => (i === d ? Number(event.target.value) : old)))}
            />
            <output className="figures">{x.toFixed(2)}</output>
          </span>,
        ];
      })}
    </>
  );
}
