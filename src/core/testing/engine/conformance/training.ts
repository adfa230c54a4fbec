/**
 * What an executor must get right beyond single programs: optimisers with clipping against the float64 reference, parameters that a
 * program assigns, target networks, runs that wait for one reading, files. Each check gives its largest error, or 0 and 1 for no and yes.
 */
import { present } from '#contract/kit/errors.ts';
import * as ops from '#core/engine/ops.ts';
import { adam, adamW, clipFactor, radam, referenceState, referenceStep, rmsprop, sgd } from '#core/engine/optimisers.ts';
import { inParts } from '#core/engine/parts.ts';
import type { Engine, Optimiser, Param } from '#core/engine/types.ts';
import { mlp } from '#core/nets/mlp.ts';
import { readVector } from '#core/state/params.ts';
import { Rng } from '#math/rng.ts';
import { randomFeed } from '../fuzz.ts';

const OPTIMISERS: { readonly [name: string]: Optimiser } = {
  sgd: sgd(),
  'sgd nesterov, decay': sgd({ momentum: 0.9, nesterov: true, weightDecay: 0.01 }),
  'adam l2': adam({ weightDecay: 0.1, eps: 1e-5 }),
  adamW: adamW({ weightDecay: 0.1, eps: 1e-5 }),
  radam: radam({ beta2: 0.9 }),
  'rmsprop centered, momentum': rmsprop({ centered: true, momentum: 0.9, eps: 1e-3 }),
  'rmsprop inside': rmsprop({ epsInsideRoot: true, initialAccumulator: 1, eps: 1e-3 }),
};

/** Twelve clipped steps on given gradients; the second half waits for one reading. Parameters `b` neither decay nor share a norm. */
async function optimiserError(engine: Engine, optimiser: Optimiser): Promise<number> {
  const sizes = { a: 1, w: 19, b: 5000 } as const;
  const group = engine.group('net');
  const start = (n: number): Float32Array => Float32Array.from({ length: n }, (_, i) => ((i * 7) % 11) / 5 - 1);
  const params = Object.entries(sizes).map(([name, n]) => group.param(name, [n], start(n)));
  const [decaying, apart] = [(p: Param) => p.name !== 'b', (p: Param) => (p.name === 'b' ? 'b' : 'rest')];
  const learn = engine.compile(
    (g) => ({ loss: params.map((p) => ops.sum(ops.mul(g.read(p), g.input(p.name, p.shape)))).reduce((a, b) => ops.add(a, b)) }),
    { minimise: 'loss', group, with: optimiser, maxGradNorm: 2, clipApart: apart, decays: decaying },
  );
  const runs = [['a', 'w'], ['b']] as const;
  const without = 'weightDecay' in optimiser ? { ...optimiser, weightDecay: 0 } : optimiser;
  const weights = runs.map((names) => Float64Array.from(names.flatMap((name) => [...start(sizes[name])])));
  const states = weights.map((w) => referenceState(optimiser, w.length));
  let error = 0;
  for (let t = 1; t <= 12; t++) {
    const slopes = runs.map((names) => names.map((name) => randomFeed(Rng.from(100 * t + sizes[name]), sizes[name])));
    runs.forEach((names, k) => {
      names.forEach((name, i) => {
        present(learn.in[name], name).set(slopes[k]![i]!);
      });
    });
    present(learn.in.lr, 'lr')[0] = 0.01 / t;
    await learn.run({ read: t <= 6 || t === 12 });
    let all = 0;
    runs.forEach((_, k) => {
      const flat = slopes[k]!.flatMap((s) => [...s]);
      const square = flat.reduce((sum, x) => sum + x * x, 0);
      all += square;
      const clipped = flat.map((x) => x * clipFactor(Math.sqrt(square), 2));
      referenceStep(k === 0 ? optimiser : without, weights[k]!, clipped, 0.01 / t, states[k]!);
    });
    if (t <= 6 || t === 12) error = Math.max(error, Math.abs(present(learn.out.gradNorm, 'gradNorm')[0]! / Math.sqrt(all) - 1));
  }
  const got = await Promise.all(params.map((p) => engine.read(p)));
  const want = weights.flatMap((w) => [...w]);
  got
    .flatMap((data) => [...data])
    .forEach((x, i) => {
      const e = Math.abs(x - want[i]!);
      error = Math.max(error, Number.isNaN(e) ? Number.POSITIVE_INFINITY : e);
    });
  return error;
}

