/** Arms trained in the tab in their quick form: curves as they grow, and what each got at the end. */
import { cameOutOf, type IdeaCard, type TrainedTouch } from '#contract/papers/forms.ts';
import type { JudgedCard } from '#contract/papers/papers.ts';
import { percent } from '#ui/kit/format/numbers.ts';
import { CurveFigure } from '../CurveFigure.tsx';
import { middleOf } from '../figures.ts';
import { Predict } from '../Predict.tsx';
import { usePaperRuns } from '../usePaperRuns.ts';
import styles from './Ideas.module.css';
import { Measured } from './Measured.tsx';

interface Props {
  readonly card: IdeaCard;
  readonly judged: JudgedCard;
  readonly touch: TrainedTouch;
  readonly word: string | undefined;
}

export function TrainedIdea({ card, judged, touch, word }: Props) {
  const { now, problem, start, resume } = usePaperRuns(judged, true);
  const arms = touch.players.flatMap(({ arm }) => now?.arms.find(({ id }) => id === arm) ?? []);
  const values = now?.done ? arms.map(({ scores }) => middleOf(scores)?.value ?? null) : touch.players.map(() => null);
  const started = now?.started ?? false;
  return (
    <Predict
      paper={card.id}
      question={card.asked}
      word={word}
      came={cameOutOf(card.asked, values)}
      shown={started}
      press={{
        label: 'Train them here: some seconds',
        busy: now === null || (started && !now.done && resume === null),
        go: resume ?? start,
      }}
    >
      {[problem, ...(now?.failures ?? [])].map((text) => text !== '' && <p key={text}>{text}</p>)}
      <div className={styles.touch}>
        {now !== null && !now.done && <p role="status">Training: {percent(Math.floor(100 * now.share))}.</p>}
        {now?.done && (
          <Measured
            rows={touch.players.map(({ title }, k) => ({ title, value: values[k] ?? null }))}
            measured={`${touch.measured}; middle of ${judged.quick?.seeds ?? 0} seeds, trained in this tab`}
          />
        )}
        <CurveFigure arms={arms} title={touch.measured} />
      </div>
    </Predict>
  );
}
