/**
 * "Which do you prefer?": two moments of a dataset side by side, with one clock. Keys 1 and 2 choose, 0 says neither, U takes the last
 * answer back; the same as buttons for touch. What was answered is kept as a dataset with its pairs, and a reward is learned from it.
 */
import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { data } from '#client/files/data.ts';
import { clips } from '#client/stage/clip-service.ts';
import type { DatasetCard } from '#contract/files/dataset.ts';
import { toFailure } from '#contract/kit/errors.ts';
import { catalogStore } from '#stores/catalog.ts';
import { t, tn } from '#text/text.ts';
import { pressedIn } from '#ui/kit/action.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Still } from '#ui/kit/picture/Still.tsx';
import { useReducedMotion } from '#ui/stage/motion.ts';
import { openShow } from '#ui/stage/show/host.ts';
import { Live } from '#ui/stage/show/Live.tsx';
import { Reel } from '#ui/stage/show/reel.ts';
import styles from './Data.module.css';

const PAIRS = 200; // that can be answered in one go
/** Seconds of a clip: Christiano et al. showed one to two. */
const SECONDS = 1.5;
const LEAST_STEPS = 10;
const MOST_STEPS = 120;

interface Props {
  readonly card: DatasetCard;
  readonly onKept: (hash: string) => void;
}

/** `started`: it was asked for already, and nothing is explained. */
export function Compare({ card, onKept, started = false }: Props & { readonly started?: boolean }) {
  const [pairs, setPairs] = useState<Uint8Array | null>(null);
  const [problem, setProblem] = useState('');
  const env = useStore(catalogStore, (state) => state.catalog?.envs.find(({ id }) => id === card.header.env.id));
  const begin = async (): Promise<void> => {
    const length = Math.min(MOST_STEPS, Math.max(LEAST_STEPS, Math.round(SECONDS * (env?.fps ?? 10))));
    try {
      setPairs(await (await data.datasets()).pairs(card.hash, PAIRS, length, card.header.seed));
    } catch (error) {
      setProblem(toFailure(error).message);
    }
  };
  const begun = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    if (!started || begun.current) return;
    begun.current = true;
    void begin();
  }, [started]);
  return (
    <div className={styles.filter}>
      <h3>{t('Which do you prefer?')}</h3>
      {pairs === null && started ? (
        <p role={problem === '' ? 'status' : 'alert'}>{problem === '' ? t('Looking for moments.') : problem}</p>
      ) : pairs === null ? (
        <>
          <p className={styles.quiet}>
            {t(
              'Two short moments of this dataset, again and again: say which is nearer to what you want. A reward is learned from your answers, and an agent from that reward; twenty make a start.',
            )}
          </p>
          <p className={styles.buttons}>
            <Button icon="eye" onClick={() => void begin()}>
              {t('Compare pairs')}
            </Button>
          </p>
          {problem !== '' && <p role="alert">{problem}</p>}
        </>
      ) : (
        <Questions card={card} pairs={pairs} onKept={onKept} />
      )}
    </div>
  );
}

function Questions({ card, pairs, onKept }: Props & { readonly pairs: Uint8Array }) {
  const [choices, setChoices] = useState<readonly number[]>([]);
  const env = useStore(catalogStore, (state) => state.catalog?.envs.find(({ id }) => id === card.header.env.id));
  const reduced = useReducedMotion();
  const [pressed, setPressed] = useState<boolean | null>(null);
  const playing = pressed ?? !reduced;
  const reel = useRef<Reel>(null);
  reel.current ??= new Reel(true);
  const clock = reel.current;
  clock.playing = playing;
  const pair = choices.length;
  const over = pair >= PAIRS;
  useEffect(() => {
    if (playing) void openShow().then(({ projector }) => projector.wake());
  }, [playing]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new pair begins at its first frame
  useEffect(() => clock.seek(0), [clock, pair]);
  const answer = (choice: number): void => {
    if (!over) setChoices((before) => [...before, choice]);
  };
  const undo = (): void => setChoices((before) => before.slice(0, -1));
  const keys = useRef({ answer, undo });
  keys.current = { answer, undo };
  useEffect(() => {
    const down = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      if (pressedIn(event)?.closest('input, select, textarea, dialog, [contenteditable]') != null) return;
      const choice = { '1': 1, '2': 0, '0': 0.5 }[event.key];
      if (choice !== undefined) keys.current.answer(choice);
      else if (event.key.toLowerCase() === 'u') keys.current.undo();
      else return;
      event.preventDefault();
    };
    // Before the shortcuts of the laboratory, which has other uses for 1 and 2.
    document.addEventListener('keydown', down, true);
    return () => document.removeEventListener('keydown', down, true);
  }, []);
  const keep = async (): Promise<void> => {
    const title = `${card.header.title}: ${choices.length} answers`;
    const kept = await (await data.datasets()).answer(pairs, choices, title);
    if (kept !== null) onKept(kept);
  };
  if (env === undefined) return null;
  return (
    <>
      <div className={styles.pair}>
        {([1, 0] as const).map((choice, which) => (
          <div key={choice} className={styles.choice}>
            <Live
              reel={clock}
              playing={playing}
              eager
              name={`${card.hash} pair ${pair} ${which}`}
              load={async () => {
                const sets = await data.datasets();
                return clips.clip(
                  `pair ${card.hash} ${pair} ${which}`,
                  () => sets.side(pairs, 2 * pair + which),
                  (replay) => ({ kind: 'replay', replay }),
                );
              }}
              poster={<Still env={env} config={card.header.env.config} />}
              label={
                which === 0
                  ? t('First moment of pair {n} in {world}.', { n: pair + 1, world: t(env.title) })
                  : t('Second moment of pair {n} in {world}.', { n: pair + 1, world: t(env.title) })
              }
            />
            <Button big disabled={over} hotkey={String(which + 1)} onClick={() => answer(choice)}>
              {which === 0 ? t('The first') : t('The second')}
            </Button>
          </div>
        ))}
      </div>
      <p className={styles.buttons}>
        <Button hotkey="0" disabled={over} onClick={() => answer(0.5)}>
          {t('Neither')}
        </Button>
        <Button icon="undo" hotkey="U" disabled={pair === 0} onClick={undo}>
          {t('Undo')}
        </Button>
        <Button icon={playing ? 'pause' : 'play'} onClick={() => setPressed(!playing)}>
          {playing ? t('Hold') : t('Play the moments')}
        </Button>
        <output aria-live="polite">{tn('{n} answer', '{n} answers', pair)}</output>
        <Button kind="solid" disabled={pair === 0} onClick={() => void keep()}>
          {t('Keep the answers')}
        </Button>
      </p>
    </>
  );
}
