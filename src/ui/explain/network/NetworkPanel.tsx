/** See the network: its layers and weights, what its units do at the state on the stage, and what the chosen output depends on there. */
import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { network } from '#client/stage/network-service.ts';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { exactFloat, type NetworkView, type SlopeQuestion } from '#contract/game/network-view.ts';
import type { ActionSpace } from '#contract/game/spaces.ts';
import type { Failure } from '#contract/kit/errors.ts';
import type { Inspection } from '#contract/session/session.ts';
import { explainStore } from '#stores/explain.ts';
import { chooseSlope, followNewest, networkStore, openNetworkView } from '#stores/network.ts';
import { playedByPerson, stageStore } from '#stores/stage.ts';
import { Term } from '#ui/glossary/Term.tsx';
import { Button } from '#ui/kit/Button.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { compact, measure, percent } from '#ui/kit/format/numbers.ts';
import { useTraining } from '#ui/kit/progress.ts';
import { Segmented } from '#ui/kit/Segmented.tsx';
import { shownStore } from '#ui/kit/shown.ts';
import { useSize } from '#ui/kit/useSize.ts';
import { agentsOf } from '#ui/stage/agents.ts';
import { Whose } from '../why/WhyPanel.tsx';
import { Drawing } from './Drawing.tsx';
import { leastHeight } from './layout.ts';
import { Matrix, wordsOf } from './Matrix.tsx';
import { activation, columnsOf, type Half, halvesOf, layersOf, layerTitle, type UnitAt, unitName, type WeightAt } from './model.ts';
import styles from './Network.module.css';
import { Saliency } from './Saliency.tsx';
import { UnitTable } from './UnitTable.tsx';
import { outputWords } from './words.ts';

const LOOKS = [
  { value: 'drawing', label: 'Drawing' },
  { value: 'matrix', label: 'Matrix' },
  { value: 'table', label: 'Table' },
] as const;
const LINES = [
  { value: 'weights', label: 'Weights' },
  { value: 'flow', label: 'Weight × activation' },
] as const;
const HEIGHT = 300; // px
const LARGE = 620;
/** px: what stands above a drawing in the panel. */
const ABOVE = 118;

/** Px of a drawing in a panel so high: what is left of it, and no less than a few units of every layer take. */
function heightIn(panel: number, view: NetworkView): number {
  const columns = columnsOf(view, layersOf(view, halvesOf(view)[0] ?? 'policy'));
  const most = Math.max(1, ...[...columns.values()].map((at) => [...columns.values()].filter((other) => other === at).length));
  return Math.min(HEIGHT, Math.max(panel - ABOVE, leastHeight(most)));
}

export function NetworkPanel({ env }: { readonly env: EnvCard }) {
  const mode = useStore(stageStore, (state) => state.mode);
  const policy = useStore(stageStore, (state) => state.policy);
  const agent = useStore(explainStore, (state) => Math.min(state.agent, env.agents - 1));
  const view = useStore(networkStore, (state) => state.view);
  const failure = useStore(networkStore, (state) => state.failure);
  const training = useTraining();
  const played = useStore(stageStore, playedByPerson);
  useEffect(() => openNetworkView(true), []);
  if (mode === 'play' || mode === 'edit')
    return <Hint text="Finish playing or editing first: the network is that of the policy on the stage." />;
  if (policy === null && played)
    return (
      <Hint text="A person played or pulled in this episode. Choose a point of the learning line below the scene to see the network of a policy." />
    );
  if (policy === null)
    return training ? (
      <Hint text="The run that trains has kept no policy yet. With the first one its network is drawn here, layer by layer, with the numbers that run through it." />
    ) : (
      <Hint text="No learned policy is on the stage. Press Train; with the first kept policy its network is drawn here, layer by layer, with the numbers that run through it." />
    );
  return <Learned env={env} agent={agent} view={view} failure={failure} />;
}

interface LearnedProps {
  readonly env: EnvCard;
  readonly agent: number;
  readonly view: NetworkView | null;
  readonly failure: Failure | null;
}

function Learned({ env, agent, view, failure }: LearnedProps) {
  const [large, setLarge] = useState(false);
  const panel = useRef<HTMLElement>(null);
  const [, room] = useSize(panel);
  return (
    <section ref={panel} className={styles.panel} aria-label="Network">
      {env.agents > 1 && <Whose env={env} agent={agent} />}
      {view === null ? (
        <p className={styles.hint} role={failure === null ? undefined : 'status'}>
          {failure === null ? 'Reading the network.' : `${failure.message} ${failure.fix}`}
        </p>
      ) : (
        <>
          <Body env={env} agent={agent} view={view} height={heightIn(room, view)} onLarge={() => setLarge(true)} />
          {large && (
            <Dialog title="The network" width="wide" onClose={() => setLarge(false)}>
              <Body env={env} agent={agent} view={view} height={LARGE} />
            </Dialog>
          )}
        </>
      )}
    </section>
  );
}

