/**
 * Up to four scenes side by side with one clock and the same start: policies of one run or of several, other seeds, other worlds, scripts, and in
 * worlds of two sides any policy against any other. What is shown stands in the address.
 */
import { useEffect, useId, useReducer, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { rewritePage } from '#client/address/pages.ts';
import { runs } from '#client/runs/service.ts';
import { firstSlots, type Slot } from '#client/stage/side.ts';
import { policiesStore } from '#stores/policies.ts';
import type { Route } from '#stores/route.ts';
import { runsStore } from '#stores/runs.ts';
import { t } from '#text/text.ts';
import { PageFrame } from '#ui/frame/PageFrame.tsx';
import { Button } from '#ui/kit/Button.tsx';
import { NoRuns } from '#ui/runs/NoRuns.tsx';
import { useReducedMotion } from '#ui/stage/motion.ts';
import { openShow } from '#ui/stage/show/host.ts';
import { Reel } from '#ui/stage/show/reel.ts';
import { CrossPlay } from './CrossPlay.tsx';
import { FIRST_START, LAST_START, MOST_SLOTS, queryOf, type SideView, viewOf } from './query.ts';
import styles from './Side.module.css';
import { SideScene } from './SideScene.tsx';

export default function SidePage({ route }: { readonly route: Route }) {
  const groups = useStore(runsStore, (state) => state.groups);
  useStore(policiesStore, (state) => state.version);
  const [restored, setRestored] = useState(false);
  useEffect(() => {
    void runs.restored().then(() => setRestored(true));
  }, []);
  const view = viewOf(route.query);
  const asked = view.slots.length > 0;
  // Chosen once: a run that goes on has a newer policy every second.
  const first = useRef<readonly Slot[]>([]);
  if (first.current.length === 0) first.current = firstSlots(route.query.run ?? null);
  const slots = asked ? view.slots : first.current;
  const change = (part: Partial<SideView>): void => rewritePage({ ...route, query: queryOf({ ...view, slots, ...part }) });
  const runIds = [...new Set(slots.flatMap(({ actor, rival }) => [actor.runId, ...(rival === null ? [] : [rival.runId])]))].join(' ');
  useEffect(() => {
    if (restored) for (const id of runIds.split(' ').filter(Boolean)) void runs.read(id);
  }, [runIds, restored]);

  return (
    <PageFrame title={t('Side by side')} page="side">
      {slots.length === 0 ? (
        groups.length > 0 && !restored ? (
          <p className={styles.lead}>{t('Reading the stored runs.')}</p>
        ) : (
          <NoRuns>
            {t('Nothing has been learned yet. Train a run in the laboratory; its policies then play here beside each other.')}
          </NoRuns>
        )
      ) : (
        <Scenes slots={slots} start={view.start} change={change} />
      )}
    </PageFrame>
  );
}

interface ScenesProps {
  readonly slots: readonly Slot[];
  readonly start: number;
  readonly change: (part: Partial<SideView>) => void;
}

function Scenes({ slots, start, change }: ScenesProps) {
  const reduced = useReducedMotion();
  const [pressed, setPressed] = useState<boolean | null>(null);
  const playing = pressed ?? !reduced;
  const reel = useRef<Reel>(null);
  reel.current ??= new Reel(true);
  const clock = reel.current;
  clock.playing = playing;
  useEffect(() => {
    if (playing) void wake();
  }, [playing]);
  const put = (place: number, slot: Slot | null): void =>
    change({ slots: slots.flatMap((old, i) => (i === place ? (slot === null ? [] : [slot]) : [old])) });
  const last = slots.at(-1);
  return (
    <>
      <div className={styles.controls}>
        <Button icon={playing ? 'pause' : 'play'} onClick={() => setPressed(!playing)}>
          {playing ? t('Hold the scenes') : t('Play the scenes')}
        </Button>
        <Clock
          reel={clock}
          onSeek={() => {
            setPressed(false);
            clock.playing = false;
            void wake();
          }}
        />
        <Start start={start} onChange={(next) => change({ start: next })} />
        <Button icon="reset" onClick={() => change({ start: start >= LAST_START ? FIRST_START : start + 1 })}>
          {t('Another start')}
        </Button>
        {slots.length < MOST_SLOTS && last !== undefined && (
          <Button icon="plus" onClick={() => change({ slots: [...slots, last] })}>
            {t('Add a scene')}
          </Button>
        )}
      </div>
      <ul className={styles.scenes} data-count={slots.length}>
        {slots.map((slot, i) => (
          <li key={String(i)} className={styles.slot}>
            <SideScene
              place={i}
              slot={slot}
              start={start}
              reel={clock}
              playing={playing}
              onChange={(next) => put(i, next)}
              onRemove={slots.length > 1 ? () => put(i, null) : null}
            />
          </li>
        ))}
      </ul>
      <CrossPlay slots={slots} start={start} />
      <p className={styles.quiet}>
        {t(
          'All scenes begin at the same start and show the same step; policies take their best action. A scene whose episode is over waits for the longest.',
        )}
      </p>
    </>
  );
}

/** Draws what has to be drawn after the clock was moved by hand. */
const wake = (): Promise<void> => openShow().then(({ projector }) => projector.wake());

/** The common clock, in seconds of the scenes. */
function Clock({ reel, onSeek }: { readonly reel: Reel; readonly onSeek: () => void }) {
  const id = useId();
  const [, tick] = useReducer((n: number) => n + 1, 0);
  useEffect(() => {
    const timer = setInterval(tick, CLOCK_MS);
    return () => clearInterval(timer);
  }, []);
  const { length, position } = reel;
  return (
    <span className={styles.clock}>
      <label htmlFor={id}>{t('Moment')}</label>
      <input
        id={id}
        type="range"
        min={0}
        max={Math.max(length, 0.01)}
        step="any"
        value={Math.min(position, length)}
        disabled={length === 0}
        aria-valuetext={`${position.toFixed(1)} of ${length.toFixed(1)} seconds`}
        onKeyDown={(event) => {
          const by = MOVES[event.key];
          if (by === undefined) return;
          event.preventDefault();
          reel.seek(reel.position + by);
          onSeek();
          tick();
        }}
        onChange={(event) => {
          reel.seek(Number(event.target.value));
          onSeek();
          tick();
        }}
      />
      <output>{`${position.toFixed(1)} s`}</output>
    </span>
  );
}

/** ms between two looks at the clock. */
const CLOCK_MS = 200;
/** Seconds that an arrow key moves it. */
const STEP_S = 0.1;

const MOVES: { readonly [key: string]: number } = { ArrowRight: STEP_S, ArrowUp: STEP_S, ArrowLeft: -STEP_S, ArrowDown: -STEP_S };

function Start({ start, onChange }: { readonly start: number; readonly onChange: (start: number) => void }) {
  const id = useId();
  return (
    <span className={styles.start}>
      <label htmlFor={id}>{t('Seed of the start')}</label>
      <input
        id={id}
        type="number"
        min={1}
        max={LAST_START}
        key={start}
        defaultValue={start}
        onBlur={(event) => {
          const next = Number(event.target.value);
          if (Number.isInteger(next) && next >= 1 && next <= LAST_START) onChange(next);
          else event.target.value = String(start);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur();
        }}
      />
    </span>
  );
}
