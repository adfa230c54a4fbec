/**
 * The table of a game: below left what the row player gets, above right what the column player gets, each a number field. Arrows step
 * by one, with Shift by ten; Enter or leaving the field keeps it; Escape takes a text back. Best responses are marked and said.
 */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { Bimatrix } from '#contract/payoffs.ts';
import { editable, parseNumber } from '../format/numbers.ts';
import { bestResponses } from './equilibria.ts';
import styles from './Payoff.module.css';

type Who = 'row' | 'column';

interface Props {
  readonly game: Bimatrix;
  /** A text that is a number, while it is typed. */
  readonly onType: (who: Who, r: number, c: number, value: number) => void;
  readonly onWrong: (text: string, message: string) => void;
  /** What was typed stays; a wrong text is gone. */
  readonly onDone: () => void;
  readonly onStep: (who: Who, r: number, c: number, value: number) => void;
}

export function PayoffTable({ game, ...on }: Props) {
  const best = bestResponses(game);
  return (
    <div className={styles.frame}>
      <table className={styles.table}>
        <caption className="visually-hidden">
          Payoffs. Rows are actions of the row player, columns those of the column player; each cell has first the row player's payoff, then
          the column player's.
        </caption>
        <thead>
          <tr>
            <td />
            {game.columnActions.map((action) => (
              <th key={action} scope="col" data-who="column">
                {action}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {game.rowActions.map((action, r) => (
            <tr key={action}>
              <th scope="row" data-who="row">
                {action}
              </th>
              {game.columnActions.map((other, c) => {
                const [mine, theirs] = [best.row[r]?.[c] ?? false, best.column[r]?.[c] ?? false];
                const end = mine && theirs ? ', equilibrium' : '';
                return (
                  <td key={other} data-equilibrium={mine && theirs ? '' : undefined}>
                    <span className={styles.pair}>
                      <Payoff
                        who="row"
                        name={`Row player: ${action} against ${other}${mine ? ', best response' : ''}${end}`}
                        best={mine}
                        value={game.row[r]?.[c] ?? 0}
                        place={[r, c]}
                        {...on}
                      />
                      <Payoff
                        who="column"
                        name={`Column player: ${other} against ${action}${theirs ? ', best response' : ''}${end}`}
                        best={theirs}
                        value={game.column[r]?.[c] ?? 0}
                        place={[r, c]}
                        {...on}
                      />
                    </span>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface PayoffProps extends Omit<Props, 'game'> {
  readonly who: Who;
  readonly name: string;
  readonly best: boolean;
  readonly value: number;
  readonly place: readonly [r: number, c: number];
}

const SETTLES = 500; // ms

function Payoff({ who, name, best, value, place: [r, c], onType, onWrong, onDone, onStep }: PayoffProps) {
  const [text, setText] = useState<string | null>(null);
  const [wrong, setWrong] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const done = useRef(onDone);
  done.current = onDone;
  useEffect(() => () => clearTimeout(timer.current), []);

  const leave = () => {
    clearTimeout(timer.current);
    if (text === null) return;
    setText(null);
    setWrong(false);
    onDone();
  };
  const type = (next: string) => {
    setText(next);
    clearTimeout(timer.current);
    const number = parseNumber(next);
    setWrong(!Number.isFinite(number));
    if (!Number.isFinite(number)) {
      onWrong(next, 'Each payoff must be a number.');
      return;
    }
    onType(who, r, c, number);
    timer.current = setTimeout(() => done.current(), SETTLES);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const size = event.shiftKey ? 10 : 1;
    const step = event.key === 'ArrowUp' ? size : event.key === 'ArrowDown' ? -size : 0;
    if (step !== 0) {
      clearTimeout(timer.current);
      setText(null);
      setWrong(false);
      onStep(who, r, c, Number((value + step).toPrecision(12)));
    } else if (event.key === 'Enter') leave();
    else if (event.key === 'Escape' && wrong) leave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <input
      type="text"
      role="spinbutton"
      inputMode="text"
      autoComplete="off"
      spellCheck={false}
      className={styles.payoff}
      data-who={who}
      data-best={best ? '' : undefined}
      aria-label={name}
      aria-invalid={wrong}
      aria-valuenow={value}
      style={{ inlineSize: `${Math.max(3, (text ?? editable(value)).length) + 1.2}ch` }}
      value={text ?? editable(value)}
      onChange={(event) => type(event.target.value)}
      onFocus={(event) => event.target.select()}
      onBlur={leave}
      onKeyDown={onKeyDown}
    />
  );
}
