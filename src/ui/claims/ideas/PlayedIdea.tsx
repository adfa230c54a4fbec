/** Kept policies play side by side in a world that a dial changes: what each gets, at the dial's place. */
import { useId, useState } from 'react';
import { scoreOfKept } from '#client/compare/ideas.ts';
import { decodePolicyFile } from '#contract/files/files.ts';
import { toFailure } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { cameOutOf, type IdeaCard, type PlayedTouch } from '#contract/papers/forms.ts';
import type { JudgedCard } from '#contract/papers/papers.ts';
import { Button } from '#ui/kit/Button.tsx';
import { failureText } from '#ui/kit/format/failure.ts';
import { measure } from '#ui/kit/format/numbers.ts';
import { Predict } from '../Predict.tsx';
import { policyOf } from '../policies.ts';
import styles from './Ideas.module.css';
import { Measured } from './Measured.tsx';

interface Props {
  readonly card: IdeaCard;
  readonly judged: JudgedCard;
  readonly touch: PlayedTouch;
  readonly word: string | undefined;
}

/** What was measured, and at which place of the dial. */
interface Found {
  readonly at: number | null;
  readonly values: readonly number[];
}

export function PlayedIdea({ card, judged, touch, word }: Props) {
  const [at, setAt] = useState(touch.dial?.start ?? null);
  const [first, setFirst] = useState<Found | null>(null);
  const [now, setNow] = useState<Found | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const run = async (place: number | null): Promise<void> => {
    setBusy(true);
    setProblem('');
    try {
      const change: JsonObject = { ...touch.world, ...(touch.dial !== null && place !== null && { [touch.dial.key]: place }) };
      const values: number[] = [];
      for (const { arm: id } of touch.players) {
        const arm = judged.arms.find((one) => one.id === id);
        if (arm === undefined) throw new Error(`There is no arm ${id}.`);
        const snapshot = decodePolicyFile(await (await policyOf(judged.id, id)).text());
        values.push(await scoreOfKept(judged, arm, snapshot, change, touch.episodes));
      }
      const found = { at: place, values };
      setNow(found);
      setFirst((before) => before ?? found);
    } catch (error) {
      setProblem(failureText(toFailure(error)));
    } finally {
      setBusy(false);
    }
  };
  const rows = touch.players.map(({ title }, k) => ({ title, value: now?.values[k] ?? null }));
  return (
    <Predict
      paper={card.id}
      question={card.asked}
      word={word}
      came={first === null ? null : cameOutOf(card.asked, first.values)}
      shown={first !== null || problem !== ''}
      press={{ label: `Let them play ${touch.episodes} episodes each`, busy, go: () => void run(at) }}
    >
      {problem !== '' && <p role="alert">{problem}</p>}
      {now !== null && (
        <div className={styles.touch}>
          <Measured
            rows={rows}
            measured={`${touch.measured}; mean of ${touch.episodes} episodes of each kept policy, those of the seed nearest to the middle`}
          />
          {touch.dial !== null && at !== null && (
            <Dial dial={touch.dial} at={at} measuredAt={now.at} busy={busy} onMove={setAt} onGo={() => void run(at)} />
          )}
        </div>
      )}
    </Predict>
  );
}

interface DialProps {
  readonly dial: NonNullable<PlayedTouch['dial']>;
  readonly at: number;
  /** Where the numbers above were measured. */
  readonly measuredAt: number | null;
  readonly busy: boolean;
  readonly onMove: (value: number) => void;
  readonly onGo: () => void;
}

function Dial({ dial: { title, values }, at, measuredAt, busy, onMove, onGo }: DialProps) {
  const id = useId();
  return (
    <div className={styles.dial}>
      <label htmlFor={id}>
        Touch it: {title} <output>{measure(at)}</output>
      </label>
      <input
        id={id}
        type="range"
        min={0}
        max={values.length - 1}
        step={1}
        value={values.indexOf(at)}
        aria-valuetext={measure(at)}
        onChange={(event) => onMove(values[Number(event.target.value)] ?? at)}
      />
      <p>
        <Button icon="play" disabled={busy || at === measuredAt} onClick={onGo}>
          {busy ? 'One moment' : `Play again at ${measure(at)}`}
        </Button>
      </p>
      {measuredAt !== null && <p className={styles.quiet}>The bars above were measured at {measure(measuredAt)}.</p>}
    </div>
  );
}
