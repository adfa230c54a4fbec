/** One of the scenes side by side: the film, the step and the return it stands at, and who plays there. */
import { useEffect, useId, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { policySteps } from '#client/runs/policies.ts';
import { clips } from '#client/stage/clip-service.ts';
import { type Actor, learnedSeeds, matchOf, type Slot, sidesOf, slotKey, worldOf } from '#client/stage/side.ts';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { spoken } from '#contract/game/seats.ts';
import { catalogStore } from '#stores/catalog.ts';
import { draftStore } from '#stores/draft.ts';
import { runsStore } from '#stores/runs.ts';
import { t } from '#text/text.ts';
import { policyTitle } from '#ui/form/env-words.ts';
import { Button } from '#ui/kit/Button.tsx';
import { compact, measure } from '#ui/kit/format/numbers.ts';
import { Still } from '#ui/kit/picture/Still.tsx';
import { runNames } from '#ui/runs/names.ts';
import { Swatch } from '#ui/runs/Row.tsx';
import { nearest, shift } from '#ui/stage/checkpoints.ts';
import { Live } from '#ui/stage/show/Live.tsx';
import type { Reel } from '#ui/stage/show/reel.ts';
import styles from './Side.module.css';

interface Props {
  readonly place: number;
  readonly slot: Slot;
  readonly start: number;
  readonly reel: Reel;
  readonly playing: boolean;
  readonly onChange: (slot: Slot) => void;
  readonly onRemove: (() => void) | null;
}

export function SideScene({ place, slot, start, reel, playing, onChange, onRemove }: Props) {
  const group = useStore(runsStore, (state) => state.groups.find(({ id }) => id === slot.actor.runId) ?? null);
  const env = useStore(catalogStore, (state) => state.catalog?.envs.find(({ id }) => id === group?.config.env.id) ?? null);
  const draft = useStore(draftStore, (state) => state.config.env.id);
  const step = useRef<HTMLOutputElement>(null);
  const name = `Scene ${place + 1}`;
  if (group === null || env === null) {
    return (
      <>
        <p className={styles.quiet}>{t('{name}: its run is no longer here.', { name })}</p>
        {onRemove !== null && <Button onClick={onRemove}>{t('Remove this scene')}</Button>}
      </>
    );
  }
  const world = worldOf(slot);
  const sides = sidesOf(env, world?.config ?? env.defaults);
  return (
    <>
      <Live
        reel={reel}
        playing={playing}
        eager
        name={slotKey(slot, start)}
        load={() => clips.clip(slotKey(slot, start), async () => null, () => matchOf(slot, start))} // biome-ignore format: one call
        poster={<Still env={env} config={world?.config ?? env.defaults} />}
        label={`${name}: ${actorWords(slot.actor)} in ${env.title}.`}
        onFrame={(at) => {
          if (step.current === null) return;
          const of = sides === null || slot.rival === null ? 'return' : `return of ${sideName(env, sides[0])}`;
          const words = at === null ? '' : `step ${at.clip.stepAt(at.t)}, ${of} ${measure(at.clip.returnAt(at.t))}`;
          if (step.current.textContent !== words) step.current.textContent = words;
        }}
      />
      <div className={styles.facts}>
        <Swatch colour={group.colour} dash={group.dash} on />
        <output ref={step} aria-live="off" aria-label={t('{name}, where it stands', { name })} />
        {onRemove !== null && (
          <Button kind="bare" icon="close" label={t('Remove scene {value}', { value: place + 1 })} onClick={onRemove} />
        )}
      </div>
      <fieldset className={styles.form}>
        <legend className="visually-hidden">{name}</legend>
        <ActorForm
          label={sides === null ? t('Plays') : sideName(env, sides[0])}
          actor={slot.actor}
          env={env}
          onChange={(actor) => onChange({ ...slot, actor })}
        />
        {sides !== null && slot.rival === null && (
          <Button onClick={() => onChange({ ...slot, rival: slot.actor })}>
            {t('Another policy as {env}', { env: sideName(env, sides[1]) })}
          </Button>
        )}
        {sides !== null && slot.rival !== null && (
          <>
            <ActorForm label={sideName(env, sides[1])} actor={slot.rival} env={env} onChange={(rival) => onChange({ ...slot, rival })} />
            <Button onClick={() => onChange({ ...slot, rival: null })}>{t('One policy for both')}</Button>
          </>
        )}
        {draft === env.id && (
          <label className={styles.field}>
            {t('World')}
            <select value={slot.world} onChange={(event) => onChange({ ...slot, world: event.target.value === 'own' ? 'own' : 'set-up' })}>
              <option value="own">{t('as trained')}</option>
              <option value="set-up">{t('of the configuration')}</option>
            </select>
          </label>
        )}
      </fieldset>
    </>
  );
}

export const sideName = (env: EnvCard, agents: readonly number[]): string => {
  const names = env.groups.flatMap((group) => group.names);
  const [first] = agents;
  const name = spoken(names[first ?? 0] ?? '');
  return agents.length > 1 ? `${agents.length} of ${name.replace(/ ?\d+$/, '')}` : name;
};

export function actorWords({ kind, seed, step, name }: Actor): string {
  if (kind === 'random') return 'random actions';
  if (kind === 'script') return `the script ${policyTitle(name)}`;
  return `the policy of seed ${seed}${step === null ? '' : ` at step ${step}`}`;
}

interface ActorProps {
  readonly label: string;
  readonly actor: Actor;
  readonly env: EnvCard;
  readonly onChange: (actor: Actor) => void;
}

/** Which run, seed and step; or a script. */
function ActorForm({ label, actor, env, onChange }: ActorProps) {
  const groups = useStore(runsStore, (state) => state.groups);
  const catalog = useStore(catalogStore, (state) => state.catalog);
  const names = runNames(groups, catalog, 'alike');
  const own = groups.find(({ id }) => id === actor.runId);
  const runs = groups.filter((group) => group === own || (group.config.env.id === env.id && learnedSeeds(group).length > 0));
  const seeds = own === undefined ? [] : learnedSeeds(own);
  const who = actor.kind === 'learned' ? 'learned' : actor.kind === 'random' ? 'random' : `script ${actor.name}`;
  const chooseRun = (runId: string): void => {
    const group = groups.find(({ id }) => id === runId);
    if (group === undefined) return;
    const known = learnedSeeds(group);
    const seed = known.includes(actor.seed) ? actor.seed : (known[0] ?? actor.seed);
    onChange({ ...actor, runId, seed, step: newestStep(runId, seed) });
  };
  const chooseWho = (value: string): void =>
    onChange({
      ...actor,
      kind: value === 'learned' ? 'learned' : value === 'random' ? 'random' : 'script',
      name: value.startsWith('script ') ? value.slice(7) : '',
    });
  return (
    <>
      <label className={styles.field}>
        {label}
        <select value={who} onChange={(event) => chooseWho(event.target.value)}>
          <option value="learned">{t('what was learned')}</option>
          {env.policies.map((script) => (
            <option key={script} value={`script ${script}`}>
              {t('script: {script}', { script: policyTitle(script) })}
            </option>
          ))}
          <option value="random">{t('random actions')}</option>
        </select>
      </label>
      <label className={styles.field}>
        {t('Run')}
        <select value={actor.runId} onChange={(event) => chooseRun(event.target.value)}>
          {runs.map(({ id, name }) => (
            <option key={id} value={id}>
              {names.get(id) ?? name}
            </option>
          ))}
        </select>
      </label>
      {actor.kind === 'learned' && seeds.length > 1 && (
        <label className={styles.field}>
          {t('Seed')}
          <select
            value={actor.seed}
            onChange={(event) =>
              onChange({ ...actor, seed: Number(event.target.value), step: newestStep(actor.runId, Number(event.target.value)) })
            }
          >
            {seeds.map((seed) => (
              <option key={seed}>{seed}</option>
            ))}
          </select>
        </label>
      )}
      {actor.kind === 'learned' && <Checkpoint actor={actor} onChange={onChange} />}
    </>
  );
}

/** Newest step with a policy at this moment: a scene does not follow a run that goes on. */
const newestStep = (runId: string, seed: number): number | null => policySteps(runId, seed).at(-1) ?? null;

/** ms that a slider must rest before the film of the new policy is made. */
const REST_MS = 250;

const MOVES: { readonly [key: string]: number } = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, Home: -1e9, End: 1e9 };

