/** The answers of one group as rows, the best paid first: tokens by their probability or their own advantage, verdict, reward, and what a rule makes of them. */
import type { EnvCard } from '#contract/catalog/catalog.ts';
import type { AnswerGroup, AnswerToken } from '#contract/run/tokens.ts';
import { t } from '#text/text.ts';
import { measure, percent } from '#ui/kit/format/numbers.ts';
import { isRight, mostOf, plain } from '../tokens/weighed.ts';
import { glyphOf, nameOf } from '../tokens/words.ts';
import styles from './GroupStage.module.css';
import { MarkButtons } from './Marking.tsx';
import { byReward, type Push } from './rules.ts';
import { Ticks } from './Ticks.tsx';

interface AnswersProps {
  readonly env: EnvCard;
  readonly group: AnswerGroup;
  /** By answer; null: the method compares none. */
  readonly pushes: readonly Push[] | null;
  /** Tokens are tinted by their own advantages, where they have them. */
  readonly byToken: boolean;
  /** The same answers as the policy of now would write them; null: they are its own. */
  readonly now: AnswerGroup | null;
  /** A person marks them; null: they are not marked. */
  readonly marking?: { readonly runId: string | null } | null;
}

export function Answers({ env, group, pushes, byToken, now, marking = null }: AnswersProps) {
  const strongest = byToken ? mostOf((now ?? group).answers) : null;
  const most = Math.max(...(pushes ?? []).map(({ token }) => Math.abs(token)), 1e-9);
  const least = Math.min(...[...group.answers, ...(now?.answers ?? [])].map(({ logProb }) => logProb ?? 0), -1);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <section className={styles.scroller} tabIndex={0} aria-label={t('Answers of the group, the best paid first')}>
      <table>
        <thead>
          <tr>
            {marking !== null && <th scope="col">{t('good or bad')}</th>}
            <th scope="col">{t('answer')}</th>
            <th scope="col">
              <span className="visually-hidden">{t('right or wrong')}</span>
            </th>
            <th scope="col">{t('reward')}</th>
            {pushes !== null && (
              <>
                <th scope="col" title={strongest === null ? undefined : t('mean over its tokens')}>
                  {t('advantage')}
                </th>
                <th scope="col" title={t('Advantage times the weight of a token in the loss')}>
                  {strongest === null ? t('push on each token') : t('mean over its tokens')}
                </th>
              </>
            )}
            {now !== null && <th scope="col">{t('probability then and now')}</th>}
          </tr>
        </thead>
        <tbody>
          {byReward(group).map((place) => {
            const answer = group.answers[place]!;
            const push = pushes?.[place];
            return (
              <tr key={place} data-right={isRight(answer) || undefined} data-dropped={push?.dropped || undefined}>
                {marking !== null && (
                  <td>
                    <MarkButtons env={env} answer={answer} runId={marking.runId} />
                  </td>
                )}
                <td>
                  <Written env={env} said={now?.answers[place]?.tokens ?? answer.tokens} strongest={strongest} />
                </td>
                <td>{isRight(answer) ? '✓' : '✗'}</td>
                <td>{plain(answer.reward)}</td>
                {push !== undefined && (
                  <>
                    <td>{push.dropped ? t('left out') : push.advantage === null ? '' : plain(push.advantage)}</td>
                    <td className={styles.push}>
                      <i data-sign={Math.sign(push.token)} style={{ inlineSize: `${(50 * Math.abs(push.token)) / most}%` }} />
                    </td>
                  </>
                )}
                {now !== null && (
                  <td className={styles.moved}>
                    <Ticks before={answer.logProb} after={now.answers[place]?.logProb ?? null} least={least} />
                  </td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

interface WrittenProps {
  readonly env: EnvCard;
  readonly said: readonly AnswerToken[];
  /** The largest advantage of a token; null: they are tinted by probability. */
  readonly strongest: number | null;
}

/** An answer, each token that the policy wrote tinted by how probable it was there, or by its advantage. */
function Written({ env, said, strongest }: WrittenProps) {
  return (
    <code className={styles.written} data-words={env.tokens?.words}>
      {said.map(({ id, logProb, advantage }, place) => {
        const p = logProb === null ? null : Math.exp(logProb);
        const own = strongest === null ? undefined : advantage;
        const tint = strongest === null ? p : own === undefined ? null : Math.abs(own) / strongest;
        const told = [
          ...(own === undefined ? [] : [t('advantage {advantage}', { advantage: plain(own) })]),
          ...(p === null ? [] : [percent(measure(100 * p, 2))]),
        ].join(', ');
        return (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: places of a row are what they are
            key={place}
            data-sign={own === undefined ? undefined : Math.sign(own)}
            style={tint === null ? undefined : ({ '--p': `${(100 * tint).toFixed(0)}%` } as object)}
            title={told === '' ? nameOf(env, id) : `${nameOf(env, id)}: ${told}`}
          >
            {glyphOf(env, id)}
          </span>
        );
      })}
    </code>
  );
}
