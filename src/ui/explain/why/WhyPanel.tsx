/** Why did it do that: what the shown policy says about the shown state, and on grids about the cell pointed at. */
import { type ReactNode, useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { canLearn, decides } from '#contract/catalog/learnable.ts';
import { cellsOf, isGrid } from '#contract/game/frames.ts';
import type { Inspection } from '#contract/session/session.ts';
import { chooseAgent, explainStore } from '#stores/explain.ts';
import { layoutStore } from '#stores/layout.ts';
import { playedByPerson, stageStore } from '#stores/stage.ts';
import type { StageState } from '#stores/types.ts';
import { msg, t } from '#text/text.ts';
import { Term } from '#ui/glossary/Term.tsx';
import { compact, measure } from '#ui/kit/format/numbers.ts';
import { useTexts } from '#ui/kit/parts.ts';
import { useTraining } from '#ui/kit/progress.ts';
import { shownStore } from '#ui/kit/shown.ts';
import { agentsOf } from '#ui/stage/agents.ts';
import { cellOfInterest, cellStore } from '#ui/stage/cell.ts';
import { pairStore } from '#ui/stage/pair.ts';
import { useStageEnv } from '#ui/stage/useStageEnv.ts';
import { Attack } from '../attack/Attack.tsx';
import { Mattered } from '../team/Mattered.tsx';
import { Inside } from '../tokens/Inside.tsx';
import { PromptBox } from '../tokens/PromptBox.tsx';
import { Samples } from '../tokens/Samples.tsx';
import { Along } from './Along.tsx';
import { Bars } from './Bars.tsx';
import { CodePlane, CodePlaneOfGame } from './CodePlane.tsx';
import { certaintyWords, standingOfChoice, tieWords } from './certainty.ts';
import { rememberMoments } from './history.ts';
import { actionRows, entropy, skillsOf } from './inspect.ts';
import { SimpleChoice } from './SimpleChoice.tsx';
import { actionAt, timesOf } from './turns.ts';
import styles from './Why.module.css';

const MOST_OBSERVED = 12;
const MOST_TOKENS = 8;
const STEP_TERMS = [
  ['td-error', msg('TD error')],
  ['advantage', msg('advantage')],
  ['return', msg('return')],
  ['log-probability', msg('log-probability')],
  ['ratio', msg('ratio')],
  ['kl', msg('KL')],
] as const;

export function WhyPanel() {
  return useTexts('why') ? <Why /> : null;
}

function Why() {
  const mode = useStore(stageStore, (state) => state.mode);
  const policy = useStore(stageStore, (state) => state.policy);
  const scripted = useStore(stageStore, (state) => state.scripted);
  const inspection = useStore(stageStore, (state) => state.inspection);
  const env = useStageEnv();
  const training = useTraining();
  const played = useStore(stageStore, playedByPerson);
  const simple = useStore(layoutStore, ({ depth }) => depth === 'teach');
  const agent = useStore(explainStore, (state) => Math.min(state.agent, (env?.agents ?? 1) - 1));
  const paired = useStore(pairStore, ({ open }) => open);
  useEffect(rememberMoments, []);
  if (paired) return <Panel hint={t('Before and after play side by side. Go back to the scene to see why it acts as it does.')} />;
  if (mode === 'play')
    return (
      <Panel
        hint={t('You are at the controls. End the game, and it stays on the stage as a replay. Train, and compare how a policy chooses.')}
      >
        <CodePlaneOfGame />
      </Panel>
    );
  if (mode === 'edit') return <Panel hint={t('While the map is edited there is nothing to explain. Finish editing to watch again.')} />;
  if (scripted !== null && scripted !== 'random')
    return (
      <Panel
        hint={t('These actions come from a script that knows this environment (“{script}”), not from anything learned.', {
          script: scripted,
        })}
      />
    );
  if (policy === null && played)
    return (
      <Panel
        hint={t(
          'A person played or pulled in this episode. Choose a point of the learning line below the scene to see why a policy acts as it does.',
        )}
      >
        <CodePlaneOfGame />
      </Panel>
    );
  if (env !== null && !decides(env))
    return <Panel hint={t('No learned policy here: every agent follows a built-in rule (see its settings).')} />;
  if (env !== null && !canLearn(env) && policy === null)
    return <Panel hint={t('These actions are random: there is no reason behind them, and no task that could be learned.')} />;
  if (policy === null || env === null)
    return (
      <Panel
        hint={
          training
            ? t(
                'These actions are random: the run that trains has kept no policy yet. With the first one this panel shows how likely it finds each action, what it expects, and what it sees.',
              )
            : t(
                'These actions are random: there is no reason behind them. Press Train; with the first kept policy this panel shows how likely it finds each action, what it expects, and what it sees.',
              )
        }
      />
    );
  const { obs, action } = agentsOf(env)[agent] ?? env;
  const own = { ...env, obs, action };
  if (simple)
    return (
      <Panel>
        {env.tokens !== undefined && <PromptBox env={env} />}
        {env.agents > 1 && <Whose env={env} agent={agent} />}
        {inspection === null ? (
          <p className={styles.hint}>{t('Evaluating the policy in this state.')}</p>
        ) : (
          <>
            <SimpleChoice inspection={inspection} env={own} />
            <details className={styles.more}>
              <summary>{t('Why? The numbers behind it')}</summary>
              <Choice inspection={inspection} env={own} agent={agent} />
              <Seen inspection={inspection} env={own} />
            </details>
          </>
        )}
      </Panel>
    );
  return (
    <Panel policy={policy}>
      {env.tokens !== undefined && (
        <>
          <Samples env={env} />
          <PromptBox env={env} />
          <Inside env={env} />
        </>
      )}
      {env.agents > 1 && <Whose env={env} agent={agent} />}
      {inspection === null ? (
        <p className={styles.hint}>{t('Evaluating the policy in this state.')}</p>
      ) : (
        <Choice inspection={inspection} env={own} agent={agent} />
      )}
      {inspection?.extras.map(({ card }) => card.plane === true && <CodePlane key={card.id} card={card} />)}
      <Mattered env={env} agent={agent} />
      <Attack />
      <CellReading env={env} />
      <Along world={env.id} labels={(inspection && skillsOf(inspection))?.labels ?? action.labels} />
      {inspection !== null && <Seen inspection={inspection} env={own} />}
    </Panel>
  );
}

interface PanelProps {
  readonly policy?: NonNullable<StageState['policy']>;
  readonly hint?: string;
  readonly children?: ReactNode;
}

function Panel({ policy, hint, children }: PanelProps) {
  return (
    <section className={styles.panel} aria-labelledby="why-title">
      <header className={styles.head}>
        <h2 id="why-title">{t('Why')}</h2>
        {policy !== undefined && (
          <span className={styles.who}>
            {t('seed {seed}, step {step}', { seed: policy.seed, step: compact(policy.step) })}, <Frame />
          </span>
        )}
      </header>
      <div className={styles.body}>
        {hint !== undefined && <p className={styles.hint}>{hint}</p>}
        {children}
      </div>
    </section>
  );
}

function Frame() {
  const n = useStore(shownStore, (state) => state.t);
  return <span className="figures">{t('frame {n}', { n })}</span>;
}

/** A sentence whose marked word opens its place in the glossary. */
function WithTerm({ id, text }: { readonly id: 'return' | 'entropy'; readonly text: string }) {
  const [before, word, after] = text.split(/<\/?b>/);
  return (
    <>
      {before}
      <Term id={id}>{word}</Term>
      {after}
    </>
  );
}

/** The name of an action or of a number that is seen. */
const nameOf = (label: string | undefined, else_: () => string): string => (label === undefined ? else_() : t(label));

function cellText(column: number, row: number, pinned: boolean): string {
  return pinned ? t('Column {column}, row {row}, pinned', { column, row }) : t('Column {column}, row {row}', { column, row });
}

/** Whose decision is looked at. */
export function Whose({ env, agent }: { readonly env: EnvCard; readonly agent: number }) {
  return (
    <div className={styles.whose}>
      <label htmlFor="why-agent">{t('the choice of')}</label>
      <select id="why-agent" value={agent} onChange={(event) => chooseAgent(Number(event.target.value))}>
        {agentsOf(env).map(({ agent: i, name }) => (
          <option key={i} value={i}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}

function Choice({ inspection, env, agent }: { readonly inspection: Inspection; readonly env: EnvCard; readonly agent: number }) {
  const replay = useStore(stageStore, (state) => state.replay);
  const acts = env.action.kind === 'discrete' && skillsOf(inspection) === null ? env.action.n : 0;
  const at = useStore(stageStore, (state) => (state.playing ? -1 : state.t));
  const taken = replay === null || acts === 0 || at < 0 ? undefined : actionAt(replay, env.agents, agent, at);
  const times = useMemo(
    () => (replay === null ? undefined : Array.from({ length: acts }, (_, action) => timesOf(replay, env.agents, agent, action))),
    [replay, acts, env.agents, agent],
  );
  const all = actionRows(inspection, env);
  // of a vocabulary only what may well come next
  const rows = env.tokens === undefined ? all : all.toSorted((a, b) => b.probability - a.probability).slice(0, MOST_TOKENS);
  const grid = cellsOf(env.frame) !== null;
  const h = entropy(all.map((row) => row.probability));
  const most = Math.log(Math.max(2, all.length));
  const standing = standingOfChoice(all);
  return (
    <>
      {rows.length > 0 ? (
        <Bars rows={rows} onMap={grid} {...(times !== undefined && acts > 0 && { times })} {...(taken !== undefined && { taken })} />
      ) : (
        <Continuous inspection={inspection} env={env} />
      )}
      <dl className={styles.facts}>
        {inspection.value !== null && (
          <div>
            <dt>
              <WithTerm id="return" text={t('From here on it expects a discounted <b>return</b> of')} />
            </dt>
            <dd>{measure(inspection.value)}.</dd>
          </div>
        )}
        {inspection.extras.map(({ card, values }) =>
          card.kind === 'logits' ? null : (
            <div key={card.id} title={card.description}>
              <dt>{card.title}</dt>
              <dd>
                {card.kind === 'choice'
                  ? card.labels[values[0]!]
                  : card.labels.map((label, i) => `${label} ${measure(values[i], 3)}`).join(', ')}
              </dd>
            </div>
          ),
        )}
        {standing.kind === 'tie' && (
          <div>
            <dt>{t('Its choice is')}</dt>
            <dd>
              {certaintyWords(standing)}. <small>{tieWords(standing)}</small>
            </dd>
          </div>
        )}
        {standing.kind !== 'tie' && rows.length > 0 && Number.isFinite(h) && (
          <div>
            <dt>{t('Its choice is')}</dt>
            <dd>
              {certaintyWords(standing)}:{' '}
              <small>
                <WithTerm
                  id="entropy"
                  text={t('an <b>entropy</b> of {h} nats, where pure chance has {most}.', { h: measure(h, 3), most: measure(most, 3) })}
                />
              </small>
            </dd>
          </div>
        )}
      </dl>
      <div className={styles.terms}>
        {t('The learner’s words, with the numbers of this step:')}{' '}
        {STEP_TERMS.map(([id, word], i) => (
          <span key={id}>
            {i > 0 && ', '}
            <Term id={id}>{t(word)}</Term>
          </span>
        ))}
        .
      </div>
    </>
  );
}

/** Mean and spread of each dimension of a continuous action, on its range. */
export function Continuous({ inspection, env }: { readonly inspection: Inspection; readonly env: EnvCard }) {
  const { action } = env;
  if (action.kind !== 'box' || inspection.mean === null) return null;
  return (
    <table className={styles.bars}>
      <tbody>
        {Array.from({ length: action.size }, (_, d) => {
          const mean = inspection.mean?.[d] ?? 0;
          const std = inspection.std?.[d] ?? 0;
          const low = action.low[d] ?? -1;
          const high = action.high[d] ?? 1;
          const at = (v: number): number => 100 * Math.min(1, Math.max(0, (v - low) / (high - low)));
          return (
            <tr key={action.labels[d] ?? d}>
              <th scope="row">{nameOf(action.labels[d], () => t('action {n}', { n: d + 1 }))}</th>
              <td className={styles.range}>
                <span style={{ insetInlineStart: `${at(mean - std)}%`, inlineSize: `${at(mean + std) - at(mean - std)}%` }} />
                <i style={{ insetInlineStart: `${at(inspection.chosen[d] ?? mean)}%` }} />
              </td>
              <td className={styles.number}>
                {measure(mean, 3)} <small>± {measure(std, 2)}</small>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** Switches of the map's layers, and the reading of the cell under the pointer or clicked. */
function CellReading({ env }: { readonly env: EnvCard }) {
  const overlays = useStore(stageStore, (state) => state.overlays);
  const map = useStore(stageStore, (state) => state.valueMap);
  const visits = useStore(stageStore, (state) => state.visits);
  const cell = useStore(cellStore, cellOfInterest);
  const pinned = useStore(cellStore, (state) => state.pinned);
  if (!isGrid(env.frame) || env.tokens !== undefined) return null; // words have no place on the map
  const { width } = env.frame;
  const actions = map === null ? 0 : map.probs.length / map.values.length;
  const preferred = map?.actions[cell] ?? -1;
  const rows =
    map === null || cell < 0 || preferred < 0
      ? []
      : Array.from({ length: actions }, (_, action) => ({
          action,
          label: nameOf(env.action.labels[action], () => String(action)),
          probability: map.probs[cell * actions + action]!,
          q: Number.NaN,
          chosen: action === preferred,
        }));
  return (
    <div className={styles.cell}>
      <h3>{cell < 0 ? t('Any cell') : cellText(cell % width, Math.floor(cell / width), cell === pinned)}</h3>
      {!(overlays.values || overlays.policy) ? (
        <p className={styles.hint}>
          <button type="button" className={styles.link} onClick={() => stageStore.getState().setOverlay('values', true)}>
            {t('Show the value of every cell')}
          </button>{' '}
          {t('or')}{' '}
          <button type="button" className={styles.link} onClick={() => stageStore.getState().setOverlay('policy', true)}>
            {t('what it would do there')}
          </button>
          {t(', then point at one.')}
        </p>
      ) : cell < 0 ? (
        <p className={styles.hint}>{t('Point at a cell of the map to read it; click to keep it.')}</p>
      ) : (
        <>
          <dl className={styles.facts}>
            <div>
              <dt>{t('value')}</dt>
              <dd>{measure(map?.values[cell])}</dd>
            </div>
            {visits !== null && (
              <div>
                <dt>{t('visits')}</dt>
                <dd>{compact(visits[cell] ?? 0)}</dd>
              </div>
            )}
          </dl>
          {rows.length > 0 ? (
            <Bars rows={rows} onMap />
          ) : (
            <p className={styles.hint}>{t('The agent cannot stand here, or the episode ends here.')}</p>
          )}
        </>
      )}
    </div>
  );
}

/** The observation, by name where it is short enough to read. */
function Seen({ inspection, env }: { readonly inspection: Inspection; readonly env: EnvCard }) {
  const { obs } = env;
  if (obs.kind === 'discrete') {
    return <p className={styles.hint}>{t('It sees: state {n} of {all}.', { n: inspection.obs.indexOf(1), all: obs.n })}</p>;
  }
  if (obs.kind !== 'box' || inspection.obs.length > MOST_OBSERVED) return null;
  return (
    <details className={styles.seen}>
      <summary>{t('Observation')}</summary>
      <dl>
        {Array.from(inspection.obs, (value, i) => (
          <div key={obs.labels?.[i] ?? i}>
            <dt>{nameOf(obs.labels?.[i], () => t('observation {n}', { n: i }))}</dt>
            <dd>{measure(value)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
