/** results.md and results/SUITE.md, generated from public/results: nothing in them is typed by hand. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { besideVerdict, checksOf } from '#claims/checks.ts';
import { pilotInWords, withPilot } from '#claims/pilot.ts';
import { parse } from '#contract/files/files.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { findingSaid, inEnglish, namesOf, written } from '#contract/papers/finding-words.ts';
import { labelsInWords, labelsOf } from '#contract/papers/labels.ts';
import { type JudgedCard, ruleHash } from '#contract/papers/papers.ts';
import { type ArmResult, type PaperResult, paperResultSchema } from '#contract/papers/results.ts';
import { upgrade } from '#contract/run/versions.ts';
import { getAlgo } from '#core/algos/all.ts';
import { getEnv } from '#core/envs/all.ts';
import { number } from '../kit/output.ts';
import { recordingsTable } from './recordings-table.ts';
import { formWithout, suitesOf, suiteTable } from './suite-table.ts';
import { cardOf } from './suites.ts';

const PAPERS = `Arms on the same fresh seeds, compared by contrasts of their interquartile means. Intervals are stratified bootstrap intervals, widened for
few seeds, for the looks (5, 10, 20 and 40 seeds, as many as stand on the card) and for several contrasts (\`src/math/rule.ts\`). *held*: clear of no effect and at least the
claimed size; *smaller*: clear of no effect; *reversed*: clear of it on the other side; *refuted*: the claimed size is excluded; *open*: none of these.`;

const QUANTITIES = `Returns are undiscounted. *finalReturn*: mean of the last 100 training episodes; *evalReturn*: mean over the
episodes of the experiment's config (\`run.evalEpisodes\`, 100 unless it says otherwise) on fixed seeds, the same for every training seed. Actions
are greedy, except where the method's policy is a distribution: FOLLOW with \`sampled\` (its default) and the mixtures of games draw them;
*bestReturn*: highest mean over 100 training episodes within the budget; *exactScore*: the greedy policy's expected return from the transition
table; *nashConv*: what both players of a game could gain by changing alone; *againstReturn*: the greedy policy's mean return against an
opponent it was not trained with; *sampledReturn*: mean return on the same fixed seeds with actions drawn by the policy's own chances;
*hypervolume*: what all trade-offs found dominate together; *netReturn*: mean of the last 100 training episodes less what their calls of a
central learner cost.`;

interface Versioned {
  readonly id: string;
  readonly version: number;
  readonly config: JsonObject;
}

/** Rules that have changed since a run of this environment and algorithm, in words; none: the run would be the same today. */
export function changedRules(ran: { readonly env: Versioned; readonly algo: Versioned | null }): readonly string[] {
  const env = getEnv(ran.env.id);
  const now = upgrade(env, ran.env.version, ran.env.config, 'env.version');
  const algo = ran.algo && upgrade(getAlgo(ran.algo.id), ran.algo.version, ran.algo.config, 'algo.version', env.meta(now.config));
  return [...now.changed, ...(algo?.changed ?? [])].map(({ what }) => what);
}

/** The same over all arms of a result, each change once. */
export const outdatedIn = ({ arms }: PaperResult): readonly string[] => [...new Set(arms.flatMap(changedRules))];

/** The results of papers in public/results/papers, by id. Throws LabError('file-invalid') for a file that is none. */
export function readPaperResults(project: string): readonly PaperResult[] {
  const folder = join(project, 'public/results/papers');
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.json')) : [];
  return files.sort().map((file) => parse(paperResultSchema, readFileSync(join(folder, file), 'utf8'), `a result (${file})`));
}

/** What of a paper's runs follows rules that have changed since. */
const olderArms = (arms: readonly ArmResult[]): readonly string[] =>
  arms.flatMap((arm) => changedRules(arm).map((what) => `- ${arm.id} was run under an older rule. Since then: ${what}`));

const armRow = ({ id, title, config, trials, steps, parameters, scores }: ArmResult): string =>
  `| ${id} | ${title} | \`${config}\` | ${number(steps)} | ${number(parameters)} | ${trials} | ${scores.map(number).join(', ')} |`;

/** Of a paper whose card has no outcome today: that what stands here is its earlier form, which was judged before. */
function aboutForm(id: string): string {
  const form = formWithout(id);
  return form === null
    ? ''
    : `The card of this paper is now of the form *${form}*, without a verdict: this comparison was judged before, in an earlier form.\n\n`;
}

