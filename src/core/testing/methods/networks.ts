/** Optimisers, first weights, normalisers and recurrent cells. */
import { adam, adamW, clipFactor, radam, referenceState, referenceStep, rmsprop, sgd } from '#core/engine/optimisers.ts';
import type { Optimiser } from '#core/engine/types.ts';
import { heStd, kaimingBound, lecunStd, orthonormalise, xavierBound } from '#core/nets/init.ts';
import { gruCell, lstmCell, unroll } from '#core/nets/recurrent.ts';
import { RewardScaler, RunningMoments, standardiseWeighted, ValueNorm } from '#math/normalise.ts';
import { Rng } from '#math/rng.ts';
import { annealed } from '#math/schedules.ts';
import { type Check, check, type GoldenInput, type Inputs, nested, numberOf, program } from './check.ts';

/** The optimiser is told by the name of the case, its settings by the inputs. */
const optimisers: readonly { readonly named: RegExp; readonly may: readonly string[]; readonly make: (c: GoldenInput) => Optimiser }[] = [
  { named: /^adamw/i, may: ['weight_decay', 'beta1', 'beta2', 'eps'], make: ({ input }) => adamW(moments(input)) },
  { named: /^adam(?!w)/i, may: ['weight_decay', 'beta1', 'beta2', 'eps'], make: ({ input }) => adam(moments(input)) },
  {
    named: /^radam/i,
    may: ['beta1', 'beta2', 'eps'],
    make: ({ input }) => radam(given(input, { beta1: 'beta1', beta2: 'beta2', eps: 'eps' })),
  },
  {
    named: /^sgd/i,
    may: ['momentum', 'weight_decay', 'nesterov'],
    make: ({ input }) =>
      sgd({
        ...given(input, { momentum: 'momentum', weightDecay: 'weight_decay' }),
        nesterov: input.has('nesterov') && input.flag('nesterov'),
      }),
  },
  {
    named: /^rmsprop/i,
    may: ['alpha', 'eps', 'momentum', 'centered'],
    make: ({ name, input }) =>
      rmsprop({
        ...given(input, { decay: 'alpha', eps: 'eps', momentum: 'momentum' }),
        centered: input.has('centered') && input.flag('centered'),
        epsInsideRoot: !/outside/i.test(name),
        ...(/ones/i.test(name) ? { initialAccumulator: 1 } : {}),
      }),
  },
];
function given<K extends string>(i: Inputs, names: { readonly [key in K]: string }): { [key in K]?: number } {
  const found: { [key in K]?: number } = {};
  for (const key in names) if (i.has(names[key])) found[key] = i.number(names[key]);
  return found;
}
const moments = (i: Inputs) => given(i, { beta1: 'beta1', beta2: 'beta2', eps: 'eps', weightDecay: 'weight_decay' });

const optimiserChecks: readonly Check[] = optimisers.map(({ named, may, make }) =>
  check({
    title: 'weights after each step of an optimiser',
    needs: ['w0', 'grads', 'lr'],
    may,
    gives: ['weights'],
    only: ({ name }) => named.test(name),
    run(c) {
      const optimiser = make(c);
      const w = c.input.floats('w0');
      const state = referenceState(optimiser, w.length);
      return {
        weights: c.input.rows('grads').map((g) => {
          referenceStep(optimiser, w, g, c.input.number('lr'), state);
          return Array.from(w);
        }),
      };
    },
  }),
);

const fanIn = (title: string, gives: string, only: RegExp, of: (fan: number) => number): Check =>
  check({
    title,
    needs: ['fan_in'],
    gives: [gives],
    only: ({ name }) => only.test(name),
    run: ({ input: i }) => ({ [gives]: of(i.number('fan_in')) }),
  });

/** Torch keeps [out, in] matrices; ours are [in, out]. */
const transposed = (rows: readonly (readonly number[])[]): number[] => rows[0]!.flatMap((_, c) => rows.map((row) => row[c]!));

const cell = (title: string, named: RegExp, make: typeof gruCell): Check =>
  program({
    title,
    needs: ['weights', 'x', 'episode_start'],
    gives: ['h'],
    only: ({ name }) => named.test(name),
    async run({ input: i }, machine) {
      const weights = i.inner('weights');
      const matrix = (name: string) => weights.rows(name);
      const [wx, wh] = [matrix('weight_ih'), matrix('weight_hh')];
      const [inputs, hidden] = [wx[0]!.length, wh[0]!.length];
      const steps = i.rows('x').length;
      const group = machine.group('net', {
        'cell.wx': transposed(wx),
        'cell.wh': transposed(wh),
        'cell.bx': matrix('bias_ih').flat(),
        'cell.bh': matrix('bias_hh').flat(),
      });
      const made = make(group, 'cell', Rng.from(0), inputs, hidden);
      const given = {
        xs: { shape: [steps, 1, inputs], data: i.flat('x') },
        starts: { shape: [steps, 1], data: i.flat('episode_start') },
      };
      const found = await machine.compute(given, (x, g) => ({
        h: unroll(made, x.xs, g.constant(0, [1, made.stateSize]), x.starts).outputs,
      }));
      return { h: nested(found.h, hidden) };
    },
  });

