/** What was found, played: two arms from the same start, from shortly before they first act differently. */
import { useEffect, useRef, useState } from 'react';
import { type ArmForm, armsIn } from '#client/compare/papers.ts';
import { type Parting, parting, type Side } from '#client/stage/parting.ts';
import { workers } from '#client/workers/service.ts';
import { decodePolicyFile } from '#contract/files/files.ts';
import { toFailure } from '#contract/kit/errors.ts';
import type { Arm, JudgedCard } from '#contract/papers/papers.ts';
import { t, tn } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { failureText } from '#ui/kit/format/failure.ts';
import { measure } from '#ui/kit/format/numbers.ts';
import { useReducedMotion } from '#ui/stage/motion.ts';
import { Live } from '#ui/stage/show/Live.tsx';
import { Reel } from '#ui/stage/show/reel.ts';
import { Swatch } from './look.tsx';
import styles from './Paper.module.css';
import { isRounded, policyOf } from './policies.ts';
import type { Pair } from './showable.ts';

/** Names of policies in the worker: two films at once must not share one. */
let asked = 0;

async function sideOf(card: JudgedCard, forms: readonly ArmForm[], { id, script }: Arm): Promise<Side> {
  const form = forms.find(({ arm }) => arm.id === id);
  if (form === undefined) throw new Error(`There is no arm ${id}.`);
  const { env } = form.config;
  return { env, player: script ?? decodePolicyFile(await (await policyOf(card.id, id)).text()) };
}

async function film(card: JudgedCard, { one, other }: Pair): Promise<Parting> {
  const forms = await armsIn(card, 'full');
  const sides = [await sideOf(card, forms, one), await sideOf(card, forms, other)] as const;
  return parting(workers.player(), `parting ${asked++}`, sides);
}

interface Props {
  readonly card: JudgedCard;
  readonly pair: Pair;
}

export default function ShowParting({ card, pair }: Props) {
  const [found, setFound] = useState<Parting | null>(null);
  const [problem, setProblem] = useState('');
  const reduced = useReducedMotion();
  const [pressed, setPressed] = useState<boolean | null>(null);
  const playing = pressed ?? !reduced;
  const reel = useRef<Reel>(null);
  reel.current ??= new Reel(true);
  const clock = reel.current;
  clock.playing = playing;
  useEffect(() => {
    let live = true;
    film(card, pair).then(
      (made) => live && setFound(made),
      (error: unknown) => live && setProblem(failureText(toFailure(error))),
    );
    return () => {
      live = false;
    };
  }, [card, pair]);
  if (problem !== '') return <p role="alert">{problem}</p>;
  if (found === null) return <p role="status">{t('Both play from the same start: one moment.')}</p>;
  const arms = [pair.one, pair.other];
  return (
    <figure className={styles.parting} aria-label={t('What was found, played')}>
      <ul className={styles.scenes}>
        {found.clips.map((_, k) => (
          <li key={arms[k]?.id}>
            <Scene card={card} arm={arms[k]!} place={k} found={found} reel={clock} playing={playing} />
          </li>
        ))}
      </ul>
      <figcaption className={styles.quiet}>
        {partInWords(found)}{' '}
        {t('Each is the kept policy of the seed nearest to the middle, playing its best action: one episode, not the outcome.')}
        {arms.some(({ id }) => isRounded(card.id, id)) && ` ${t('Weights are rounded by at most 0.2 % so that they fit.')}`}
      </figcaption>
      <p>
        <Button icon={playing ? 'pause' : 'play'} onClick={() => setPressed(!playing)}>
          {playing ? t('Pause') : t('Play')}
        </Button>{' '}
        <Button icon="reset" onClick={() => clock.seek(0)}>
          {t('From where they part')}
        </Button>
      </p>
    </figure>
  );
}

/** Where the two part, as a sentence. */
function partInWords({ step, start, scaled }: Parting): string {
  if (step === null) return t('In none of the first 6 starts do they act differently; this is the first of them.');
  const where =
    step === 0
      ? t('From the same start (number {start}) they act differently at once.', { start })
      : tn(
          'From the same start (number {start}) they act alike for {n} step and then part.',
          'From the same start (number {start}) they act alike for {n} steps and then part.',
          step,
          { start },
        );
  return scaled ? `${where} ${t('Actions on a scale count as different from a tenth of it on.')}` : where;
}

interface SceneProps {
  readonly card: JudgedCard;
  readonly arm: Arm;
  readonly place: number;
  readonly found: Parting;
  readonly reel: Reel;
  readonly playing: boolean;
}

function Scene({ card, arm, place, found, reel, playing }: SceneProps) {
  const told = useRef<HTMLOutputElement>(null);
  const clip = found.clips[place]!;
  return (
    <>
      <Live
        reel={reel}
        playing={playing}
        eager
        name={arm.id}
        load={() => Promise.resolve(clip)}
        poster={null}
        label={arm.title}
        onFrame={(at) => {
          if (told.current === null || at === null) return;
          const step = at.clip.stepAt(at.t);
          const values = { step, n: measure(at.clip.returnAt(at.t), 3) };
          told.current.textContent =
            found.step !== null && step > found.step
              ? t('step {step}, parted: return {n}', values)
              : t('step {step}, alike so far: return {n}', values);
        }}
      />
      <p className={styles.playedName}>
        <Swatch arm={card.arms.indexOf(arm)} /> {arm.title}
      </p>
      <p className={styles.playedFacts}>
        <output ref={told} aria-live="off" />
      </p>
    </>
  );
}
