/** Golden cases of lm-sampling.json: restrictions of a distribution, draws, search, estimators over several samples. */
import type { Json } from '#contract/kit/json.ts';
import {
  beamSearch,
  bestOfK,
  bestOfNKl,
  diversity,
  entropyOf,
  gumbel,
  inverseCdf,
  passAtK,
  penaliseFrequent,
  penaliseRepeats,
  probabilities,
  type Restriction,
  restricted,
  speculation,
  subsets,
  vote,
} from '#math/decoding.ts';
import { exp, log } from '#math/functions.ts';
import { argmax } from '#math/sampling.ts';
import type { Engine } from '../../engine/types.ts';
import type { LmCase } from './case.ts';

export function runSamplingCase(_engine: Engine, c: LmCase): void {
  if (c.has('start_logits')) toyModel(c);
  else if (c.has('logits')) ofLogits(c);
  else if (c.has('probs')) {
    const p = c.numbers('probs');
    let so = 0;
    c.check(
      'tokens',
      c.numbers('uniforms').map((u) => inverseCdf(p, u)),
    );
    c.check(
      'cdf',
      p.map((x) => (so += x)),
      'program',
    ); // listed with nine digits: their sums differ more than each
  } else if (c.has('rows')) {
    const rows = c.matrix('rows') as [number, number, number][];
    c.check(
      'pass_at_k',
      rows.map(([n, right, k]) => passAtK(n, right, k)),
    );
    c.check(
      'plug_in_biased',
      rows.map(([n, right, k]) => 1 - (1 - right / n) ** k),
    );
  } else if (c.has('answers')) votes(c);
  else if (c.has('correct')) {
    const [scores, correct] = [c.numbers('scores'), c.numbers('correct')];
    c.check('best_of_k', Object.fromEntries(scores.map((_, i) => [String(i + 1), bestOfK(scores, correct, i + 1)])));
  } else if (c.has('n')) c.check('kl_upper', c.numbers('n').map(bestOfNKl));
  else if (c.has('draft')) speculative(c);
  else if (c.has('completions')) {
    const found = diversity(c.list('completions').map(String));
    c.check('unique_fraction', found.unique);
    c.check('distinct_2', found.distinct);
    c.check('answer_entropy', found.entropy);
  } else throw new Error(`no kind of case has the inputs ${Object.keys(c.input).join(', ')}`);
}

function logSumExp(values: readonly number[]): number {
  const largest = Math.max(...values);
  return largest + log(values.reduce((sum, x) => sum + exp(x - largest), 0));
}

function ofLogits(c: LmCase): void {
  const logits = c.numbers('logits');
  if (c.has('uniforms')) {
    const draws = c.matrix('uniforms').map((row) => gumbel(logits, row));
    c.check(
      'perturbed',
      draws.map((row) => [...row]),
    );
    c.check(
      'tokens',
      draws.map((row) => argmax(row, 0, row.length)),
    );
    return;
  }
  if (c.has('penalty')) return void c.check('logits', [...penaliseRepeats(logits, c.numbers('previous'), c.number('penalty'))]);
  if (c.has('previous'))
    return void c.check('logits', [...penaliseFrequent(logits, c.numbers('previous'), c.number('presence'), c.number('frequency'))]);
  const known = new Set(['logits', 'temperature', 'k', 'top_k', 'p', 'top_p', 'min_p', 'allowed']);
  for (const key of Object.keys(c.input)) if (!known.has(key)) throw new Error(`input "${key}" is not known beside logits`);
  const topK = c.has('k') ? 'k' : 'top_k';
  const topP = c.has('p') ? 'p' : 'top_p';
  const rule: Restriction = {
    ...(c.has('temperature') && { temperature: c.number('temperature') }),
    ...(c.has(topK) && { topK: c.number(topK) }),
    ...(c.has(topP) && { topP: c.number(topP) }),
    ...(c.has('min_p') && { minP: c.number('min_p') }),
    ...(c.has('allowed') && { allowed: c.numbers('allowed') }),
  };
  const p = restricted(logits, rule);
  c.check('probs', [...p]);
  c.check(
    'kept',
    [...p].map((x) => (x > 0 ? 1 : 0)),
  );
  c.check('entropy', entropyOf(p));
  c.check('token', argmax(p, 0, p.length));
  const { allowed } = rule;
  // a difference of two logarithms: the share itself may be too small for a number
  if (allowed !== undefined) c.check('log_normaliser_gap', logSumExp(logits.filter((_, i) => allowed[i] === 1)) - logSumExp(logits));
}

