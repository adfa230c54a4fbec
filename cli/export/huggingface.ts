/**
 * A folder as model hubs take it: model, policy, config, and a README.md that begins with metadata in YAML. Values there are written as JSON, which is
 * YAML too, so nothing in a title can break out of its line. Uploading is left to the hub's own tools.
 */

import type { Summary } from '#contract/files/files.ts';
import { canonicalJson } from '#contract/kit/canonical.ts';
import { ownJson } from '#contract/kit/json.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { configHash } from '#contract/run/config-hash.ts';
import type { OnnxFile } from '#contract/session/onnx.ts';
import { onnxPython, portText } from '#contract/session/onnx.ts';
import { number, table } from '../kit/output.ts';

export interface ModelCard {
  readonly config: RunConfig;
  readonly summary: Summary;
  /** The seed whose policy it is. */
  readonly seed: number;
  readonly titles: { readonly env: string; readonly algo: string };
  /** Hash of a link of the page, `#` included; null: its config is too long for one. */
  readonly link: string | null;
  /** null: this policy has no such form, which `why` says. */
  readonly onnx: OnnxFile | null;
  readonly why: string | null;
  /** Name of the film beside it; null: there is none. */
  readonly film: string | null;
  readonly version: string;
}

/** The seed whose evaluation is in the middle; of two, the lower. Throws where none was evaluated. */
export function middleSeed({ seeds }: Summary): number {
  const scored = seeds
    .flatMap(({ seed, evalReturn }) => (evalReturn === null ? [] : [{ seed, evalReturn }]))
    .sort((a, b) => a.evalReturn - b.evalReturn || a.seed - b.seed);
  const middle = scored[Math.floor((scored.length - 1) / 2)];
  if (middle === undefined) throw new Error('no seed was evaluated');
  return middle.seed;
}

/** The first lines of the card, between rules of three dashes. */
export function metadata({ config, summary, titles, film }: ModelCard): string {
  const { evalReturn } = summary.iqm;
  const spread = summary.ci95.evalReturn;
  const value = `${number(evalReturn)}${spread === null ? '' : ` [${spread.map(number).join(', ')}]`}`;
  const fields: readonly (readonly [string, unknown])[] = [
    ['library_name', 'rl-workbench'],
    ['pipeline_tag', 'reinforcement-learning'],
    ['tags', ['reinforcement-learning', 'deep-reinforcement-learning', 'onnx', config.env.id, config.algo.id]],
    [
      'model-index',
      [
        {
          name: `${titles.algo} on ${titles.env}`,
          results: [
            {
              task: { type: 'reinforcement-learning', name: 'reinforcement-learning' },
              dataset: { name: titles.env, type: config.env.id },
              metrics: [
                { type: 'mean_reward', name: `interquartile mean of ${summary.seeds.length} seeds, 95 % interval`, value, verified: false },
              ],
            },
          ],
        },
      ],
    ],
    ...(film === null ? [] : ([['thumbnail', film]] as const)),
  ];
  return ['---', ...fields.map(([name, given]) => `${name}: ${JSON.stringify(given)}`), '---'].join('\n');
}

/** README.md. */
export function modelCard(card: ModelCard): string {
  const { config, summary, seed, titles, link, onnx, why, film, version } = card;
  const rows = summary.seeds.map((one) => [
    one.seed === seed ? `${one.seed} (this one)` : String(one.seed),
    number(one.finalReturn),
    number(one.evalReturn),
    number(one.steps),
    one.parameterHash,
  ]);
  const interval = summary.ci95.evalReturn;
  const score = `${number(summary.iqm.evalReturn)}${interval === null ? ' (no interval below five seeds)' : ` (95 % interval ${interval.map(number).join(' to ')})`}`;
  return `${metadata(card)}

# ${titles.algo} on ${titles.env}

Trained with the RL Workbench ${version}: ${number(config.run.steps)} environment steps for each of ${config.run.seeds} seeds. Greedy evaluation of
${config.run.evalEpisodes} episodes a seed: an interquartile mean of **${score}**. The policy here is that of seed ${seed}, whose evaluation is the middle one.
${film === null ? '' : `\n![An episode](${film})\n`}
## Scores

\`\`\`
${table(['seed', 'final return', 'eval return', 'steps', 'parameters'], rows)}
\`\`\`

*parameters* is a checksum of all that was learned: the same config and seed give the same one on every machine (executor \`${config.run.executor}\`).

## Again

Config hash \`${configHash(config)}\`; the whole config is in \`run.json\`.

\`\`\`
npm run rl -- train --config run.json
\`\`\`
${link === null ? '' : `\nOn the page of any copy of the workbench: \`${link}\`\n`}
## Use

${
  onnx === null
    ? `There is no ONNX model: ${why ?? ''} \`policy.json\` is the workbench's own form: \`npm run rl -- evaluate --policy policy.json\`.`
    : `Inputs ${onnx.inputs.map(portText).join(', ')}; outputs ${onnx.outputs.map(portText).join(', ')}.\n\n\`\`\`python\n${onnxPython(onnx, 'policy.onnx').trim()}\n\`\`\``
}

## Settings

\`\`\`json
${JSON.stringify(ownJson(canonicalJson({ env: config.env, algo: config.algo })), null, 2)}
\`\`\`
`;
}
