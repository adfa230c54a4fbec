/**
 * A report on explanations: one HTML page that asks the network for nothing, reads on paper, and carries its data. Charts are SVG made from
 * the numbers, sentences are those of explain-words.ts. The page and the command line write the same.
 */
import type { Counterfactual } from '#contract/explain/counterfactual.ts';
import type { AgentAttribution, FeatureAttribution } from '#contract/explain/explain.ts';
import type { Json } from '#contract/kit/json.ts';
import { compact, measure } from '#contract/kit/numbers.ts';
import { SEEDS_FOR_INTERVAL, summariseSeeds } from '#math/seeds.ts';
import { csv, findings, nameOf, provenance, withWidth } from './explain-words.ts';
import { chart, type Line, valueBars } from './report-charts.ts';

export interface ReportData {
  readonly title: string;
  /** ISO date. */
  readonly made: string;
  /** Whose values, in words: "seed 1 at step 200,000". */
  readonly about: string;
  /** What was run: environment, algorithm, run. */
  readonly config: Json;
  /** Learning curve, one line per seed. */
  readonly curve: {
    readonly title: string;
    readonly lines: readonly { readonly name: string; readonly x: ArrayLike<number>; readonly y: ArrayLike<number> }[];
  } | null;
  readonly agents: AgentAttribution | null;
  readonly training: readonly { readonly step: number; readonly answer: AgentAttribution }[];
  readonly features: { readonly t: number; readonly what: string; readonly of: FeatureAttribution } | null;
  readonly whatIf: { readonly t: number; readonly words: string; readonly verdict: string; readonly of: Counterfactual } | null;
  /** A picture of the scene as a data URL, and what it shows. */
  readonly picture: { readonly url: string; readonly words: string } | null;
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

const STYLE = `
:root{color-scheme:light dark;--ink:#1c2430;--muted:#5a6472;--line:#d5dae1;--paper:#fff;--neg:#c9762b;--pos:#2f6db3}
@media(prefers-color-scheme:dark){:root{--ink:#e6e9ee;--muted:#9aa4b2;--line:#3a424d;--paper:#161a20;--neg:#e39a55;--pos:#6ba4e0}}
@media print{:root{--ink:#000;--muted:#444;--line:#bbb;--paper:#fff;--neg:#b5651d;--pos:#1f5a9c}details{display:none}section{break-inside:avoid}}
body{margin:0 auto;padding:32px 20px;max-width:760px;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
h1{font-size:26px;line-height:1.2;margin:0 0 4px}h2{font-size:18px;margin:32px 0 8px}p,ul{margin:8px 0}small,.muted{color:var(--muted);font-size:13px}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}th,td{padding:4px 8px 4px 0;text-align:left;border-bottom:1px solid var(--line);font-weight:400}
td.n{text-align:right}svg{display:block;width:100%;height:auto}svg text{fill:var(--muted);font:11px system-ui,sans-serif}img{max-width:100%;border-radius:8px}
pre{overflow:auto;padding:12px;border:1px solid var(--line);border-radius:6px;font-size:12px}a{color:inherit}`;

const section = (title: string, body: string): string => `<section><h2>${escapeHtml(title)}</h2>${body}</section>`;
const paragraph = (text: string, quiet = false): string => `<p${quiet ? ' class="muted"' : ''}>${escapeHtml(text)}</p>`;
const link = (name: string, type: string, content: string): string =>
  `<a download="${name}" href="data:${type};charset=utf-8,${encodeURIComponent(content)}">${name}</a>`;

export function reportPage(data: ReportData): string {
  const { title, made, about, config, curve, agents, training, features, whatIf, picture } = data;
  const parts: string[] = [];
  if (picture !== null)
    parts.push(`<p><img src="${escapeHtml(picture.url)}" alt="${escapeHtml(picture.words)}"></p>${paragraph(picture.words, true)}`);
  if (agents !== null) parts.push(agentsSection(agents, about));
  const course = trainingSection(training);
  if (course !== null) parts.push(course);
  if (curve !== null && curve.lines.length > 0) {
    const lines: Line[] = curve.lines.map((line, i) => ({ ...line, colour: i, half: null }));
    const last = curve.lines.map(({ y }) => y[y.length - 1] ?? null);
    parts.push(section(`Learning curve: ${curve.title}`, paragraph(seedsSentence(last)) + chart(lines, 'environment steps')));
  }
  if (features !== null) parts.push(featuresSection(features));
  if (whatIf !== null)
    parts.push(
      section(
        'What if',
        paragraph(`From frame ${whatIf.t}, if ${whatIf.words}: ${whatIf.verdict}`) +
          paragraph(
            `${whatIf.of.asItWas.returns.length} continuations on each side, pairs by the same chances; as it was ${withWidth(whatIf.of.asItWas.mean, whatIf.of.asItWas.halfWidth)}, changed ${withWidth(whatIf.of.changed.mean, whatIf.of.changed.halfWidth)}.`,
            true,
          ),
      ),
    );
  parts.push(section('Set-up', `<pre>${escapeHtml(JSON.stringify(config, null, 2))}</pre>`));
  parts.push(section('Data', `<p>${dataLinks(data)}</p>`));
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body><header><h1>${escapeHtml(title)}</h1>${paragraph(`${about}. Made ${made.slice(0, 10)}.`, true)}</header>
${parts.join('\n')}
</body></html>
`;
}

/** The last value of every seed's curve in one sentence. */
function seedsSentence(last: readonly (number | null)[]): string {
  const { iqm, ci95 } = summariseSeeds(last);
  const n = `${last.length} ${last.length === 1 ? 'seed' : 'seeds'}`;
  if (iqm === null) return `Not every one of ${n} has a value yet.`;
  const interval =
    ci95 === null ? `no interval below ${SEEDS_FOR_INTERVAL} seeds` : `95\u00a0% interval ${measure(ci95[0], 4)} to ${measure(ci95[1], 4)}`;
  return `At the end of each curve: interquartile mean ${measure(iqm, 4)} over ${n}, ${interval}.`;
}

function agentsSection(agents: AgentAttribution, about: string): string {
  const rows = agents.players.map(
    (player, i) =>
      `<tr><th>${escapeHtml(nameOf(player))}</th><td class="n">${escapeHtml(withWidth(agents.value[i]!, agents.halfWidth[i]!))}</td></tr>`,
  );
  const sentences = findings(agents).map((sentence) => `<li>${escapeHtml(sentence)}</li>`);
  return section(
    'What each agent contributes',
    `<ul>${sentences.join('')}</ul>${valueBars(agents)}<table>${rows.join('')}</table>${paragraph(`${about}: ${provenance(agents)}. Intervals: 95\u00a0%.`, true)}`,
  );
}

/** null: one answer is no course. */
function trainingSection(training: ReportData['training']): string | null {
  const first = training[0];
  const last = training.at(-1);
  if (first === undefined || last === undefined || first === last) return null;
  const { players } = first.answer;
  const x = training.map(({ step }) => step);
  const lines: Line[] = players.map((player, i) => ({
    name: nameOf(player),
    x,
    y: training.map(({ answer }) => answer.value[i]!),
    half: training.map(({ answer }) => answer.halfWidth[i]!),
    colour: player.agent,
  }));
  const best = last.answer.value.indexOf(Math.max(...last.answer.value));
  const words = `From step ${compact(first.step)} to ${compact(last.step)} the return with all agents goes from ${measure(first.answer.vGrand, 3)} to ${measure(last.answer.vGrand, 3)}; ${nameOf(players[best]!)} ends highest, ${withWidth(first.answer.value[best]!, first.answer.halfWidth[best]!)} at first and ${withWidth(last.answer.value[best]!, last.answer.halfWidth[best]!)} at the end.`;
  return section('Over training', paragraph(words) + chart(lines, 'environment steps'));
}

const QUESTIONS = {
  behaviour: 'What it does rests on',
  prediction: 'What it expects rests on',
  outcome: 'What comes of it rests on',
} as const;
const MOST_FEATURES = 12;

function featuresSection({ t, what, of }: NonNullable<ReportData['features']>): string {
  const order = of.features
    .map((_, i) => i)
    .sort((a, b) => Math.abs(of.value[b]!) - Math.abs(of.value[a]!))
    .slice(0, MOST_FEATURES);
  const rows = order.map(
    (i) =>
      `<tr><th>${escapeHtml(of.features[i]!.name)}</th><td class="n">${escapeHtml(withWidth(of.value[i]!, of.halfWidth[i]!))}</td><td class="n">${escapeHtml(measure(of.occlusion?.[i], 2))}</td></tr>`,
  );
  const top = of.features[order[0]!]!.name;
  return section(
    QUESTIONS[of.question.about],
    `${paragraph(`Frame ${t}: ${what} is ${measure(of.output, 3)}, against ${measure(of.base, 3)} with what it sees at other moments. ${top} matters most.`)}<table><tr><th>seen</th><td class="n">share</td><td class="n">alone</td></tr>${rows.join('')}</table>${paragraph(`${of.question.method === 'kernel' ? 'KernelSHAP' : 'Orders and their reverses'}, ${of.draws} draws against ${of.background} other moments; sum check ${Math.abs(of.efficiencyGap).toExponential(0)}.`, true)}`,
  );
}

function dataLinks(data: ReportData): string {
  const { picture: _, whatIf, ...rest } = data;
  const flat = {
    ...rest,
    curve: data.curve && {
      ...data.curve,
      lines: data.curve.lines.map((line) => ({ ...line, x: Array.from(line.x), y: Array.from(line.y) })),
    },
    // replays are long and can be made again
    whatIf: whatIf && { t: whatIf.t, words: whatIf.words, asItWas: whatIf.of.asItWas.returns, changed: whatIf.of.changed.returns },
  };
  const links = [link('report.json', 'application/json', JSON.stringify(flat, null, 1))];
  if (data.agents !== null) links.push(link('agents.csv', 'text/csv', csv(data.agents)));
  if (data.training.length > 0) links.push(link('training.csv', 'text/csv', trainingCsv(data.training)));
  return links.join(' · ');
}

/** One row per point and agent. */
export function trainingCsv(training: ReportData['training']): string {
  const rows = training.flatMap(({ step, answer }) =>
    answer.players.map(({ agent, name }, i) =>
      [step, agent, `"${name.replaceAll('"', '""')}"`, answer.value[i], answer.halfWidth[i], answer.vEmpty, answer.vGrand].join(','),
    ),
  );
  return `step,agent,name,value,half_width_95,none,all\n${rows.join('\n')}\n`;
}