/** What stands beside a verdict, and the checks that could not be made. Of a card that has changed since, that it has. */
export function aboutChecks(card: JudgedCard | undefined, result: PaperResult): string {
  if (card === undefined) return '';
  if (ruleHash(withPilot(card, result.pilot)) !== result.rule)
    return `The card of ${result.id} has changed since: this verdict is that of the form that ran. Run \`npm run claims -- ${result.id}\` for that of today.\n\n`;
  const missing = checksOf(card, result).filter(({ state }) => state === 'not run');
  const lines = [
    ...besideVerdict(card, result),
    ...(missing.length === 0 ? [] : [`Checks not run: ${missing.map(({ title, text }) => `${title} (${text})`).join('; ')}.`]),
  ];
  return lines.length === 0 ? '' : `${lines.join(' ')}\n\n`;
}

const ENGLISH = inEnglish(number);

/** Each finding as a sentence, under the name of its contrast; none where the card has changed since. */
function findingsInWords(card: JudgedCard | undefined, result: PaperResult): string {
  if (card === undefined || ruleHash(withPilot(card, result.pilot)) !== result.rule) return '';
  const lines = result.findings.flatMap((finding) => {
    const contrast = card.contrasts.find(({ id }) => id === finding.id);
    return contrast === undefined
      ? []
      : [`- *${contrast.id}*: ${written(findingSaid(contrast, finding, namesOf(card), ENGLISH), ENGLISH)}`];
  });
  return lines.length === 0 ? '' : `${lines.join('\n')}\n\n`;
}

function paperSection(result: PaperResult): string {
  const { findings, voids, exempt, seeds, machine, tunedOn } = result;
  const contrasts = findings.map(
    ({ id, estimate, low, high, level, state }) =>
      `| ${id} | ${number(estimate)} | ${number(low)} to ${number(high)} | ${number(100 * level)} % | ${state} |`,
  );
  const notes = [
    ...olderArms(result.arms),
    ...voids.map(({ text }) => `- void: ${text}`),
    ...exempt.map(({ check, arms, why }) => `- exempt from the check of ${check}: ${arms.join(', ')}; ${why}`),
  ];
  return `## ${result.id} ${result.title}

**${labelsInWords(labelsOf(result))}** on ${result.decidedOn} seeds an arm, rule \`${result.rule}\`. Quantity: ${result.quantity}.${result.wanted === null ? '' : ` ${result.wanted} seeds could decide.`}${result.because === '' ? '' : ` ${result.because}`}

${aboutForm(result.id)}${aboutChecks(cardOf(result.id), result)}${findingsInWords(cardOf(result.id), result)}| contrast | value | interval | level | |
| --- | ---: | ---: | ---: | --- |
${contrasts.join('\n')}

| arm | what | config | steps | parameters | trials | by seed |
| --- | --- | --- | ---: | ---: | ---: | --- |
${result.arms.map(armRow).join('\n')}

${notes.length > 0 ? `${notes.join('\n')}\n` : ''}- seeds ${seeds[0]} to ${seeds.at(-1)}; settings chosen on ${tunedOn === null ? 'none' : `${tunedOn[0]} to ${tunedOn[1]}`}
- ${pilotInWords(result.pilot)}
- commit \`${result.commit}\`, ${result.date.slice(0, 10)}, ${number(result.coreMinutes)} core minutes on ${machine.cpu} (${machine.runtime})
`;
}

/** results.md with what came out of all, and one document for each suite: name -> text. */
export function resultsPages(project: string): ReadonlyMap<string, string> {
  const suites = suitesOf(readPaperResults(project));
  const documents = suites.flatMap(({ name, title, results: ran }) => {
    const more = name === 'offline' ? recordingsTable(ran) : '';
    return ran.length === 0 ? [] : [{ name, title, text: `${more}${ran.map(paperSection).join('\n')}` }];
  });
  const sections = documents.map(({ name, title, text }): readonly [string, string] => [
    `results/${name}.md`,
    `# Results: ${title.charAt(0).toLowerCase()}${title.slice(1)}

Generated from the files in \`public/results\`; do not edit. How to read the numbers, and all verdicts: [results](../results.md).

${text}`,
  ]);
  const overview = `# Results

Generated from the files in \`public/results\`, which \`npm run claims\` writes; do not edit. Arms, intervals, seeds and checks stand in one
document for each suite: ${documents.map(({ name, title }) => `[${title}](results/${name}.md)`).join(', ')}.

${PAPERS}

${QUANTITIES}

${suites.map(suiteTable).join('')}`;
  return new Map([['results.md', overview], ...sections]);
}
