/** The table of a game of more than two: a row per joint action, a column per player. Where all best-respond it is an equilibrium. */
import type { GameCard } from '#contract/game/payoffs.ts';
import { t } from '#text/text.ts';
import styles from './Payoff.module.css';
import { PayoffNumber } from './PayoffNumber.tsx';
import { bestInJoint, jointActions } from './table.ts';

const LONGEST = 128; // joint actions

interface Props {
  readonly game: GameCard;
  readonly onType: (pay: GameCard['pay']) => void;
  readonly onWrong: (text: string, message: string) => void;
  readonly onDone: () => void;
  readonly onStep: (pay: GameCard['pay']) => void;
}

export function ManyTable({ game, onType, onStep, ...on }: Props) {
  const best = bestInJoint(game);
  const pure = best.filter((row) => row.every(Boolean)).length;
  const shown = game.pay.slice(0, LONGEST);
  const brief = game.actions.map(shortest);
  const withPay = (j: number, player: number, value: number): GameCard['pay'] =>
    game.pay.map((line, at) => (at === j ? line.map((old, p) => (p === player ? value : old)) : line));
  return (
    <>
      <div className={styles.long}>
        <table className={styles.table}>
          <caption className="visually-hidden">{t('Payoffs. Each row is what all players do, each column what one of them gets.')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('all do')}</th>
              {game.actions.map((_, player) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a player is its number
                <th key={player} scope="col" data-player={player}>
                  {player + 1}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((line, j) => {
              const chosen = jointActions(game, j);
              const names = chosen.map((action, player) => game.actions[player]?.[action] ?? '');
              const stable = best[j]?.every(Boolean) ?? false;
              return (
                <tr key={names.join()} data-equilibrium={stable ? '' : undefined}>
                  <th scope="row" title={names.join(', ')} aria-label={names.join(', ')}>
                    {chosen.map((action, player) => brief[player]?.[action] ?? '').join(' ')}
                  </th>
                  {line.map((value, player) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: a player is its number
                    <td key={player}>
                      <PayoffNumber
                        who="any"
                        name={`Player ${player + 1}, all do ${names.join(', ')}${best[j]?.[player] ? ', best response' : ''}${stable ? ', equilibrium' : ''}`}
                        best={best[j]?.[player] ?? false}
                        value={value}
                        onType={(next) => onType(withPay(j, player, next))}
                        onStep={(next) => onStep(withPay(j, player, next))}
                        {...on}
                      />
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <p className={styles.quiet} aria-hidden="true">
        {(brief[0] ?? []).map((sign, action) => `${sign} ${game.actions[0]?.[action]}`).join(', ')}
      </p>
      <p className={styles.quiet} aria-live="polite">
        {pure === 0
          ? t('No pure equilibrium of one round')
          : `${pure} pure ${pure === 1 ? 'equilibrium' : 'equilibria'} of one round, framed`}
        {game.pay.length > LONGEST ? t('; the first {LONGEST} of {n} joint actions are shown.', { LONGEST, n: game.pay.length }) : '.'}
      </p>
    </>
  );
}

/** The shortest prefixes that distinguish the actions. */
function shortest(actions: readonly string[]): readonly string[] {
  const longest = Math.max(1, ...actions.map((action) => action.length));
  for (let n = 1; n < longest; n++) {
    const cut = actions.map((action) => action.slice(0, n));
    if (new Set(cut).size === actions.length) return cut;
  }
  return actions;
}
