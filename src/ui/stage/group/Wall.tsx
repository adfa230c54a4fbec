/** Sixteen groups at once, a small bar each: answers that are right are full, others as dark as they are paid; groups that are paid alike, which teach nothing, are grey. */
import type { EnvCard } from '#contract/catalog/catalog.ts';
import type { AnswerGroup } from '#contract/run/tokens.ts';
import { isUniform } from '#math/groups.ts';
import { t } from '#text/text.ts';
import { isRight, rightOf } from '../tokens/weighed.ts';
import { glyphsOf } from '../tokens/words.ts';
import styles from './GroupStage.module.css';
import { byReward } from './rules.ts';

interface WallProps {
  readonly env: EnvCard;
  readonly groups: readonly AnswerGroup[];
  readonly picked: number;
  readonly onPick: (place: number) => void;
}

/** All answers of it earned the same. */
const uniform = ({ answers }: AnswerGroup): boolean =>
  isUniform(
    answers.map(({ reward }) => reward),
    0,
    answers.length,
  );

export function Wall({ env, groups, picked, onPick }: WallProps) {
  const most = Math.max(...groups.flatMap(({ answers }) => answers.map(({ reward }) => reward)), 1e-9);
  return (
    <ul className={styles.wall} aria-label={t('Groups of this policy')}>
      {groups.map((group, place) => {
        const { answers, prompt } = group;
        const right = rightOf(answers);
        const alike = group.comparison !== 'tokens' && uniform(group);
        const counted = t('{right} of {count} answers are right', { right, count: answers.length });
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: places of the wall are what they are
          <li key={place}>
            <button
              type="button"
              aria-pressed={place === picked}
              data-alike={alike || undefined}
              onClick={() => onPick(place)}
              title={alike ? `${counted}. ${t('All are paid alike: nothing is learned from this prompt.')}` : counted}
            >
              <code>{glyphsOf(env, prompt)}</code>
              <span className="visually-hidden">
                {counted}
                {alike && `. ${t('All are paid alike: nothing is learned from this prompt.')}`}
              </span>
              <i aria-hidden="true">
                {byReward(group).map((one) => (
                  <b
                    key={one}
                    data-right={isRight(answers[one]!) || undefined}
                    style={{ '--paid': `${(60 * Math.max(0, answers[one]!.reward)) / most}%` } as object}
                  />
                ))}
              </i>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
