/**
 * When a run has ended: what it did before it learned and what it does now, side by side, from the same start, on one clock. At the simple depth
 * it comes by itself; anything else on the stage, a change of the world too, takes its place again. In a lesson the two runs of a step stand so.
 */
import { useCallback, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { explain } from '#client/explain/service.ts';
import { linkHashOf } from '#client/links/writing.ts';
import { newestPolicy, policySteps } from '#client/runs/policies.ts';
import { clips } from '#client/stage/clip-service.ts';
import { type Actor, matchOf, type Slot, slotKey, worldOf } from '#client/stage/side.ts';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { sameRef } from '#contract/run/flat-settings.ts';
import { draftStore } from '#stores/draft.ts';
import { layoutStore } from '#stores/layout.ts';
import { inLesson, routeStore } from '#stores/route.ts';
import { runsStore } from '#stores/runs.ts';
import { stageStore } from '#stores/stage.ts';
import type { RunGroup } from '#stores/types.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { compact, measure } from '#ui/kit/format/numbers.ts';
import { Still } from '#ui/kit/picture/Still.tsx';
import { phaseOf } from '#ui/kit/progress.ts';
import { copy } from '#ui/kit/save.ts';
import { isTeam } from './agents.ts';
import styles from './BeforeAfter.module.css';
import { useReducedMotion } from './motion.ts';
import { openPair, pairArms, pairStore } from './pair.ts';
import { Live } from './show/Live.tsx';
import { Reel } from './show/reel.ts';

/** The seed of the episodes: any, the same for both. */
const START = 1;

interface Pair {
  readonly group: RunGroup;
  readonly before: Actor;
  readonly after: Actor;
}

interface Half {
  readonly actor: Actor;
  readonly title: string;
  /** Of its run; null: both are of one. */
  readonly colour: number | null;
}

/** The first and the newest policy of the first seed that has two; null: there is nothing to compare. */
export function pairOf(group: RunGroup): Pair | null {
  for (const { seed } of group.seeds) {
    const first = policySteps(group.id, seed)[0];
    const last = newestPolicy(group.id, seed)?.step;
    if (first === undefined || last === undefined || first === last) continue;
    const at = (step: number): Actor => ({ kind: 'learned', runId: group.id, seed, step, name: '' });
    return { group, before: at(first), after: at(last) };
  }
  return null;
}

/** The run that has ended while it was looked at; until something else is on the stage. */
function useEnded(): readonly [RunGroup | null, () => void] {
  const group = useStore(runsStore, ({ groups, activeId }) => groups.find(({ id }) => id === activeId) ?? null);
  const phase = group === null || group.elsewhere === true ? null : phaseOf(group);
  const watching = useStore(stageStore, ({ mode }) => mode === 'live' || mode === 'replay');
  const own = useStore(draftStore, ({ config }) => group !== null && sameRef(config.env, group.config.env));
  const simple = useStore(layoutStore, ({ depth }) => depth === 'teach');
  const lesson = useStore(routeStore, inLesson);
  const before = useRef<{ readonly id: string; readonly phase: string } | null>(null);
  const [open, setOpen] = useState<string | null>(null);
  const id = group?.id ?? null;
  const may = watching && own && simple && !lesson;
  useEffect(() => {
    const was = before.current;
    before.current = id === null || phase === null ? null : { id, phase };
    if (may && id !== null && phase === 'done' && was?.id === id && was.phase === 'running') setOpen(id);
  }, [id, phase, may]);
  useEffect(() => {
    if (!may) setOpen(null);
  }, [may]);
  const close = useCallback(() => setOpen(null), []);
  return [open !== null && open === id && may ? group : null, close];
}

/** The newest policies of the two runs that a step of a lesson shows; until something else is on the stage. */
function useArms(): readonly [readonly Half[], RunGroup | null, () => void] {
  const arms = useStore(pairStore, (state) => state.arms);
  const groups = useStore(runsStore, (state) => state.groups);
  const watching = useStore(stageStore, ({ mode }) => mode === 'live' || mode === 'replay');
  const close = useCallback(() => pairArms([]), []);
  useEffect(() => {
    if (!watching) close();
  }, [watching, close]);
  const halves = arms.flatMap(({ runId, label }): readonly Half[] => {
    const group = groups.find(({ id }) => id === runId);
    const seed = group?.seeds.find((one) => newestPolicy(runId, one.seed) !== null)?.seed;
    const step = seed === undefined ? undefined : newestPolicy(runId, seed)?.step;
    if (group === undefined || seed === undefined || step === undefined) return [];
    return [{ actor: { kind: 'learned', runId, seed, step, name: '' }, title: label, colour: group.colour }];
  });
  return [halves.length === 2 ? halves : [], groups.find(({ id }) => id === arms[0]?.runId) ?? null, close];
}

export function BeforeAfter({ env }: { readonly env: EnvCard | null }) {
  const [ended, closeEnded] = useEnded();
  const [halves, first, closeArms] = useArms();
  const pair = ended === null ? null : pairOf(ended);
  const inStep = halves.length > 0;
  const group = inStep ? first : ended;
  const close = inStep ? closeArms : closeEnded;
  // The scene below would play on, unseen.
  const shown = pair !== null || inStep;
  useEffect(() => {
    if (!shown) return;
    const { playing, setPlaying } = stageStore.getState();
    setPlaying(false);
    const closed = openPair();
    // Started again, it is what is to be seen.
    const stop = stageStore.subscribe((state) => {
      if (state.playing) close();
    });
    return () => {
      stop();
      closed();
      if (playing) setPlaying(true);
    };
  }, [shown, close]);
  if (env === null || group === null || env.id !== group.config.env.id) return null;
  if (inStep) return <Pair halves={halves} heading={t('Both runs, from the same start')} share={null} env={env} onClose={close} />;
  if (pair === null) return null;
  // At the simple depth it ends there as it did here.
  const hash = linkHashOf(group.config, { depth: 'teach' });
  return (
    <Pair
      halves={[
        { actor: pair.before, title: t('Before: after {n} steps', { n: compact(pair.before.step ?? 0) }), colour: null },
        { actor: pair.after, title: t('Now: after {n} steps', { n: compact(pair.after.step ?? 0) }), colour: null },
      ]}
      heading={t('Before and after, from the same start')}
      share={hash}
      env={env}
      onWho={
        isTeam(env)
          ? () => {
              close();
              void explain.agents(false);
            }
          : undefined
      }
      onClose={close}
    />
  );
}

interface PairProps {
  readonly halves: readonly Half[];
  readonly heading: string;
  /** What a link to it ends with; null: there is none. */
  readonly share: string | null;
  readonly env: EnvCard;
  /** What each agent of a team contributes, on the scene below; missing: it is no team. */
  readonly onWho?: (() => void) | undefined;
  readonly onClose: () => void;
}

function Pair({ halves, heading, share, env, onWho, onClose }: PairProps) {
  const reduced = useReducedMotion();
  const [pressed, setPressed] = useState<boolean | null>(null);
  const playing = pressed ?? !reduced;
  const reel = useRef<Reel>(null);
  reel.current ??= new Reel();
  reel.current.playing = playing;
  const onShare = (): void => void copy(location.href.replace(/#.*$/, '') + share, t('Link to this experiment'));
  return (
    <section className={styles.pair} aria-labelledby="before-after">
      <header className={styles.head}>
        <h2 id="before-after">{heading}</h2>
        <Button icon={playing ? 'pause' : 'play'} onClick={() => setPressed(!playing)}>
          {playing ? t('Pause') : t('Play')}
        </Button>
        {onWho !== undefined && (
          <Button icon="help" onClick={onWho}>
            {t('Who did it?')}
          </Button>
        )}
        {share !== null && (
          <Button icon="share" onClick={onShare}>
            {t('Share')}
          </Button>
        )}
        <Button kind="bare" icon="close" label={t('Back to the scene')} onClick={onClose} />
      </header>
      <ul className={styles.scenes}>
        {halves.map(({ actor, title, colour }) => (
          <li key={slotKey({ actor, rival: null, world: 'own' }, START)}>
            <Side
              env={env}
              slot={{ actor, rival: null, world: 'own' }}
              reel={reel.current as Reel}
              playing={playing}
              title={title}
              colour={colour}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface SideProps {
  readonly env: EnvCard;
  readonly slot: Slot;
  readonly reel: Reel;
  readonly playing: boolean;
  readonly title: string;
  readonly colour: number | null;
}

function Side({ env, slot, reel, playing, title, colour }: SideProps) {
  const score = useRef<HTMLOutputElement>(null);
  const { actor } = slot;
  return (
    <>
      <Live
        reel={reel}
        playing={playing}
        eager
        name={slotKey(slot, START)}
        load={() => clips.clip(slotKey(slot, START), async () => null, () => matchOf(slot, START))} // biome-ignore format: one call
        poster={<Still env={env} config={worldOf(slot)?.config ?? env.defaults} />}
        label={`${title}, ${t(env.title)}.`}
        onFrame={(at) => {
          if (score.current === null) return;
          const words = at === null ? '' : t('score so far: {n}', { n: measure(at.clip.returnAt(at.t), 3) });
          if (score.current.textContent !== words) score.current.textContent = words;
        }}
      />
      <p className={styles.caption} data-step={actor.step}>
        <b>
          {colour !== null && <i className={styles.who} style={{ background: `var(--series-${colour % 8})` }} />}
          {title}
        </b>{' '}
        <output ref={score} aria-live="off" />
      </p>
    </>
  );
}
