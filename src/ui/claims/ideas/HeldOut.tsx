/** P039: the tasks that no training saw as a wall of small scenes, each with a lamp for what the chosen player solves, and one laid open, to be changed. */
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { type TaskEpisode, taskPlayer } from '#client/compare/tasks.ts';
import { HELD_OUT, heldOutPresets } from '#contract/catalog/rule-tasks.ts';
import { decodePolicyFile } from '#contract/files/files.ts';
import { type Arm, armConfig, type JudgedCard } from '#contract/papers/papers.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { t } from '#text/text.ts';
import { percent } from '#ui/kit/format/numbers.ts';
import { Segmented } from '#ui/kit/Segmented.tsx';
import { useReducedMotion } from '#ui/stage/motion.ts';
import { policyFile, policyOf } from '../policies.ts';
import styles from './HeldOut.module.css';
import { TaskBoard } from './TaskBoard.tsx';
import { TaskWall } from './TaskWall.tsx';

/** Episodes of each task, from starts that all players share. */
const EPISODES = 5;
const FIRST_SEED = 2001;
const [RANDOM, PLANNER] = ['random', 'planner'] as const;
/** Who plays first. */
const FIRST = 'frontier';

type Won = readonly (readonly TaskEpisode[])[];

/** The policy that an arm learned; the script that knows goal and rules; null: random actions. Rejects in words where it cannot be had. */
async function whoIs(card: JudgedCard, chosen: string): Promise<PolicySnapshot | string | null> {
  if (chosen === RANDOM) return null;
  if (chosen === PLANNER) return 'expert';
  return decodePolicyFile(await (await policyOf(card.id, chosen)).text());
}

export default function HeldOut({ card }: { readonly card: JudgedCard }) {
  const arms = useMemo(() => learnersOf(card), [card]);
  const [chosen, setChosen] = useState<string>(() => (arms.find(({ id }) => id === FIRST) ?? arms[0])?.id ?? RANDOM);
  const [open, setOpen] = useState(0);
  const { episodes, problem } = useEpisodes(card, chosen);
  const id = useId();
  const board = useRef<HTMLDivElement>(null);
  const reduced = useReducedMotion();
  const openTask = (place: number): void => {
    setOpen(place);
    board.current?.scrollIntoView({ block: 'nearest', behavior: reduced ? 'auto' : 'smooth' });
  };
  const played = episodes.filter((of) => of.length === EPISODES).length;
  const solved = episodes.filter((of) => of.some(({ won }) => won)).length;
  const all = episodes.flat();
  const done = played === HELD_OUT.length;
  const task = heldOutPresets[open];
  return (
    <div className={styles.heldOut}>
      <section aria-labelledby={`${id}-wall`}>
        <h2 id={`${id}-wall`}>{t('Twenty tasks that no training saw')}</h2>
        <p className={styles.quiet}>
          {t(
            'The player is told neither goal nor rules: it sees five by five cells ahead and has to try. A lamp burns where it met the goal in at least one of {n} episodes, actions drawn by its chances. Press a task to open it.',
            { n: EPISODES },
          )}
        </p>
        <Segmented
          label={t('Who plays')}
          value={chosen}
          options={[
            ...arms.map((arm) => ({ value: arm.id, label: arm.title })),
            { value: RANDOM, label: t('random play') },
            { value: PLANNER, label: t('planner, told everything') },
          ]}
          onChange={setChosen}
        />
        <p role="status" className={styles.sum}>
          {problem !== ''
            ? problem
            : done
              ? t('{solved} of {all} lamps burn; {share} of the episodes met their goal.', {
                  solved,
                  all: HELD_OUT.length,
                  share: percent(Math.round((100 * all.filter(({ won }) => won).length) / Math.max(1, all.length))),
                })
              : t('It plays: task {n} of {all}.', { n: Math.min(played + 1, HELD_OUT.length), all: HELD_OUT.length })}
        </p>
        <TaskWall episodes={episodes} each={EPISODES} open={open} onOpen={openTask} />
      </section>
      <div ref={board}>
        {task !== undefined && (
          <TaskBoard
            key={`${chosen} ${open}`}
            task={task}
            shown={episodes[open] ?? []}
            run={armConfig(card, arms.find((arm) => arm.id === chosen) ?? card.arms[0]!)}
            who={() => whoIs(card, chosen)}
          />
        )}
      </div>
    </div>
  );
}

/** Arms whose policies are kept; of those that only measure the same policy elsewhere, the first. */
function learnersOf(card: JudgedCard): readonly Arm[] {
  const files = card.arms.map((arm) => (arm.differs?.algo?.id === RANDOM ? null : policyFile(card.id, arm.id)));
  return card.arms.filter((_, k) => files[k] !== null && files.indexOf(files[k] ?? null) === k);
}

/** What the chosen player did in each task, as it is played; the player before leaves the worker. */
function useEpisodes(card: JudgedCard, chosen: string): { readonly episodes: Won; readonly problem: string } {
  const [state, setState] = useState<{ readonly of: string; readonly episodes: Won; readonly problem: string }>({
    of: '',
    episodes: [],
    problem: '',
  });
  useEffect(() => {
    let live = true;
    const play = async (): Promise<void> => {
      const player = await taskPlayer(await whoIs(card, chosen));
      try {
        const episodes: TaskEpisode[][] = [];
        for (const preset of heldOutPresets) {
          const of: TaskEpisode[] = [];
          for (let k = 0; k < EPISODES && live; k++)
            of.push(await player.play({ id: 'xland-minigrid', config: preset.config }, FIRST_SEED + k));
          if (!live) return;
          episodes.push(of);
          setState({ of: chosen, episodes: [...episodes], problem: '' });
        }
      } finally {
        await player.leave();
      }
    };
    play().catch((error: unknown) => {
      if (live) setState({ of: chosen, episodes: [], problem: error instanceof Error ? error.message : String(error) });
    });
    return () => {
      live = false;
    };
  }, [card, chosen]);
  return state.of === chosen ? state : { episodes: [], problem: '' };
}
