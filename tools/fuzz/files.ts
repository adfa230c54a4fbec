/** Hostile files: noise, changed real policies, configs and projects, and containers that are right outside around anything. */
import fc from 'fast-check';
import { unzipSync, zipSync } from 'fflate';
import { encodePolicyFile, type RunFile } from '#contract/files/files.ts';
import { maskedCrc } from '#contract/foreign/tensorboard.ts';
import { canonicalJson, utf8 } from '#contract/kit/canonical.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { memoryDriver } from '#storage/driver.ts';
import { Library } from '#storage/library.ts';
import { writeProject } from '#storage/project.ts';
import { anyJson, anyText, changed } from './links.ts';
import { savedWith, stored, zipOf } from './wrap.ts';

export const config = runConfigSchema.parse({ env: { id: 'cartpole' }, algo: { id: 'ppo' } });

/** A run with one seed, 7. */
export const run: RunFile = {
  kind: 'run',
  version: 1,
  id: 'r1',
  name: 'a run',
  config,
  hash: 'abcdefabcdef',
  colour: 3,
  dash: 1,
  createdAt: 5,
  visible: true,
  note: '',
  parent: null,
  executorReason: 'exact',
  seeds: [
    {
      seed: 7,
      state: 'paused',
      step: 30,
      seconds: 1,
      stepsPerSecond: 30,
      checkpointStep: 30,
      result: null,
      failure: null,
      marks: [{ kind: 'mark', step: 3, type: 'edit', text: 't', path: 'algo.lr', value: 0.2, by: 'user' }],
    },
  ],
};

export const snapshot: PolicySnapshot = {
  kind: 'policy',
  version: 1,
  env: { id: 'cartpole', version: 1, config: {} },
  algo: { id: 'ppo', version: 1, config: {} },
  seed: 7,
  step: 30,
  executor: 'wasm',
  saved: { meta: {}, arrays: { w: Float32Array.of(1, 2, 3) } },
};

/** A whole project as the page writes it. */
export async function sampleProject(): Promise<Uint8Array> {
  const library = new Library(memoryDriver());
  const saved = { meta: { step: 30 }, arrays: { w: Float32Array.of(1, 2), r: Uint8Array.of(9, 8, 7) } };
  await library.putRun(run);
  const sealedNames = ['r'];
  const points = [{ saved: { ...saved, meta: { step: 20 } }, step: 20, sealedNames }];
  await library.saveCheckpoint('r1', 7, { saved, step: 30, sealedNames, points, point: true, curves: [], policies: [], now: 0 });
  const curves = [{ seed: 7, metric: 'a', steps: Float64Array.of(10, 20), values: Float64Array.of(0.1, 1 / 3) }];
  return writeProject(library, [{ run, curves, policies: [snapshot] }], '2026-01-02T03:04:05Z');
}

const text = (value: fc.Arbitrary<string>): fc.Arbitrary<Uint8Array> => value.map(utf8);
const json = (value: fc.Arbitrary<unknown>): fc.Arbitrary<string> => value.map((item) => JSON.stringify(item) ?? 'null');

/** The form with some of its members replaced by anything, left out, or joined by others. */
function bent(form: object): fc.Arbitrary<object> {
  const keys = Object.keys(form);
  return fc
    .tuple(fc.dictionary(fc.oneof(fc.constantFrom(...keys), anyText), anyJson, { maxKeys: 3 }), fc.subarray(keys, { maxLength: 2 }))
    .map(([put, drop]) => Object.fromEntries(Object.entries({ ...form, ...put }).filter(([key]) => !drop.includes(key))));
}

const arrayEntry = fc.record({
  name: fc.oneof(fc.constantFrom('w', '__proto__'), anyText),
  type: fc.constantFrom('f32', 'f64', 'u32', 'i32', 'u8', 'toString', ''),
  offset: fc.oneof(fc.nat(64), fc.constantFrom(-8, 2 ** 31, 2 ** 53)),
  length: fc.oneof(fc.nat(64), fc.constantFrom(-1, 2 ** 31, 2 ** 53)),
});
const savedBytes = fc
  .tuple(
    fc.oneof(fc.record({ meta: anyJson, arrays: fc.oneof(fc.array(arrayEntry, { maxLength: 6 }), anyJson) }), anyJson),
    fc.uint8Array({ maxLength: 100 }),
  )
  .map(([header, body]) => savedWith(JSON.stringify(header) ?? '', body));

