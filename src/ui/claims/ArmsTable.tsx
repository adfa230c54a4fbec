/** The arms of a paper: what differs, what they got, what they cost, and the way to each in the laboratory. */
import { useEffect, useState } from 'react';
import { type ArmForm, armsIn } from '#client/compare/papers.ts';
import { files } from '#client/files/service.ts';
import { linkHashOf } from '#client/links/writing.ts';
import { runs } from '#client/runs/service.ts';
import type { Arm, JudgedCard } from '#contract/papers/papers.ts';
import type { ArmResult } from '#contract/papers/results.ts';
import { Button } from '#ui/kit/Button.tsx';
import { compact, measure } from '#ui/kit/format/numbers.ts';
import { toast } from '#ui/kit/toasts.ts';
import { middleOf } from './figures.ts';
import { Swatch } from './look.tsx';
import styles from './Paper.module.css';
import { hasPolicy, policyOf } from './policies.ts';
import { useTitles } from './titles.ts';
import { differsInWords } from './words.ts';

interface Props {
  readonly card: JudgedCard;
  /** Empty where nothing was run. */
  readonly arms: readonly ArmResult[];
}

export function ArmsTable({ card, arms }: Props) {
  const title = useTitles();
  const forms = useArms(card);
  return (
    <div className={styles.wide}>
      <table className={styles.arms}>
        <thead>
          <tr>
            <th scope="col">arm</th>
            <th scope="col">what differs</th>
            <th scope="col">{card.quantity.title}</th>
            <th scope="col">steps</th>
            <th scope="col">parameters</th>
            <th scope="col">tried</th>
            <th scope="col">config</th>
            <th scope="col">
              <span className="visually-hidden">Change it</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {card.arms.map((arm, k) => {
            const result = arms.find(({ id }) => id === arm.id);
            const middle = result === undefined ? null : middleOf(result.scores);
            const seeds = result?.scores.filter((score) => score !== null).length ?? 0;
            const differs = differsInWords(arm, title, card.arms);
            return (
              <tr key={arm.id}>
                <th scope="row">
                  <Swatch arm={k} /> {arm.title}
                </th>
                <td data-name="differs">{differs.length === 0 ? 'nothing: the shared settings' : differs.join(', ')}</td>
                <td data-name="got">
                  {middle === null ? (
                    '–'
                  ) : (
                    <>
                      <b>{measure(middle.value)}</b> {arm.quantity !== undefined && `${arm.quantity.title} `}
                      <small>
                        {seeds > 1 && `${measure(middle.low)} to ${measure(middle.high)}, `}
                        {seeds} {seeds === 1 ? 'seed' : 'seeds'}
                      </small>
                    </>
                  )}
                </td>
                <td data-name="steps" data-none={result?.steps == null ? '' : undefined}>
                  {result?.steps == null ? '–' : compact(result.steps)}
                </td>
                <td data-name="parameters" data-none={result?.parameters == null ? '' : undefined}>
                  {result?.parameters == null ? '–' : compact(result.parameters)}
                </td>
                <td data-name="tried" data-none={arm.script === undefined ? undefined : ''}>
                  {arm.script === undefined ? arm.trials : '–'}
                </td>
                <td data-name="config">
                  <code>{result?.config ?? forms?.[k]?.hash ?? ''}</code>
                </td>
                <td>{arm.script === undefined && <Ways paper={card.id} arm={arm} form={forms?.[k]} />}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** The arms in their full form; null while the core fills in the defaults. */
export function useArms(card: JudgedCard): readonly ArmForm[] | null {
  const [forms, setForms] = useState<readonly ArmForm[] | null>(null);
  useEffect(() => {
    let live = true;
    armsIn(card, 'full').then(
      (found) => live && setForms(found),
      () => undefined, // a config that cannot be is told where it is run
    );
    return () => {
      live = false;
    };
  }, [card]);
  return forms;
}

interface WaysProps {
  readonly paper: string;
  readonly arm: Arm;
  readonly form: ArmForm | undefined;
}

/** To play what the arm learned, to train it anew, to open it and change something. */
function Ways({ paper, arm: { id, title }, form }: WaysProps) {
  const hash = form === undefined ? null : linkHashOf(form.config);
  const watch = async (): Promise<void> => {
    try {
      await files.watch(await policyOf(paper, id));
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error), { tone: 'caution' });
    }
  };
  return (
    <span className={styles.ways}>
      {hasPolicy(paper, id) && (
        <Button icon="eye" aria-label={`Watch what it learned: ${title}`} onClick={() => void watch()}>
          Watch
        </Button>
      )}
      <Button
        icon="play"
        disabled={form === undefined}
        aria-label={`Train live: ${title}`}
        onClick={() => form && void runs.learn(form.config)}
      >
        Train live
      </Button>
      {hash !== null && (
        <a href={hash} aria-label={`Open in the workbench: ${title}`}>
          Open
        </a>
      )}
    </span>
  );
}
