/**
 * The end of a learning program in two dispatches: partial sums of squares of the gradients, then norm, clipping and the step for all
 * parameters. Each workgroup of the second adds up the partial sums itself, in the same order. Scalars that change from step to step
 * are computed in float64 on the host and travel with the inputs.
 */
import { present } from '#contract/kit/errors.ts';
import { clippedTogether, momentScalars, neighbours, type Slot } from '../optimisers.ts';
import { sizeOf } from '../shapes.ts';
import type { CompileOptions, Optimiser, Param } from '../types.ts';
import { literal } from './emit.ts';
import { THREADS } from './jobs.ts';

/** Floats behind the inputs: learning rate, rate, scale of the root, whether the step is adaptive. */
export const SCALARS = 4;
export function writeScalars(o: Optimiser, t: number, lr: number, to: Float32Array, at: number): void {
  const moment = o.kind === 'adam' || o.kind === 'radam' ? momentScalars(o, t, lr) : { rate: lr, rootScale: 1, adaptive: true };
  to.set([lr, moment.rate, moment.rootScale, Number(moment.adaptive)], at);
}

/** Where a group's blocks begin, floats. */
export interface StepPlaces {
  /** Of `params`. */
  readonly values: number;
  readonly slots: ReadonlyMap<Slot, number>;
  /** Of `arena`. */
  readonly gradients: number;
  readonly partials: number;
  /** Of `out`. */
  readonly gradNorm: number;
  /** Of `feed`. */
  readonly scalars: number;
}

/** Parts of a job function's body, as many workgroups as it wants. */
export interface Written {
  readonly body: string;
  readonly groups: number;
}

/** Gradients that one workgroup of the first dispatch squares; without barriers, that one thread does. */
const PER_PARTIAL = 4096;
const MOST_PARTIALS = 64;
const PER_THREAD = 512;
const MOST_THREADS = 16;

interface Stretch {
  readonly from: number;
  readonly floats: number;
}

/** Neighbours of a group as stretches of its blocks. */
function stretches(runs: readonly (readonly Param[])[], from = 0): readonly Stretch[] {
  let at = from;
  return runs.map((run) => {
    const floats = run.reduce((n, p) => n + sizeOf(p.shape), 0);
    at += floats;
    return { from: at - floats, floats };
  });
}

/** Most partial sums of a group. */
export const partialsOf = (params: readonly Param[]): number => params.length * MOST_PARTIALS;

/** Squares of a stretch of gradients added up into `count` partial sums: a workgroup each. */
function partialsByGroup(gradients: number, floats: number, partials: number, count: number): Written {
  return {
    groups: count,
    body: `var s = 0f;
for (var i = wg * ${THREADS}u + t; i < ${floats}u; i += ${count * THREADS}u) { let g = arena[${gradients}u + i]; s = fma(g, g, s); }
tile[t] = s;
workgroupBarrier();
if (t < 16u) { s = 0f; for (var i = t; i < ${THREADS}u; i += 16u) { s += tile[i]; } }
workgroupBarrier();
if (t < 16u) { tile[t] = s; }
workgroupBarrier();
if (t == 0u) { var all = 0f; for (var i = 0u; i < 16u; i++) { all += tile[i]; } arena[${partials}u + wg] = all; }`,
  };
}

/** The same, a thread each. */
function partialsByThread(gradients: number, floats: number, partials: number, count: number): Written {
  return {
    groups: Math.ceil(count / 4),
    body: `let k = wg * 4u + t;
if (t < 4u && k < ${count}u) {
var s = 0f;
for (var i = k; i < ${floats}u; i += ${count}u) { let g = arena[${gradients}u + i]; s = fma(g, g, s); }
arena[${partials}u + k] = s;
}`,
  };
}