function Checkpoint({ actor, onChange }: Pick<ActorProps, 'actor' | 'onChange'>) {
  const id = useId();
  const kept = policySteps(actor.runId, actor.seed).map((step) => ({ step }));
  const last = kept.at(-1)?.step ?? 0;
  const [wanted, setWanted] = useState<number | null>(null);
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => {
    if (wanted === null) return;
    const timer = setTimeout(() => {
      setWanted(null);
      latest.current({ ...actor, step: wanted });
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [wanted, actor]);
  const step = wanted ?? actor.step ?? last;
  const at = kept.findIndex((one) => one.step === step);
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{t('Checkpoint')}</label>
      <span className={styles.slider}>
        <input
          id={id}
          type="range"
          min={0}
          max={Math.max(1, last)}
          step="any"
          value={step}
          disabled={kept.length < 2}
          aria-valuetext={`step ${step}, ${at + 1} of ${kept.length} kept`}
          onKeyDown={(event) => {
            const by = MOVES[event.key];
            if (by === undefined || kept.length === 0) return;
            event.preventDefault();
            setWanted(shift(kept, step, by));
          }}
          onChange={(event) => setWanted(nearest(kept, Number(event.target.value)))}
        />
        <output>{compact(step)}</output>
      </span>
    </div>
  );
}
