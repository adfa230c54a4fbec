/**
 * A person at the controls: the environment's keys anywhere on the page, a gamepad, and the same actions as buttons and sticks for
 * touch. Real-time games read what is held; turn-based ones act on each press. Escape ends the game.
 */
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { keysOf } from '#client/stage/human.ts';
import { cardOfSeat } from '#client/stage/human-seat.ts';
import { game } from '#client/stage/service.ts';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { spoken } from '#contract/game/seats.ts';
import { sameSettings } from '#contract/run/flat-settings.ts';
import { isOwnWorld } from '#contract/run/own-world.ts';
import { envCard } from '#stores/catalog.ts';
import { challengeStore } from '#stores/challenge.ts';
import { lineupOf, lineupStore, partnerIn, seatOf, takeSeat } from '#stores/lineup.ts';
import { hashOf } from '#stores/route.ts';
import { letGo, pressKeys, stageStore } from '#stores/stage.ts';
import type { HumanScore } from '#stores/types.ts';
import { t } from '#text/text.ts';
import { pressedIn } from '#ui/kit/action.ts';
import { Button } from '#ui/kit/Button.tsx';
import { measure } from '#ui/kit/format/numbers.ts';
import { controlsOf, type Hold, keyName } from './controls.ts';
import { useGamepad } from './gamepad.ts';
import { SCENE } from './SceneView.tsx';
import styles from './Stage.module.css';
import { Stick } from './Stick.tsx';
import { TeachIt } from './Teach.tsx';

/** Presses that begin within so many milliseconds of the end were meant for the game: Space and Enter are keys of some. */
const STILL_PLAYING_MS = 700;

export function HumanPlay({ env: team }: { readonly env: EnvCard }) {
  const seat = useStore(lineupStore, () => seatOf(team));
  const env = useMemo(() => cardOfSeat(team, seat), [team, seat]);
  const total = useStore(stageStore, (state) => state.returnSoFar);
  const steps = useStore(stageStore, (state) => Math.max(0, state.length - 1));
  const round = useStore(stageStore, (state) => state.game);
  const speed = useStore(stageStore, (state) => state.speed);
  const takeover = useStore(stageStore, (state) => state.takeover);
  useGameKeys(env);
  useGamepad(env);
  // What was pressed to begin keeps none of the keys of the game: arrows would move on to another choice when the game ends.
  useEffect(() => document.getElementById(SCENE)?.focus({ preventScroll: true }), []);
  const { sticks, holds } = controlsOf(env);
  return (
    <div className={styles.human}>
      <p className={styles.score}>
        <span>
          {t('return')} <b className="figures">{measure(total)}</b>
        </span>
        <span>
          {round?.rounds == null ? t('step') : t('round')} <b className="figures">{round?.rounds ?? steps}</b>
        </span>
        {takeover !== null && (
          <span>
            {t('yours')} <b className="figures">{takeover.steps}</b>
          </span>
        )}
        {takeover !== null && team.agents > 1 && <WhoIsTaken env={team} seat={seat} />}
        {round !== null && round.rivals.length > 0 && (
          <span>{t('to beat: {rivals}', { rivals: round.rivals.map(rivalText).join(', ') })}</span>
        )}
        {round?.best != null && (
          <span>
            {t('your best')} <b className="figures">{measure(round.best)}</b>
          </span>
        )}
      </p>
      <div className={styles.pads}>
        {sticks.map((stick) => (
          <Stick key={stick.name} stick={stick} />
        ))}
        {holds.map((hold) => (
          <Pad key={hold.name} hold={hold} />
        ))}
        {env.tokens?.words === true && <WordPad env={env} />}
      </div>
      <span className={styles.gameEnd}>
        <label className={styles.tempo}>
          <span>{speed === 1 ? t('real time') : t('{n}× slow motion', { n: speed })}</span>
          <input
            type="range"
            min={-2}
            max={0}
            step={1}
            value={Math.min(0, Math.log2(speed))}
            aria-label={t('Tempo of the game')}
            onPointerUp={(event) => event.currentTarget.blur()} // arrow keys belong to the game again
            aria-valuetext={speed === 1 ? t('real time') : t('{n}× slow motion', { n: speed })}
            onChange={(event) => stageStore.getState().setSpeed(2 ** Number(event.target.value))}
          />
        </label>
        <Button onClick={() => void game.end()}>{takeover === null ? t('End the game') : t('Let go')}</Button>
      </span>
    </div>
  );
}

