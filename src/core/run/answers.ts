/**
 * What a policy on tokens answers when it is sampled: groups of answers, each from one start, scored by the verifier and weighed as the method
 * that trained the policy would weigh them.
 */
import { fail } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { type AnswerGroup, type AnswerToken, MOST_ANSWERS } from '#contract/run/tokens.ts';
import { log } from '#math/functions.ts';
import { Rng } from '#math/rng.ts';
import type { Act, Policy, Sampled, Weighed } from '../algos/api/types.ts';
import { createBuffers } from '../envs/api/buffers.ts';
import type { EnvEntry } from '../envs/api/types.ts';
import { probabilities } from './inspect.ts';
import { lengthOf, promptOf, repliesTo, sampleOut, tokensOf } from './tokens.ts';

export interface SampleOptions {
  /** State of one row to begin all answers from, as one group; null: `groups` starts are drawn by `seed`. */
  readonly start: Uint8Array | null;
  readonly groups: number;
  readonly size: number;
  readonly seed: number;
  /** As in SampleRequest. */
  readonly written?: readonly (readonly number[])[];
  /** What the method that trained the policy makes of answers, by its own settings; null: it does not compare any. */
  readonly weigh: ((sampled: Sampled) => Weighed) | null;
  /** Called between two tokens, so that a worker that samples many answers takes messages meanwhile. */
  readonly rest?: () => unknown;
}

/**
 * Throws LabError('incompatible') where there are no tokens, LabError('config-invalid') naming `size` for more than MOST_ANSWERS in all, and
 * `written` where it holds another number of answers.
 */
