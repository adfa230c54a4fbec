/** Statistics of evaluations: scores, comparisons, ratings, fronts, measures of teams and of learning on. */
import { bradleyTerry, crossPlay, eloUpdate, expectedScore } from '#math/elo.ts';
import { improvement } from '#math/improvement.ts';
import { transpose } from '#math/linear.ts';
import { efficiency, equality, oneShot, peace, sustainability, throughput } from '#math/measures.ts';
import {
  l2Normalise,
  l2Transfer,
  performanceMaintenance,
  performanceRecovery,
  relativePerformance,
  sampleEfficiency,
  terminalPerformance,
  transfer,
} from '#math/measures-continual.ts';
import { expectedUtility, hypervolume, maximumUtilityLoss, nonDominated, sparsity } from '#math/pareto.ts';
import {
  debiasedEma,
  holm,
  iqm,
  mean,
  median,
  normalisedArea,
  optimalityGap,
  performanceProfile,
  quantile,
  resample,
  std,
} from '#math/stats.ts';
import { mannWhitney, meanInterval, seedsNeeded, welchTest } from '#math/stats-compare.ts';
import { type Answer, type Check, check, type Inputs, numberOf } from './check.ts';

/** [runs, tasks] as the mean of each task over its runs. */
const perTask = (scores: readonly (readonly number[])[]): number[] => scores[0]!.map((_, task) => mean(scores.map((row) => row[task]!)));

const resamples = (i: Inputs): number[] =>
  i.list('index').map((one) => {
    if (!Array.isArray(one)) throw new Error('the input "index" holds no resamples');
    const index = one.map((row) => (Array.isArray(row) ? row.map((v) => numberOf(v, 'index')) : []));
    return iqm(resample(i.rows('scores'), index));
  });

/** One function of one or several numbers. */
const formula = (
  title: string,
  needs: readonly string[],
  gives: readonly string[],
  run: (i: Inputs) => { readonly [name: string]: Answer },
  more: Pick<Check, 'only' | 'may'> = {},
): Check => check({ title, needs, gives, run: ({ input }) => run(input), ...more });

const undefinedAsNull = (value: number): number | null => (Number.isNaN(value) ? null : value);