const curvesText = fc
  .array(
    fc.array(fc.oneof(anyText, fc.double().map(String)), { maxLength: 7 }).map((cells) => cells.join(',')),
    { maxLength: 20 },
  )
  .map((lines) => ['run,seed,step,metric,value', ...lines].join('\n'));

const cell = fc.oneof(anyText, fc.double().map(String), fc.constantFrom('', 'nan', '1e999', '"', '""', '__proto__', 'constructor'));
const tableText = fc
  .tuple(
    fc.constantFrom(
      'step,a',
      'step,constructor,__proto__',
      '"Step","x - a","x - a__MIN"',
      'time/total_timesteps,rollout/ep_rew_mean',
      '#{}\nr,l,t',
    ),
    fc.array(
      fc.array(cell, { minLength: 1, maxLength: 4 }).map((cells) => cells.join(',')),
      { maxLength: 12 },
    ),
  )
  .map(([header, lines]) => [header, ...lines].join('\n'));

/** Records of an event file, right outside around anything. */
const eventBytes = fc.array(fc.uint8Array({ maxLength: 90 }), { maxLength: 5 }).map((records) =>
  Uint8Array.from(
    records.flatMap((data) => {
      const length = new Uint8Array(BigUint64Array.of(BigInt(data.length)).buffer);
      const sum = (bytes: Uint8Array): Uint8Array => new Uint8Array(Uint32Array.of(maskedCrc(bytes)).buffer);
      return [...length, ...sum(length), ...data, ...sum(data)];
    }),
  ),
);

/** Bits of a file flipped, bytes set, or its end cut off. */
function damaged(bytes: Uint8Array): fc.Arbitrary<Uint8Array> {
  const at = fc.nat(bytes.length - 1);
  return fc.tuple(fc.array(fc.tuple(at, fc.nat(255)), { minLength: 1, maxLength: 4 }), fc.option(at)).map(([sets, cut]) => {
    const out = bytes.slice();
    for (const [i, value] of sets) out[i] = value;
    return cut === null ? out : out.subarray(0, cut);
  });
}

/** `project`: a whole one, `policy`s and configs are made here. */
export function hostileFile(project: Uint8Array): fc.Arbitrary<Uint8Array> {
  const entries = unzipSync(project);
  const names = Object.keys(entries);
  const policy = JSON.parse(encodePolicyFile(snapshot)) as object;
  const inside = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    savedBytes,
    text(curvesText),
    text(json(bent(run))),
    text(json(bent(policy))),
    text(json(bent({ ...run, seeds: [{ ...run.seeds[0], step: -1 }] }))),
  );
  const name = fc.oneof(
    fc.constantFrom(...names),
    anyText,
    fc.constantFrom('r1/7/policy-1.json', '../run.json', 'r1/8/checkpoint.bin', '/', 'r1//run.json'),
  );
  return fc.oneof(
    fc.uint8Array({ maxLength: 2000 }),
    text(anyText),
    text(json(anyJson)),
    text(json(bent(policy))),
    text(json(bent({ ...policy, checksum: undefined }))),
    text(changed(fc.constant(encodePolicyFile(snapshot)))),
    text(json(bent(config))),
    text(json(bent(run))),
    text(curvesText),
    text(tableText),
    eventBytes,
    text(changed(fc.constant(canonicalJson(config)))),
    text(fc.nat(200).map((n) => `{"kind":"policy","saved":${'['.repeat(n)}${']'.repeat(n)}}`)),
    damaged(project),
    damaged(zipSync(entries, { level: 0 })),
    // One entry replaced, everything around it right.
    fc.tuple(fc.constantFrom(...names), inside).map(([which, data]) => zipSync({ ...entries, [which]: data }, { level: 1 })),
    fc
      .array(fc.tuple(name, inside), { maxLength: 6 })
      .map((more) =>
        zipOf([...Object.entries(entries).map(([own, data]) => stored(own, data)), ...more.map(([other, data]) => stored(other, data))]),
      ),
    // Entries that lie about themselves.
    fc
      .array(
        fc.record({
          name,
          packed: fc.uint8Array({ maxLength: 200 }),
          method: fc.constantFrom(0, 8, 99),
          crc: fc.nat(),
          size: fc.oneof(fc.nat(4000), fc.constantFrom(2 ** 32 - 1, 2 ** 31, 2 ** 28)),
        }),
        { maxLength: 6 },
      )
      .map((lies) => zipOf([...Object.entries(entries).map(([own, data]) => stored(own, data)), ...lies])),
    fc.uint8Array({ maxLength: 500 }).map((bytes) => Uint8Array.from([0x50, 0x4b, 3, 4, ...bytes])),
  );
}
