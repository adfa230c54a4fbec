/** Interaction of each pair of agents: above 0 they are worth more together than apart, below 0 one can replace the other. */
import type { AgentAttribution } from '#contract/explain/explain.ts';
import { nameOf } from '#report/explain-words.ts';
import { measure } from '#ui/kit/format/numbers.ts';
import { Badge } from '#ui/stage/Badge.tsx';
import styles from './Team.module.css';

export function Pairs({ answer }: { readonly answer: AgentAttribution }) {
  const { players, interactions } = answer;
  const n = players.length;
  if (interactions === null || n < 2) return null;
  const most = Math.max(...interactions.map(Math.abs)) || 1;
  return (
    <details className={styles.more}>
      <summary>Pairwise Shapley interactions</summary>
      <p className={styles.hint}>Blue: worth more together than apart (synergy). Orange: interchangeable (redundancy).</p>
      <table className={styles.pairs}>
        <thead>
          <tr>
            <td />
            {players.map((player) => (
              <th key={player.agent} scope="col">
                <Badge agent={player.agent} />
                <span className="visually-hidden">{nameOf(player)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {players.map((player, i) => (
            <tr key={player.agent}>
              <th scope="row">
                <Badge agent={player.agent} />
                {nameOf(player)}
              </th>
              {players.map((other, j) => {
                const value = interactions[i * n + j]!;
                const strength = Math.round((100 * Math.abs(value)) / most);
                return i === j ? (
                  <td key={other.agent} className={styles.self} />
                ) : (
                  <td
                    key={other.agent}
                    className="figures"
                    style={{ background: `color-mix(in oklab, var(--div-${value < 0 ? 'neg' : 'pos'}) ${0.6 * strength}%, transparent)` }}
                  >
                    {measure(value, 2)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
