/** The table of a game of two: below left what the row player gets, above right what the column player gets. Best responses are marked, and named for screen readers. */
import type { Bimatrix } from '#contract/game/payoffs.ts';
import { bestResponses } from '#math/nash.ts';
import { t } from '#text/text.ts';
import styles from './Payoff.module.css';
import { PayoffNumber } from './PayoffNumber.tsx';

type Who = 'row' | 'column';

interface Props {
  readonly game: Bimatrix;
  readonly onType: (who: Who, r: number, c: number, value: number) => void;
  readonly onWrong: (text: string, message: string) => void;
  readonly onDone: () => void;
  readonly onStep: (who: Who, r: number, c: number, value: number) => void;
}

export function PayoffTable({ game, onType, onStep, ...on }: Props) {
  const found = bestResponses(game);
  return (
    <div className={styles.frame}>
      <table className={styles.table}>
        <caption className="visually-hidden">
          {t(
            'Payoffs. Rows are actions of the row player, columns those of the column player; each cell has first the payoff of the row player, then that of the column player.',
          )}
        </caption>
        <thead>
          <tr>
            <td />
            {game.columnActions.map((action) => (
              <th key={action} scope="col" data-who="column">
                {t(action)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {game.rowActions.map((action, r) => (
            <tr key={action}>
              <th scope="row" data-who="row">
                {t(action)}
              </th>
              {game.columnActions.map((other, c) => {
                const [mine, theirs] = [found.row[r]?.[c] ?? false, found.column[r]?.[c] ?? false];
                const end = mine && theirs ? `, ${t('equilibrium')}` : '';
                const best = `, ${t('best response')}`;
                const of = (who: Who) => ({
                  who,
                  value: game[who][r]?.[c] ?? 0,
                  onType: (value: number) => onType(who, r, c, value),
                  onStep: (value: number) => onStep(who, r, c, value),
                  ...on,
                });
                return (
                  <td key={other} data-equilibrium={mine && theirs ? '' : undefined}>
                    <span className={styles.pair}>
                      <PayoffNumber
                        name={`${t('Row player: {action} against {other}', { action: t(action), other: t(other) })}${mine ? best : ''}${end}`}
                        best={mine}
                        {...of('row')}
                      />
                      <PayoffNumber
                        name={`${t('Column player: {action} against {other}', { action: t(other), other: t(action) })}${theirs ? best : ''}${end}`}
                        best={theirs}
                        {...of('column')}
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
