/** Where a thing of the picture is to stand, by numbers, without a pointer. */
import { useId } from 'react';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { cellsOf } from '#contract/game/frames.ts';
import { spoken } from '#contract/game/seats.ts';
import { sceneOf } from '#scenes/index.ts';
import type { Dragged } from '#ui/kit/plan/Plan.tsx';
import type { AgentInfo } from '#ui/stage/agents.ts';
import styles from './WhatIf.module.css';

/** Things in the list to choose from; others are dragged. */
const MOST_LISTED = 60;

export function Place({
  env,
  dragged,
  agents,
  onChange,
}: {
  readonly env: EnvCard;
  readonly dragged: Dragged | null;
  readonly agents: readonly AgentInfo[];
  readonly onChange: (dragged: Dragged) => void;
}) {
  const id = useId();
  const grid = cellsOf(env.frame) !== null;
  const listed = sceneOf(env.frame).things(env.frame);
  const things = listed.named
    ? Array.from({ length: Math.min(MOST_LISTED, listed.count) }, (_, thing) => listed.name(thing))
    : agents.slice(0, MOST_LISTED).map(({ name }) => name);
  const now = dragged ?? { thing: 0, cell: -1, x: 0, y: 0 };
  const number = (axis: 'x' | 'y', label: string) => (
    <label className={styles.place}>
      {label}
      <input
        type="number"
        step={grid ? 1 : 0.05}
        value={grid ? now[axis] : Number(now[axis].toFixed(3))}
        onChange={(event) => onChange({ ...now, [axis]: Number(event.target.value) })}
      />
    </label>
  );
  return (
    <>
      <label htmlFor={id}>what</label>
      <span className={styles.row}>
        <select id={id} value={now.thing} onChange={(event) => onChange({ ...now, thing: Number(event.target.value), cell: -1 })}>
          {now.thing < 0 && <option value={-1}>what lies on a cell</option>}
          {things.map((name, i) => (
            <option key={name} value={i}>
              {spoken(name)}
            </option>
          ))}
        </select>
        {number('x', grid ? 'column' : 'x')}
        {number('y', grid ? 'row' : 'y')}
      </span>
    </>
  );
}
