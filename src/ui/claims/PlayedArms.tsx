/** The arms of a paper side by side in live scenes, on one clock: what was learned plays at once, scripts as they are. */
import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { armsIn } from '#client/compare/papers.ts';
import { clips } from '#client/stage/clip-service.ts';
import type { Clip } from '#client/stage/clips.ts';
import { decodePolicyFile } from '#contract/files/files.ts';
import { type JsonObject, objectOf } from '#contract/kit/json.ts';
import { type Arm, armConfig, type JudgedCard, quantityTitle } from '#contract/papers/papers.ts';
import type { ArmResult } from '#contract/papers/results.ts';
import { armsOf } from '#math/contrasts.ts';
import { catalogStore } from '#stores/catalog.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { measure } from '#ui/kit/format/numbers.ts';
import { Icon } from '#ui/kit/Icon.tsx';
import { Still } from '#ui/kit/picture/Still.tsx';
import { useReducedMotion } from '#ui/stage/motion.ts';
import { openShow } from '#ui/stage/show/host.ts';
import { Live } from '#ui/stage/show/Live.tsx';
import { Reel } from '#ui/stage/show/reel.ts';
import { middleOf } from './figures.ts';
import { Swatch } from './look.tsx';
import styles from './Paper.module.css';
import { isRounded, policyFile, policyOf } from './policies.ts';

/** Scenes at the same time. */
const MOST = 4;

/** Where a point of a dose is asked, if that is one world other than its own: what it learned plays there. Empty: in its own. */
const askedIn = ({ dose }: JudgedCard, { against = [] }: Arm): JsonObject =>
  dose !== null && against.length === 1 ? (against[0] ?? {}) : {};

/** What of an arm plays: arms that only measure something else of the same runs, or the same script, have the same; null: nothing is kept. */
function playedBy(card: JudgedCard, arm: Arm): string | null {
  if (arm.script !== undefined) return JSON.stringify([arm.script, armConfig(card, arm).env]);
  const file = policyFile(card.id, arm.id);
  return file === null ? null : JSON.stringify([file, askedIn(card, arm)]);
}

/** Arms that can play at once, those of contrasts first; of several that play the same, the first. */
export function playable(card: JudgedCard): readonly Arm[] {
  const order = [...new Set([...card.contrasts.flatMap(armsOf), ...card.arms.map(({ id }) => id)])];
  const arms = order.flatMap((id) => card.arms.find((arm) => arm.id === id) ?? []);
  const played = arms.map((arm) => playedBy(card, arm));
  return arms.filter((_, k) => played[k] !== null && played.indexOf(played[k]!) === k);
}

/** What an arm learned, or its script, as a clip. Rejects in words where its policy cannot be had. */
export function clipOfArm(card: JudgedCard, arm: Arm): Promise<Clip> {
  const { id, script } = arm;
  const key = `${card.id} ${id}`;
  if (script === undefined) {
    return clips.clip(
      key,
      () => policyOf(card.id, id),
      async (file) => {
        const snapshot = decodePolicyFile(await file.text());
        const { env } = snapshot;
        return { kind: 'policy', snapshot: { ...snapshot, env: { ...env, config: { ...env.config, ...askedIn(card, arm) } } } };
      },
    );
  }
  return clips.clip(
    key,
    () => armsIn(card, 'full'),
    (forms) => {
      const form = forms.find((one) => one.arm.id === id);
      if (form === undefined) throw new Error(`There is no arm ${id}.`);
      return { kind: 'script', env: form.config.env, script };
    },
  );
}

interface Props {
  readonly card: JudgedCard;
  /** Of the full result: what their outcome stands on. Empty: there is none. */
  readonly judged?: readonly ArmResult[];
  /** This arm alone; none: all that can play. */
  readonly only?: Arm;
}

