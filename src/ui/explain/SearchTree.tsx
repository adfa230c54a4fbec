/**
 * A search tree as nested strips: the width of a move is its share of the visits, its colour its value for the player whose move is
 * explained; the replies to it stand below it. Then the moves from this position as a table.
 */
import type { CSSProperties } from 'react';
import type { TreeMove } from '#contract/explain/explain-api.ts';
import { measure, percent } from '#ui/kit/format/numbers.ts';
import styles from './SearchTree.module.css';
import team from './team/Team.module.css';

const visitsOf = (n: number): string => `${n} ${n === 1 ? 'visit' : 'visits'}`;

/** For the player whose move is explained: the other one makes every second move. */
const ownValue = ({ value }: TreeMove, ahead: number): number => (ahead % 2 === 0 ? value : -value);

function colour(value: number): CSSProperties {
  const strength = Math.round(15 + 55 * Math.min(1, Math.abs(value)));
  return { background: `color-mix(in oklab, var(--div-${value < 0 ? 'neg' : 'pos'}) ${strength}%, var(--surface))` };
}

export function SearchTree({ moves }: { readonly moves: readonly TreeMove[] }) {
  const children = (parent: number): number[] => moves.flatMap((move, i) => (move.parent === parent ? [i] : []));
  const own = children(-1);
  const all = own.reduce((sum, i) => sum + moves[i]!.visits, 0);
  return (
    <>
      <figure className={styles.tree}>
        <div className={styles.scroll}>
          <div className={styles.root}>this position: {visitsOf(all)}</div>
          <Level moves={moves} at={own} ahead={0} childrenOf={children} name="Search tree" />
        </div>
        <figcaption className={styles.key}>
          <span>
            <i style={colour(-1)} /> lost
          </span>
          <span>
            <i style={colour(0)} /> even
          </span>
          <span>
            <i style={colour(1)} /> won, for the player to move
          </span>
        </figcaption>
      </figure>
      <table className={styles.moves}>
        <thead>
          <tr>
            <th scope="col">move</th>
            <th scope="col">visits</th>
            <th scope="col">prior</th>
            <th scope="col">value</th>
            <th scope="col">expected reply</th>
          </tr>
        </thead>
        <tbody>
          {own.map((i) => {
            const { label, visits, value, prior, over } = moves[i]!;
            const reply = children(i)[0];
            return (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td className="figures">{visits}</td>
                <td className="figures">{prior === null ? '' : percent(Math.round(100 * prior))}</td>
                <td className="figures">{measure(value, 2)}</td>
                <td>{over ? 'ends the game' : reply === undefined ? '' : moves[reply]!.label}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p className={team.small}>Width: visits. Each row is one move further ahead; the players take turns.</p>
    </>
  );
}

interface LevelProps {
  readonly moves: readonly TreeMove[];
  readonly at: readonly number[];
  readonly ahead: number;
  readonly childrenOf: (parent: number) => number[];
  readonly name?: string;
}

function Level({ moves, at, ahead, childrenOf, name }: LevelProps) {
  return (
    <ul className={styles.level} aria-label={name}>
      {at.map((i) => {
        const move = moves[i]!;
        const next = childrenOf(i);
        const value = ownValue(move, ahead);
        const said = `${move.label}: ${visitsOf(move.visits)}, value ${measure(value, 2)}${move.over ? ', ends the game' : ''}`;
        return (
          <li key={move.label} style={{ flexGrow: move.visits }} className={styles.node}>
            <div className={styles.cell} style={colour(value)} title={said} data-over={move.over ? '' : undefined}>
              <span>{move.label}</span>
              <span className="figures">{move.visits}</span>
            </div>
            {next.length > 0 && <Level moves={moves} at={next} ahead={ahead + 1} childrenOf={childrenOf} />}
          </li>
        );
      })}
    </ul>
  );
}
