/** The question of a paper: answered before the press, kept, and shown beside what came out. A class hands it in as a code. */
import { type ReactNode, useId } from 'react';
import { spelled } from '#contract/link/code.ts';
import { encodePrediction } from '#contract/link/prediction.ts';
import { saltOf } from '#lessons/result.ts';
import { Button } from '#ui/kit/Button.tsx';
import { copy } from '#ui/kit/save.ts';
import styles from './Predict.module.css';
import { type Question, useKept, usePredictions } from './predictions.ts';

interface Props {
  readonly paper: string;
  readonly question: Question;
  /** The word of the class, from the address; undefined: none. */
  readonly word: string | undefined;
  /** The choice that came out; null: nothing yet. */
  readonly came: number | null;
  /** Whether what came out may be seen: after the press. */
  readonly shown: boolean;
  /** What is pressed once a choice was made. */
  readonly press: { readonly label: string; readonly busy: boolean; readonly go: () => void };
  /** What stands below when it is shown: numbers. */
  readonly children?: ReactNode;
}

export function Predict({ paper, question: { ask, choices }, word, came, shown, press, children }: Props) {
  const name = useId();
  const said = useKept(paper);
  const { predict } = usePredictions();
  const told = shown && came !== null;
  return (
    <section className={styles.predict} aria-labelledby={`${name}-ask`}>
      <h2 id={`${name}-ask`}>{told ? 'Predicted and found' : 'First, your prediction'}</h2>
      <fieldset>
        <legend>{ask}</legend>
        {choices.map((choice, k) => (
          <label
            key={choice}
            className={styles.choice}
            data-came={(told && came === k) || undefined}
            data-said={said?.choice === k || undefined}
          >
            <input type="radio" name={name} checked={said?.choice === k} disabled={told} onChange={() => predict(paper, k)} />
            <span>{choice}</span>
            {told && said?.choice === k && <span className={styles.tag}>you said</span>}
            {told && came === k && (
              <span className={styles.tag} data-kind="came">
                came out
              </span>
            )}
          </label>
        ))}
      </fieldset>
      {told ? (
        <p role="status">
          {said === undefined
            ? 'You made no prediction.'
            : said.choice === came
              ? 'What you predicted is what came out.'
              : `You said “${choices[said.choice] ?? ''}”; what came out is “${choices[came] ?? ''}”.`}
        </p>
      ) : (
        <p className={styles.row}>
          <Button kind="solid" icon="play" disabled={said === undefined || press.busy} onClick={press.go}>
            {press.busy ? 'One moment' : press.label}
          </Button>
          {said === undefined && !press.busy && (
            <Button onClick={press.go} kind="quiet">
              Without a prediction
            </Button>
          )}
        </p>
      )}
      {shown && children}
      {said !== undefined && <HandIn paper={paper} choices={choices.length} choice={said.choice} mark={said.mark} word={word} />}
    </section>
  );
}

interface HandInProps {
  readonly paper: string;
  readonly choices: number;
  readonly choice: number;
  readonly mark: number;
  readonly word: string | undefined;
}

/** The prediction as a code, for the class page of this paper. Only a visitor who came by a class's link sees it at once. */
function HandIn({ paper, choices, choice, mark, word }: HandInProps) {
  if (!/^P\d{3}$/.test(paper)) return null;
  const code = spelled(encodePrediction({ paper, choices, choice, salt: saltOf(word) ?? 0, mark }));
  return (
    <details className={styles.code} open={word !== undefined || undefined}>
      <summary>Hand in to a class</summary>
      <p className={styles.row}>
        <input type="text" readOnly aria-label="Code of your prediction" value={code} onFocus={(event) => event.target.select()} />
        <Button icon="copy" onClick={() => void copy(code, 'Code')}>
          Copy
        </Button>
      </p>
      <p className={styles.quiet}>
        Your choice and no name. <a href={`#/class/${paper.toLowerCase()}`}>The page of the class</a> counts such codes.
      </p>
    </details>
  );
}
