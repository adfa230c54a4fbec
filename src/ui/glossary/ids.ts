/** Which term of the glossary explains a setting or a metric. Small: forms and charts load it at once, the glossary itself when it is opened. */

const OF_SETTING = {
  gamma: 'discount',
  lambda: 'gae-lambda',
  clip: 'clip-range',
  lr: 'learning-rate',
  actorLr: 'learning-rate',
  criticLr: 'learning-rate',
  tau: 'target-smoothing',
  epsilonStart: 'epsilon',
  epsilonEnd: 'epsilon',
  temperature: 'temperature',
  entropyCoef: 'entropy',
  maxGradNorm: 'max-gradient-norm',
  targetKl: 'kl',
  klCoef: 'kl',
  bootstrapAtTruncation: 'bootstrapping',
  standardise: 'advantage',
  standardiseAdvantages: 'advantage',
} as const;

const OF_METRIC = {
  episodicReturn: 'return',
  evalReturn: 'return',
  approxKl: 'kl',
  entropy: 'entropy',
  clipFraction: 'clip-range',
  policyLoss: 'policy-loss',
  valueLoss: 'value-loss',
  tdError: 'td-error',
  gradNorm: 'max-gradient-norm',
  learningRate: 'learning-rate',
  epsilon: 'epsilon',
  advantage: 'advantage',
  temperature: 'temperature',
} as const;

export type TermId =
  | (typeof OF_SETTING)[keyof typeof OF_SETTING]
  | (typeof OF_METRIC)[keyof typeof OF_METRIC]
  | 'action-value'
  | 'state-value'
  | 'log-probability'
  | 'ratio'
  | 'saliency';

const has = <T extends object>(map: T, key: string): key is Extract<keyof T, string> => Object.hasOwn(map, key);

/** Of a field of the algorithm, by its path ("algo.config.gamma"); null: the glossary has no term for it. */
export function termOfSetting(path: string): TermId | null {
  const key = path.startsWith('algo') ? (path.split('.').at(-1) ?? '') : '';
  return has(OF_SETTING, key) ? OF_SETTING[key] : null;
}

export const termOfMetric = (id: string): TermId | null => (has(OF_METRIC, id) ? OF_METRIC[id] : null);
