/**
 * One claim and what running it gave: `public/results/<id>.json`, written by `npm run claims`, shown by the page and by
 * docs/results.md. A claim that is not met stays visible as "not reproduced".
 */
import { z } from 'zod';
import { iqm, mean, median } from '#math/stats.ts';
import { executorSchema } from './config.ts';
import type { Json } from './json.ts';

const source = z.object({ title: z.string(), authors: z.string(), year: z.int(), url: z.string().optional() });
const ref = z.object({
  id: z.string().min(1),
  version: z.int().min(1),
  config: z.record(z.string(), z.json() as z.ZodType<Json>),
});

/**
 * How the numbers of all seeds become one, and what that one must reach. `every`: each seed must pass. Per seed, `evalReturn` and
 * `finalReturn` are those of SeedResult; `bestReturn` is the highest mean over 100 training episodes that the run reached;
 * `exactScore` the greedy policy's expected return, computed from the environment's transition table at its step limit;
 * `nashConv` what both players could gain by changing alone, as the run last measured it; `againstReturn` the mean return of the greedy
 * policy in the environment that the card names in `against`; `sampledReturn` that of episodes on the evaluation's seeds in which actions
 * are drawn by the policy's own chances; `hypervolume` what all trade-offs dominate together, as the run last measured it; `netReturn` the
 * mean of the last 100 training episodes less what their calls of a central learner cost.
 */
export const expectationSchema = z.object({
  metric: z.enum([
    'evalReturn',
    'finalReturn',
    'bestReturn',
    'exactScore',
    'nashConv',
    'againstReturn',
    'sampledReturn',
    'hypervolume',
    'netReturn',
    'explained',
  ]),
  statistic: z.enum(['iqm', 'median', 'mean', 'every']),
  min: z.number().optional(),
  max: z.number().optional(),
});
export type Expectation = z.infer<typeof expectationSchema>;

export const seedValueSchema = z.object({
  seed: z.int().min(0),
  /** The metric of `expect`; null: the seed did not finish or measured nothing. */
  value: z.number().nullable(),
  finalReturn: z.number().nullable(),
  evalReturn: z.number().nullable(),
  /** Greedy return against the card's rival, where it has one. */
  rivalReturn: z.number().nullable().optional(),
  /** Pairs of agents whose ranks were compared, where `explained` is about ranks. */
  pairs: z.int().min(0).optional(),
  evalLoops: z.int().min(0),
  steps: z.int().min(0),
  seconds: z.number().min(0),
  parameterHash: z.string(),
});

export const resultSchema = z.object({
  v: z.literal(1),
  id: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  title: z.string(),
  /** One sentence that a run can refute. */
  claim: z.string(),
  source: source.nullable(),
  /** What the source published, in its words and unit; null: a claim of our own. */
  published: z.object({ value: z.number(), text: z.string() }).nullable(),
  env: ref,
  algo: ref,
  /** First 12 hex of the SHA-256 of the canonical run config. */
  config: z.string().regex(/^[0-9a-f]{12}$/),
  executor: executorSchema,
  /** Commit of the working tree that ran; "+" at the end: with uncommitted changes. */
  commit: z.string(),
  date: z.iso.datetime(),
  machine: z.object({ cpu: z.string(), cores: z.int().min(1), os: z.string(), runtime: z.string() }),
  seeds: z.array(seedValueSchema).min(1),
  iqm: z.number().nullable(),
  /** 95 % stratified bootstrap interval of the IQM; null below five seeds. */
  ci95: z.tuple([z.number(), z.number()]).nullable(),
  /** The number that `expect` judges. */
  measured: z.number().nullable(),
  coreMinutes: z.number().min(0),
  /** Reported, not judged: the same policies against one that was trained first and frozen. */
  rival: z
    .object({
      experiment: z.string(),
      name: z.string(),
      seed: z.int().min(0),
      parameterHash: z.string(),
      iqm: z.number().nullable(),
      ci95: z.tuple([z.number(), z.number()]).nullable(),
    })
    .optional(),
  /** Files from outside the project that it ran with, by the SHA-256 of their bytes. */
  data: z.array(z.object({ name: z.string(), sha256: z.string().regex(/^[0-9a-f]{64}$/) })).optional(),
  /** Environment steps per seed. */
  budget: z.int().min(0),
  expect: expectationSchema,
  verdict: z.enum(['reproduced', 'not reproduced', 'inconclusive']),
});
export type Result = z.infer<typeof resultSchema>;

/** The number `expect` is about: for 'every', the worst seed. null: some seed measured nothing, or there are none. */
export function measure(expect: Expectation, values: readonly (number | null)[]): number | null {
  if (values.length === 0 || values.some((value) => value === null)) return null;
  const known = values as readonly number[];
  switch (expect.statistic) {
    case 'iqm':
      return iqm(known);
    case 'mean':
      return mean(known.toSorted((a, b) => a - b)); // in one order, so that the order of seeds changes no digit
    case 'median':
      return median(known);
    case 'every':
      return expect.min !== undefined ? Math.min(...known) : Math.max(...known);
  }
}

/** Reproduced when the measured number is inside the expected range; inconclusive below five seeds or when a seed is missing. */
export function judge(expect: Expectation, values: readonly (number | null)[]): Result['verdict'] {
  const measured = measure(expect, values);
  if (measured === null || values.length < 5) return 'inconclusive';
  return measured >= (expect.min ?? Number.NEGATIVE_INFINITY) && measured <= (expect.max ?? Number.POSITIVE_INFINITY)
    ? 'reproduced'
    : 'not reproduced';
}