export function PlayedArms({ card, judged = [], only }: Props) {
  const arms = only === undefined ? playable(card) : [only];
  const reduced = useReducedMotion();
  const [pressed, setPressed] = useState<boolean | null>(null);
  const playing = pressed ?? !reduced;
  const reel = useRef<Reel>(null);
  reel.current ??= new Reel();
  const clock = reel.current;
  const [chosen, setChosen] = useState<readonly string[]>(() => arms.slice(0, MOST).map(({ id }) => id));
  clock.playing = playing;
  // Before they are in sight: what lies below the fold is what a visitor sees next.
  useEffect(() => {
    if (!playing) return;
    void openShow().catch(() => {}); // each scene tells
    for (const id of chosen) {
      const arm = card.arms.find((one) => one.id === id);
      if (arm !== undefined) clipOfArm(card, arm).catch(() => {}); // its scene tells
    }
  }, [card, chosen, playing]);
  if (arms.length === 0) return null;
  const left = only === undefined ? card.arms.filter((arm) => playedBy(card, arm) === null) : [];
  return (
    <section className={styles.played} aria-labelledby="paper-played">
      <div className={styles.headRow}>
        <h2 id="paper-played">{chosen.length > 1 ? 'Side by side' : 'What it does'}</h2>
        <Button icon={playing ? 'pause' : 'play'} onClick={() => setPressed(!playing)}>
          {playing ? 'Pause the scenes' : 'Play the scenes'}
        </Button>
      </div>
      <ul className={styles.scenes}>
        {chosen.map((id, place) => {
          const arm = arms.find((one) => one.id === id);
          if (arm === undefined) return null;
          return (
            <li key={String(place)}>
              <PlayedArm
                card={card}
                arm={arm}
                judged={judged.find((one) => one.id === id)}
                others={arms.length > MOST ? arms.filter((one) => one === arm || !chosen.includes(one.id)) : []}
                reel={clock}
                playing={playing}
                onChoose={(next) => setChosen(chosen.map((old, i) => (i === place ? next : old)))}
              />
            </li>
          );
        })}
      </ul>
      <p className={styles.quiet}>
        {judged.length > 0 &&
          `${t('The number under a scene is the return of the episode that plays; what was judged is “{quantity}”.', { quantity: card.quantity.title })} `}
        {chosen.length > 1 && 'All from the same start. '}Of each learning arm the seed plays that scored nearest to its middle, always by
        its best action.
        {arms.some(({ id }) => isRounded(card.id, id)) &&
          ' So that they fit, weights are rounded by at most 0.2\u00a0%: single actions may differ from those that were judged.'}
        {left.length > 0 && ` Not kept, for want of room: ${left.map(({ title }) => title).join('; ')}.`}
      </p>
    </section>
  );
}

interface PlayedProps {
  readonly card: JudgedCard;
  readonly arm: Arm;
  readonly judged: ArmResult | undefined;
  /** Arms that may take this place; none where all are shown. */
  readonly others: readonly Arm[];
  readonly reel: Reel;
  readonly playing: boolean;
  readonly onChoose: (id: string) => void;
}

/** The number that the outcome stands on; null: it was not judged. */
function judgedMiddle(judged: ArmResult | undefined): { readonly value: number; readonly seeds: number } | null {
  const middle = middleOf(judged?.scores ?? []);
  return middle === null ? null : { value: middle.value, seeds: (judged?.scores ?? []).filter((score) => score !== null).length };
}

function PlayedArm({ card, arm, judged, others, reel, playing, onChoose }: PlayedProps) {
  const { id, config } = objectOf(armConfig(card, arm).env);
  const env = useStore(catalogStore, (state) => state.catalog?.envs.find((one) => one.id === id));
  const settings = { ...objectOf(config), ...askedIn(card, arm) };
  const value = useRef<HTMLOutputElement>(null);
  const place = card.arms.indexOf(arm);
  const middle = judgedMiddle(judged);
  return (
    <>
      <Live
        reel={reel}
        playing={playing}
        name={arm.id}
        load={() => clipOfArm(card, arm)}
        poster={env !== undefined && <Still env={env} config={settings} />}
        label={`${arm.title}, in ${env?.title ?? String(id)}.`}
        onReturn={(next) => {
          if (value.current !== null)
            value.current.textContent = next === null ? '' : t('this episode so far: return {n}', { n: measure(next) });
        }}
      />
      <p className={styles.playedName}>
        <Swatch arm={place} />{' '}
        {others.length === 0 ? (
          arm.title
        ) : (
          // The name stands in full, which a select would cut off: arms often differ in their last word.
          <span className={styles.choose}>
            <span aria-hidden="true">{arm.title}</span>
            <Icon name="chevron" />
            <select aria-label={`Arm in place of ${arm.title}`} value={arm.id} onChange={(event) => onChoose(event.target.value)}>
              {others.map((one) => (
                <option key={one.id} value={one.id}>
                  {one.title}
                </option>
              ))}
            </select>
          </span>
        )}
      </p>
      <p className={styles.playedFacts}>
        <span>{arm.script === undefined ? t('learned') : t('scripted')}</span> <output ref={value} aria-live="off" />
      </p>
      {middle !== null && (
        <p className={styles.playedFacts}>
          <span>
            {t('judged: {n}, the middle of {seeds} seeds', { n: measure(middle.value, 3), seeds: middle.seeds })}
            {arm.quantity !== undefined && `, ${quantityTitle(card, arm.id)}`}
          </span>
        </p>
      )}
    </>
  );
}
