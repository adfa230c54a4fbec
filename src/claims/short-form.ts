/** What of a card runs in a tab within a minute: its quick form, or one seed of each arm. */
import { objectOf } from '#contract/kit/json.ts';
import { judgedFormOf, type PaperCard } from '#contract/papers/forms.ts';
import { armConfig, type JudgedCard, type QuickForm } from '#contract/papers/papers.ts';
import type { ArmResult } from '#contract/papers/results.ts';

/** Why a paper cannot be run in the page; '' where it can. */
export function whyNotHere({ id, arms }: JudgedCard): string {
  const data = arms.flatMap((arm) => arm.data ?? []);
  if (data.length > 0)
    return `It needs ${data.join(', ')}, which is not part of this page: npm run claims -- ${id} runs it where the file is.`;
  return '';
}

/** The short run of a card in the tab: its quick form, or one seed of each arm, which says nothing of the direction. */
export const shortForm = ({ quick }: JudgedCard): QuickForm => quick ?? { run: {}, seeds: 1 };

/** Core-seconds of the short run, by what the published runs took: a run of fewer steps takes its share. Runs that arms share count once. */
export function shortSeconds(paper: JudgedCard, arms: readonly ArmResult[]): number {
  const { run, seeds } = shortForm(paper);
  const each = paper.arms.map((arm) => {
    const ran = arms.find(({ id }) => id === arm.id);
    if (ran === undefined || arm.script !== undefined) return { config: '', seconds: 0 };
    const whole = objectOf(armConfig(paper, arm).run);
    const [full, short] = [Number(whole.steps), Number({ ...whole, ...run }.steps)];
    const share = full > 0 ? Math.min(1, short / full) : 1;
    return { config: ran.config, seconds: (share * seeds * ran.seconds) / Math.max(1, ran.scores.length) };
  });
  return each.reduce((sum, { config, seconds }, k) => sum + (each.findIndex((one) => one.config === config) === k ? seconds : 0), 0);
}

/** Whether something of a card runs in the page: its arms, or what there is to touch. */
export function runsHere(card: PaperCard): boolean {
  const ran = judgedFormOf(card);
  return ran !== null && whyNotHere(ran) === '';
}
