/** Why this: which parts of the observation the shown decision, the expectation, or the outcome rests on. Asked for one frame or for many. */
import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { explain } from '#client/explain/service.ts';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { FEATURES, type FeatureAttribution, type FeatureQuestion } from '#contract/explain/explain.ts';
import { toFailure } from '#contract/kit/errors.ts';
import { type AtFrame, explainStore, featuresMatter } from '#stores/explain.ts';
import { stageStore } from '#stores/stage.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { agentsOf } from '#ui/stage/agents.ts';
import { hideHeat, seenNames } from '#ui/stage/heat.ts';
import { lasting, useLasting } from '#ui/stage/lasting.ts';
import { actionAt } from '../why/turns.ts';
import { Beeswarm } from './Beeswarm.tsx';
import { ABOUT, METHODS, measured } from './feature-words.ts';
import { Shares } from './Shares.tsx';
import styles from './Team.module.css';

/** A rough answer soon, then the one that is kept. */
const DRAWS = [30, 300] as const;
const DRAWS_ALONG = 60;
const FRAMES_ALONG = 24;

/** With the features called by what a person sees at that frame. */
function named(of: FeatureAttribution, at: number): FeatureAttribution {
  const names = seenNames(of, at);
  return { ...of, features: of.features.map((feature, i) => ({ ...feature, name: names[i]! })) };
}

interface Props {
  readonly env: EnvCard;
  /** Whose decision. */
  readonly agent: number;
}

const choices = lasting<Pick<FeatureQuestion, 'about' | 'method'>>({ about: 'behaviour', method: 'orders' });

export function Mattered({ env, agent }: Props) {
  const [{ about, method }, choose] = useLasting(choices, env.id);
  const [answer, setAnswer] = useState<AtFrame<FeatureAttribution> | null>(null);
  const [swarm, setSwarm] = useState<readonly AtFrame<FeatureAttribution>[]>([]);
  const [failed, setFailed] = useState('');
  const [busy, setBusy] = useState<'no' | 'one' | 'many'>('no');
  const now = useStore(stageStore, (state) => state.t);
  const replay = useStore(stageStore, (state) => state.replay);
  const own = agentsOf(env)[agent]?.action ?? env.action;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another episode, or another agent, has other moments
  useEffect(() => {
    setAnswer(null);
    setSwarm([]);
  }, [replay, agent]);
  useEffect(() => hideHeat, []);
  // The answer appears below the button, which may stand at the lower edge of its panel: both come into sight.
  const section = useRef<HTMLElement>(null);
  const asked = busy !== 'no';
  const answered = answer !== null || swarm.length > 0;
  useEffect(() => {
    if (asked || answered) section.current?.scrollIntoView({ block: 'start' });
  }, [asked, answered]);

  const ask = async (many: boolean): Promise<void> => {
    const { t: at, replay: asked, setPlaying } = stageStore.getState();
    const { agent: whose } = explainStore.getState();
    // what is answered later is about neither another episode nor another agent
    const still = (): boolean => stageStore.getState().replay === asked && explainStore.getState().agent === whose;
    setPlaying(false);
    // what was done there, which is not always what it finds best
    const done = about === 'behaviour' && asked !== null && own.kind === 'discrete' ? actionAt(asked, env.agents, agent, at) : undefined;
    setBusy(many ? 'many' : 'one');
    setFailed('');
    if (answer !== null && answer.t !== at) setAnswer(null);
    try {
      if (many) {
        setSwarm([]);
        const last = stageStore.getState().length - 1;
        const count = Math.min(FRAMES_ALONG, last);
        const frames = Array.from({ length: count }, (_, i) => Math.floor((i * last) / count));
        await explain.ask(
          FEATURES,
          { agent, about, method, draws: DRAWS_ALONG },
          {
            frames,
            take: ({ t: frame, detail }) => frame !== null && still() && setSwarm((before) => [...before, { t: frame, answer: detail }]),
          },
        );
      } else {
        for (const draws of DRAWS) {
          const found = await explain.ask(FEATURES, { agent, about, action: done ?? null, method, draws });
          if (found === null || !still()) break;
          const answered = named(found.detail, at);
          setAnswer({ answer: answered, t: at });
          const what = measured(answered, own);
          featuresMatter({ envId: env.id, t: at, what, of: answered });
          if (stageStore.getState().t !== at) break; // the next question would be about the frame that is shown now
        }
      }
    } catch (error) {
      if (!still()) return;
      const { message, fix } = toFailure(error);
      if (!many) setAnswer(null);
      setFailed(`${message} ${fix}`);
    } finally {
      setBusy('no');
    }
  };
  return (
    <section ref={section} className={styles.mattered} aria-label={t('Why this')}>
      <div className={styles.actions}>
        <Button kind="solid" disabled={busy !== 'no'} onClick={() => void ask(false)}>
          {busy === 'one' ? answer === null ? t('Hiding parts of what it sees') : t('Looking closer') : <Asked env={env} agent={agent} />}
        </Button>
        <Button disabled={busy !== 'no'} onClick={() => void ask(true)}>
          {busy === 'many' ? t('{n} of {all} frames', { n: swarm.length, all: FRAMES_ALONG }) : t('The whole episode')}
        </Button>
        {busy !== 'no' && <Button kind="bare" icon="stop" label={t('Stop explaining')} onClick={() => explain.cancel()} />}
      </div>
      {failed !== '' && (
        <p className={styles.failure} role="alert">
          {failed}
        </p>
      )}
      {answer !== null && <Shares answer={answer} env={env} stale={answer.t !== now} />}
      {swarm.length > 2 && <Beeswarm points={swarm} />}
      <details className={styles.more}>
        <summary>{t('Options')}</summary>
        <div className={styles.question}>
          <label htmlFor="mattered-about">{t('explain')}</label>
          <select id="mattered-about" value={about} onChange={(event) => choose({ about: event.target.value as typeof about })}>
            {ABOUT.map(({ id, words }) => (
              <option key={id} value={id}>
                {t(words)}
              </option>
            ))}
          </select>
          <label htmlFor="mattered-method">{t('by')}</label>
          <select id="mattered-method" value={method} onChange={(event) => choose({ method: event.target.value as typeof method })}>
            {METHODS.map(({ id, words }) => (
              <option key={id} value={id}>
                {t(words)}
              </option>
            ))}
          </select>
        </div>
        <p className={styles.small}>{t(ABOUT.find(({ id }) => id === about)?.hint ?? '')}</p>
      </details>
    </section>
  );
}

/** The question in a person's words: of a still frame it names what is done there. */
function Asked({ env, agent }: Props) {
  const playing = useStore(stageStore, (state) => state.playing);
  const replay = useStore(stageStore, (state) => state.replay);
  const at = useStore(stageStore, (state) => (state.playing ? 0 : state.t));
  if (playing) return t('Stop here: why this?');
  const { action } = agentsOf(env)[agent] ?? env;
  const done = replay === null || action.kind !== 'discrete' ? undefined : actionAt(replay, env.agents, agent, at);
  return done === undefined ? t('Why this?') : t('Why “{action}”?', { action: t(action.labels[done] ?? String(done)) });
}
