/** One task laid open: its goal and rules in words, an episode of it as a scene, and menus that make another task of it, which is handed to the same player. */
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { type TaskEpisode, taskPlayer } from '#client/compare/tasks.ts';
import { linkHashOf } from '#client/links/writing.ts';
import { clips } from '#client/stage/clip-service.ts';
import { workers } from '#client/workers/service.ts';
import type { Preset } from '#contract/catalog/catalog.ts';
import { readLine } from '#contract/game/rule-card.ts';
import { type Json, type JsonObject, objectOf } from '#contract/kit/json.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { catalogStore } from '#stores/catalog.ts';
import { t } from '#text/text.ts';
import { type Leaf, leavesOf } from '#ui/form/leaves.ts';
import { RulesField } from '#ui/form/rules/RulesField.tsx';
import { Sentence } from '#ui/form/rules/Sentence.tsx';
import { sentence } from '#ui/form/rules/words.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Still } from '#ui/kit/picture/Still.tsx';
import { useReducedMotion } from '#ui/stage/motion.ts';
import { Live } from '#ui/stage/show/Live.tsx';
import { Reel } from '#ui/stage/show/reel.ts';
import styles from './HeldOut.module.css';

const ENV = 'xland-minigrid';
/** Episodes of a task of one's own. */
const OWN_EPISODES = 5;
const FIRST_SEED = 3001;
/** Fields of a task, as their paths in a config end. */
const FIELDS = ['goal', 'rules', 'initTiles'] as const;

interface Props {
  readonly task: Preset;
  /** Episodes of it that were played; the first that met its goal is shown, or the first. */
  readonly shown: readonly TaskEpisode[];
  /** The run config of who plays: opened in the laboratory with this task. */
  readonly run: JsonObject;
  /** Rejects in words where the policy cannot be had. */
  readonly who: () => Promise<PolicySnapshot | string | null>;
}

