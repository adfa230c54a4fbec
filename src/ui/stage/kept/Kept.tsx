/**
 * Where learning takes minutes: the policy that was trained there before plays on the stage, to be pushed by hand, and the learner's newest policy
 * beside it. Either is one press from the stage.
 */
import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { policySteps } from '#client/runs/policies.ts';
import { shownSeed } from '#client/runs/subject.ts';
import { clips } from '#client/stage/clip-service.ts';
import { stage } from '#client/stage/service.ts';
import { matchOf, type Slot, slotKey } from '#client/stage/side.ts';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { decodePolicyFile } from '#contract/files/files.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { runsStore } from '#stores/runs.ts';
import { stageStore } from '#stores/stage.ts';
import type { RunGroup } from '#stores/types.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { compact } from '#ui/kit/format/numbers.ts';
import { Still } from '#ui/kit/picture/Still.tsx';
import { keptUrl, policyAt } from '#ui/kit/policy-file.ts';
import { useReducedMotion } from '../motion.ts';
import { Live } from '../show/Live.tsx';
import { Reel } from '../show/reel.ts';
import styles from './Kept.module.css';

/** The seed of the learner's episodes. */
const START = 1;
/** An episode of a body takes a second to compute: the learner's picture follows no faster. */
const EVERY_MS = 10_000;

export default function Kept({ env }: { readonly env: EnvCard }) {
  const choice = useStore(stageStore, ({ machine }) => machine.choice);
  const playing = useStore(stageStore, ({ mode }) => mode === 'play');
  const group = useStore(runsStore, ({ groups, activeId }) => groups.find(({ id }) => id === activeId) ?? null);
  const own = group?.config.env.id === env.id ? group : null;
  const [policy, setPolicy] = useState<PolicySnapshot | null>(null);
  const [problem, setProblem] = useState('');
  const shown = choice.kind === 'pinned' && choice.world === env.id;
  const step = useLearnt(own);
  useEffect(() => {
    let live = true;
    policyAt(keptUrl(env.id))
      .then(async (file) => decodePolicyFile(await file.text()))
      .then(
        (read) => live && setPolicy(read),
        (error: unknown) => live && setProblem(error instanceof Error ? error.message : String(error)),
      );
    return () => {
      live = false;
    };
  }, [env.id]);
  // It comes by itself, once, where nothing else was chosen or learned.
  const came = useRef(false);
  useEffect(() => {
    if (came.current || policy === null || choice.kind !== 'newest' || step !== null || playing) return;
    came.current = true;
    void stage.showPolicy(policy, env.id);
  }, [policy, choice, step, playing, env.id]);
  if (playing) return null;
  if (problem !== '') return own === null ? <p className={styles.words}>{problem}</p> : null;
  if (policy === null) return null;
  if (!shown)
    return (
      <p className={styles.words}>
        <Button icon="play" onClick={() => void stage.showPolicy(policy, env.id)}>
          {t('Watch a trained one')}
        </Button>
      </p>
    );
  return own === null ? null : <Learner env={env} group={own} step={step} />;
}

/** The step of the newest policy of a run, every few seconds; null: none is kept. */
function useLearnt(group: RunGroup | null): number | null {
  const newest = group === null ? null : (policySteps(group.id, shownSeed(group)).at(-1) ?? null);
  const [step, setStep] = useState<number | null>(newest);
  const since = useRef(0);
  const now = performance.now();
  if (newest !== step && (step === null || newest === null || now - since.current > EVERY_MS)) {
    since.current = now;
    setStep(newest);
  }
  return step;
}

interface LearnerProps {
  readonly env: EnvCard;
  readonly group: RunGroup;
  readonly step: number | null;
}

function Learner({ env, group, step }: LearnerProps) {
  const reduced = useReducedMotion();
  const reel = useRef<Reel>(null);
  reel.current ??= new Reel();
  reel.current.playing = !reduced;
  const slot: Slot = { actor: { kind: 'learned', runId: group.id, seed: shownSeed(group), step, name: '' }, rival: null, world: 'own' };
  const poster = <Still env={env} config={env.defaults} />;
  const words = step === null ? t('Your run begins') : t('Your run, after {n} steps', { n: compact(step) });
  return (
    <section className={styles.learner} aria-label={words}>
      {step === null ? (
        poster
      ) : (
        <Live
          reel={reel.current}
          playing={!reduced}
          eager
          name={slotKey(slot, START)}
          load={() => clips.clip(slotKey(slot, START), async () => null, () => matchOf(slot, START))} // biome-ignore format: one call
          poster={poster}
          label={`${words}, ${t(env.title)}.`}
        />
      )}
      <p className={styles.below}>
        <b>{words}</b>
        {step !== null && <Button onClick={() => void stage.watchScripted(null)}>{t('Watch it large')}</Button>}
      </p>
    </section>
  );
}
