/** The table of a game of two with what changes it as a whole: how the column player's payoffs follow the row player's, and its size. */
import { useState } from 'react';
import type { Bimatrix, PayoffFormat } from '#contract/payoffs.ts';
import { Button } from '#ui/kit/Button.tsx';
import styles from './Payoff.module.css';
import { PayoffTable } from './PayoffTable.tsx';
import { sized, square, type Tie, tied, tieOf, withPayoff } from './table.ts';

const LARGEST = 9;
const TIES: readonly { readonly tie: Tie; readonly title: string }[] = [
  { tie: 'free', title: 'its own payoffs' },
  { tie: 'mirrored', title: 'the same game from its side' },
  { tie: 'opposite', title: 'the opposite (zero sum)' },
  { tie: 'equal', title: 'the same (common interest)' },
];

interface Props {
  readonly format: PayoffFormat;
  readonly stored: Bimatrix;
  /** With what is being typed. */
  readonly shown: Bimatrix;
  readonly onType: (game: Bimatrix) => void;
  readonly onWrong: (text: string, message: string) => void;
  readonly onDone: () => void;
  readonly onPut: (game: Bimatrix) => void;
}

export function PairEditor({ format, stored, shown, onType, onWrong, onDone, onPut }: Props) {
  const [chosen, setChosen] = useState<Tie | null>(null);
  const free = format.row !== undefined && format.column !== undefined;
  // A choice holds until the table changes otherwise (another game, undo). Where only symmetric games can be written, the mirror stays.
  const tie = !free
    ? 'mirrored'
    : chosen === 'free' || (chosen !== null && sameTable(stored, tied(stored, chosen)))
      ? chosen
      : tieOf(stored);
  const [rows, columns] = [shown.row.length, shown.row[0]?.length ?? 0];
  return (
    <>
      <PayoffTable
        game={shown}
        onType={(who, r, c, value) => onType(withPayoff(stored, who, r, c, value, tie))}
        onWrong={onWrong}
        onDone={onDone}
        onStep={(who, r, c, value) => onPut(withPayoff(stored, who, r, c, value, tie))}
      />
      {free && (
        <div className={styles.bar}>
          <label className={styles.tie}>
            <span>The column player gets</span>
            <select
              className={styles.select}
              value={tie}
              onChange={(event) => {
                const next = event.target.value as Tie;
                setChosen(next);
                onPut(tied(stored, next));
              }}
            >
              {TIES.map((one) => (
                <option key={one.tie} value={one.tie} disabled={one.tie === 'mirrored' && !square(stored)}>
                  {one.title}
                </option>
              ))}
            </select>
          </label>
          <Count label="rows" value={rows} onChange={(next) => onPut(sized(stored, next, columns))} />
          <Count label="columns" value={columns} onChange={(next) => onPut(sized(stored, rows, next))} />
        </div>
      )}
    </>
  );
}

function sameTable(a: Bimatrix, b: Bimatrix): boolean {
  return JSON.stringify(a.column) === JSON.stringify(b.column);
}

interface CountProps {
  readonly label: string;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

function Count({ label, value, onChange }: CountProps) {
  return (
    <span className={styles.count}>
      <Button kind="bare" icon="minus" label={`One of the ${label} less`} disabled={value <= 1} onClick={() => onChange(value - 1)} />
      <span className={styles.number}>
        {value} {label}
      </span>
      <Button kind="bare" icon="plus" label={`One of the ${label} more`} disabled={value >= LARGEST} onClick={() => onChange(value + 1)} />
    </span>
  );
}