export function TaskBoard({ task, shown, run, who }: Props) {
  const [own, setOwn] = useState<JsonObject | null>(null);
  const [tried, setTried] = useState<readonly TaskEpisode[]>([]);
  const [solvable, setSolvable] = useState<boolean | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const id = useId();
  const env = useStore(catalogStore, ({ catalog }) => catalog?.envs.find((one) => one.id === ENV));
  const config = own ?? task.config;
  const numbers = objectOf(config.task);
  const episodes = own === null ? shown : tried;
  const place = Math.max(
    0,
    episodes.findIndex(({ won }) => won),
  );
  const episode = episodes[place];
  const link = useLink(run, config);

  const change = (key: string, value: Json | undefined): void => {
    setOwn({ ...config, task: { ...numbers, [key]: value ?? [] } });
    setTried([]);
    setSolvable(null);
    setProblem('');
  };
  const hand = async (): Promise<void> => {
    setBusy(true);
    setProblem('');
    try {
      const [player, planner] = [await taskPlayer(await who()), await taskPlayer('expert')];
      const found: TaskEpisode[] = [];
      for (let k = 0; k < OWN_EPISODES; k++) found.push(await player.play({ id: ENV, config }, FIRST_SEED + k));
      await player.leave();
      setTried(found);
      setSolvable((await planner.play({ id: ENV, config }, FIRST_SEED)).won);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
    setBusy(false);
  };
  return (
    <section aria-labelledby={`${id}-task`}>
      <h2 id={`${id}-task`}>{own === null ? t('The open task') : t('Your task')}</h2>
      <div className={styles.open}>
        <div className={styles.scene}>
          {episode === undefined ? (
            env !== undefined && <Still env={env} config={config} />
          ) : (
            <Scene key={`${own === null} ${place}`} episode={episode} />
          )}
          <p className={styles.quiet} role="status">
            {problem !== ''
              ? problem
              : busy
                ? t('It plays.')
                : episode === undefined
                  ? ''
                  : [
                      episode.won ? t('Goal met in step {n}', { n: episode.steps }) : t('Goal not met in {n} steps', { n: episode.steps }),
                      own === null ? '' : t('met {n} of {all} times', { n: tried.filter(({ won }) => won).length, all: tried.length }),
                      solvable === null ? '' : solvable ? t('the planner finds a way') : t('the planner finds no way'),
                    ]
                      .filter((part) => part !== '')
                      .join(', ')}
          </p>
        </div>
        <div className={styles.words}>
          <p>
            <b>{t('Goal')}</b> <Sentence pieces={sentence('goal', readLine('goal', listOf(numbers.goal)))} />
          </p>
          {rowsOf(numbers.rules).length === 0 ? (
            <p className={styles.quiet}>{t('No rules: nothing changes but by hand.')}</p>
          ) : (
            <ul>
              {rowsOf(numbers.rules).map((rule, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rules of one task stay in their order
                <li key={i}>
                  <Sentence pieces={sentence('rule', readLine('rule', rule))} />
                </li>
              ))}
            </ul>
          )}
          {link !== null && (
            <p>
              <a href={link}>{t('Open this task in the laboratory')}</a>
            </p>
          )}
          <details>
            <summary>{t('Change goal, rules and things')}</summary>
            <Menus numbers={numbers} onChange={change} />
            <div className={styles.row}>
              <Button icon="play" kind="solid" disabled={busy || own === null} onClick={() => void hand()}>
                {t('Hand it over')}
              </Button>
              <Button kind="bare" disabled={own === null} onClick={() => setOwn(null)}>
                {t('As it was')}
              </Button>
            </div>
          </details>
        </div>
      </div>
    </section>
  );
}

const listOf = (value: Json | undefined): readonly number[] =>
  Array.isArray(value) ? value.filter((n): n is number => typeof n === 'number') : [];
const rowsOf = (value: Json | undefined): readonly (readonly number[])[] => (Array.isArray(value) ? value.map((row) => listOf(row)) : []);

/** The address of this task in the laboratory; null: there is none yet. */
function useLink(run: JsonObject, config: JsonObject): string | null {
  const [link, setLink] = useState<string | null>(null);
  useEffect(() => {
    let live = true;
    const { algo, ...rest } = run;
    workers.complete({ ...rest, env: { id: ENV, config }, algo: algo ?? {} }).then(
      (whole) => live && setLink(linkHashOf(whole)),
      () => live && setLink(null), // what is wrong with it is told when it is handed over
    );
    return () => {
      live = false;
    };
  }, [run, config]);
  return link;
}

/** The episode as a scene, again and again. */
function Scene({ episode }: { readonly episode: TaskEpisode }) {
  const playing = !useReducedMotion();
  const reel = useRef<Reel>(null);
  reel.current ??= new Reel();
  reel.current.playing = playing;
  const { replay } = episode;
  return (
    <Live
      reel={reel.current}
      playing={playing}
      eager
      name={`${replay.seed}`}
      load={() =>
        clips.clip(
          `task ${JSON.stringify(replay.env.config)} ${replay.seed} ${replay.actions.join('')}`,
          async () => replay,
          (got) => ({ kind: 'replay', replay: got }),
        )
      }
      poster={null}
      label={t('An episode of this task')}
    />
  );
}

/** Goal, rules and things at the start, from the menus of the form. */
function Menus({ numbers, onChange }: { readonly numbers: JsonObject; readonly onChange: (key: string, value: Json | undefined) => void }) {
  const schema = useStore(catalogStore, ({ catalog }) => catalog?.envs.find(({ id }) => id === ENV)?.schema);
  const leaves = useMemo(() => (schema === undefined ? [] : leavesOf('env', schema)), [schema]);
  const id = useId();
  return FIELDS.map((key) => {
    const leaf: Leaf | undefined = leaves.find(({ path }) => path === `env.task.${key}`);
    if (leaf === undefined) return null;
    return (
      <div key={key}>
        <h3 id={`${id}-${key}`}>{t(leaf.title)}</h3>
        <RulesField
          leaf={leaf}
          value={numbers[key]}
          base={undefined}
          id={`${id}-${key}-field`}
          labelId={`${id}-${key}`}
          describedBy=""
          problem={null}
          onChange={(value) => onChange(key, value)}
        />
      </div>
    );
  });
}
