/** Edit a state, see the policy answer: a thing is dragged or a number of the observation moved, and the bars say what it would do there. */
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { network } from '#client/stage/network-service.ts';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { cellsOf, type FrameLayout, placesOf } from '#contract/game/frames.ts';
import type { StateEdit } from '#contract/game/network-view.ts';
import type { Inspection } from '#contract/session/session.ts';
import { sceneOf } from '#scenes/index.ts';
import { explainStore } from '#stores/explain.ts';
import { networkStore, openNetworkView } from '#stores/network.ts';
import { playedByPerson, stageStore } from '#stores/stage.ts';
import { Term } from '#ui/glossary/Term.tsx';
import { Button } from '#ui/kit/Button.tsx';
import { measure } from '#ui/kit/format/numbers.ts';
import { type Dragged, Plan } from '#ui/kit/plan/Plan.tsx';
import { useTraining } from '#ui/kit/progress.ts';
import { agentsOf, marksOf, thingOf } from '#ui/stage/agents.ts';
import { Place } from '../what-if/Place.tsx';
import { Bars } from '../why/Bars.tsx';
import { actionRows } from '../why/inspect.ts';
import { useFrame } from '../why/useFrame.ts';
import { Continuous, Whose } from '../why/WhyPanel.tsx';
import styles from './EditState.module.css';
import { Sliders } from './Sliders.tsx';

export function EditPanel({ env }: { readonly env: EnvCard }) {
  const mode = useStore(stageStore, (state) => state.mode);
  const policy = useStore(stageStore, (state) => state.policy);
  const agent = useStore(explainStore, (state) => Math.min(state.agent, env.agents - 1));
  const look = useStore(networkStore, (state) => state.look);
  const edits = useStore(networkStore, (state) => state.edits);
  const failure = useStore(networkStore, (state) => state.failure);
  const before = useStore(stageStore, (state) => state.inspection);
  const now = useFrame();
  const training = useTraining();
  const played = useStore(stageStore, playedByPerson);
  const [last, setLast] = useState<Dragged | null>(null);
  useEffect(() => openNetworkView(false), []);
  if (mode === 'play' || mode === 'edit') return <Hint text="Finish playing or editing the map first." />;
  if (policy === null && played)
    return (
      <Hint text="A person played or pulled in this episode. Choose a point of the learning line below the scene to edit what a policy sees." />
    );
  if (policy === null)
    return training ? (
      <Hint text="The run that trains has kept no policy yet. With the first one, drag a thing of the shown state, or move a number the agent sees, and read what the policy would do there." />
    ) : (
      <Hint text="No learned policy is on the stage. Press Train; then drag a thing of the shown state, or move a number the agent sees, and read what the policy would do there." />
    );
  const { obs, action } = agentsOf(env)[agent] ?? env;
  const layout = now?.layout;
  const movable = layout !== undefined && (placesOf(layout) !== null || layout.kind === 'bodies');
  const changed = edits.length > 0;
  const inspection = look?.inspection ?? null;
  const drag = (dragged: Dragged): void => network.edit(withEdit(edits, editOf(dragged, env)));
  const move = (dragged: Dragged): void => {
    if (dragged.thing >= 0) drag(dragged);
  };
  return (
    <section className={styles.panel} aria-label="Edit state">
      {env.agents > 1 && <Whose env={env} agent={agent} />}
      {movable && now !== null && (
        <Plan
          layout={now.layout}
          frame={changed && look?.frame !== null && look?.frame !== undefined ? look.frame : now.frame}
          label={`Frame ${now.t}; drag what should stand elsewhere`}
          marks={marksOf(env)}
          onDrag={drag}
          onMove={move}
        />
      )}
      {movable && now !== null && (
        <details>
          <summary>By numbers</summary>
          <div className={styles.place}>
            <Place
              env={env}
              dragged={last ?? standing(thingOf(env, agent), now)}
              agents={agentsOf(env)}
              onChange={(dragged) => {
                // another thing is chosen where it stands; only numbers move it
                const other = dragged.thing !== (last?.thing ?? thingOf(env, agent));
                setLast(other ? standing(dragged.thing, now) : dragged);
                if (!other) drag(dragged);
              }}
            />
          </div>
        </details>
      )}
      <div className={styles.actions}>
        <Button icon="undo" disabled={!changed} onClick={() => network.edit([])}>
          Back to the frame
        </Button>
        <span className={styles.small} role="status">
          {changed
            ? `Changed by hand: ${edits.length === 1 ? 'one change' : `${edits.length} changes`}.`
            : movable
              ? 'Drag a thing, or move a number below.'
              : 'Move a number below.'}
        </span>
      </div>
      {failure !== null && changed && (
        <p className={styles.failure} role="alert">
          {failure.message} {failure.fix}
        </p>
      )}
      {inspection !== null && (
        <>
          <Answer inspection={inspection} before={changed ? before : null} env={{ ...env, obs, action }} />
          <Sliders
            obs={obs}
            seen={inspection.obs}
            was={before?.obs ?? inspection.obs}
            onChange={(values) => network.edit(withEdit(edits, { kind: 'observe', obs: values }))}
          />
        </>
      )}
    </section>
  );
}

const Hint = ({ text }: { readonly text: string }) => (
  <section className={styles.panel} aria-label="Edit state">
    <p className={styles.small}>{text}</p>
  </section>
);

/** A thing where it is now. */
function standing(thing: number, { layout, frame }: { readonly layout: FrameLayout; readonly frame: Float32Array }): Dragged {
  const scene = sceneOf(layout);
  const spot = scene.spot(layout, frame, frame, 0, thing);
  const { x, y } = spot === null ? { x: 0, y: 0 } : scene.point(layout, spot.x, spot.y);
  return { thing, cell: -1, x, y };
}

function editOf({ thing, cell, x, y }: Dragged, env: EnvCard): StateEdit | null {
  const width = cellsOf(env.frame)?.width ?? 0;
  if (thing >= 0) return { kind: 'move', thing, x, y };
  return y * width + x === cell ? null : { kind: 'swap', from: cell, to: y * width + x };
}

/** A thing that is moved on takes the place of its last move; what an agent sees is always the last word, until something moves. */
function withEdit(edits: readonly StateEdit[], edit: StateEdit | null): readonly StateEdit[] {
  if (edit === null) return edits;
  const kept = edits.filter((old) => old.kind !== 'observe' && !(old.kind === 'move' && edit.kind === 'move' && old.thing === edit.thing));
  return [...kept, edit];
}

/** What the policy says there, beside what it said of the frame as it was. */
function Answer({
  inspection,
  before,
  env,
}: {
  readonly inspection: Inspection;
  readonly before: Inspection | null;
  readonly env: EnvCard;
}) {
  const rows = actionRows(inspection, env);
  return (
    <>
      {rows.length > 0 ? <Bars rows={rows} onMap={false} /> : <Continuous inspection={inspection} env={env} />}
      {inspection.value !== null && (
        <div>
          <Term id="state-value">State value</Term> <b className="figures">{measure(inspection.value)}</b>
          {before?.value !== null && before?.value !== undefined && <span className={styles.small}>, was {measure(before.value)}</span>}
        </div>
      )}
    </>
  );
}
