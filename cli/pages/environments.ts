/** environments.md, generated from the registry, the golden files, bench/results/envs.json and learn.json: nothing in it is typed by hand. */
import type { EnvCard, ReferenceReturn } from '#contract/catalog/catalog.ts';
import { type EnvFacts, envFacts } from '../../tools/facts/envs.ts';
import { canBeLearned, type Learned, readLearned } from '../../tools/facts/learned.ts';
import { number } from '../kit/output.ts';

const MILLION = 1e6;

/** Who a reference return belongs to, by its name. */
export function kindOf({ name }: ReferenceReturn): 'random' | 'published' | 'expert' | 'weak' {
  if (name === 'random') return 'random';
  // what is above uniform actions and does not do the task: no yardstick of skill
  if (name === 'random turns' || name === 'without looking') return 'weak';
  return /^(published|solved)/.test(name) ? 'published' : 'expert';
}

function returns(card: EnvCard, kind: ReturnType<typeof kindOf>): string {
  const found = card.references.filter((reference) => kindOf(reference) === kind);
  return (
    found
      .map(({ name, value }) => (kind === 'random' ? number(value) : `${number(value)} (${name.replace(/^published /, '')})`))
      .join('; ') || '–'
  );
}

function rate(facts: EnvFacts | undefined, batch: string): string {
  const value = facts?.rates?.[batch];
  return value === undefined ? '–' : (value / MILLION).toFixed(value >= 10 * MILLION ? 1 : 2);
}

function row(card: EnvCard, facts: EnvFacts | undefined): string {
  const { source } = card;
  const cite = `${source.authors} ${source.year}`;
  const cells = [
    `\`${card.id}\``,
    card.title,
    source.url === undefined ? cite : `[${cite}](${source.url})`,
    card.agents === 1 ? '1' : String(card.agents),
    facts === undefined || facts.goldenCases === 0 ? '–' : String(facts.goldenCases),
    ...['1', '64', '1024'].map((batch) => rate(facts, batch)),
    returns(card, 'random'),
    returns(card, 'expert'),
    returns(card, 'published'),
    card.policies.join(', ') || '–',
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function section(family: string, cards: readonly EnvCard[], facts: Readonly<Record<string, EnvFacts>>): string {
  return `## ${family}

| id | environment | source | agents | golden | M steps/s 1 | 64 | 1024 | random | expert | published | scripted |
| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- | --- | --- |
${cards
  .filter((card) => card.family === family)
  .map((card) => row(card, facts[card.id]))
  .join('\n')}
`;
}

/** Of `judged`: what stands behind a number that is no return. */
const OTHER_MEASURES = {
  'share of wins against random': ' of wins',
  exploitability: ' NashConv',
  'return against random': ' (*)',
} as const;

/** Anchor of a heading as GitHub and most renderers make it. */
const anchor = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replace(/\s/g, '-');

function learnedRow(card: EnvCard, found: Learned): string {
  const { algo, steps, offered, cpuSeconds, judged, reached, training, random, best, bestIs, fraction, seeds } = found;
  const unit = judged === 'return' ? '' : OTHER_MEASURES[judged];
  const cells = [
    `[${card.id}](#${anchor(card.family)})`,
    algo,
    number(steps) + (steps < offered ? ` of ${number(offered)}` : ''),
    String(seeds.length),
    (cpuSeconds / 2).toFixed(cpuSeconds < 20 ? 1 : 0),
    number(reached) + unit,
    number(training),
    number(random),
    best === null ? '–' : `${number(best)} (${bestIs})`,
    fraction === null ? '–' : `${Math.round(100 * fraction)} %`,
    card.learnNote ?? '',
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** What the workbench offers first, and what it reaches. */
export function learnedSection(cards: readonly EnvCard[], project: string): string {
  const results = readLearned(project);
  const rows = cards.flatMap((card) => {
    const found = results[card.id];
    return found === undefined ? [] : [learnedRow(card, found)];
  });
  const trained = cards.filter(canBeLearned);
  const left = trained.filter(({ id }) => results[id] === undefined).map(({ id }) => `\`${id}\``);
  return `## What is learned first

Measured by \`npm run rl -- learn all\`: what the workbench offers first for an environment, over all seeds given. *s on two cores*: CPU seconds of all
seeds together, halved. *reached*: mean of greedy test episodes, of the default preset. *NashConv*: what both players could gain by answering
best, 0 at an equilibrium. *of wins*: share of wins against random moves of the newest policy. (*): the side that is not scored acts at random,
for all three figures. *training*: mean return of the last 100 training episodes, where actions are drawn. *of the way*: from random to the best
known play; what stays below a quarter says why. Left out: where no agent decides anything, or nothing is rewarded.

${rows.length} of ${trained.length} environments in which something can be learned${left.length === 0 ? '' : `; not measured yet: ${left.join(', ')}`}.

| environment | method | steps | seeds | s on two cores | reached | training | random | best known | of the way | why |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- | ---: | --- |
${rows.join('\n')}
`;
}

export function environmentsPage(cards: readonly EnvCard[], project: string): string {
  const facts = envFacts(project);
  const golden = cards.reduce((sum, card) => sum + (facts[card.id]?.goldenCases ?? 0), 0);
  return `# Environments

Generated by \`npm run docs\` from the registry, the golden files, \`bench/results/envs.json\` and \`learn.json\`; do not edit. Each environment has
the same page in the workbench (the sign beside its name), with its observation, actions, state and settings.

${cards.length} environments, ${golden} golden cases. *golden*: cases of the reference that \`npm run rl -- golden\` replays here and the tests with it; where there are none, every rule
has a test of its own. *M steps/s*: millions of environment steps per second at a batch of 1, 64 and 1024 through the general interface, one
process (\`npm run bench -- envs\`; an environment that is newer than the measurement has a dash). Returns are undiscounted, of the
default preset unless the page of the environment says otherwise; *published* is what others reached, *solved* what its authors ask for.

${[...new Set(cards.map((card) => card.family))].map((family) => section(family, cards, facts)).join('\n')}
${learnedSection(cards, project)}`;
}