/** `barriers`: whether threads may wait for each other (device.ts). */
export function writeOptimiser(
  params: readonly Param[],
  { maxGradNorm, clipApart, decays }: Pick<CompileOptions, 'maxGradNorm' | 'clipApart' | 'decays'>,
  at: StepPlaces,
  barriers: boolean,
): { readonly norms: readonly Written[]; readonly steps: readonly Written[] } {
  const runs = clippedTogether(params, maxGradNorm === undefined ? undefined : clipApart);
  const norms: Written[] = [];
  const steps: Written[] = [];
  const parts = stretches(runs);
  const counts = parts.map(({ floats }) =>
    barriers ? Math.min(MOST_PARTIALS, Math.ceil(floats / PER_PARTIAL)) : Math.min(MOST_THREADS, Math.ceil(floats / PER_THREAD)),
  );
  const starts = counts.map((_, i) => counts.slice(0, i).reduce((a, b) => a + b, 0));
  const total = counts.reduce((a, b) => a + b, 0);
  const sumOf = (from: number, count: number, into: string): string => `var ${into} = 0f;
for (var i = 0u; i < ${count}u; i++) { ${into} += arena[${at.partials + from}u + i]; }`;
  parts.forEach(({ from, floats }, k) => {
    const groups = counts[k]!;
    norms.push((barriers ? partialsByGroup : partialsByThread)(at.gradients + from, floats, at.partials + starts[k]!, groups));
    const run = present(runs[k], 'the parameters of a stretch');
    const apart = neighbours(run, decays);
    stretches(apart, from).forEach((part, i) => {
      const decaying = decays === undefined || (apart[i]?.[0] !== undefined && decays(apart[i][0]));
      const first = k === 0 && i === 0;
      steps.push({
        groups: Math.ceil(part.floats / THREADS),
        body: `${maxGradNorm === undefined ? '' : sumOf(starts[k]!, groups, 'own')}
let factor = ${maxGradNorm === undefined ? '1f' : `min(1f, ${literal(Math.fround(maxGradNorm))} / (sqrt(own) + 1e-6f))`};
let j = wg * ${THREADS}u + t;
if (j < ${part.floats}u) { step(${part.from}u + j, factor, ${decaying ? '1f' : '0f'}); }
${first ? `if (j == 0u) {\n${sumOf(0, total, 'all')}\nout[${at.gradNorm}u] = sqrt(all);\n}` : ''}`,
      });
    });
  });
  return { norms, steps };
}

/** `fn step(i, factor, decays)`: one parameter's step. The equations are those of optimisers.ts. */
export function stepFunction(o: Optimiser, at: StepPlaces): string {
  const slot = (name: Slot): string => `params[${present(at.slots.get(name), 'an optimiser slot')}u + i]`;
  const scalar = (k: number): string => `feed[${at.scalars + k}u]`;
  const n = (x: number): string => literal(Math.fround(x));
  const lines = [`let w = params[${at.values}u + i];`, `var g = arena[${at.gradients}u + i] * factor;`, `let lr = ${scalar(0)};`];
  const put = (value: string): void => {
    lines.push(`params[${at.values}u + i] = ${value};`);
  };
  switch (o.kind) {
    case 'sgd':
      if (o.weightDecay !== 0) lines.push(`g += ${n(o.weightDecay)} * decays * w;`);
      if (o.momentum > 0) {
        lines.push(`let b = ${n(o.momentum)} * ${slot('momentum')} + g;`, `${slot('momentum')} = b;`);
        lines.push(o.nesterov ? `g = g + ${n(o.momentum)} * b;` : 'g = b;');
      }
      put('w - lr * g');
      break;
    case 'adam':
    case 'radam': {
      let from = 'w';
      if (o.kind === 'adam' && o.weightDecay !== 0) {
        if (o.decoupled) from = `w * (1f - lr * ${n(o.weightDecay)} * decays)`;
        else lines.push(`g += ${n(o.weightDecay)} * decays * w;`);
      }
      lines.push(
        `let m = ${n(o.beta1)} * ${slot('mean')} + ${n(1 - o.beta1)} * g;`,
        `let v = ${n(o.beta2)} * ${slot('square')} + ${n(1 - o.beta2)} * g * g;`,
        `${slot('mean')} = m;`,
        `${slot('square')} = v;`,
        `let under = select(1f, sqrt(v) * ${scalar(2)} + ${n(o.eps)}, ${scalar(3)} != 0f);`,
      );
      put(`${from} - ${scalar(1)} * m / under`);
      break;
    }
    case 'rmsprop':
      lines.push(`var v = ${n(o.decay)} * ${slot('square')} + ${n(1 - o.decay)} * g * g;`, `${slot('square')} = v;`);
      if (o.centered) {
        lines.push(`let m = ${n(o.decay)} * ${slot('mean')} + ${n(1 - o.decay)} * g;`, `${slot('mean')} = m;`);
        // Rounding may take it below 0 where the gradient hardly changes.
        lines.push('v = max(v - m * m, 0f);');
      }
      lines.push(`g = g / ${o.epsInsideRoot ? `sqrt(v + ${n(o.eps)})` : `(sqrt(v) + ${n(o.eps)})`};`);
      if (o.momentum > 0) lines.push(`g = ${n(o.momentum)} * ${slot('momentum')} + g;`, `${slot('momentum')} = g;`);
      put('w - lr * g');
  }
  return `fn step(i: u32, factor: f32, decays: f32) {\n${lines.join('\n')}\n}`;
}