/** A program that puts columns at places of its own in every row, and reads what was there before. */
async function putError(engine: Engine): Promise<number> {
  const group = engine.group('memory');
  const [A, B, C] = [2, 3, 5];
  const x = group.param('x', [A, B, C], new Float32Array(A * B * C));
  const y = group.param('y', [A, B, C], new Float32Array(A * B * C).fill(-1));
  const program = engine.compile({ at: [A], z: [A, B] }, ({ at, z }, g) => {
    g.put(x, 2, ops.reshape(at, [A, 1, 1]), ops.mul(ops.reshape(z, [A, B, 1]), 2));
    g.put(y, 1, g.constant(2), ops.sum(g.read(x), 1, true));
    return { before: ops.sum(g.read(x)) };
  });
  const [ofX, ofY] = [new Float32Array(A * B * C), new Float32Array(A * B * C).fill(-1)];
  let before = 0;
  for (let run = 0; run < 3; run++) {
    before = ofX.reduce((a, b) => a + b, 0);
    for (let a = 0; a < A; a++)
      for (let c = 0; c < C; c++) ofY[(a * B + 2) * C + c] = [0, 1, 2].reduce((sum, b) => sum + ofX[(a * B + b) * C + c]!, 0);
    for (let a = 0; a < A; a++) {
      program.in.at[a] = (run + 2 * a) % C;
      for (let b = 0; b < B; b++) {
        program.in.z[a * B + b] = 1 + run + 10 * a + b;
        ofX[(a * B + b) * C + ((run + 2 * a) % C)] = 2 * (1 + run + 10 * a + b);
      }
    }
    await program.run({ read: run === 2 });
  }
  const got = [...(await engine.read(x)), ...(await engine.read(y)), ...program.out.before];
  return [...ofX, ...ofY, before].reduce((worst, v, i) => Math.max(worst, Math.abs((got[i] ?? Number.POSITIVE_INFINITY) - v)), 0);
}

/** A program that assigns what it has read before, a target network that follows, and a value written from outside. */
async function assignError(engine: Engine): Promise<number> {
  const [a, b] = [engine.group('a'), engine.group('b')];
  const x = a.param('x', [3], Float32Array.of(1, 2, 3));
  const y = b.param('x', [3], Float32Array.of(10, 20, 30));
  const count = b.param('n', [1], Float32Array.of(0));
  const exchange = engine.compile((g) => {
    g.assign(x, ops.concat([ops.slice(g.read(x), [1], [2]), ops.slice(g.read(x), [0], [1])], 0));
    g.assign(count, ops.add(g.read(count), 1));
    return { before: g.read(x), total: ops.sum(g.read(x)) };
  });
  await exchange.run({ read: false });
  await exchange.run();
  const follow = engine.polyak(b, a);
  follow.in.tau[0] = 0.25;
  await follow.run({ read: false });
  engine.write(x, Float32Array.of(4, 5, 6));
  await follow.run({ read: false });
  const got = [
    ...present(exchange.out.before, 'before'),
    ...present(exchange.out.total, 'total'),
    ...(await engine.read(x)),
    ...(await engine.read(y)),
    ...(await engine.read(count)),
  ];
  // x was 1 2 3, then 2 3 1, then 3 1 2 when y followed it for the first time.
  const once = [10, 20, 30].map((v, i) => 0.75 * v + 0.25 * [3, 1, 2][i]!);
  const want = [2, 3, 1, 6, 4, 5, 6, ...once.map((v, i) => 0.75 * v + 0.25 * (4 + i)), 2];
  return want.reduce((worst, v, i) => Math.max(worst, Math.abs((got[i] ?? Number.POSITIVE_INFINITY) - v)), 0);
}

