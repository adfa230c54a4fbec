/**
 * Tables of mean returns with their intervals, over seeded games: in worlds of two sides every policy of the scenes against every other; in a world
 * that gives seats to players every policy with each player that could sit there.
 */
import { useEffect, useId, useRef, useState } from 'react';
import { useStore } from 'zustand';
import {
  type Cell,
  crossPlay,
  MOST_ENTRANTS,
  MOST_GAMES,
  partnerPlay,
  type Score,
  type Table,
  type Tournament,
} from '#client/compare/cross-play.ts';
import { type Actor, actorsIn, givesSeats, playerOf, type Slot, sidesOf, worldOf } from '#client/stage/side.ts';
import { workers } from '#client/workers/service.ts';
import type { Catalog, EnvCard } from '#contract/catalog/catalog.ts';
import { catalogStore } from '#stores/catalog.ts';
import { runsStore } from '#stores/runs.ts';
import type { RunGroup } from '#stores/types.ts';
import { t } from '#text/text.ts';
import { policyTitle } from '#ui/form/env-words.ts';
import { Button } from '#ui/kit/Button.tsx';
import { measure } from '#ui/kit/format/numbers.ts';
import { runNames } from '#ui/runs/names.ts';
import styles from './Side.module.css';
import { actorWords, sideName } from './SideScene.tsx';

const FIRST_GAMES = 20;

export function CrossPlay({ slots, start }: { readonly slots: readonly Slot[]; readonly start: number }) {
  const groups = useStore(runsStore, (state) => state.groups);
  const catalog = useStore(catalogStore, (state) => state.catalog);
  const [first] = slots;
  const world = first === undefined ? null : worldOf(first);
  const env = catalog?.envs.find(({ id }) => id === world?.id) ?? null;
  if (world === null || env === null) return null;
  const partners = givesSeats(world.config) ? ['random', ...env.policies] : null;
  const sides = partners === null ? sidesOf(env, world.config) : null;
  if (partners === null && sides === null) return null;
  const here = slots.filter((slot) => worldOf(slot)?.id === env.id);
  const actors = actorsIn(here)
    .filter(({ kind }) => partners === null || kind !== 'script') // a script of the whole world is no policy of one seat
    .slice(0, MOST_ENTRANTS);
  const names = titlesOf(actors, groups, catalog);
  // Others who play: what has been played is of those before.
  const key = `${JSON.stringify(world)} ${names.join()} ${start}`;
  return <Games key={key} env={env} plan={{ env: world, start }} sides={sides} partners={partners ?? []} actors={actors} names={names} />;
}

interface GamesProps {
  readonly env: EnvCard;
  readonly plan: Pick<Tournament, 'env' | 'start'>;
  /** null: policies meet partners. */
  readonly sides: Tournament['sides'] | null;
  readonly partners: readonly string[];
  readonly actors: readonly Actor[];
  readonly names: readonly string[];
}

function Games({ env, plan, sides, partners, actors, names }: GamesProps) {
  const id = useId();
  const [games, setGames] = useState(FIRST_GAMES);
  const [table, setTable] = useState<Table | null>(null);
  const stop = useRef<() => void>(() => {});
  useEffect(() => () => stop.current(), []);
  const play = (): void => {
    stop.current();
    try {
      const entrants = actors.map(playerOf);
      const options = { spawn: workers.spawnPlayer, onChange: setTable };
      const all = { ...plan, entrants, games };
      stop.current = sides === null ? partnerPlay({ ...all, partners }, options) : crossPlay({ ...all, sides }, options);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      setTable({ cells: [], played: 0, all: 0, state: 'failed', message });
    }
  };
  const [rows = '', columns = ''] = sides === null ? [] : sides.map((agents) => sideName(env, agents) ?? '');
  const heads = sides === null ? partners.map(policyTitle) : names;
  const playing = table?.state === 'playing';
  return (
    <section className={styles.cross} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>Cross-play</h2>
      <p className={styles.quiet}>
        {sides === null
          ? t(
              'Every policy of the scenes with every player that could sit beside it, also those it was not trained with: its mean return with its interval (95 %). All pairings have the same starts.',
            )
          : `Every policy of the scenes as ${rows} against every policy as ${columns}: the mean return of both sides with its 95\u00a0% interval. All pairings have the same starts.`}
      </p>
      <div className={styles.controls}>
        <label className={styles.start}>
          Games of each
          <input
            type="number"
            min={2}
            max={MOST_GAMES}
            value={games}
            disabled={playing}
            onChange={(event) => {
              const next = Number(event.target.value);
              if (Number.isInteger(next) && next >= 2 && next <= MOST_GAMES) setGames(next);
            }}
          />
        </label>
        {playing ? (
          <Button icon="stop" onClick={() => stop.current()}>
            Stop
          </Button>
        ) : (
          <Button icon="play" onClick={play}>
            {`Play ${actors.length * heads.length * games} games`}
          </Button>
        )}
        <span role="status" className={styles.quiet}>
          {table === null ? '' : statusOf(table)}
        </span>
      </div>
      {table !== null && table.cells.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        <section className={styles.scroll} tabIndex={0} aria-label="Returns of the games">
          <table className={styles.table}>
            <caption className="visually-hidden">
              {sides === null ? t('Mean returns of each policy with each partner') : `Mean returns: rows play ${rows}, columns ${columns}`}
            </caption>
            <thead>
              <tr>
                <th scope="col">{sides === null ? t('policy, partner') : `${rows} \\ ${columns}`}</th>
                {heads.map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {names.map((name, row) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  {heads.map((other, column) => (
                    <Result
                      key={other}
                      cell={table.cells.find((cell) => cell.row === row && cell.column === column)}
                      sides={sides === null ? [''] : [rows, columns]}
                    />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  );
}

function Result({ cell, sides }: { readonly cell: Cell | undefined; readonly sides: readonly string[] }) {
  if (cell === undefined) return <td>–</td>;
  return (
    <td>
      {cell.scores.map((score, side) => (
        <span key={sides[side]} className={styles.score}>
          <small>{sides[side]}</small> <b>{measure(score.mean)}</b> <small>{intervalOf(score)}</small>
        </span>
      ))}
      <small className={styles.count}>{`${cell.games} games`}</small>
    </td>
  );
}

const intervalOf = ({ interval }: Score): string => (interval === null ? '' : `[${measure(interval[0])}, ${measure(interval[1])}]`);

function statusOf({ state, played, all, message }: Table): string {
  if (state === 'failed') return message;
  const count = `${played.toLocaleString('en')} of ${all.toLocaleString('en')} games`;
  return state === 'playing'
    ? `${count} played`
    : state === 'done'
      ? `All ${all.toLocaleString('en')} games played`
      : `Stopped after ${count}`;
}

/** Names of who plays: the run where there are several, the seed and the step. */
function titlesOf(actors: readonly Actor[], groups: readonly RunGroup[], catalog: Catalog | null): readonly string[] {
  const names = runNames(groups, catalog, 'alike');
  const runs = new Set(actors.filter(({ kind }) => kind === 'learned').map(({ runId }) => runId));
  const titles = actors.map((actor) => {
    const run = actor.kind === 'learned' && runs.size > 1 ? `${names.get(actor.runId) ?? 'a run'}, ` : '';
    return run + actorWords(actor).replace(/^the policy of /, '');
  });
  // Two runs may be called alike.
  return titles.map((title, i) => (titles.indexOf(title) === i ? title : `${title} (${i + 1})`));
}
