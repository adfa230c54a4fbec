"""PPO on CartPole as one compiled JAX program: the form that PureJaxRL made known, written for this bench by the same settings as its own case.

4 copies x 128 steps, actor and critic of 64-64 tanh units each, 4 epochs of 4 minibatches, Adam 2.5e-4 falling to 0, clip 0.2, gamma 0.99, lambda 0.95,
entropy 0.01, value loss 0.5 (clipped), gradient norm 0.5. Rollout, advantages and updates are nested scans, so that a run is one call. Prints one line of JSON: steps per
second by the clock and by processor time, without compiling; seconds of compiling; mean length of the episodes that ended in the last tenth.
  python ppo_jax.py --steps 500000 --seed 1
"""
import argparse
import json
import os
import time

# one core, as every other row of the bench
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1 " + os.environ.get("XLA_FLAGS", "")
os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp

COPIES, LENGTH, EPOCHS, PARTS = 4, 128, 4, 4
GAMMA, LAMBDA, CLIP, ENTROPY, VALUE, NORM, RATE = 0.99, 0.95, 0.2, 0.01, 0.5, 0.5, 2.5e-4
LIMIT = 500  # steps of an episode


def start(key):
    return jax.random.uniform(key, (COPIES, 4), minval=-0.05, maxval=0.05), jnp.zeros(COPIES, jnp.int32)


def step(state, count, action, key):
    """Barto, Sutton and Anderson's cart by Euler steps of 0.02 s; copies that end begin anew."""
    x, v, angle, spin = state.T
    force = jnp.where(action == 1, 10.0, -10.0)
    sin, cos = jnp.sin(angle), jnp.cos(angle)
    push = (force + 0.05 * spin**2 * sin) / 1.1
    turn = (9.8 * sin - cos * push) / (0.5 * (4.0 / 3.0 - 0.1 * cos**2 / 1.1))
    drive = push - 0.05 * turn * cos / 1.1
    moved = jnp.stack([x + 0.02 * v, v + 0.02 * drive, angle + 0.02 * spin, spin + 0.02 * turn], 1)
    count = count + 1
    done = (jnp.abs(moved[:, 0]) > 2.4) | (jnp.abs(moved[:, 2]) > 12 * 2 * jnp.pi / 360) | (count >= LIMIT)
    fresh, zero = start(key)
    return jnp.where(done[:, None], fresh, moved), jnp.where(done, zero, count), done, count


def layers(key, sizes, gains):
    keys = jax.random.split(key, len(gains))
    init = jax.nn.initializers.orthogonal
    return [(init(g)(k, (a, b)), jnp.zeros(b)) for k, g, a, b in zip(keys, gains, sizes[:-1], sizes[1:])]


def net(params, x):
    for w, b in params[:-1]:
        x = jnp.tanh(x @ w + b)
    w, b = params[-1]
    return x @ w + b


def make(key):
    one, two = jax.random.split(key)
    wide = 2.0**0.5
    return {"actor": layers(one, [4, 64, 64, 2], [wide, wide, 0.01]), "critic": layers(two, [4, 64, 64, 1], [wide, wide, 1.0])}


def loss(params, rows):
    obs, action, old, value, advantage, target = rows
    log_p = jax.nn.log_softmax(net(params["actor"], obs))
    mine = jnp.take_along_axis(log_p, action[:, None], 1)[:, 0]
    now = net(params["critic"], obs)[:, 0]
    near = value + jnp.clip(now - value, -CLIP, CLIP)
    of_value = 0.5 * jnp.maximum((now - target) ** 2, (near - target) ** 2).mean()
    a = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    ratio = jnp.exp(mine - old)
    of_policy = -jnp.minimum(ratio * a, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * a).mean()
    entropy = -(jnp.exp(log_p) * log_p).sum(1).mean()
    return of_policy + VALUE * of_value - ENTROPY * entropy


