/**
 * "Teach it yourself": the user plays, has it copied, watches the copy, takes over where it errs, and has it copied again. Each copy is a
 * run that learns from all games of this visit alone (behaviour cloning on a dataset that grows, as DAgger's does).
 */
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { data } from '#client/files/data.ts';
import { game } from '#client/stage/service.ts';
import type { Replay } from '#contract/run/events.ts';
import { type Copy, countGames, datasetsStore, tookOver } from '#stores/datasets.ts';
import { runsStore } from '#stores/runs.ts';
import { stageStore } from '#stores/stage.ts';
import type { RunGroup } from '#stores/types.ts';
import { t, tn } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { measure } from '#ui/kit/format/numbers.ts';
import styles from './Teach.module.css';
import { useStageEnv } from './useStageEnv.ts';

const text = ({ games, corrections }: Pick<Copy, 'games' | 'corrections'>): string =>
  [games > 0 ? tn('{n} game', '{n} games', games) : '', corrections > 0 ? tn('{n} correction', '{n} corrections', corrections) : '']
    .filter((part) => part !== '')
    .join(t(' and '));

/** How much was played since the last copy. */
function useFresh(): number {
  const games = useStore(datasetsStore, (state) => state.games.length);
  const last = useStore(datasetsStore, (state) => state.copies.at(-1));
  return games - (last === undefined ? 0 : last.games + last.corrections);
}

/** What a person played so far, and a press that has it cloned; nothing where nothing was played since the last copy. `short`: one word. */
export function TeachIt({ short = false }: { readonly short?: boolean }) {
  const games = useStore(datasetsStore, (state) => state.games.length);
  const busy = useStore(datasetsStore, (state) => state.busy !== '');
  const fresh = useFresh();
  if (fresh <= 0) return null;
  const words = tn('Teach an agent what you played', 'Teach an agent your {n} games', games);
  return (
    <Button
      icon="copy"
      disabled={busy}
      onClick={() => void data.teach()}
      label={t('An agent learns from your games alone. Five make a start.')}
      aria-label={words}
    >
      {short ? t('Teach') : words}
    </Button>
  );
}

/** The whole way, where one stands on it, and the next press. `onAct`: before the stage is needed. */
export function TeachPath({ onAct = () => {} }: { readonly onAct?: () => void }) {
  const env = useStageEnv();
  const all = useStore(datasetsStore, (state) => state.games);
  const copies = useStore(datasetsStore, (state) => state.copies);
  const groups = useStore(runsStore, (state) => state.groups);
  const playing = useStore(stageStore, (state) => state.mode === 'play');
  const fresh = useFresh();
  if (env === null) return null;
  const games = all[0]?.env.id === env.id ? all : [];
  const known = (games.length === 0 ? [] : copies).flatMap((copy) => {
    const group = groups.find(({ id }) => id === copy.runId);
    return group === undefined ? [] : [{ copy, group }];
  });
  const count = countGames(games);
  const last = known.at(-1)?.group;
  const trained = last?.seeds.every(({ result, failure }) => result !== null || failure !== null) ?? false;
  const at = games.length === 0 ? 0 : last === undefined ? 1 : !trained ? 2 : 3;
  const own = env.agents === 1 ? returnsOf(games) : [];
  return (
    <ol className={styles.path}>
      <Part number={1} title={t('Play')} at={at}>
        <p>
          {t('Your games are what it learns from. Five make a start.')}
          {games.length > 0 && ` ${t('So far: {count}.', { count: text(count) })}`}
        </p>
        <Button
          icon="play"
          kind={at === 0 ? 'solid' : 'quiet'}
          disabled={playing}
          onClick={() => {
            onAct();
            void game.open();
          }}
        >
          {games.length === 0 ? t('Play') : t('Play another')}
        </Button>
      </Part>
      <Part number={2} title={t('Have it copied')} at={at}>
        <p>{t('An agent learns to do what you did, without any reward.')}</p>
        {known.length === 0 && !playing && <TeachIt />}
      </Part>
      <Part number={3} title={t('Watch the copy')} at={at}>
        {known.length === 0 ? <p>{t('Where you have never been, it has to guess.')}</p> : <Scores own={own} known={known} />}
      </Part>
      <Part number={4} title={t('Take over where it errs')} at={at}>
        <p>
          {t('Hold a key and you act in its place; let go, and it goes on. Escape ends it.')}{' '}
          {t('Then have it copied again, as often as you like.')}
        </p>
        <span className={styles.ways}>
          <Button
            icon="fork"
            kind={at === 3 && fresh <= 0 ? 'solid' : 'quiet'}
            disabled={playing || !trained}
            onClick={() => {
              onAct();
              void game.takeOver();
            }}
          >
            {t('Take over')}
          </Button>
          {known.length > 0 && !playing && <TeachIt />}
        </span>
      </Part>
    </ol>
  );
}

function Part({
  number,
  title,
  at,
  children,
}: {
  readonly number: number;
  readonly title: string;
  /** Place of the part that comes next, from 0. */
  readonly at: number;
  readonly children: ReactNode;
}) {
  return (
    <li className={styles.part} data-done={number - 1 < at || undefined} aria-current={number - 1 === at ? 'step' : undefined}>
      <span className={styles.number} aria-hidden="true">
        {number - 1 < at ? '✓' : number}
      </span>
      <div className={styles.words}>
        <b>{title}</b>
        {children}
      </div>
    </li>
  );
}

/** Returns of whole games; of worlds with one agent. */
const returnsOf = (games: readonly Replay[]): readonly number[] =>
  games.filter((game) => !tookOver(game)).map(({ reward }) => reward.reduce((a, b) => a + b, 0));

function Scores({
  own,
  known,
}: {
  readonly own: readonly number[];
  readonly known: readonly { readonly copy: Copy; readonly group: RunGroup }[];
}) {
  return (
    <table className={styles.scores}>
      <thead>
        <tr>
          <th scope="col">{t('who plays')}</th>
          <th scope="col">{t('mean return')}</th>
        </tr>
      </thead>
      <tbody>
        {own.length > 0 && (
          <tr>
            <th scope="row">{t('you, {games}', { games: tn('{n} game', '{n} games', own.length) })}</th>
            <td>{measure(own.reduce((a, b) => a + b, 0) / own.length)}</td>
          </tr>
        )}
        {known.map(({ copy, group }, i) => (
          <tr key={copy.runId}>
            <th scope="row">{t('copy {n}, of {games}', { n: i + 1, games: text(copy) })}</th>
            <td>{standing(group)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function standing({ seeds, config }: RunGroup): string {
  const [seed] = seeds;
  if (seed === undefined) return '';
  if (seed.failure !== null) return t('failed');
  const greedy = seed.result?.evalReturn;
  if (greedy !== undefined && greedy !== null) return measure(greedy);
  return t('{n} % learned', { n: Math.floor((100 * Math.min(seed.step, config.run.steps)) / config.run.steps) });
}
