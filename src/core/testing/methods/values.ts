/** Targets and losses of action values, prioritised replay, mixing. */
import { dqnLoss, dqnTarget } from '#core/algos/value/lib/dqn-programs.ts';
import { weighted } from '#core/algos/value/lib/dqn-variants.ts';
import { gradients } from '#core/engine/autodiff.ts';
import { sum } from '#core/engine/ops.ts';
import { createWasmEngine } from '#core/engine/wasm/engine.ts';
import { crossEntropy, projected, quantileHuber } from '#core/nets/distribution.ts';
import { mixMonotone, sumOfValues } from '#core/nets/mixing.ts';
import { qNetwork } from '#core/nets/mlp.ts';
import { greedyAction, maxQ } from '#core/nets/q-values.ts';
import { Priorities } from '#core/state/priorities.ts';
import { Rng } from '#math/rng.ts';
import { linear } from '#math/schedules.ts';
import { check, type Inputs, type Machine, nested, program } from './check.ts';

async function project(i: Inputs, machine: Machine, low: number, high: number): Promise<number[][]> {
  const discount = i.flat('terminated').map((over) => (over === 1 ? 0 : i.number('gamma')));
  const given = { probs: i.tensor('next_probs'), reward: i.tensor('rewards'), discount: { shape: [discount.length], data: discount } };
  const found = await machine.compute(given, (x) => ({ projected: projected(x.probs, x.reward, x.discount, low, high) }));
  return nested(found.projected, i.shape('next_probs')[1]);
}

