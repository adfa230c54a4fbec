/** Tasks as small pictures, each with its goal in words and a lamp: dark, or burning where the goal was met. */
import { useStore } from 'zustand';
import type { TaskEpisode } from '#client/compare/tasks.ts';
import { HELD_OUT, heldOutPresets } from '#contract/catalog/rule-tasks.ts';
import { readLine } from '#contract/game/rule-card.ts';
import { catalogStore } from '#stores/catalog.ts';
import { t } from '#text/text.ts';
import { Sentence } from '#ui/form/rules/Sentence.tsx';
import { sentence } from '#ui/form/rules/words.ts';
import { Picture } from '#ui/kit/picture/Picture.tsx';
import styles from './HeldOut.module.css';

interface Props {
  /** Of each task that was played, in their order. */
  readonly episodes: readonly (readonly TaskEpisode[])[];
  /** Episodes of a task when it was played. */
  readonly each: number;
  readonly open: number;
  readonly onOpen: (place: number) => void;
}

export function TaskWall({ episodes, each, open, onOpen }: Props) {
  const env = useStore(catalogStore, ({ catalog }) => catalog?.envs.find(({ id }) => id === 'xland-minigrid'));
  return (
    <ol className={styles.wall}>
      {HELD_OUT.map((task, i) => {
        const preset = heldOutPresets[i];
        const won = episodes[i]?.filter((one) => one.won).length;
        return (
          <li key={task.id}>
            <button type="button" aria-pressed={open === i} onClick={() => onOpen(i)}>
              <Picture id="xland-minigrid" env={env} preset={preset?.id ?? ''} config={preset?.config ?? {}} />
              <span className={styles.goal}>
                <Sentence pieces={sentence('goal', readLine('goal', task.goal))} />
              </span>
              <span className={styles.lampRow} data-lit={won === undefined ? 'waiting' : won === 0 ? 'no' : 'yes'}>
                <Lamp share={won === undefined ? 0 : won / each} />
                {won === undefined ? t('not played yet') : t('{n} of {all} times', { n: won, all: each })}
              </span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}

/** The more often a goal was met, the fuller it burns. `share`: 0 to 1. */
function Lamp({ share }: { readonly share: number }) {
  return (
    <svg className={styles.lamp} viewBox="0 0 16 16" aria-hidden="true">
      <circle cx="8" cy="8" r="6.5" className={styles.glass} />
      {share > 0 && <circle cx="8" cy="8" r={2.5 + 3.5 * share} className={styles.light} />}
    </svg>
  );
}
