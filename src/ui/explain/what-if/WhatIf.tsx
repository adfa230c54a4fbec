/** What if: one thing about the shown frame is changed, and both futures are played many times. */
import { useState } from 'react';
import { useStore } from 'zustand';
import { explain } from '#client/explain/service.ts';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { type Change, COUNTERFACTUAL, type Counterfactual } from '#contract/explain/counterfactual.ts';
import { cellsOf, placesOf } from '#contract/game/frames.ts';
import { toFailure } from '#contract/kit/errors.ts';
import { explainStore, wouldHappen } from '#stores/explain.ts';
import { stageStore } from '#stores/stage.ts';
import { Button } from '#ui/kit/Button.tsx';
import { type Dragged, Plan } from '#ui/kit/plan/Plan.tsx';
import { Segmented } from '#ui/kit/Segmented.tsx';
import { type AgentInfo, agentsOf, marksOf } from '#ui/stage/agents.ts';
import { useFrame } from '../why/useFrame.ts';
import { ActionChoice, usualAction } from './ActionChoice.tsx';
import { Outcome } from './Outcome.tsx';
import { Place } from './Place.tsx';
import styles from './WhatIf.module.css';

const CONTINUATIONS = 64;
type Kind = 'action' | 'move' | 'remove';

interface Answer {
  readonly of: Counterfactual;
  readonly t: number;
  /** What was changed, in words. */
  readonly words: string;
}

export function WhatIf({ env }: { readonly env: EnvCard }) {
  const [kind, setKind] = useState<Kind>('action');
  const [agent, setAgent] = useState(0);
  const [action, setAction] = useState<readonly number[] | null>(null);
  const [dragged, setDragged] = useState<Dragged | null>(null);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [failed, setFailed] = useState('');
  const [busy, setBusy] = useState(false);
  const shown = useStore(stageStore, (state) => state.policy !== null || (state.scripted !== null && state.scripted !== 'random'));
  const replay = useStore(stageStore, (state) => state.replay !== null);
  // Nothing follows the last frame.
  const over = useStore(stageStore, (state) => state.replay !== null && !state.playing && state.t >= state.length - 1);
  const now = useFrame();
  const agents = agentsOf(env);
  const who = agents[Math.min(agent, agents.length - 1)]!;
  const movable = placesOf(env.frame) !== null;
  const kinds = [
    { value: 'action' as const, label: 'Other action' },
    ...(movable ? [{ value: 'move' as const, label: 'Move object' }] : []),
    ...(env.agents > 1 ? [{ value: 'remove' as const, label: 'Remove agent' }] : []),
  ];
  const chosen = kinds.some(({ value }) => value === kind) ? kind : 'action';
  const own = action ?? usualAction(who.action);
  const change = changeOf(chosen, agent, own, dragged, env);

  const ask = async (): Promise<void> => {
    if (change === null) return;
    const { t, setPlaying } = stageStore.getState();
    setPlaying(false);
    setBusy(true);
    setFailed('');
    try {
      const { replacement, payoff, greedy, seed } = explainStore.getState().question;
      const config = { change, continuations: CONTINUATIONS, replacement, payoff, greedy, seed };
      const of = (await explain.ask(COUNTERFACTUAL, config))?.detail;
      if (of === undefined) return;
      const words = wordsOf(change, agents, env);
      setAnswer({ of, t, words });
      wouldHappen({ envId: env.id, t, words, of });
    } catch (error) {
      const { message, fix } = toFailure(error);
      setAnswer(null);
      setFailed(`${message} ${fix}`);
    } finally {
      setBusy(false);
    }
  };

  return (
    <section className={styles.body} aria-label="What if">
      {answer === null && (
        <p className={styles.hint}>
          Change one thing about the shown frame. Both futures, as it was and as it might have been, are played {CONTINUATIONS} times by the
          same chances, so that only the change makes a difference.
        </p>
      )}
      <Segmented label="What is changed" value={chosen} options={kinds} onChange={setKind} />
      <div className={styles.form}>
        {chosen !== 'move' && agents.length > 1 && (
          <>
            <label htmlFor="whatif-agent">who</label>
            <select id="whatif-agent" value={agent} onChange={(event) => setAgent(Number(event.target.value))}>
              {agents.map(({ agent: i, name }) => (
                <option key={i} value={i}>
                  {name}
                </option>
              ))}
            </select>
          </>
        )}
        {chosen === 'action' && <ActionChoice space={who.action} value={own} onChange={setAction} />}
        {chosen === 'move' && <Place env={env} dragged={dragged} agents={agents} onChange={setDragged} />}
      </div>
      {chosen === 'move' && now !== null && (
        <Plan
          layout={now.layout}
          frame={now.frame}
          label={`Frame ${now.t} from above; drag what should stand elsewhere`}
          marks={marksOf(env)}
          ghost={dragged}
          onDrag={setDragged}
        />
      )}
      <div className={styles.actions}>
        <Button kind="solid" disabled={!shown || !replay || over || busy || change === null} onClick={() => void ask()}>
          {busy ? 'Playing both futures' : 'Play both futures'}
        </Button>
        {busy && (
          <Button icon="stop" onClick={() => explain.cancel()}>
            Stop
          </Button>
        )}
        {!shown && <span className={styles.small}>Train first, or watch a scripted policy.</span>}
        {shown && over && <span className={styles.small}>The episode ends with this frame: go back to an earlier one.</span>}
        {shown && !over && change === null && (
          <span className={styles.small}>Drag an object in the drawing, or enter its new position.</span>
        )}
      </div>
      {failed !== '' && (
        <p className={styles.failure} role="alert">
          {failed}
        </p>
      )}
      {answer !== null && <Outcome answer={answer.of} t={answer.t} words={answer.words} env={env} />}
    </section>
  );
}

function changeOf(kind: Kind, agent: number, action: readonly number[], dragged: Dragged | null, env: EnvCard): Change | null {
  if (kind === 'remove') return { kind, agent };
  if (kind === 'action') return { kind, agent, action };
  if (dragged === null) return null;
  if (dragged.thing >= 0) return { kind: 'move', thing: dragged.thing, x: dragged.x, y: dragged.y };
  const width = cellsOf(env.frame)?.width ?? 0;
  const to = dragged.y * width + dragged.x;
  return to === dragged.cell ? null : { kind: 'swap', from: dragged.cell, to };
}

function wordsOf(change: Change, agents: readonly AgentInfo[], env: EnvCard): string {
  const name = (agent: number): string => (agents.length === 1 ? 'the agent' : (agents[agent]?.name ?? `thing ${agent}`));
  const digits = cellsOf(env.frame) === null ? 2 : 0;
  switch (change.kind) {
    case 'remove':
      return `${name(change.agent)} is gone`;
    case 'action': {
      const space = agents[change.agent]!.action;
      const what =
        space.kind === 'discrete'
          ? (space.labels[change.action[0]!] ?? String(change.action[0]))
          : change.action.map((x) => x.toFixed(2)).join(', ');
      return `${name(change.agent)} does "${what}"`;
    }
    case 'move':
      return `${name(change.thing)} stands at ${change.x.toFixed(digits)}, ${change.y.toFixed(digits)}`;
    case 'swap':
      return 'two cells are changed over';
  }
}