export const valueChecks = [
  program({
    title: 'DQN and double DQN: targets and losses',
    needs: ['rewards', 'terminated', 'gamma', 'q', 'actions', 'next_q_online', 'next_q_target'],
    gives: ['dqn', 'double_dqn', 'next_actions', 'td_error', 'mse_loss', 'huber_loss'],
    async run({ input: i }, machine) {
      const discount = i.flat('terminated').map((over) => (over === 1 ? 0 : i.number('gamma')));
      const given = {
        reward: i.tensor('rewards'),
        discount: { shape: [discount.length], data: discount },
        q: i.tensor('q'),
        action: i.tensor('actions'),
        online: i.tensor('next_q_online'),
        target: i.tensor('next_q_target'),
      };
      const found = await machine.compute(given, (x) => {
        const double = dqnTarget(x.reward, x.discount, x.target, x.online);
        const mse = dqnLoss(x.q, x.action, double, 'mse', null);
        const huber = dqnLoss(x.q, x.action, double, 'huber', null);
        const plain = dqnTarget(x.reward, x.discount, x.target, null);
        return { plain, double, next: greedyAction(x.online), error: mse.error, mse: mse.loss, huber: huber.loss };
      });
      return {
        dqn: found.plain,
        double_dqn: found.double,
        next_actions: found.next,
        td_error: found.error.map((e) => -e), // the files list target - Q
        mse_loss: found.mse[0]!,
        huber_loss: found.huber[0]!,
      };
    },
  }),
  program({
    title: 'C51: the projection onto given atoms',
    needs: ['z', 'next_probs', 'rewards', 'terminated', 'gamma'],
    gives: ['projected', 'expected_value'],
    async run({ input: i }, machine) {
      const z = i.flat('z');
      const found = await project(i, machine, z[0]!, z.at(-1)!);
      return { projected: found, expected_value: found.map((row) => row.reduce((total, p, k) => total + p * z[k]!, 0)) };
    },
  }),
  program({
    title: 'C51: the projection onto atoms between two values',
    needs: ['v_min', 'v_max', 'n_atoms', 'next_probs', 'rewards', 'terminated', 'gamma'],
    gives: ['projected'],
    only: ({ input: i }) => i.number('n_atoms') === i.shape('next_probs')[1],
    run: async ({ input: i }, machine) => ({ projected: await project(i, machine, i.number('v_min'), i.number('v_max')) }),
  }),
  program({
    title: 'C51: the cross-entropy',
    needs: ['projected', 'logits'],
    gives: ['loss', 'per_sample'],
    async run({ input: i }, machine) {
      const given = { target: i.tensor('projected'), logits: i.tensor('logits') };
      const found = await machine.compute(given, (x) => {
        const each = crossEntropy(x.target, x.logits);
        return { each, loss: weighted(each, null) };
      });
      return { per_sample: found.each, loss: found.loss[0]! };
    },
  }),
  program({
    title: 'quantile Huber loss',
    needs: ['taus', 'theta', 'target', 'kappa'],
    gives: ['pairwise', 'loss'],
    only: ({ input }) => input.number('kappa') === 1,
    async run({ input: i }, machine) {
      const [taus, theta, target] = [i.flat('taus'), i.flat('theta'), i.flat('target')];
      const pairs = theta.flatMap((q, k) => target.map((y) => ({ q, tau: taus[k]!, y })));
      const column = (data: readonly number[]) => ({ shape: [data.length, 1], data });
      const found = await machine.compute(
        {
          taus: { shape: [taus.length], data: taus },
          theta: { shape: [1, theta.length], data: theta },
          target: { shape: [1, target.length], data: target },
          q: column(pairs.map(({ q }) => q)),
          tau: column(pairs.map(({ tau }) => tau)),
          y: column(pairs.map(({ y }) => y)),
        },
        (x) => ({ loss: quantileHuber(x.theta, x.taus, x.target), each: quantileHuber(x.q, x.tau, x.y) }),
      );
      return { pairwise: nested(found.each, target.length), loss: found.loss[0]! };
    },
  }),
  check({
    title: 'prioritised replay: chances and weights',
    needs: ['td_error', 'alpha', 'beta', 'eps'],
    gives: ['probs', 'weights'],
    only: ({ input }) => input.number('eps') === 1e-6, // what is added to every priority here
    run({ input: i }) {
      const errors = i.flat('td_error');
      const priorities = new Priorities(errors.length, i.number('alpha'));
      errors.forEach((error, id) => {
        priorities.update(id, error);
      });
      const weights = errors.map((_, id) => priorities.weight(id, errors.length, i.number('beta')));
      const top = Math.max(...weights);
      return { probs: errors.map((_, id) => priorities.probability(id)), weights: weights.map((w) => w / top) };
    },
  }),
  program({
    title: 'dueling head',
    needs: ['value', 'advantage'],
    gives: ['q'],
    async run({ input: i }, machine) {
      // Features that hold value and advantages, and heads that pick them out: the network itself is what is checked.
      const [rows, n] = i.shape('advantage');
      const zeros = new Array<number>(n).fill(0);
      const group = machine.group('q', {
        'value.w': [1, ...zeros],
        'value.b': [0],
        'advantage.w': Array.from({ length: (n + 1) * n }, (_, at) => (Math.floor(at / n) === (at % n) + 1 ? 1 : 0)),
        'advantage.b': zeros,
      });
      const net = qNetwork(group, Rng.from(0), [n + 1, n], { dueling: true });
      const data = i.rows('value').flatMap((v, row) => [...v, ...i.rows('advantage')[row]!]);
      const found = await machine.compute({ features: { shape: [rows, n + 1], data } }, (x) => ({ q: net(x.features) }));
      return { q: nested(found.q, n) };
    },
  }),
  check({
    title: 'target networks: the Polyak step',
    needs: ['target', 'online', 'tau'],
    gives: ['new_target'],
    float32Atol: 1e-6,
    async run({ input: i }) {
      const engine = await createWasmEngine();
      const block = (name: 'target' | 'online') => {
        const group = engine.group(name);
        return { group, param: group.param('w', [i.flat(name).length], Float32Array.from(i.flat(name))) };
      };
      const [target, online] = [block('target'), block('online')];
      const step = engine.polyak(target.group, online.group);
      step.in.tau[0] = i.number('tau');
      await step.run();
      const answer = { new_target: (await engine.read(target.param)).slice() };
      engine.dispose();
      return answer;
    },
  }),
  check({
    title: 'exploration that falls in a straight line',
    needs: ['start', 'end', 'duration', 'steps'],
    gives: ['epsilon'],
    run: ({ input: i }) => ({
      epsilon: i.flat('steps').map((step) => linear(i.number('start'), i.number('end'), i.number('duration'), step)),
    }),
  }),
  program({
    title: 'VDN: the sum of values',
    needs: ['agent_qs'],
    gives: ['q_tot'],
    run: ({ input: i }, machine) => machine.compute({ q: i.tensor('agent_qs') }, (x) => ({ q_tot: sumOfValues(x.q) })),
  }),
  program({
    title: 'QMIX: joint value and its slopes',
    needs: ['agent_qs', 'w1_raw', 'b1', 'w_final_raw', 'v'],
    gives: ['q_tot', 'dqtot_dq'],
    async run({ input: i }, machine) {
      const [R, A] = i.shape('agent_qs');
      const [, E] = i.shape('b1');
      const given = {
        q: i.tensor('agent_qs'),
        w1: i.tensor('w1_raw', [R, A, E]),
        b1: i.tensor('b1'),
        w2: i.tensor('w_final_raw'),
        v: i.tensor('v'),
      };
      const found = await machine.compute(given, (x) => {
        const total = mixMonotone(x.q, { w1: x.w1, b1: x.b1, w2: x.w2, v: x.v });
        return { total, slopes: gradients(sum(total), [x.q])[0]! };
      });
      return { q_tot: found.total, dqtot_dq: nested(found.slopes, A) };
    },
  }),
  program({
    title: 'the best actions of all agents are the best joint action',
    needs: ['per_agent_q'],
    gives: ['joint_greedy', 'q_tot_max'],
    async run({ input: i }, machine) {
      const found = await machine.compute({ q: i.tensor('per_agent_q') }, (x) => ({ greedy: greedyAction(x.q), best: sum(maxQ(x.q)) }));
      return { joint_greedy: found.greedy, q_tot_max: found.best[0]! };
    },
  }),
];