export const evaluationChecks: readonly Check[] = [
  formula(
    'scores over runs and tasks',
    ['scores'],
    ['iqm', 'mean', 'median', 'optimality_gap', 'optimality_gap_gamma0p5'],
    (i) => {
      const rows = i.rows('scores');
      const all = i.flat('scores');
      const tasks = perTask(rows);
      return {
        iqm: iqm(all),
        mean: mean(tasks),
        median: median(tasks),
        optimality_gap: optimalityGap(all, i.has('gamma') ? i.number('gamma') : 1),
        optimality_gap_gamma0p5: optimalityGap(all, 0.5),
      };
    },
    { may: ['gamma'] },
  ),
  formula(
    'probability of improvement',
    ['x', 'y'],
    ['poi', 'per_task'],
    (i) => {
      const [x, y] = [transpose(i.rows('x')), transpose(i.rows('y'))];
      return { poi: improvement(x, y).p, per_task: x.map((runs, task) => improvement([runs], [y[task]!]).p) };
    },
    { only: ({ input }) => Array.isArray(input.list('x')[0]) },
  ),
  formula('bootstrap with listed resamples', ['scores', 'index'], ['iqm', 'ci95', 'mean', 'std'], (i) => {
    const found = resamples(i);
    return { iqm: found, ci95: [quantile(found, 0.025), quantile(found, 0.975)], mean: mean(found), std: std(found) };
  }),
  formula('performance profile', ['scores', 'tau'], ['run_score', 'mean_score'], (i) => ({
    run_score: performanceProfile(i.rows('scores'), i.flat('tau')),
    mean_score: performanceProfile([perTask(i.rows('scores'))], i.flat('tau')),
  })),
  formula(
    'Welch’s test',
    ['a', 'b'],
    ['t', 'df', 'p', 'mean_diff', 'cohens_d'],
    (i) => {
      const found = welchTest(i.flat('a'), i.flat('b'));
      return { t: found.t, df: found.df, p: found.p, mean_diff: found.difference, cohens_d: found.d };
    },
    { only: ({ name }) => /welch/i.test(name) },
  ),
  formula(
    'Mann-Whitney test, by the normal',
    ['a', 'b'],
    ['U', 'p'],
    (i) => {
      const found = mannWhitney(i.flat('a'), i.flat('b'), false);
      return { U: found.u, p: found.p };
    },
    { only: ({ name }) => /mann/i.test(name) },
  ),
  formula('Student’s interval of a mean', ['x'], ['mean', 'half_width'], (i) => {
    const found = meanInterval(i.flat('x'));
    return { mean: found.mean, half_width: found.halfWidth };
  }),
  formula('number of seeds', ['sigma', 'delta', 'alpha', 'power'], ['n'], (i) => ({
    n: i.flat('delta').map((delta) => seedsNeeded(i.number('sigma'), delta, i.number('alpha'), i.number('power'))),
  })),
  formula('Holm’s correction', ['p'], ['adjusted'], (i) => ({ adjusted: holm(i.flat('p')) })),
  formula('area under a curve', ['x', 'y'], ['normalised_auc'], (i) => ({ normalised_auc: normalisedArea(i.flat('x'), i.flat('y')) })),
  formula('debiased running mean', ['values', 'beta'], ['ema'], (i) => ({ ema: debiasedEma(i.flat('values'), i.number('beta')) })),
  formula('Elo: expected scores', ['pairs'], ['expected'], (i) => ({
    expected: i.rows('pairs').map((pair) => expectedScore(pair[0]!, pair[1]!)),
  })),
  formula('Elo: a sequence of games', ['start', 'k', 'games'], ['history'], (i) => {
    const start = i.inner('start');
    const now: { [name: string]: number } = {};
    for (const name of Object.keys(start.json)) now[name] = start.number(name);
    return {
      history: i.list('games').map((game) => {
        if (!Array.isArray(game)) throw new Error('the input "games" holds no games');
        const [a, b] = [String(game[0]), String(game[1])];
        [now[a], now[b]] = eloUpdate(now[a]!, now[b]!, numberOf(game[2]!, 'games'), i.number('k'));
        return { ...now };
      }),
    };
  }),
  formula('Bradley-Terry ratings', ['wins'], ['strength', 'elo'], (i) => {
    const { strength, elo } = bradleyTerry(i.rows('wins'));
    return { strength, elo };
  }),
  formula('cross-play', ['matrix'], ['self_play', 'cross_play', 'gap'], (i) => {
    const found = crossPlay(i.rows('matrix'));
    return { self_play: found.selfPlay, cross_play: found.crossPlay, gap: found.gap };
  }),
  formula('goals per step', ['goals_reached', 'steps'], ['throughput'], (i) => ({
    throughput: throughput(i.flat('goals_reached'), i.number('steps')),
  })),
  formula('path finding in one go', ['arrival', 'horizon'], ['isr', 'csr', 'makespan', 'soc'], (i) => ({
    ...oneShot(
      i.list('arrival').map((v) => (v === null ? null : numberOf(v, 'arrival'))),
      i.number('horizon'),
    ),
  })),
  formula('points that no other dominates', ['points'], ['indices'], (i) => ({ indices: nonDominated(i.rows('points')) })),
  formula('hypervolume', ['points', 'ref'], ['hv'], (i) => ({ hv: hypervolume(i.rows('points'), i.flat('ref')) })),
  formula('expected utility', ['points', 'weights'], ['eum'], (i) => ({ eum: expectedUtility(i.rows('points'), i.rows('weights')) })),
  formula('maximum utility loss', ['front', 'reference_front', 'weights'], ['mul'], (i) => ({
    mul: maximumUtilityLoss(i.rows('front'), i.rows('reference_front'), i.rows('weights')),
  })),
  formula('sparsity of a front', ['front'], ['sparsity'], (i) => ({ sparsity: sparsity(i.rows('front')) })),
  formula('equality', ['returns'], ['equality', 'gini'], (i) => {
    const found = equality(i.flat('returns'));
    return { equality: undefinedAsNull(found), gini: undefinedAsNull(1 - found) };
  }),
  formula('efficiency', ['rewards', 'T'], ['per_step'], (i) => ({
    per_step: efficiency(
      i.rows('rewards').map((row) => row.reduce((a, b) => a + b, 0)),
      i.number('T'),
    ),
  })),
  formula('sustainability', ['rewards'], ['sustainability', 'per_agent'], (i) => ({
    sustainability: sustainability(i.rows('rewards')),
    per_agent: i.rows('rewards').map((row) => sustainability([row])),
  })),
  formula('peace', ['tagged', 'T'], ['peace'], (i) => ({ peace: peace(i.rows('tagged')) })),
  formula('transfer between tasks', ['R', 'b'], ['average', 'backward_transfer', 'forward_transfer', 'forgetting'], (i) => {
    const found = transfer(i.rows('R'), i.flat('b'));
    return {
      average: found.average,
      backward_transfer: found.backward,
      forward_transfer: found.forward,
      forgetting: found.forgetting,
    };
  }),
  formula('transfer from one task', ['before', 'after'], ['contrast', 'ratio'], (i) => ({
    ...l2Transfer(i.number('before'), i.number('after')),
  })),
  formula('performance maintained', ['reference_eval', 'later_evals'], ['pm'], (i) => ({
    pm: performanceMaintenance(i.number('reference_eval'), i.flat('later_evals')),
  })),
  formula('performance against an expert', ['lifelong', 'expert'], ['rp'], (i) => ({
    rp: relativePerformance(i.flat('lifelong'), i.flat('expert')),
  })),
  formula('sample efficiency', ['ll_saturation', 'll_experience', 'ste_saturation', 'ste_experience'], ['se'], (i) => {
    const at = (who: string) => ({ value: i.number(`${who}_saturation`), experience: i.number(`${who}_experience`) });
    return { se: sampleEfficiency(at('ll'), at('ste')) };
  }),
  formula('recovery', ['recovery_times'], ['pr'], (i) => ({ pr: performanceRecovery(i.flat('recovery_times')) })),
  formula('terminal performance', ['values', 'window'], ['terminal'], (i) => ({
    terminal: terminalPerformance(i.flat('values'), i.number('window')),
  })),
  formula('normalised performance', ['values', 'min', 'max', 'scale', 'offset'], ['normalised'], (i) => ({
    normalised: l2Normalise(i.flat('values'), i.number('min'), i.number('max'), i.number('scale'), i.number('offset')),
  })),
];
