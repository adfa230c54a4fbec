/**
 * The door rl-workbench/math: numbers that are equal bit for bit in every engine. `exactMath` stands in for `Math`, whose sin, exp and relatives
 * differ between browsers; an environment or method that uses those cannot promise equal results.
 */
export * from '#math/functions.ts';
export { type GaeInput, gae } from '#math/gae.ts';
export { RewardScaler, RunningMoments, ValueNorm } from '#math/normalise.ts';
export { discountedReturns, lambdaReturns, nStep } from '#math/returns.ts';
export { Rng } from '#math/rng.ts';
export { argmax, categorical, normal, randomAction, sampleCategories, sampleGaussians } from '#math/sampling.ts';
export { annealed, cosineWithWarmUp, linear } from '#math/schedules.ts';
export { bootstrapInterval, type Interval, iqm, mean, median, quantile, std } from '#math/stats.ts';
export { vtrace } from '#math/vtrace.ts';
export { exactMath } from '../own/scope.ts';
