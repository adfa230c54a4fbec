/** CartPole (envs/classic/cartpole.ts): the same equations in the same order. */
import { type CartpoleConfig, THETA_LIMIT, X_LIMIT } from '#core/envs/classic/cartpole.ts';
import type { World } from '../world.ts';

export const cartpole: World = {
  id: 'cartpole',
  rules(config) {
    const { maxSteps, gravity, cartMass, poleMass, halfLength, force, dt } = config as CartpoleConfig;
    const perMass = 1 / (cartMass + poleMass); // 1/kg
    const massLength = poleMass * halfLength;
    const poleShare = poleMass * perMass;
    const lengthShare = massLength * perMass;
    return {
      start(k, row) {
        for (const field of ['x', 'xDot', 'theta', 'thetaDot']) row.setFloat(field, k.sub(k.mul(0.1, row.uniform()), 0.05));
        row.setWord('steps', 0);
      },
      step(k, row, action) {
        const { add, sub, mul, div } = k;
        const x = row.float('x');
        const v = row.float('xDot');
        const a = row.float('theta');
        const w = row.float('thetaDot');
        const c1 = k.cos(a);
        const s1 = k.sin(a);
        const push = k.pick(k.same(action, 1), force, -force);
        const temp = mul(add(push, mul(mul(mul(massLength, w), w), s1)), perMass);
        const angular = div(sub(mul(gravity, s1), mul(c1, temp)), mul(halfLength, sub(4 / 3, mul(mul(poleShare, c1), c1))));
        const linear = sub(temp, mul(mul(lengthShare, angular), c1));
        const x2 = add(x, mul(dt, v));
        const a2 = add(a, mul(dt, w));
        const t = k.plus(row.word('steps'), 1);
        row.setFloat('x', x2);
        row.setFloat('xDot', add(v, mul(dt, linear)));
        row.setFloat('theta', a2);
        row.setFloat('thetaDot', add(w, mul(dt, angular)));
        row.setWord('steps', t);
        const off = k.either(k.below(X_LIMIT, x2), k.below(x2, -X_LIMIT));
        const fallen = k.either(k.below(THETA_LIMIT, a2), k.below(a2, -THETA_LIMIT));
        return { reward: add(1, 0), terminated: k.either(off, fallen), truncated: k.not(k.less(t, maxSteps)) };
      },
      observe(_k, row, see) {
        ['x', 'xDot', 'theta', 'thetaDot'].forEach((field, i) => {
          see(i, row.float(field));
        });
      },
    };
  },
};