/** A model whose next token depends on the last one. */
function toyModel(c: LmCase): void {
  const start = c.numbers('start_logits');
  const bigram = c.matrix('bigram_logits');
  const end = c.number('eos');
  const logitsAfter = (tokens: readonly number[]): readonly number[] => {
    const last = tokens.at(-1);
    return last === undefined ? start : bigram[last]!;
  };
  const logProbs = (logits: readonly number[]): number[] => [...probabilities(logits)].map((x) => log(x));
  if (c.has('uniforms')) {
    const temperature = c.number('temperature');
    const sequences = c.matrix('uniforms').map((uniforms) => {
      const tokens: number[] = [];
      let raw = 0;
      let drawn = 0;
      for (const u of uniforms.slice(0, c.number('max_new'))) {
        const logits = logitsAfter(tokens);
        const p = restricted(logits, { temperature });
        const token = inverseCdf(p, u);
        raw += logProbs(logits)[token]!;
        drawn += log(p[token]!);
        tokens.push(token);
        if (token === end) break;
      }
      return { tokens, ended: tokens.at(-1) === end ? 1 : 0, logp_raw: raw, logp_at_temperature: drawn };
    });
    c.check('sequences', sequences, 'host');
    return;
  }
  const longest = c.number('max_len');
  const beams = c.has('beams') ? c.number('beams') : start.length ** longest;
  const found = beamSearch((prefix) => logProbs(logitsAfter(prefix)), {
    end,
    beams,
    longest,
    lengthPenalty: c.number('length_penalty', 0),
  });
  const best = found.map(({ tokens, logp, score }) => ({ tokens: [...tokens], logp, score }));
  const listed = Array.isArray(c.expected.best) ? c.expected.best.length : 1;
  c.check('best', best.slice(0, listed));
  c.check('tokens', best[0]!.tokens);
  c.check('logp', best[0]!.logp);
}

function votes(c: LmCase): void {
  const answers = c.list('answers').map((a) => (a === null ? null : String(a)));
  const even = vote(answers);
  c.check('majority', even.winner);
  c.check('counts', Object.fromEntries(even.totals));
  if (c.has('truth')) {
    const truth = c.text('truth');
    const share = (k: number): number => {
      const all = subsets(answers.length, k);
      return all.filter((some) => vote(some.map((i) => answers[i]!)).winner === truth).length / all.length;
    };
    const sizes = Object.keys((c.expected.maj_at_k ?? {}) as Record<string, Json>);
    c.check('maj_at_k', Object.fromEntries(sizes.map((k) => [k, share(Number(k))])));
  }
  if (!c.has('scores')) return;
  const scores = c.numbers('scores');
  const weighted = vote(answers, scores);
  c.check('weighted', weighted.winner);
  c.check('weighted_totals', Object.fromEntries(weighted.totals));
  let best = -1;
  answers.forEach((answer, i) => {
    if (answer !== null && (best < 0 || scores[i]! > scores[best]!)) best = i;
  });
  c.check('best_of_n_index', best);
  c.check('best_of_n_answer', answers[best]);
}

function speculative(c: LmCase): void {
  const found = speculation(c.numbers('target'), c.numbers('draft'));
  const tokens = c.numbers('draft_tokens');
  const accepted = tokens.map((token, i) => c.numbers('uniforms_accept')[i]! < found.accept[token]!);
  c.check('accept_prob', [...found.accept]);
  c.check('accepted', accepted.map(Number));
  c.check('residual', [...found.residual]);
  c.check(
    'resampled',
    accepted.map((yes, i) => (yes ? null : inverseCdf(found.residual, c.numbers('uniforms_resample')[i]!))),
  );
  c.check('expected_acceptance', found.rate);
  c.check('output_distribution', [...found.output]);
}
