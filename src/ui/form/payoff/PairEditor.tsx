/** The table of a game of two with what changes it as a whole: how the column player's payoffs follow the row player's, and its size. */
import { useState } from 'react';
import type { Bimatrix, PayoffFormat } from '#contract/game/payoffs.ts';
import { msg, t } from '#text/text.ts';
import { Count } from '../Count.tsx';
import styles from './Payoff.module.css';
import { PayoffTable } from './PayoffTable.tsx';
import { sized, square, type Tie, tied, tieOf, withPayoff } from './table.ts';

const SIZES = [1, 9] as const;
const TIES: readonly { readonly tie: Tie; readonly title: string }[] = [
  { tie: 'free', title: msg('its own payoffs') },
  { tie: 'mirrored', title: msg('the same game from its side') },
  { tie: 'opposite', title: msg('the opposite (zero sum)') },
  { tie: 'equal', title: msg('the same (common interest)') },
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
            <span>{t('The column player gets')}</span>
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
                  {t(one.title)}
                </option>
              ))}
            </select>
          </label>
          <Count of="rows" value={rows} range={SIZES} onChange={(next) => onPut(sized(stored, next, columns))} />
          <Count of="columns" value={columns} range={SIZES} onChange={(next) => onPut(sized(stored, rows, next))} />
        </div>
      )}
    </>
  );
}

function sameTable(a: Bimatrix, b: Bimatrix): boolean {
  return JSON.stringify(a.column) === JSON.stringify(b.column);
}
