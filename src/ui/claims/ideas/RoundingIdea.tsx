/** P101: how few values the weights of a trunk may take, learned so or rounded afterwards. The dial sets how many; the picture is the trunk itself. */
import { useEffect, useId, useRef, useState } from 'react';
import { scoreOfKept } from '#client/compare/ideas.ts';
import { decodePolicyFile } from '#contract/files/files.ts';
import { toFailure } from '#contract/kit/errors.ts';
import { cameOutOf, type IdeaCard } from '#contract/papers/forms.ts';
import type { JudgedCard } from '#contract/papers/papers.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { failureText } from '#ui/kit/format/failure.ts';
import { measure } from '#ui/kit/format/numbers.ts';
import { Predict } from '../Predict.tsx';
import { policyOf } from '../policies.ts';
import styles from './Ideas.module.css';
import { Measured } from './Measured.tsx';
import { bitsOf, LEVELS, type Levels, roundedPolicy, roundedWeights, trunkWeights } from './rounding.ts';

const FLOAT = 'cartpole-float';
const TERNARY = 'cartpole-ternary';
/** Three values as they were drawn: only the heads learned. */
const DRAWN = 'cartpole-drawn';
const EPISODES = 20;

interface Props {
  readonly card: IdeaCard;
  readonly judged: JudgedCard;
  readonly word: string | undefined;
}

interface Found {
  readonly levels: Levels;
  /** Learned with three values; rounded afterwards. */
  readonly values: readonly number[];
  readonly drawn: number;
}

export default function RoundingIdea({ card, judged, word }: Props) {
  const [levels, setLevels] = useState<Levels>(3);
  const [float, setFloat] = useState<PolicySnapshot | null>(null);
  const [first, setFirst] = useState<Found | null>(null);
  const [now, setNow] = useState<Found | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const run = async (): Promise<void> => {
    setBusy(true);
    setProblem('');
    try {
      const kept = async (id: string): Promise<PolicySnapshot> => decodePolicyFile(await (await policyOf(judged.id, id)).text());
      const play = async (id: string, policy: PolicySnapshot): Promise<number> => {
        const arm = judged.arms.find((one) => one.id === id);
        if (arm === undefined) throw new Error(`There is no arm ${id}.`);
        return scoreOfKept(judged, arm, policy, {}, EPISODES);
      };
      const learned = now?.values[0] ?? (await play(TERNARY, await kept(TERNARY)));
      const drawn = now?.drawn ?? (await play(DRAWN, await kept(DRAWN)));
      const before = float ?? (await kept(FLOAT));
      setFloat(before);
      const found = { levels, values: [learned, await play(FLOAT, roundedPolicy(before, levels))], drawn };
      setNow(found);
      setFirst((earlier) => earlier ?? found);
    } catch (error) {
      setProblem(failureText(toFailure(error)));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Predict
      paper={card.id}
      question={card.asked}
      word={word}
      came={first === null ? null : cameOutOf(card.asked, first.values)}
      shown={first !== null || problem !== ''}
      press={{ label: `Let both play ${EPISODES} episodes`, busy, go: () => void run() }}
    >
      {problem !== '' && <p role="alert">{problem}</p>}
      {now !== null && float !== null && (
        <div className={styles.touch}>
          <Measured
            rows={[
              { title: 'learned with three values', value: now.values[0] ?? null },
              { title: `rounded to ${inWords(now.levels)} afterwards`, value: now.values[1] ?? null },
              { title: 'three values as they were drawn, only the head learned', value: now.drawn },
            ]}
            measured={`${card.touch.measured}; mean of ${EPISODES} episodes of each kept policy`}
          />
          <p className={styles.quiet}>
            {t(
              'What this touch cannot tell: balancing a pole is too easy for this network. Rounded afterwards it keeps all 500 steps, too, also with a pole five times as heavy or half of the force; only a trunk that did not learn falls short. Whether a language model has to learn with three values is not asked here.',
            )}
          </p>
          <Dial levels={levels} busy={busy} same={levels === now.levels} onMove={setLevels} onGo={() => void run()} />
          <Weights snapshot={float} levels={levels} />
        </div>
      )}
    </Predict>
  );
}

const inWords = (levels: Levels): string => (levels === null ? 'nothing' : `${levels} values`);

interface DialProps {
  readonly levels: Levels;
  readonly busy: boolean;
  readonly same: boolean;
  readonly onMove: (levels: Levels) => void;
  readonly onGo: () => void;
}

function Dial({ levels, busy, same, onMove, onGo }: DialProps) {
  const id = useId();
  const said = levels === null ? 'any number, 32 bits' : `${levels} values, ${measure(bitsOf(levels), 3)} bits`;
  return (
    <div className={styles.dial}>
      <label htmlFor={id}>
        Touch it: what a weight of the rounded trunk may be <output>{said}</output>
      </label>
      <input
        id={id}
        type="range"
        min={0}
        max={LEVELS.length - 1}
        step={1}
        value={LEVELS.indexOf(levels)}
        aria-valuetext={said}
        onChange={(event) => onMove(LEVELS[Number(event.target.value)] ?? null)}
      />
      <p>
        <Button icon="play" disabled={busy || same} onClick={onGo}>
          {busy ? 'One moment' : 'Play again'}
        </Button>
      </p>
    </div>
  );
}

/** The second layer of the trunk as a picture, one pixel a weight: dark below 0, light above. */
function Weights({ snapshot, levels }: { readonly snapshot: PolicySnapshot; readonly levels: Levels }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const weights = trunkWeights(snapshot).at(-1)?.[1] ?? new Float32Array();
  const side = Math.max(1, Math.floor(Math.sqrt(weights.length)));
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (context == null) return;
    const rounded = roundedWeights(weights, levels);
    const scale = rounded.reduce((most, x) => Math.max(most, Math.abs(x)), 1e-9);
    const image = context.createImageData(side, side);
    for (let i = 0; i < side * side; i++) {
      const grey = Math.round(127.5 + (127.5 * (rounded[i] ?? 0)) / scale);
      image.data.set([grey, grey, grey, 255], 4 * i);
    }
    context.putImageData(image, 0, 0);
  }, [weights, levels, side]);
  return (
    <figure className={styles.measured}>
      <canvas
        ref={canvas}
        className={styles.weights}
        width={side}
        height={side}
        role="img"
        aria-label={`The ${side * side} weights of the second layer, one pixel each, rounded to ${inWords(levels)}.`}
      />
      <figcaption>
        The second layer of the trunk that learned with any numbers: {side} × {side} weights, dark below 0, light above.
      </figcaption>
    </figure>
  );
}
