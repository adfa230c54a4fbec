/**
 * What running papers and claims gave. Version 2 (`paperResultSchema`) is what `npm run claims` writes: arms, contrasts with intervals and a
 * verdict. Version 1 (`resultSchema`, `public/results/<id>.json`) is one claim against one threshold; its files stay readable.
 */
import { z } from 'zod';
import { OUTCOMES, STATES } from '#math/rule.ts';
import { jsonObject, listOf } from '../kit/bounded.ts';
import { isObject } from '../kit/json.ts';
import { executorSchema } from '../run/config.ts';
import { expectationSchema } from '../run/expectation.ts';
import { OLD_PARTS, OLD_WORDS, TESTED } from './labels.ts';
import { boundSchema, pilotSchema } from './pilots.ts';

const source = z.object({ title: z.string(), authors: z.string(), year: z.int(), url: z.string().optional() });
const ref = z.object({
  id: z.string().min(1),
  version: z.int().min(1),
  config: jsonObject,
});

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
  /**
   * Commit of the working tree that ran; "+" at the end: with uncommitted changes. Where a rebase has renamed it since: the commit that
   * brought the result (tools/result-commits.mjs).
   */
  commit: z.string(),
  date: z.iso.datetime(),
  machine: z.object({ cpu: z.string(), cores: z.int().min(1), os: z.string(), runtime: z.string() }),
  seeds: listOf(seedValueSchema).min(1),
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
  data: listOf(z.object({ name: z.string(), sha256: z.string().regex(/^[0-9a-f]{64}$/) })).optional(),
  /** Environment steps per seed. */
  budget: z.int().min(0),
  expect: expectationSchema,
  verdict: z.enum(['reproduced', 'not reproduced', 'inconclusive']),
});
export type Result = z.infer<typeof resultSchema>;

const hash = z.string().regex(/^[0-9a-f]{12}$/);

const armResultSchema = z.object({
  id: z.string(),
  title: z.string(),
  /** Config hash of its runs; of a script, of the config of the world that it plays. */
  config: hash,
  env: ref,
  /** null: a script. */
  algo: ref.nullable(),
  script: z.string().optional(),
  trials: z.int().min(0),
  /** Environment steps of one run; null: nothing is trained. */
  steps: z.int().min(0).nullable(),
  /** Numbers in the policy that acts; null: none. */
  parameters: z.int().min(0).nullable(),
  /** What random play gets in its world, and the best possible score, in the unit of the quantity; where they come from. Missing: not known. */
  random: boundSchema.optional(),
  ceiling: boundSchema.optional(),
  /** The quantity, by seed; null: the run failed or measured nothing. */
  scores: listOf(z.number().nullable()),
  /** CRC of what each seed learned. */
  parameterHashes: listOf(z.string()),
  /** Of computing, all runs together; before November 2026 the time that passed, which is longer on a busy machine. */
  seconds: z.number().min(0),
  /** Decimated: common steps, and the value of every seed there. null where the arm has no curve. */
  curve: z.object({ metric: z.string(), steps: listOf(z.number()), values: listOf(listOf(z.number().nullable())) }).nullable(),
  /** Reported, not judged: the same policies against one that was trained before and frozen. */
  rival: z
    .object({ experiment: z.string(), name: z.string(), parameterHash: z.string(), scores: listOf(z.number().nullable()) })
    .optional(),
});

const findingsSchema = listOf(
  z.object({
    id: z.string(),
    estimate: z.number(),
    low: z.number(),
    high: z.number(),
    level: z.number(),
    state: z.enum(STATES),
    /** Of `every` that is held: the share of failing seeds that is excluded at 95 %. */
    failsBelow: z.number().optional(),
  }),
);

const voidsSchema = listOf(
  z.object({
    check: z.enum([
      'seeds',
      'spread',
      'random',
      'ceiling',
      'headroom',
      'rising',
      'competence',
      'acts',
      'steps',
      'parameters',
      'trials',
      'control',
      'censored',
    ]),
    text: z.string(),
  }),
);

/**
 * A second block of seeds of the same form, with the scores of its arms by id: what it says by the same rule. Blocks that disagree leave the
 * outcome open.
 */