export const networkChecks: readonly Check[] = [
  ...optimiserChecks,
  check({
    title: 'gradients cut to a norm',
    needs: ['grad', 'max_norm'],
    gives: ['norm', 'clipped'],
    only: ({ name }) => !/exact/i.test(name), // the form without 1e-6 is used nowhere
    run({ input: i }) {
      const grad = i.flat('grad');
      const norm = Math.sqrt(grad.reduce((sum, g) => sum + g * g, 0));
      return { norm, clipped: grad.map((g) => g * clipFactor(norm, i.number('max_norm'))) };
    },
  }),
  check({
    title: 'a learning rate that falls to 0',
    needs: ['lr0', 'num_updates'],
    gives: ['lr'],
    run({ input: i }) {
      const count = i.number('num_updates');
      return { lr: Array.from({ length: count }, (_, update) => annealed(i.number('lr0'), count, update)) };
    },
  }),
  check({
    title: 'orthogonal first weights',
    needs: ['gaussian', 'gain'],
    gives: ['weight', 'gram'],
    run({ input: i }) {
      const [rows, columns] = i.shape('gaussian');
      const w = orthonormalise(i.flat('gaussian'), rows, columns, i.number('gain'));
      const weight = nested(w, columns);
      const vectors = rows < columns ? weight : Array.from({ length: columns }, (_, c) => weight.map((row) => row[c]!));
      const gram = vectors.map((a) => vectors.map((b) => a.reduce((sum, v, at) => sum + v * b[at]!, 0)));
      return { weight, gram };
    },
  }),
  check({
    title: 'bounds of uniform first weights, as torch',
    needs: ['fan_in'],
    gives: ['weight_bound', 'bias_bound'],
    only: ({ name }) => /torch/.test(name),
    run: ({ input: i }) => ({ weight_bound: kaimingBound(i.number('fan_in')), bias_bound: kaimingBound(i.number('fan_in')) }),
  }),
  check({
    title: 'bound of Glorot’s uniform first weights',
    needs: ['fan_in', 'fan_out'],
    gives: ['bound'],
    run: ({ input: i }) => ({ bound: xavierBound(i.number('fan_in'), i.number('fan_out')) }),
  }),
  fanIn('deviation of He’s first weights', 'std', /^he/, heStd),
  fanIn('deviation of LeCun’s first weights', 'std_before_truncation', /lecun/, lecunStd),
  check({
    title: 'running moments of observations',
    needs: ['batches', 'clip'],
    gives: ['after_each'],
    run({ input: i }) {
      const batches = i.list('batches').map((batch) => {
        if (!Array.isArray(batch)) throw new Error('the input "batches" holds no lists');
        return batch.map((row) => (Array.isArray(row) ? row.map((v) => numberOf(v, 'batches')) : [numberOf(row, 'batches')]));
      });
      const width = batches[0]![0]!.length;
      const running = new RunningMoments(width);
      return {
        after_each: batches.map((batch) => {
          const x = Float64Array.from(batch.flat());
          running.update(x, batch.length);
          const state = { mean: [...running.mean], var: [...running.variance], count: running.count };
          running.normalise(x, x, i.number('clip'));
          return { ...state, normalised: nested(x, width) };
        }),
      };
    },
  }),
  check({
    title: 'rewards in units of the deviation of returns',
    needs: ['rewards', 'dones', 'gamma'],
    gives: ['after_each'],
    run({ input: i }) {
      const rows = i.shape('rewards')[1];
      const scaler = new RewardScaler(rows, i.number('gamma'));
      return {
        after_each: i.rows('rewards').map((rewards, t) => {
          const before = scaler.filter.map((v, row) => v * i.number('gamma') + rewards[row]!); // listed before ends empty it
          const out = new Float64Array(rows);
          scaler.scale(Float64Array.from(rewards), Uint8Array.from(i.rows('dones')[t]!), out, 10);
          return { return_filter: before, var: scaler.moments.variance[0]!, scaled: out };
        }),
      };
    },
  }),
  check({
    title: 'values in units of their own spread',
    needs: ['batches', 'beta'],
    gives: ['after_each'],
    float64Atol: 1e-9, // averages are divided by 1 - beta^t, some 1e-5: five digits are lost
    run({ input: i }) {
      const norm = new ValueNorm(i.number('beta'));
      return {
        after_each: i.rows('batches').map((batch) => {
          const x = Float64Array.from(batch);
          norm.update(x);
          const { mean, std } = norm.moments();
          const out = new Float64Array(x.length);
          norm.normalise(x, out);
          return { mean, var: std * std, normalised: out };
        }),
      };
    },
  }),
  check({
    title: 'advantages standardised over those who count',
    needs: ['advantages', 'active_mask', 'eps'],
    gives: ['normalised'],
    run({ input: i }) {
      const out = i.floats('advantages');
      standardiseWeighted(out, i.floats('active_mask'), i.number('eps'), out);
      return { normalised: out };
    },
  }),
  cell('GRU with resets', /^gru/i, gruCell),
  cell('LSTM with resets', /^lstm/i, lstmCell),
];
