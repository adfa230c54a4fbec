/**
 * Replays golden files about language models (lm-*.json): every case by the fields of its input, through what learners and environments
 * use themselves. A file is known by its cases, not by its name, so that new cases with other sizes, masks and prompts are taken as they are.
 */
import { fail } from '#contract/kit/errors.ts';
import type { Json, JsonObject } from '#contract/kit/json.ts';
import type { Engine } from '../../engine/types.ts';
import type { GoldenCase, GoldenReport } from '../golden.ts';
import { runBlocksCase } from './blocks.ts';
import { LmCase } from './case.ts';
import { runLossesCase } from './losses.ts';
import { runSamplingCase } from './sampling.ts';
import { runTasksCase } from './tasks.ts';

type Runner = (engine: Engine, c: LmCase) => void | Promise<void>;

/** By a word of the file's topic. */
const TOPICS: readonly (readonly [topic: RegExp, kind: string, run: Runner])[] = [
  [/decoder-only transformer/i, 'blocks', runBlocksCase],
  [/losses for language models/i, 'losses', runLossesCase],
  [/token sampling/i, 'sampling', runSamplingCase],
  [/verifiable token tasks/i, 'tasks', runTasksCase],
];

/** Whether this is a file of that kind. */
export function isLanguageModelFile(json: unknown): boolean {
  return typeof json === 'object' && json !== null && 'topic' in json && TOPICS.some(([topic]) => topic.test(String(json.topic)));
}

/** Throws LabError('file-invalid') for what is no such file. */
export async function runLanguageModelFile(json: unknown, engine: Engine): Promise<GoldenReport> {
  const file = (typeof json === 'object' && json !== null ? json : {}) as JsonObject;
  const topic = TOPICS.find(([words]) => words.test(String(file.topic)));
  if (topic === undefined || !Array.isArray(file.cases))
    throw fail('file-invalid', 'This is not a golden file about language models.', 'It needs a known "topic" and a list "cases".');
  const list = (file.cases as readonly Json[]).map((c) => c as JsonObject);
  const [, kind, run] = topic;
  const cases: GoldenCase[] = [];
  for (const json of list) {
    const base = { name: String(json.name), env: 'language model', kind, unchecked: [] };
    let c: LmCase | undefined;
    let broken: string[] = [];
    try {
      c = new LmCase(json, list);
      await run(engine, c);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      broken = [error.message];
    }
    const found = c?.outcome() ?? { compared: 0, largest: 0, where: '', failures: [] };
    const empty = found.compared === 0 && broken.length === 0 ? ['the case compares nothing'] : [];
    const failures = [...broken, ...found.failures, ...empty];
    cases.push({
      ...base,
      status: failures.length === 0 ? 'passed' : 'failed',
      compared: found.compared,
      largestError: found.largest,
      where: found.where,
      message: failures.slice(0, 10).join('\n'),
    });
  }
  const failed = cases.filter((c) => c.status === 'failed').length;
  return { reference: '', cases, passed: cases.length - failed, failed, skipped: 0, ok: failed === 0 };
}