export async function sampleAnswers(
  policy: Policy,
  entry: EnvEntry,
  config: JsonObject,
  { start, groups, size, seed, weigh, written, rest }: SampleOptions,
): Promise<readonly AnswerGroup[]> {
  const G = start === null ? groups : 1;
  const rows = G * size;
  if (!(rows >= 1 && rows <= MOST_ANSWERS))
    throw fail('config-invalid', `${rows} answers were asked for.`, `Ask for 1 to ${MOST_ANSWERS} in all.`, 'size');
  if (written !== undefined && written.length !== rows)
    throw fail('config-invalid', `${written.length} answers are given, ${rows} are read.`, 'Give one for each.', 'written');
  const meta = entry.meta(config);
  const { places } = tokensOf(meta);
  const env = entry.create(config, rows);
  const buffers = createBuffers(meta, rows);
  // a member's own seed is that of its group, so that all of them face one start and one world
  env.reset(
    Uint32Array.from({ length: rows }, (_, row) => seed * MOST_ANSWERS + Math.floor(row / size)),
    buffers,
  );
  if (start !== null) for (let row = 0; row < rows; row++) env.load(row, start, buffers);

  const rowOf = (row: number): readonly number[] => {
    const obs = buffers.obs.subarray(row * places, (row + 1) * places);
    return Array.from(obs.subarray(0, lengthOf(obs)));
  };
  const prompts = Array.from({ length: G }, (_, group) => rowOf(group * size));
  const tokens: AnswerToken[][] = Array.from({ length: rows }, () => []);
  const turns: { readonly reward: number; readonly tokens: number }[][] = Array.from({ length: rows }, () => []);
  const paid: number[][] = Array.from({ length: rows }, () => []);
  /** Rows as they were read before each token: a new line where they began anew. */
  const lines: Line[][] = Array.from({ length: rows }, (_, row) => [{ ids: rowOf(row), at: [] }]);
  const rewards = new Float64Array(rows);
  const logProbs: (number | null)[] = new Array<number | null>(rows).fill(0);
  const K = meta.terms?.length ?? 0;
  const terms = new Float64Array(rows * K);
  const added = new Float64Array(K);
  const cut = new Uint8Array(rows);
  const measured = (meta.measures ?? []).map(({ id }) => id);
  const values = new Float64Array(rows * measured.length);
  const lengths = Int32Array.from({ length: rows }, (_, row) => rowOf(row).length);
  const place = new Int32Array(rows);
  const given = written && ((row: number): number | undefined => written[row]?.[place[row]!++]);
  const took = (row: number, act: Act, ended: boolean): void => {
    const id = act.actions[row]!;
    const p = probabilities(act, row, meta.actionCount, undefined);
    const sum = logProbs[row]!;
    const logProb = p === null ? null : log(Math.max(p[id]!, Number.MIN_VALUE));
    logProbs[row] = logProb === null || sum === null ? null : sum + logProb;
    const turn = tokens[row]!.at(-1)?.written === true ? turns[row]!.pop() : undefined;
    tokens[row]!.push({ id, written: true, logProb });
    turns[row]!.push({ reward: (turn?.reward ?? 0) + buffers.reward[row]!, tokens: (turn?.tokens ?? 0) + 1 });
    paid[row]!.push(buffers.reward[row]!);
    const own = lines[row]!;
    const line = own[own.length - 1]!;
    line.at.push(lengths[row]! - 1);
    rewards[row] = rewards[row]! + buffers.reward[row]!;
    env.terms?.(row, added, 0);
    for (let k = 0; k < K; k++) terms[row * K + k] = terms[row * K + k]! + added[k]!;
    if (ended) {
      cut[row] = buffers.terminated[row] === 1 ? 0 : 1;
      env.measure?.(row, values, row * measured.length);
      return;
    }
    const now = rowOf(row);
    const { replies, anew } = repliesTo(now, lengths[row]!, id);
    tokens[row]!.push(...replies.map((reply) => ({ id: reply, written: false, logProb: null })));
    if (anew) own.push({ ids: now, at: [] });
    else line.ids = now;
    lengths[row] = now.length;
  };
  const pause = async (): Promise<boolean> => {
    await rest?.();
    return false;
  };
  await sampleOut(policy, env, buffers, Rng.from(seed).split('answers'), took, pause, given);
  env.dispose?.();
  const said = weigh === null ? undefined : await policy.values?.(idsOf(lines.flat(), places));
  const solvedAt = measured.indexOf('solved');
  const weighed =
    weigh?.({
      size,
      rewards,
      solved: Uint8Array.from(rewards, (_, row) => (cut[row] === 0 && values[row * measured.length + solvedAt] === 1 ? 1 : 0)),
      lengths: tokens.map((own) => own.filter(({ written }) => written).length),
      longest: meta.maxSteps,
      turns,
      paid,
      ...(said !== undefined && { values: valuesOf(lines, said, places) }),
    }) ?? null;
  return prompts.map((prompt, group) => ({
    prompt,
    asked: entry.question?.(config, promptOf(meta, prompt)) ?? '',
    comparison: weighed?.kind ?? null,
    answers: Array.from({ length: size }, (_, member) => {
      const row = group * size + member;
      const own = measured.map((id, i) => [id, values[row * measured.length + i]!] as const);
      return {
        tokens: advantagesAt(tokens[row]!, weighed?.tokens?.[row]),
        logProb: logProbs[row]!,
        reward: rewards[row]!,
        terms: Array.from(terms.subarray(row * K, (row + 1) * K)),
        measures: cut[row] === 1 ? null : Object.fromEntries(own),
        advantage: weighed?.advantages[row] ?? null,
        dropped: weighed?.counts[row] === 0,
      };
    }),
  }));
}

/** A row of an answer as it was when its last token was drawn, and the places from which its tokens were. */
interface Line {
  ids: readonly number[];
  readonly at: number[];
}

/** [lines, places] */
function idsOf(lines: readonly Line[], places: number): Float32Array {
  const ids = new Float32Array(lines.length * places);
  lines.forEach((line, k) => void ids.set(line.ids, k * places));
  return ids;
}

/** Of what is said of every place [lines, places - 1], that before each token written, by answer. */
function valuesOf(lines: readonly (readonly Line[])[], said: Float32Array, places: number): number[][] {
  let k = 0;
  return lines.map((own) =>
    own.flatMap(({ at }) => {
      const from = k++ * (places - 1);
      return at.map((place) => said[from + place]!);
    }),
  );
}

/** Tokens with their advantages, where those that were written have them. */
function advantagesAt(tokens: readonly AnswerToken[], advantages: readonly number[] | undefined): readonly AnswerToken[] {
  if (advantages === undefined) return tokens;
  let k = 0;
  return tokens.map((token) => (token.written ? { ...token, advantage: advantages[k++]! } : token));
}