const Hint = ({ text }: { readonly text: string }) => (
  <section className={styles.panel} aria-label="Network">
    <p className={styles.hint}>{text}</p>
  </section>
);

interface BodyProps {
  readonly env: EnvCard;
  readonly agent: number;
  readonly view: NetworkView;
  readonly height: number;
  readonly onLarge?: () => void;
}

function Body({ env, agent, view, height, onLarge }: BodyProps) {
  const [half, setHalf] = useState<Half>('policy');
  const [look, setLook] = useState<(typeof LOOKS)[number]['value']>('drawing');
  const [lines, setLines] = useState<(typeof LINES)[number]['value']>('weights');
  const [unit, setUnit] = useState<UnitAt | null>(null);
  const [weight, setWeight] = useState<WeightAt | null>(null);
  const answer = useStore(networkStore, (state) => state.look);
  const slope = useStore(networkStore, (state) => state.slope);
  const { action, obs } = agentsOf(env)[agent] ?? env;
  const halves = halvesOf(view);
  const shownHalf = halves.includes(half) ? half : (halves[0] ?? 'policy');
  const layers = layersOf(view, shownHalf);
  const values = answer?.values ?? null;
  const fits = values !== null && values.layers.length === view.layers.length ? values : null;
  const inspection = answer?.inspection ?? null;
  useAutoSlope(view, inspection, shownHalf);
  const chosen = unit !== null && layers.includes(unit.layer) ? unit : null;
  const outputText = (at: UnitAt): string => textOf(view, inspection, at);

  return (
    <div className={styles.stack}>
      <div className={styles.switches}>
        {halves.length > 1 && (
          <Segmented
            label="Which network"
            value={shownHalf}
            options={halves.map((value) => ({ value, label: value === 'policy' ? 'Policy' : 'Value' }))}
            onChange={setHalf}
          />
        )}
        <Segmented label="How it is shown" value={look} options={LOOKS} onChange={setLook} />
        {onLarge !== undefined && <Button icon="expand" label="Show it large" kind="bare" onClick={onLarge} />}
      </div>
      <Whence view={view} />
      {look === 'drawing' && (
        <>
          <Drawing
            view={view}
            values={fits}
            action={action}
            half={shownHalf}
            lines={lines}
            height={height}
            unit={chosen}
            weight={weight}
            outputText={outputText}
            onUnit={setUnit}
            onWeight={setWeight}
          />
          <output className={styles.detail} aria-live="polite">
            {weight !== null ? (
              <WeightDetail view={view} action={action} at={weight} carried={carried(view, fits, weight)} />
            ) : chosen !== null ? (
              <UnitDetail view={view} action={action} at={chosen} layers={layers} />
            ) : (
              'Point at a line for its exact weight; at a unit, or go there by arrow keys, for what it does and what it weighs.'
            )}
          </output>
          <div className={styles.switches}>
            <Segmented label="Lines" value={lines} options={LINES} onChange={setLines} />
            <p className={styles.key}>
              <i data-sign="plus" /> above 0 <i data-sign="minus" /> below 0
            </p>
          </div>
        </>
      )}
      {look === 'matrix' && <Matrix view={view} layers={layers} action={action} />}
      {look === 'table' && <UnitTable view={view} values={fits} action={action} layers={layers} outputText={outputText} />}
      <SlopeChoice view={view} half={shownHalf} action={action} slope={slope} />
      {fits !== null && slope !== null && <Saliency view={view} values={fits} obs={obs} action={action} slope={slope} />}
    </div>
  );
}

/** Which policy is drawn, how much there is of it, and whether it follows the training. */
function Whence({ view }: { readonly view: NetworkView }) {
  const policy = useStore(networkStore, (state) => state.policy);
  const follow = useStore(networkStore, (state) => state.follow);
  const edited = useStore(networkStore, (state) => state.edits.length > 0);
  const t = useStore(shownStore, (state) => state.t);
  return (
    <p className={styles.whence}>
      <span className="figures">
        step {compact(policy?.step ?? 0)}, frame {t}
        {edited ? ', edited' : ''}: {view.parameters.toLocaleString('en')} weights and biases
        {view.normalised ? ', inputs normalised' : ''}
        {view.layers.some(({ normed }) => normed) ? ', layers normalised' : ''}
      </span>
      {edited && (
        <Button kind="bare" icon="undo" onClick={() => network.edit([])}>
          Back to the frame
        </Button>
      )}
      <label>
        <input type="checkbox" checked={follow === 'newest'} onChange={(event) => followNewest(event.target.checked)} /> newest weights
        while it trains
      </label>
    </p>
  );
}