/** Where tokens are words: a word is typed or chosen from the list, and Enter or the button writes it. Several words are written one after another. */
function WordPad({ env }: { readonly env: EnvCard }) {
  const [typed, setTyped] = useState('');
  const [strange, setStrange] = useState('');
  const write = async (): Promise<void> => {
    const said = typed
      .toLowerCase()
      .replace(/[.]/g, ' . ')
      .split(/\s+/)
      .filter((word) => word !== '');
    const ids = said.map((word) => env.action.labels.indexOf(word));
    const unknown = said.find((_, i) => ids[i]! <= (env.tokens?.end ?? 0));
    setStrange(unknown ?? '');
    if (unknown !== undefined) return;
    setTyped('');
    for (const id of ids) await game.act([id]);
  };
  return (
    <form
      className={styles.words}
      onSubmit={(event) => {
        event.preventDefault();
        void write();
      }}
    >
      <input
        type="text"
        list="words-to-write"
        aria-label={t('Next words')}
        placeholder={t('Next words')}
        value={typed}
        autoCapitalize="off"
        autoComplete="off"
        spellCheck={false}
        aria-invalid={strange !== ''}
        onChange={(event) => {
          setTyped(event.target.value);
          setStrange('');
        }}
      />
      <datalist id="words-to-write">
        {env.action.labels.slice((env.tokens?.end ?? 0) + 1).map((word) => (
          <option key={word} value={word} />
        ))}
      </datalist>
      <Button onClick={(event) => event.currentTarget.form?.requestSubmit()}>{t('Write')}</Button>
      {strange !== '' && <span role="alert">{t('There is no word "{word}" here.', { word: strange })}</span>}
    </form>
  );
}

/** From the next step on. */
function WhoIsTaken({ env, seat }: { readonly env: EnvCard; readonly seat: number }) {
  return (
    <label className={styles.taken}>
      <span>{t('you act for')}</span>
      <select
        value={seat}
        onChange={(event) => {
          takeSeat(env, Number(event.target.value));
          event.currentTarget.blur(); // the arrow keys belong to the game again
        }}
      >
        {env.groups
          .flatMap((group) => group.names)
          .map((name, agent) => (
            <option key={name} value={agent}>
              {spoken(name)}
            </option>
          ))}
      </select>
    </label>
  );
}

function rivalText({ name, score }: HumanScore['rivals'][number]): string {
  return `${name} ${measure(score)}`;
}

/** After a game: who played how well from the same start, and once more. */
export function GameResult() {
  const round = useStore(stageStore, (state) => state.game);
  const mode = useStore(stageStore, (state) => state.mode);
  const score = round?.score ?? null;
  const over = score !== null && mode === 'replay';
  const ways = useRef<HTMLParagraphElement>(null);
  const since = useRef(0);
  useEffect(() => {
    if (!over) return;
    since.current = performance.now();
    const { activeElement } = document;
    // a control that was chosen meanwhile keeps the focus
    if (activeElement === document.body || activeElement?.id === SCENE)
      ways.current?.querySelector('button')?.focus({ preventScroll: true });
  }, [over]);
  if (round === null || score === null || !over) return null;
  const { rivals, best } = round;
  const beaten = rivals.filter((rival) => score > rival.score).map(({ name }) => name);
  return (
    <div className={styles.result} role="status">
      <p>
        <b>{t('You {score}', { score: measure(score) })}</b>
        {rivals.map((rival) => (
          <span key={rival.name}> · {rivalText(rival)}</span>
        ))}
      </p>
      {rivals.length > 0 && (
        <p>
          {beaten.length > 0 ? t('You beat {rivals}.', { rivals: beaten.join(t(' and ')) }) : t('Not beaten yet.')}
          {best !== null && score > best ? ` ${t('Your best so far.')}` : ''}
        </p>
      )}
      <p ref={ways} className={styles.resultWays}>
        <Button
          kind="solid"
          icon="reset"
          onClick={() => void game.open()}
          onKeyDown={(event) => {
            if (event.repeat || performance.now() - since.current < STILL_PLAYING_MS) event.preventDefault();
          }}
        >
          {t('Rematch')}
        </Button>
        <TeachIt />
        {round.rounds === null && <AsChallenge score={score} learned={rivals.some(({ name }) => name === 'agent')} />}
      </p>
    </div>
  );
}

