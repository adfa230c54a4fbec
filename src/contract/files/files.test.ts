import { expect, test } from 'vitest';
import { LabError } from '../kit/errors.ts';
import type { PolicySnapshot } from '../run/events.ts';
import { curvesFromCsv, curvesToCsv } from './curves-csv.ts';
import { configOfJson, decodePolicyFile, encodePolicyFile } from './files.ts';

const policy: PolicySnapshot = {
  kind: 'policy',
  version: 1,
  env: { id: 'e', version: 1, config: { map: ['SG'] } },
  algo: { id: 'a', version: 2, config: {} },
  seed: 3,
  step: 512,
  executor: 'wasm',
  saved: { meta: { kind: 'net' }, arrays: { w: Float32Array.of(0.1, -2), i: Int32Array.of(-1), d: Float64Array.of(Math.PI, Number.NaN) } },
};

const refused = (action: () => unknown): string => {
  try {
    action();
  } catch (error) {
    if (error instanceof LabError) return error.failure.id;
    throw error;
  }
  return 'nothing';
};

test('a policy file is plain JSON and comes back bit for bit', () => {
  const text = encodePolicyFile(policy);
  expect(JSON.parse(text)).toMatchObject({ kind: 'policy', algo: { version: 2 }, saved: { arrays: { w: { type: 'f32' } } } });
  expect(decodePolicyFile(text)).toEqual(policy);
});

test('a policy file with a broken array, type or field is refused', () => {
  const file = JSON.parse(encodePolicyFile(policy)) as { saved: { arrays: Record<string, { type: string; data: string }> }; seed: number };
  for (const spoil of [
    (copy: typeof file) => ({ ...copy, seed: -1 }),
    (copy: typeof file) => ({ ...copy, kind: 'run' }),
    (copy: typeof file) => ({ ...copy, saved: { meta: {}, arrays: { w: { type: 'f32', data: 'AAAA' } } } }), // 3 bytes
    (copy: typeof file) => ({ ...copy, saved: { meta: {}, arrays: { w: { type: 'f99', data: '' } } } }),
  ]) {
    expect(refused(() => decodePolicyFile(JSON.stringify(spoil(structuredClone(file)))))).toBe('file-invalid');
  }
  expect(refused(() => decodePolicyFile('not json'))).toBe('file-invalid');
});

test('a policy file that was changed, or holds weights that are not finite, is refused', () => {
  const text = encodePolicyFile(policy);
  const data = (JSON.parse(text) as { saved: { arrays: { w: { data: string } } } }).saved.arrays.w.data;
  const changed = text.replace(
    data,
    data.replace(/^./, (c) => (c === 'A' ? 'B' : 'A')),
  );
  expect(changed).not.toBe(text);
  expect(() => decodePolicyFile(changed)).toThrow('checksum');
  expect(() => decodePolicyFile(text.replace('"seed":3', '"seed":4'))).toThrow('checksum');
  const old = JSON.stringify({ ...JSON.parse(text), checksum: undefined });
  expect(decodePolicyFile(old)).toEqual(policy); // files from before the checksum open
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) {
    const broken = { ...policy, saved: { meta: {}, arrays: { w: Float32Array.of(1, value) } } };
    expect(() => decodePolicyFile(encodePolicyFile(broken))).toThrow('not finite');
  }
});

test('a file that is nested too deeply is refused like any other', () => {
  const deep = `{"env":${'['.repeat(100_000)}${']'.repeat(100_000)},"algo":{}}`;
  expect(refused(() => configOfJson(deep))).toBe('file-invalid');
  expect(refused(() => decodePolicyFile(deep))).toBe('file-invalid');
  expect(refused(() => configOfJson('{"env":{"__proto__":{"id":"x"}},"algo":{"id":"a"}}'))).toBe('file-invalid');
});

test('curves come back from CSV exactly, and broken lines are named', () => {
  const columns = [
    { seed: 1, metric: 'a', steps: Float64Array.of(1, 2), values: Float64Array.of(1 / 3, Number.NEGATIVE_INFINITY) },
    { seed: 2, metric: 'a', steps: Float64Array.of(1), values: Float64Array.of(5e-324) },
  ];
  const csv = curvesToCsv('run-1', columns);
  expect(csv.split('\n')[1]).toBe(`run-1,1,1,a,${1 / 3}`);
  expect(curvesFromCsv(csv)).toEqual(columns);
  expect(curvesFromCsv(csv.replaceAll('\n', '\r\n'))).toEqual(columns);
  expect(refused(() => curvesFromCsv('step,value\n1,2'))).toBe('file-invalid');
  expect(() => curvesFromCsv(`${csv}run-1,1,x,a,1\n`)).toThrow('Line 5');
});

test('a config is found bare or inside a run or summary', () => {
  const config = { env: { id: 'e' }, algo: { id: 'a' } };
  expect(configOfJson(JSON.stringify(config))).toEqual(config);
  expect(configOfJson(JSON.stringify({ kind: 'run', config }))).toEqual(config);
  expect(configOfJson(JSON.stringify({ type: 'summary', env: 'e', algo: 'a', config }))).toEqual(config);
  expect(refused(() => configOfJson('{"x":1}'))).toBe('file-invalid');
  expect(refused(() => configOfJson('[1]'))).toBe('file-invalid');
});