/** Until a person chooses, the slope asked for is that of the action it takes, or of the value. */
function useAutoSlope(view: NetworkView, inspection: Inspection | null, half: Half): void {
  useEffect(() => {
    const { slope } = networkStore.getState();
    const output = half === 'value' ? 'value' : view.outputs.find(({ name }) => name !== 'value' && name !== 'logStd')?.name;
    if (output === undefined || output === 'logStd' || inspection === null) return;
    if (slope !== null && (slope.output === output || (half === 'policy' && slope.output !== 'value'))) return;
    const index = output === 'logits' || output === 'q' ? (inspection.chosen[0] ?? 0) : 0;
    chooseSlope({ output, index });
  }, [view, inspection, half]);
}

function SlopeChoice({
  view,
  half,
  action,
  slope,
}: {
  readonly view: NetworkView;
  readonly half: Half;
  readonly action: ActionSpace;
  readonly slope: SlopeQuestion | null;
}) {
  const options = view.outputs.flatMap(({ name, count }): SlopeQuestion[] => {
    if (name === 'logStd' || (name === 'value') !== (half === 'value')) return [];
    return Array.from({ length: count }, (_, index) => ({ output: name, index }));
  });
  const at = options.findIndex(({ output, index }) => output === slope?.output && index === slope.index);
  return (
    <div className={styles.slope}>
      <span>
        <Term id="saliency">saliency</Term> of
      </span>
      <select aria-label="saliency of" value={at} onChange={(event) => chooseSlope(options[Number(event.target.value)] ?? null)}>
        {options.map(({ output, index }, i) => (
          <option key={`${output} ${index}`} value={i}>
            {outputWords(output, action.labels[index] ?? `${index}`)}
          </option>
        ))}
      </select>
    </div>
  );
}

function WeightDetail({
  view,
  action,
  at,
  carried: now,
}: {
  readonly view: NetworkView;
  readonly action: ActionSpace;
  readonly at: WeightAt;
  readonly carried: number;
}) {
  const of = view.layers[at.layer]?.weights[at.matrix];
  if (of === undefined) return null;
  return (
    <>
      <b className="figures" data-testid="exact-weight">
        {exactFloat(of.weights[at.row * of.outputs + at.column]!)}
      </b>{' '}
      {wordsOf(view, action, at)}
      {Number.isNaN(now) ? '' : `; carries ${measure(now)} now`}
    </>
  );
}

function carried(view: NetworkView, values: Parameters<typeof activation>[1] | null, { layer, matrix, row, column }: WeightAt): number {
  const of = view.layers[layer]?.weights[matrix];
  if (of === undefined || values === null) return Number.NaN;
  let at = row;
  for (const part of of.from) {
    if (at < part.count) return (values.layers[part.layer]?.[part.offset + at] ?? Number.NaN) * of.weights[row * of.outputs + column]!;
    at -= part.count;
  }
  return Number.NaN;
}

function UnitDetail({
  view,
  action,
  at,
  layers,
}: {
  readonly view: NetworkView;
  readonly action: ActionSpace;
  readonly at: UnitAt;
  readonly layers: readonly number[];
}) {
  const answer = useStore(networkStore, (state) => state.look);
  const values = answer?.values ?? null;
  const of = view.layers[at.layer];
  if (of === undefined) return null;
  const sums = values?.sums[at.layer]?.[at.unit];
  const bias = of.weights[0]?.bias?.[at.unit];
  const slope = values?.slopes[at.layer]?.[at.unit];
  const facts = [
    values === null ? '' : `gives ${measure(activation(view, values, at))}`,
    sums === undefined || of.activation === '' ? '' : `from a sum of ${measure(sums)}${of.normed ? ', normalised over the layer' : ''}`,
    bias === undefined || of.kind === 'cell' ? '' : `bias ${exactFloat(bias)}`,
    slope === undefined ? '' : `slope of the chosen output ${measure(slope)}`,
  ].filter((part) => part !== '');
  return (
    <>
      <b>
        {layerTitle(view, at.layer, layers)}, {unitName(view, action, at)}
      </b>{' '}
      {facts.join(', ')}. All it weighs stands in the table.
    </>
  );
}

/** What stands beside an output: a probability, a value. */
function textOf(view: NetworkView, inspection: Inspection | null, { layer, unit }: UnitAt): string {
  const output = view.outputs.find((each) => each.layer === layer && unit >= each.offset && unit < each.offset + each.count);
  if (output === undefined || inspection === null) return '';
  const at = unit - output.offset;
  switch (output.name) {
    case 'logits':
      return inspection.probs === null ? '' : percent((100 * (inspection.probs[at] ?? 0)).toFixed(1));
    case 'q':
      return measure(inspection.q?.[at] ?? Number.NaN);
    case 'mean':
      return measure(inspection.mean?.[at] ?? Number.NaN);
    case 'logStd':
      return measure(Math.log(inspection.std?.[at] ?? Number.NaN));
    case 'value':
      return measure(inspection.value ?? Number.NaN);
  }
}
