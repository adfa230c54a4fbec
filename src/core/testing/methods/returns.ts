/** Advantages and returns. */
import { gae } from '#math/gae.ts';
import { discountedReturns, lambdaReturns, nStep } from '#math/returns.ts';
import { vtrace } from '#math/vtrace.ts';
import { check, type Inputs, nested } from './check.ts';

/** Flat answers of time-major streams, nested as the rewards of the case are. */
const asGiven = (i: Inputs, values: Float64Array, rows: number) => (Array.isArray(i.list('rewards')[0]) ? nested(values, rows) : values);

const stream = ['rewards', 'terminated', 'next_q', 'gamma'];

export const returnChecks = [
  check({
    title: 'V-trace',
    needs: ['rewards', 'values', 'last_value', 'discounts', 'log_rhos', 'rho_bar', 'c_bar', 'lambda_'],
    gives: ['vs', 'pg_advantages', 'td_errors'],
    run({ input: i }) {
      const values = i.floats('values');
      const discounts = i.floats('discounts');
      const lastValues = i.floats('last_value');
      const targets = (lambda: number) => {
        const [advantages, vs] = [new Float64Array(values.length), new Float64Array(values.length)];
        vtrace(
          {
            rewards: i.floats('rewards'),
            values,
            terminated: Uint8Array.from(discounts, (discount) => Number(discount === 0)),
            truncated: new Uint8Array(values.length),
            finalValues: values,
            lastValues,
            logRatios: i.floats('log_rhos'),
            rows: lastValues.length,
            gamma: Math.max(...discounts),
            lambda,
            rhoBar: i.number('rho_bar'),
            cBar: i.number('c_bar'),
          },
          advantages,
          vs,
        );
        return { advantages, vs };
      };
      const { advantages, vs } = targets(i.number('lambda_'));
      // Without traces the targets differ from the values by the one-step errors.
      const errors = targets(0).vs.map((v, t) => v - values[t]!);
      return {
        vs: asGiven(i, vs, lastValues.length),
        pg_advantages: asGiven(i, advantages, lastValues.length),
        td_errors: asGiven(i, errors, lastValues.length),
      };
    },
  }),
  check({
    title: 'generalised advantage estimation',
    needs: ['rewards', 'values', 'terminated', 'truncated', 'final_values', 'last_value', 'gamma', 'lambda_', 'truncation'],
    gives: ['advantages', 'returns', 'deltas'],
    run({ input: i }) {
      const rewards = i.floats('rewards');
      const lastValues = i.floats('last_value');
      const compute = (lambda: number) => {
        const [advantages, returns] = [new Float64Array(rewards.length), new Float64Array(rewards.length)];
        gae(
          {
            rewards,
            values: i.floats('values'),
            terminated: i.bytes('terminated'),
            truncated: i.bytes('truncated'),
            finalValues: i.floats('final_values'),
            lastValues,
            rows: lastValues.length,
            gamma: i.number('gamma'),
            lambda,
            bootstrapAtTruncation: i.text('truncation') === 'bootstrap',
          },
          advantages,
          returns,
        );
        return { advantages: asGiven(i, advantages, lastValues.length), returns: asGiven(i, returns, lastValues.length) };
      };
      // With lambda 0 the advantages are the one-step errors.
      return { ...compute(i.number('lambda_')), deltas: compute(0).advantages };
    },
  }),
  check({
    title: 'n-step windows',
    needs: [...stream, 'truncated', 'n'],
    may: ['final_q'],
    gives: ['reward_sum', 'bootstrap_discount', 'bootstrap_value', 'target', 'last_index'],
    run({ input: i }) {
      const truncated = i.bytes('truncated');
      const found = nStep(i.floats('rewards'), i.bytes('terminated'), truncated, i.number('gamma'), i.number('n'));
      const nextQ = i.flat('next_q');
      const finalQ = i.has('final_q') ? i.flat('final_q') : nextQ;
      const value = Array.from(found.last, (last) => (truncated[last] === 0 ? nextQ[last]! : finalQ[last]!));
      return {
        reward_sum: found.rewardSum,
        bootstrap_discount: found.discount,
        bootstrap_value: value,
        target: value.map((v, t) => found.rewardSum[t]! + found.discount[t]! * v),
        last_index: found.last,
      };
    },
  }),
  check({
    title: 'lambda-returns of action values',
    needs: [...stream, 'lambda_'],
    may: ['truncated'],
    gives: ['targets'],
    run({ input: i }) {
      const rewards = i.floats('rewards');
      const targets = new Float64Array(rewards.length);
      lambdaReturns(
        {
          rewards,
          nextValues: i.floats('next_q'),
          terminated: i.bytes('terminated'),
          truncated: i.has('truncated') ? i.bytes('truncated') : new Uint8Array(rewards.length),
          rows: 1,
          gamma: i.number('gamma'),
          lambda: i.number('lambda_'),
        },
        targets,
      );
      return { targets };
    },
  }),
  check({
    title: 'Monte Carlo returns',
    needs: ['rewards', 'terminated', 'gamma'],
    gives: ['returns'],
    run: ({ input: i }) => ({ returns: discountedReturns(i.floats('rewards'), i.bytes('terminated'), i.number('gamma')) }),
  }),
  check({
    title: 'returns to go',
    needs: ['rewards', 'gamma'],
    gives: ['rtg'],
    run({ input: i }) {
      const rewards = i.floats('rewards');
      return { rtg: discountedReturns(rewards, new Uint8Array(rewards.length), i.number('gamma')) };
    },
  }),
];
