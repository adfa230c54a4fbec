/** What the method that trained a policy makes of a group of its answers, in words and numbers. Pure. */
import type { AnswerGroup, Comparison, GroupAnswer } from '#contract/run/tokens.ts';
import { t } from '#text/text.ts';
import { verdictOf } from './words.ts';

/** Of a group. */
export const meanReward = ({ answers }: Pick<AnswerGroup, 'answers'>): number =>
  answers.reduce((sum, { reward }) => sum + reward, 0) / answers.length;

export const isRight = ({ measures }: GroupAnswer): boolean => verdictOf(measures).kind === 'right';

export const rightOf = (answers: readonly GroupAnswer[]): number => answers.filter(isRight).length;

/** To two digits, 0 without a sign. */
export function plain(x: number): string {
  const digits = Math.abs(x).toFixed(2);
  return x < 0 && Number(digits) !== 0 ? `−${digits}` : digits;
}

/** What an answer weighs in an update, in a cell. */
export function weightOf(comparison: Comparison | null, { advantage, dropped }: GroupAnswer): string {
  if (comparison === null || advantage === null) return '';
  if (dropped) return t('left out');
  if (comparison === 'pairs') return advantage > 0 ? t('preferred') : t('other');
  const said = plain(advantage);
  return advantage > 0 && Number(said) !== 0 ? `+${said}` : said;
}

/** The largest advantage of a token of these answers, without its sign; null: their tokens have none of their own. */
export function mostOf(answers: readonly Pick<GroupAnswer, 'tokens'>[]): number | null {
  const found = answers.flatMap(({ tokens }) => tokens.flatMap(({ advantage }) => (advantage === undefined ? [] : [Math.abs(advantage)])));
  return found.length === 0 ? null : Math.max(...found, 1e-9);
}

/** What the method that trained the policy makes of a group. */
export function lessonOf({ comparison, answers }: Pick<AnswerGroup, 'comparison' | 'answers'>): string {
  if (comparison === null) return t('The method that trained this policy compares no answers with each other.');
  if (comparison === 'pairs')
    return answers.every(({ dropped }) => dropped)
      ? t('None earned more than another: there is no pair to learn from.')
      : t('Compared in pairs: the preferred answer of each becomes likelier than the other.');
  if (comparison === 'best')
    return answers.every(({ dropped }) => dropped) ? t('None earned anything: none is copied.') : t('The best answer alone is copied.');
  if (comparison === 'tokens')
    return t(
      'Each token has an advantage of its own: the reward that still came, less what the critic had predicted before it, by GAE with the settings of the run. Not yet whitened, and without a KL penalty.',
    );
  if (answers.every(({ advantage }) => advantage === 0)) return t('All are paid alike: nothing is learned from this prompt.');
  if (answers.every(({ dropped }) => dropped)) return t('The group is dropped from the averages: nothing is learned from this prompt.');
  return t('Answers with an advantage above 0 become likelier, those below it less likely.');
}