/** Weights after five clipped steps of a network, each taken in three parts, against those of whole steps. */
async function partsError(whole: Engine, parted: Engine): Promise<number> {
  const rows = 12;
  const trained = async (engine: Engine, parts: number): Promise<Float64Array> => {
    const group = engine.group('net');
    const net = mlp(group, 'm', Rng.from(1), [3, 5, 1]);
    const each = (rows / parts) * 3;
    const learn = inParts(engine, parts).compile({ x: [rows / parts, 3] }, ({ x }) => ({ loss: ops.sum(ops.square(net(x))) }), {
      minimise: 'loss',
      group,
      with: adamW({ weightDecay: 0.1 }),
      maxGradNorm: 0.5,
    });
    for (let step = 0; step < 5; step++) {
      const x = randomFeed(Rng.from(step), rows * 3);
      for (let part = 0; part < parts; part++) {
        learn.in.x.set(x.subarray(part * each, (part + 1) * each));
        learn.in.lr[0] = 0.05;
        await learn.run({ read: step > 1 });
      }
    }
    return readVector(engine, group.params);
  };
  const [want, got] = [await trained(whole, 1), await trained(parted, 3)];
  return want.reduce((worst, x, i) => Math.max(worst, Math.abs(x - got[i]!)), 0);
}

/** 0 if a saved run goes on as it would have, in an engine that has compiled already and in one that has not. */
async function fileError(engines: readonly [Engine, Engine, Engine]): Promise<number> {
  const make = (engine: Engine, load?: Parameters<Engine['load']>[0]) => {
    const group = engine.group('net');
    const net = mlp(group, 'm', Rng.from(1), [3, 5, 1]);
    if (load !== undefined) engine.load(load);
    const learn = engine.compile((g) => ({ loss: ops.mean(ops.square(net(g.input('x', [4, 3])))) }), {
      minimise: 'loss',
      group,
      with: adam(),
    });
    return async (steps: number): Promise<void> => {
      for (let i = 0; i < steps; i++) {
        present(learn.in.x, 'x').set(randomFeed(Rng.from(i), 12));
        present(learn.in.lr, 'lr')[0] = 0.05;
        await learn.run({ read: i === 0 });
      }
    };
  };
  const [a, b, c] = engines;
  const first = make(a);
  const second = make(b);
  if ((await a.hash()) !== (await b.hash())) return 1;
  await first(3);
  const saved = await a.save();
  if ((await a.hash()) === (await b.hash())) return 1;
  await first(2);
  b.load(saved);
  await second(2);
  const third = make(c, saved);
  await third(2);
  const hashes = await Promise.all(engines.map((e) => e.hash()));
  return hashes.every((h) => h === hashes[0]) ? 0 : 1;
}

/** Errors by name; `only`: of these checks. */
export async function trainingErrors(
  makeEngine: () => Promise<Engine>,
  only?: readonly string[],
): Promise<{ readonly [name: string]: number }> {
  const wanted = (name: string): boolean => only === undefined || only.includes(name);
  const out: { [name: string]: number } = {};
  const used = async (run: (engine: Engine) => Promise<number>): Promise<number> => {
    const engine = await makeEngine();
    const error = await run(engine);
    engine.dispose();
    return error;
  };
  for (const [name, optimiser] of Object.entries(OPTIMISERS))
    if (wanted(name)) out[name] = await used((engine) => optimiserError(engine, optimiser));
  if (wanted('assign')) out.assign = await used(assignError);
  if (wanted('put')) out.put = await used(putError);
  if (wanted('parts')) {
    const [whole, parted] = [await makeEngine(), await makeEngine()] as const;
    out.parts = await partsError(whole, parted);
    for (const engine of [whole, parted]) engine.dispose();
  }
  if (!wanted('files')) return out;
  const engines = [await makeEngine(), await makeEngine(), await makeEngine()] as const;
  out.files = await fileError(engines);
  for (const engine of engines) engine.dispose();
  return out;
}
