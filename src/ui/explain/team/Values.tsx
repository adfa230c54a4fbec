/** One bar per agent from zero, with its 95 % interval; the order is the agents' own, so that bars can be found again. */
import type { CSSProperties } from 'react';
import type { AgentAttribution } from '#contract/explain/explain.ts';
import { nameOf, withWidth } from '#report/explain-words.ts';
import { Badge } from '#ui/stage/Badge.tsx';
import { useAgentColour } from '#ui/stage/useAgentColour.ts';
import styles from './Team.module.css';

export function Values({ answer }: { readonly answer: AgentAttribution }) {
  const { players, value, halfWidth } = answer;
  const colourOf = useAgentColour();
  const reach = (i: number, sign: number): number => value[i]! + sign * (Number.isFinite(halfWidth[i]!) ? halfWidth[i]! : 0);
  const low = Math.min(0, ...players.map((_, i) => reach(i, -1)));
  const high = Math.max(0, ...players.map((_, i) => reach(i, 1)));
  const span = high - low || 1;
  const at = (x: number): number => (100 * (x - low)) / span;
  const bar = (from: number, to: number): CSSProperties => ({
    insetInlineStart: `${at(Math.min(from, to))}%`,
    inlineSize: `${Math.abs(at(to) - at(from))}%`,
  });
  return (
    <table className={styles.values}>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">agent</th>
          <th scope="col">value, as a bar</th>
          <th scope="col">value and half of its 95&nbsp;% interval</th>
        </tr>
      </thead>
      <tbody>
        {players.map((player, i) => (
          <tr key={player.agent}>
            <th scope="row">
              <Badge agent={player.agent} />
              {nameOf(player)}
            </th>
            <td className={styles.track}>
              <span className={styles.bar} style={{ ...bar(0, value[i]!), background: colourOf(player.agent) }} />
              {Number.isFinite(halfWidth[i]!) && <span className={styles.whisker} style={bar(reach(i, -1), reach(i, 1))} />}
              <i className={styles.zero} style={{ insetInlineStart: `${at(0)}%` }} />
            </td>
            <td className={`${styles.number} figures`}>{withWidth(value[i]!, halfWidth[i]!)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
