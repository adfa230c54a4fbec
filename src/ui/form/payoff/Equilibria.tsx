/** The equilibria of a game in words, and with two actions each as a picture: where the two best-response curves cross. */
import { useMemo } from 'react';
import type { Bimatrix } from '#contract/game/payoffs.ts';
import { type Equilibrium, solve } from '#math/nash.ts';
import { t } from '#text/text.ts';
import { measure } from '#ui/kit/format/numbers.ts';
import styles from './Payoff.module.css';
import { inWords } from './table.ts';

const SHOWN = 12;

export function Equilibria({ game }: { readonly game: Bimatrix }) {
  const { equilibria, complete } = useMemo(() => solve(game), [game]);
  const two = game.row.length === 2 && game.row[0]?.length === 2;
  return (
    <section className={styles.found} aria-label={t('Nash equilibria of one round')}>
      <div className={styles.words} aria-live="polite">
        <p className={styles.name}>
          {equilibria.length === 0
            ? t('No Nash equilibrium of one round found')
            : equilibria.length === 1
              ? t('Nash equilibrium of one round')
              : t('Nash equilibria of one round')}
        </p>
        <ul>
          {equilibria.slice(0, SHOWN).map((one) => (
            <li key={`${one.row.join()} ${one.column.join()} ${one.until?.row.join()}`}>
              <One game={game} one={one} />
            </li>
          ))}
        </ul>
        {equilibria.length > SHOWN && <p className={styles.quiet}>{t('and {n} more', { n: equilibria.length - SHOWN })}</p>}
        {!complete && <p className={styles.quiet}>{t('Some payoffs are tied, so there may be more than these.')}</p>}
      </div>
      {two && <Curves game={game} equilibria={equilibria} />}
    </section>
  );
}

function One({ game, one }: { readonly game: Bimatrix; readonly one: Equilibrium }) {
  const { row, column, until, pays } = one;
  const side = (from: readonly number[], to: readonly number[] | undefined, actions: readonly string[]) =>
    to === undefined || to[0] === from[0]
      ? inWords(from, actions)
      : t('any mix from ({from}) to ({to})', { from: inWords(from, actions), to: inWords(to, actions) });
  return (
    <>
      <span data-who="row">{side(row, until?.row, game.rowActions)}</span>
      <span className={styles.quiet}>{t(' against ')}</span>
      <span data-who="column">{side(column, until?.column, game.columnActions)}</span>
      {until === null && (
        <span className={styles.pays}> {t('pays {mine}, {theirs}', { mine: measure(pays[0]), theirs: measure(pays[1]) })}</span>
      )}
    </>
  );
}

const SIDE = 84;

/** Chance of the first action: of the row player to the right, of the column player upwards. */
function Curves({ game, equilibria }: { readonly game: Bimatrix; readonly equilibria: readonly Equilibrium[] }) {
  const at = (r: number, c: number) => game.row[r]?.[c] ?? 0;
  const theirs = (r: number, c: number) => game.column[r]?.[c] ?? 0;
  // what each gains by its first action when the other surely plays its second, its first
  const mine = curve(at(0, 1) - at(1, 1), at(0, 0) - at(1, 0));
  const other = curve(theirs(1, 0) - theirs(1, 1), theirs(0, 0) - theirs(0, 1));
  const x = (p: number) => 8 + p * SIDE;
  const y = (q: number) => 8 + (1 - q) * SIDE;
  const line = (points: readonly (readonly [number, number])[]) => points.map(([p, q]) => `${x(p)},${y(q)}`).join(' ');
  return (
    <figure className={styles.figure}>
      <svg viewBox={`0 0 ${SIDE + 16} ${SIDE + 16}`} role="img" aria-label={t('Best responses of both; they cross at the equilibria.')}>
        <rect x="8" y="8" width={SIDE} height={SIDE} className={styles.square} />
        <polyline points={line(mine.map(([t, best]) => [best, t]))} className={styles.curve} data-who="row" />
        <polyline points={line(other)} className={styles.curve} data-who="column" />
        {equilibria.map(({ row, column, until }) => {
          const [p, q] = [row[0] ?? 0, column[0] ?? 0];
          const [p2, q2] = [until?.row[0] ?? p, until?.column[0] ?? q];
          return <line key={`${p} ${q} ${p2} ${q2}`} x1={x(p)} y1={y(q)} x2={x(p2)} y2={y(q2)} className={styles.dot} />;
        })}
      </svg>
      <figcaption>
        <span data-who="row">{t(game.rowActions[0] ?? '')} →</span>
        <span data-who="column">{t(game.columnActions[0] ?? '')} ↑</span>
      </figcaption>
    </figure>
  );
}

/** Best chance of the first action over the other's chance t; steps where the player does not care. */
function curve(at0: number, at1: number): readonly (readonly [t: number, best: number])[] {
  const best = (gain: number) => (gain > 0 ? 1 : 0);
  if (at0 === 0 && at1 === 0) return [];
  const zero = at0 / (at0 - at1);
  if (at0 === at1 || zero < 0 || zero > 1) {
    const always = best(at0 + at1);
    return [
      [0, always],
      [1, always],
    ];
  }
  const [before, after] = at0 === 0 ? [best(-at1), best(at1)] : at1 === 0 ? [best(at0), best(-at0)] : [best(at0), best(at1)];
  return [
    [0, before],
    [zero, before],
    [zero, after],
    [1, after],
  ];
}