/** A game can be handed in where a challenge is tried, and else be set as one; on a seat among others only where scripts had the other seats. */
function AsChallenge({ score, learned }: { readonly score: number; readonly learned: boolean }) {
  const replay = useStore(stageStore, (state) => state.replay);
  const tried = useStore(challengeStore, (state) => state.tried);
  const card = replay === null ? null : envCard(replay.env.id);
  if (replay === null || card === null || isOwnWorld(replay.env.id) || partnerIn(card) !== null) return null;
  if (tried !== null && tried.seed === replay.seed && sameSettings(tried.env, replay.env))
    return <a href={tried.address}>{t('Hand it in')}</a>;
  const alone = card.agents === 1;
  if (!alone && (learned || lineupOf(card) !== null)) return null;
  const query = {
    seed: String(replay.seed),
    score: String(Number(score.toFixed(3))),
    ...(!alone && { seat: String(replay.human?.find((agent) => agent >= 0) ?? 0) }),
  };
  return <a href={hashOf({ page: 'challenge', id: null, query })}>{t('Challenge others')}</a>;
}

/** Held: the key is held. */
function Pad({ hold }: { readonly hold: Hold }): ReactNode {
  const held = useStore(stageStore, (state) => state.held);
  const { key, action } = hold;
  if (key === '')
    return (
      <button type="button" className={styles.pad} onClick={() => action !== null && void game.act([action])}>
        {hold.name}
      </button>
    );
  return (
    <button
      type="button"
      className={styles.pad}
      data-down={held.includes(key) || undefined}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        press(key);
      }}
      onPointerUp={() => release(key)}
      onPointerCancel={() => release(key)}
      onContextMenu={(event) => event.preventDefault()}
      onClick={(event) => {
        // A press without a pointer: Enter, or a screen reader.
        if (event.detail === 0 && action !== null) void game.act([action]);
      }}
    >
      <kbd>{keyName(key)}</kbd>
      {hold.name}
    </button>
  );
}

/** What is held steers; where the game waits, the client acts on a fresh press and repeats a long one. */
const press = (key: string): void => pressKeys([key]);
const release = (key: string): void => pressKeys([], [key]);

function useGameKeys(env: EnvCard): void {
  useEffect(() => {
    const known = [...env.keys.flat().flatMap(keysOf), ...(env.axes ?? []).flatMap(({ less, more }) => [...less, ...more])];
    const find = (key: string): string | undefined => known.find((name) => name.toLowerCase() === key.toLowerCase());
    const down = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const target = pressedIn(event);
      if (target?.closest('input:not([type=radio],[type=checkbox]), select, textarea, dialog, [popover], [contenteditable]') != null)
        return;
      if (event.key === 'Escape') {
        event.preventDefault();
        void game.end();
        return;
      }
      // Enter and Space on a focused button press that button.
      if (target?.closest('button') != null && (event.key === 'Enter' || event.key === ' ')) return;
      const found = find(event.key);
      if (found === undefined) return;
      event.preventDefault();
      press(found);
    };
    const up = (event: KeyboardEvent): void => {
      const found = find(event.key);
      if (found !== undefined) release(found);
    };
    document.addEventListener('keydown', down);
    document.addEventListener('keyup', up);
    window.addEventListener('blur', letGo);
    return () => {
      document.removeEventListener('keydown', down);
      document.removeEventListener('keyup', up);
      window.removeEventListener('blur', letGo);
      letGo();
    };
  }, [env]);
}
