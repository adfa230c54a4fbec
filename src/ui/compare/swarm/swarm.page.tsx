/** Up to a hundred thousand members that move and are drawn on the graphics card: nothing of them passes through the processor. */
import { useState } from 'react';
import { SWARM_MODELS, SWARM_SIZES, type SwarmAsk, type SwarmModel } from '#contract/run/swarm.ts';
import { hashOf, type Route } from '#stores/route.ts';
import { t } from '#text/text.ts';
import { Sheet } from '#ui/frame/Sheet.tsx';
import { Button } from '#ui/kit/Button.tsx';
import { Segmented } from '#ui/kit/Segmented.tsx';
import styles from './Swarm.module.css';
import { useSwarm } from './useSwarm.ts';

interface Setting {
  readonly field: string;
  readonly title: string;
  readonly unit: string;
  readonly low: number;
  readonly high: number;
  readonly standard: number;
}

interface Model {
  readonly title: string;
  readonly lead: string;
  /** Mean distance of members, m: the box grows with them. */
  readonly spacing: number;
  readonly settings: readonly Setting[];
}

const MODELS: { readonly [model in SwarmModel]: Model } = {
  boids: {
    title: 'Boids',
    lead: 'Each keeps apart from those too close, flies as its neighbours do and stays with them (Reynolds 1987).',
    spacing: 1.4,
    settings: [
      { field: 'separationWeight', title: 'Separation', unit: '', low: 0, high: 4, standard: 1.5 },
      { field: 'alignmentWeight', title: 'Alignment', unit: '', low: 0, high: 4, standard: 1 },
      { field: 'cohesionWeight', title: 'Cohesion', unit: '', low: 0, high: 4, standard: 1 },
    ],
  },
  'vicsek-swarm': {
    title: 'Vicsek’s model',
    lead: 'Each takes the mean direction of all within a metre, and some noise: below a critical noise order arises (Vicsek 1995).',
    spacing: 0.4,
    settings: [{ field: 'eta', title: 'Noise', unit: 'rad', low: 0, high: 6.28, standard: 1.5 }],
  },
};

const isModel = (name: string | undefined): name is SwarmModel => SWARM_MODELS.some((model) => model === name);

/** What the address asks for; what it leaves out or gets wrong is as the page begins. */
function asked({ query }: Route): { readonly model: SwarmModel; readonly members: number } {
  const size = SWARM_SIZES.find((n) => String(n) === query.members);
  return { model: isModel(query.model) ? query.model : 'boids', members: size ?? 100_000 };
}

export default function SwarmPage({ route }: { readonly route: Route }) {
  const { model, members } = asked(route);
  const { title, lead, spacing, settings } = MODELS[model];
  const [values, setValues] = useState<Readonly<Record<string, number>>>({});
  const [seed, setSeed] = useState(1);
  const config = {
    box: Math.min(1000, spacing * Math.sqrt(members)),
    ...Object.fromEntries(settings.map(({ field, standard }) => [field, values[field] ?? standard])),
  };
  const ask: SwarmAsk = { model, members, config, seed };
  const { host, state, playing, setPlaying } = useSwarm(ask);
  const go = (next: { readonly model?: SwarmModel; readonly members?: number }): void => {
    location.hash = hashOf({
      page: 'swarm',
      id: null,
      query: { model: next.model ?? model, members: String(next.members ?? members) },
    });
  };
  return (
    <Sheet title={t('A swarm on the graphics card')} page="swarm">
      <div className={styles.layout}>
        <section className={styles.stage} aria-label="Swarm">
          <div ref={host} className={styles.canvas} />
          {state.kind === 'failed' ? (
            <div role="alert" className={styles.problem}>
              <p>{state.failure.message}</p>
              <p>
                The swarm itself runs everywhere, with fewer members: <a href={`#env=${model}`}>{title} in the laboratory</a>.
              </p>
            </div>
          ) : (
            <p className={styles.figures} data-steps={state.steps}>
              {state.kind === 'starting'
                ? 'Starting ...'
                : `Step ${state.steps.toLocaleString('en')}, ${state.rate.toFixed(state.rate < 10 ? 1 : 0)} steps/s, order ${state.order.toFixed(2)}`}
            </p>
          )}
        </section>
        <div className={styles.controls}>
          <p>{lead}</p>
          <Segmented
            label="Model"
            value={model}
            options={SWARM_MODELS.map((value) => ({ value, label: MODELS[value].title }))}
            onChange={(value) => go({ model: value })}
          />
          <Segmented
            label="Members"
            value={String(members)}
            options={SWARM_SIZES.map((n) => ({ value: String(n), label: n.toLocaleString('en') }))}
            onChange={(value) => go({ members: Number(value) })}
          />
          {settings.map(({ field, title: name, unit, low, high, standard }) => (
            <label key={field} className={styles.setting}>
              <span>
                {name}
                <small>
                  {(values[field] ?? standard).toFixed(2)} {unit}
                </small>
              </span>
              <input
                type="range"
                min={low}
                max={high}
                step={0.01}
                value={values[field] ?? standard}
                onChange={({ target }) => setValues((before) => ({ ...before, [field]: target.valueAsNumber }))}
              />
            </label>
          ))}
          <div className={styles.buttons}>
            <Button kind="solid" icon={playing ? 'pause' : 'play'} disabled={state.kind !== 'moving'} onClick={() => setPlaying(!playing)}>
              {playing ? 'Pause' : 'Move'}
            </Button>
            <Button icon="reset" onClick={() => setSeed(seed + 1)}>
              Start anew
            </Button>
          </div>
          <p className={styles.note}>
            Neighbours are found by sorting members into cells, every step, on the card; the picture is drawn from where they lie. Colour is
            direction. Without a graphics card the processor plays one, and a step of 100,000 members takes it seconds.
          </p>
        </div>
      </div>
    </Sheet>
  );
}