const confirmSchema = z.object({
  seeds: listOf(z.int().min(0)).min(1),
  arms: listOf(
    z.object({
      id: z.string(),
      config: hash,
      scores: listOf(z.number().nullable()),
      parameterHashes: listOf(z.string()),
      seconds: z.number().min(0),
    }),
  ),
  findings: findingsSchema,
  voids: voidsSchema,
  outcome: z.enum(OUTCOMES),
  decidedOn: z.int().min(0),
  commit: z.string(),
  date: z.iso.datetime(),
  machine: z.object({ cpu: z.string(), cores: z.int().min(1), os: z.string(), runtime: z.string() }),
  coreMinutes: z.number().min(0),
});

/** A paper's runs and what they came to: `public/results/papers/<id>.json`, at most 100 kB. */
const judgedSchema = z.object({
  v: z.literal(2),
  id: z.string().regex(/^(P\d{3}|[a-z0-9]+(-[a-z0-9]+)*)$/),
  title: z.string(),
  /** Hash of the rule that was fixed before the runs. */
  rule: hash,
  /** A quick form, or one that was cut short, says nothing of the claim. */
  quick: z.boolean(),
  quantity: z.string(),
  /** As in `resultSchema`. */
  commit: z.string(),
  date: z.iso.datetime(),
  machine: z.object({ cpu: z.string(), cores: z.int().min(1), os: z.string(), runtime: z.string() }),
  /** Seeds on which settings were chosen; apart from `seeds`. */
  tunedOn: z.tuple([z.int(), z.int()]).nullable(),
  seeds: listOf(z.int().min(0)).min(1),
  arms: listOf(armResultSchema).min(1),
  findings: findingsSchema,
  voids: voidsSchema,
  /** Checks from which arms are exempt, with the reason. */
  exempt: listOf(z.object({ check: z.string(), arms: listOf(z.string()), why: z.string() })),
  /** What was tested: its label and what is left out. */
  tested: z.object({ label: z.enum(TESTED), why: z.string() }),
  /** What came out, by both blocks of seeds where there are two. */
  outcome: z.enum(OUTCOMES),
  /** What the first block says by itself. */
  first: z.enum(OUTCOMES),
  /** Why the outcome is not what the contrasts alone say: an absent premise, a failed check, a guess, blocks that disagree; '' else. */
  because: z.string(),
  confirm: confirmSchema.nullable().default(null),
  /** Version of the judge that gave the outcome; 1 where the file names none. */
  judge: z.int().min(1).default(1),
  /**
   * What stood here before, on the same or on fewer runs, with the rule and the judge that gave it: two labels, or one word of judges before the
   * fifth.
   */
  log: listOf(
    z.object({
      verdict: z.enum(OLD_WORDS).optional(),
      parts: listOf(z.enum(OLD_PARTS)).optional(),
      tested: z.enum(TESTED).optional(),
      outcome: z.enum(OUTCOMES).optional(),
      judge: z.int().min(1),
      rule: hash,
      date: z.iso.datetime(),
    }),
  ).default([]),
  /**
   * What has changed in its environments and methods since its runs, in sentences: its verdict is of those older versions. Empty: what would
   * run today is what ran.
   */
  outdated: listOf(z.string()).default([]),
  /** Seeds of every arm that the verdict stands on. */
  decidedOn: z.int().min(0),
  /** Where more seeds could decide: how many an arm. */
  wanted: z.int().nullable(),
  coreMinutes: z.number().min(0),
  /** What was measured on tuning seeds before these runs; null: there was no pilot. */
  pilot: pilotSchema.nullable().default(null),
  data: listOf(z.object({ name: z.string(), sha256: z.string().regex(/^[0-9a-f]{64}$/) })).optional(),
});

/** A result of a judge before the fifth: its word moves to the log, and nothing is said until it is judged again. */
function upgraded(file: unknown): unknown {
  if (!isObject(file) || !('verdict' in file)) return file;
  const { verdict, parts = [], atMost: _, ...rest } = file as Readonly<Record<string, unknown>>;
  const { judge = 1, rule, date, log = [] } = rest;
  return {
    ...rest,
    tested: { label: 'our guess', why: 'The judge that gave its word did not ask.' },
    outcome: 'open',
    first: 'open',
    because: 'Its word is that of an earlier judge and stands in its history: judge it again.',
    log: [...(Array.isArray(log) ? log : []), { verdict, parts, judge, rule, date }],
  };
}

/** Reads results of every judge. */
export const paperResultSchema = z.preprocess(upgraded, judgedSchema);
export type PaperResult = z.infer<typeof judgedSchema>;
export type Confirmation = NonNullable<PaperResult['confirm']>;
export type ArmResult = z.infer<typeof armResultSchema>;