def adam(params, grads, moments, t, rate):
    norm = jnp.sqrt(sum((g**2).sum() for g in jax.tree.leaves(grads)))
    grads = jax.tree.map(lambda g: g * jnp.minimum(1.0, NORM / (norm + 1e-6)), grads)
    first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, moments[0], grads)
    second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, moments[1], grads)
    c1, c2 = 1 - 0.9**t, 1 - 0.999**t
    moved = jax.tree.map(lambda p, m, v: p - rate * (m / c1) / (jnp.sqrt(v / c2) + 1e-5), params, first, second)
    return moved, (first, second)


def train(key, updates):
    key, one, two = jax.random.split(key, 3)
    params = make(one)
    zeros = jax.tree.map(jnp.zeros_like, params)
    state, count = start(two)

    def act(carry, key):
        params, state, count = carry
        one, two = jax.random.split(key)
        logits = net(params["actor"], state)
        action = jax.random.categorical(one, logits)
        log_p = jnp.take_along_axis(jax.nn.log_softmax(logits), action[:, None], 1)[:, 0]
        value = net(params["critic"], state)[:, 0]
        moved, counted, done, length = step(state, count, action, two)
        return (params, moved, counted), (state, action, log_p, value, done, length)

    def update(carry, n):
        params, moments, state, count, key = carry
        key, one, two = jax.random.split(key, 3)
        (_, state, count), (obs, action, log_p, value, done, length) = jax.lax.scan(act, (params, state, count), jax.random.split(one, LENGTH))
        last = net(params["critic"], state)[:, 0]

        def back(carry, row):
            ahead, next_value = carry
            value, done = row
            go = 1.0 - done
            ahead = 1.0 + GAMMA * next_value * go - value + GAMMA * LAMBDA * go * ahead
            return (ahead, value), ahead

        _, advantage = jax.lax.scan(back, (jnp.zeros(COPIES), last), (value, done), reverse=True)
        rows = [a.reshape((COPIES * LENGTH,) + a.shape[2:]) for a in (obs, action, log_p, value, advantage, advantage + value)]
        rate = RATE * (1 - n / updates)

        def epoch(carry, key):
            order = jax.random.permutation(key, COPIES * LENGTH)
            parts = [a[order].reshape((PARTS, -1) + a.shape[1:]) for a in rows]

            def learn(carry, part):
                params, moments, t = carry
                moved, moments = adam(params, jax.grad(loss)(params, part), moments, t, rate)
                return (moved, moments, t + 1), None

            return jax.lax.scan(learn, carry, parts)[0], None

        begun = (params, moments, n * EPOCHS * PARTS + 1.0)
        (params, moments, _), _ = jax.lax.scan(epoch, begun, jax.random.split(two, EPOCHS))
        return (params, moments, state, count, key), ((length * done).sum(), done.sum())

    return jax.lax.scan(update, (params, (zeros, zeros), state, count, key), jnp.arange(updates))[1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=500_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    updates = asked.steps // (COPIES * LENGTH)
    run = jax.jit(lambda key: train(key, updates))
    key = jax.random.PRNGKey(asked.seed)
    before = time.perf_counter()
    compiled = run.lower(key).compile()
    compiling = time.perf_counter() - before
    before, busy = time.perf_counter(), time.process_time()
    lengths, ends = jax.block_until_ready(compiled(key))
    seconds, busy = time.perf_counter() - before, time.process_time() - busy
    tail = max(1, updates // 10)
    found = {
        "stepsPerSecond": round(updates * COPIES * LENGTH / seconds),
        "cpuStepsPerSecond": round(updates * COPIES * LENGTH / busy),
        "compileSeconds": round(compiling, 2),
        "finalReturn": round(float(lengths[-tail:].sum() / max(1, int(ends[-tail:].sum()))), 1),
        "jax": jax.__version__,
    }
    print(json.dumps(found))


main()
