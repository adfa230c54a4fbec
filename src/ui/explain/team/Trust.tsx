/** Can these intervals be trusted? Games with known values, estimated before one's eyes with as many orders as one likes. */
import { useState } from 'react';
import { explain } from '#client/explain/service.ts';
import { TRUST, type TrustedGame } from '#contract/explain/explain.ts';
import { withWidth } from '#report/explain-words.ts';
import { Button } from '#ui/kit/Button.tsx';
import { compact, measure } from '#ui/kit/format/numbers.ts';
import styles from './Team.module.css';

const FIRST = 25;
let asked = 0;

export function Trust() {
  const [games, setGames] = useState<readonly TrustedGame[]>([]);
  const [failed, setFailed] = useState('');
  const draws = games[0]?.draws ?? 0;
  const draw = async (count: number): Promise<void> => {
    try {
      // another seed each time: good and bad luck are part of what is shown
      setGames((await explain.ask(TRUST, { draws: count, seed: ++asked }))?.detail ?? []);
      setFailed('');
    } catch (error) {
      setFailed(error instanceof Error ? error.message : String(error));
    }
  };
  const held = games.flatMap(({ truth, value, halfWidth }) => truth.map((t, i) => Math.abs(value[i]! - t) <= halfWidth[i]! + 1e-12));
  return (
    <details className={styles.more} onToggle={(event) => event.currentTarget.open && games.length === 0 && void draw(FIRST)}>
      <summary>Can I trust this?</summary>
      <p className={styles.hint}>
        The same estimator on games whose answer is known. About 19 of 20 intervals should hold the truth; draw again, or more.
      </p>
      <div className={styles.actions}>
        <Button onClick={() => void draw(Math.max(FIRST, draws))}>Draw again</Button>
        <Button onClick={() => void draw(Math.max(FIRST, draws * 4))}>Four times as many</Button>
        {games.length > 0 && (
          <span className={styles.small} aria-live="polite">
            {compact(draws)} orders: {held.filter(Boolean).length} of {held.length} intervals hold the truth
          </span>
        )}
      </div>
      {failed !== '' && <p className={styles.failure}>{failed}</p>}
      {games.map((game) => (
        <table key={game.id} className={styles.known}>
          <caption>
            <b>{game.title}.</b> {game.story}
          </caption>
          <thead>
            <tr>
              <th scope="col">player</th>
              <th scope="col">truth</th>
              <th scope="col">estimate</th>
            </tr>
          </thead>
          <tbody>
            {game.players.map((player, i) => (
              <tr key={player} data-missed={Math.abs(game.value[i]! - game.truth[i]!) > game.halfWidth[i]! + 1e-12 || undefined}>
                <th scope="row">{player}</th>
                <td className="figures">{measure(game.truth[i], 4)}</td>
                <td className="figures">{withWidth(game.value[i]!, game.halfWidth[i]!)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </details>
  );
}
