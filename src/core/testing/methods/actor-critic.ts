/** Actors and critics of continuous control, and relaxed discrete actions. */
import {
  bootstrapped,
  boundedLogStd,
  discreteSoftValue,
  gumbelNoise,
  gumbelSoftmax,
  scaledSquashedGaussian,
  smoothedAction,
  softValue,
  temperatureLoss,
} from '#core/algos/off-policy/lib/actor-critic.ts';
import { gradients } from '#core/engine/autodiff.ts';
import { log, minimum, tanh } from '#core/engine/ops.ts';
import { squashedGaussian } from '#core/nets/heads.ts';
import { type Inputs, nested, program } from './check.ts';

const discountOf = (i: Inputs) => {
  const data = i.flat('terminated').map((over) => (1 - over) * i.number('gamma'));
  return { shape: [data.length], data };
};

export const actorCriticChecks = [
  program({
    title: 'squashed Gaussian',
    needs: ['mean', 'log_std', 'eps', 'action_scale', 'action_bias'],
    gives: [
      'pre_tanh',
      'tanh',
      'action',
      'deterministic_action',
      'log_prob_unit',
      'log_prob_unit_stable',
      'log_prob_scaled_exact',
      'log_prob_scaled_stable',
    ],
    float32Atol: 1e-3, // saturated actions lose digits in float32
    async run({ input: i }, machine) {
      const given = { mean: i.tensor('mean'), logStd: i.tensor('log_std'), eps: i.tensor('eps'), scale: i.tensor('action_scale') };
      const found = await machine.compute(given, (x) => {
        const drawn = squashedGaussian(x.mean, x.logStd, x.eps);
        const scaled = scaledSquashedGaussian(x.mean, x.logStd, x.eps, x.scale);
        return { action: drawn.action, u: drawn.u, unit: drawn.logProb, scaled: scaled.logProb, best: tanh(x.mean) };
      });
      const [scale, bias] = [i.flat('action_scale'), i.flat('action_bias')];
      const width = scale.length;
      const stretched = (values: readonly number[]) =>
        nested(
          values.map((a, at) => a * scale[at % width]! + bias[at % width]!),
          width,
        );
      return {
        pre_tanh: nested(found.u, width),
        tanh: nested(found.action, width),
        action: stretched(found.action),
        deterministic_action: stretched(found.best),
        log_prob_unit: found.unit,
        log_prob_unit_stable: found.unit,
        log_prob_scaled_exact: found.scaled,
        log_prob_scaled_stable: found.scaled,
      };
    },
  }),
  program({
    title: 'temperature: both losses and their slopes',
    needs: ['log_alpha', 'log_prob', 'target_entropy'],
    gives: ['loss_log', 'grad_log', 'loss_exp', 'grad_exp'],
    async run({ input: i }, machine) {
      const found = await machine.compute({ alpha: i.tensor('log_alpha'), logProb: i.tensor('log_prob') }, (x) => {
        const of = (form: 'log' | 'exp') => {
          const loss = temperatureLoss(x.alpha, x.logProb, i.number('target_entropy'), form);
          return { loss, slope: gradients(loss, [x.alpha])[0]! };
        };
        const [plain, exp] = [of('log'), of('exp')];
        return { plain: plain.loss, plainSlope: plain.slope, exp: exp.loss, expSlope: exp.slope };
      });
      return { loss_log: found.plain[0]!, grad_log: found.plainSlope[0]!, loss_exp: found.exp[0]!, grad_exp: found.expSlope[0]! };
    },
  }),
  program({
    title: 'SAC: the soft target',
    needs: ['rewards', 'terminated', 'gamma', 'next_q1', 'next_q2', 'next_log_prob', 'alpha'],
    gives: ['target'],
    async run({ input: i }, machine) {
      const given = {
        reward: i.tensor('rewards'),
        discount: discountOf(i),
        q1: i.tensor('next_q1'),
        q2: i.tensor('next_q2'),
        logProb: i.tensor('next_log_prob'),
      };
      return machine.compute(given, (x) => ({
        target: bootstrapped(x.reward, x.discount, softValue(x.q1, x.q2, x.logProb, i.number('alpha'))),
      }));
    },
  }),
  program({
    title: 'SAC: the soft value of discrete actions',
    needs: ['probs', 'q1', 'q2', 'alpha'],
    gives: ['soft_value'],
    run: ({ input: i }, machine) =>
      machine.compute({ probs: i.tensor('probs'), q1: i.tensor('q1'), q2: i.tensor('q2') }, (x) => ({
        soft_value: discreteSoftValue(log(x.probs), x.q1, x.q2, i.number('alpha')),
      })),
  }),
  program({
    title: 'log-deviations bent by a tanh',
    needs: ['raw', 'log_std_min', 'log_std_max'],
    gives: ['log_std'],
    only: ({ input }) => input.number('log_std_min') === -5 && input.number('log_std_max') === 2, // the bounds that are used here
    run: ({ input: i }, machine) => machine.compute({ raw: i.tensor('raw') }, (x) => ({ log_std: boundedLogStd(x.raw, 'tanh') })),
  }),
  program({
    title: 'TD3: smoothed action and target',
    needs: ['next_mean_action', 'noise', 'noise_clip', 'low', 'high', 'rewards', 'terminated', 'gamma', 'q1', 'q2'],
    gives: ['next_action', 'target'],
    only: ({ input }) => input.number('low') === -1 && input.number('high') === 1, // actors answer in these bounds and are stretched after
    async run({ input: i }, machine) {
      const given = {
        action: i.tensor('next_mean_action'),
        noise: i.tensor('noise'),
        reward: i.tensor('rewards'),
        discount: discountOf(i),
        q1: i.tensor('q1'),
        q2: i.tensor('q2'),
      };
      return machine.compute(given, (x) => ({
        next_action: smoothedAction(x.action, x.noise, 1, i.number('noise_clip')),
        target: bootstrapped(x.reward, x.discount, minimum(x.q1, x.q2)),
      }));
    },
  }),
  program({
    title: 'Gumbel-softmax',
    needs: ['logits', 'uniform', 'temperature'],
    gives: ['sample'],
    async run({ input: i }, machine) {
      const shape = [1, i.flat('logits').length];
      const given = { logits: { shape, data: i.flat('logits') }, uniform: { shape, data: i.flat('uniform') } };
      return machine.compute(given, (x) => ({ sample: gumbelSoftmax(x.logits, gumbelNoise(x.uniform), i.number('temperature')) }));
    },
  }),
];
