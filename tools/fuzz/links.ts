/** Hostile links: noise, typed settings of any name and value, changed and cut real links, and sealed payloads that are right outside. */
import fc from 'fast-check';
import { utf8 } from '#contract/kit/canonical.ts';
import { algos } from '#core/algos/all.ts';
import { envs } from '#core/envs/all.ts';
import { linkOfJson, sealedLink } from './wrap.ts';

/** Texts that have broken parsers, ours or others'. */
export const NASTY = [
  '',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'length',
  'undefined',
  'null',
  'NaN',
  'Infinity',
  '-0',
  '1e999',
  '1e-999',
  '9'.repeat(400),
  '0x10',
  '[]',
  '{}',
  '[[[[[[[[[[1]]]]]]]]]]',
  '['.repeat(200),
  `${'['.repeat(70)}${']'.repeat(70)}`,
  '{"__proto__":{"x":1}}',
  '"\\ud800"',
  '%00',
  '%',
  '%zz',
  '%E0%A4%A',
  '\u0000',
  '\u2028',
  '\ufeff',
  '../../etc/passwd',
  'javascript:alert(1)',
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  '=HYPERLINK("http://x")',
  'a'.repeat(5000),
  '.'.repeat(100),
  '&'.repeat(100),
] as const;

const NUMBERS = [0, -1, 1, 0.5, 1e6, 1e9, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53, 1e308, -1e308, 5e-324];

export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...NASTY),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ maxLength: 200 }),
);

export const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...NUMBERS),
  fc.constantFrom(...NASTY),
  fc.jsonValue({ maxDepth: 5 }),
  fc.array(
    fc.array(fc.constantFrom('S', 'F', '#', '.', '@'), { maxLength: 70 }).map((row) => row.join('')),
    { maxLength: 70 },
  ),
  fc.array(fc.constantFrom(...NUMBERS), { maxLength: 200 }),
);

/** Settings that exist, so that their checks are reached. */
const SETTINGS = [
  ...envs.flatMap((entry) => Object.keys(entry.parse({}) as object).map((key) => ({ room: 'env', id: entry.id, key }))),
  ...algos.flatMap((entry) => Object.keys(entry.parse({}) as object).map((key) => ({ room: 'algo', id: entry.id, key }))),
];
const RUN_KEYS = [
  'steps',
  'seeds',
  'seedStart',
  'executor',
  'evalEvery',
  'evalEpisodes',
  'seed',
  'depth',
  'lock',
  'overlays',
  'tab',
  'metric',
];

const envId = fc.constantFrom(...envs.map(({ id }) => id));
const algoId = fc.constantFrom(...algos.map(({ id }) => id));
const encoded = (value: unknown): string =>
  encodeURIComponent((typeof value === 'string' ? value : JSON.stringify(value)).replace(/[\ud800-\udfff]/g, '?'));

/** Any settings under any names. */
const typedNoise = fc
  .array(fc.tuple(fc.oneof(anyText, fc.constantFrom('env', 'algo', 'env.a.b', 'algo.x.0', ...RUN_KEYS)), anyText), { maxLength: 12 })
  .map((pairs) => `#${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`);

/** Settings that exist, with values that should not. */
const typedSettings = fc
  .tuple(fc.constantFrom(...SETTINGS), envId, algoId, fc.array(fc.tuple(fc.constantFrom(...RUN_KEYS), anyJson), { maxLength: 3 }), anyJson)
  .map(([{ room, id, key }, env, algo, more, value]) => {
    const ids = room === 'env' ? `env=${id}&algo=${algo}` : `env=${env}&algo=${id}`;
    return `#${ids}&${room}.${key}=${encoded(value)}${more.map(([name, item]) => `&${name}=${encoded(item)}`).join('')}`;
  });

/** Names with dots, into what is a list, a number or nothing. */
const typedPaths = fc
  .tuple(
    envId,
    algoId,
    fc.array(
      fc.tuple(
        fc.array(fc.oneof(fc.nat(3).map(String), fc.constantFrom('a', 'map', 'length', '__proto__', 'hidden', '')), { maxLength: 10 }),
        anyJson,
      ),
      { maxLength: 20 },
    ),
  )
  .map(
    ([env, algo, settings]) =>
      `#env=${env}&algo=${algo}&${settings.map(([path, value]) => `env.${path.join('.')}=${encoded(value)}`).join('&')}`,
  );

const sealedJson = fc
  .oneof(
    fc.json(),
    fc.jsonValue().map((value) => JSON.stringify(value)),
    anyText,
  )
  .map(linkOfJson);
const sealedBytes = fc
  .tuple(fc.uint8Array({ maxLength: 500 }), fc.constantFrom('0', '1', '01', '2', '999999999999'))
  .map(([bytes, version]) => sealedLink(bytes, version));

/** The form of a payload, filled with anything. */
const sealedConfig = fc
  .tuple(
    fc.oneof(envId, anyText),
    fc.oneof(algoId, anyText),
    fc.dictionary(fc.oneof(fc.constantFrom(...SETTINGS.map(({ key }) => key)), anyText), anyJson, { maxKeys: 6 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...RUN_KEYS), anyText), anyJson, { maxKeys: 4 }),
    fc.option(anyJson),
  )
  .map(([env, algo, config, run, view]) =>
    linkOfJson(JSON.stringify({ env: { id: env, config }, algo: { id: algo, config }, run, ...(view === null ? {} : { view }) })),
  );

/** One text with characters changed, left out, doubled or cut off. */
export function changed(base: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const change = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    what: fc.constantFrom('set', 'cut', 'drop', 'double', 'insert'),
    text: fc.string({ unit: 'binary', maxLength: 8 }),
  });
  return fc.tuple(base, fc.array(change, { minLength: 1, maxLength: 4 })).map(([text, changes]) =>
    changes.reduce((now, { at, what, text: put }) => {
      const i = Math.floor(at * now.length);
      const [head, tail] = [now.slice(0, i), now.slice(i)];
      if (what === 'cut') return head;
      if (what === 'drop') return head + tail.slice(1);
      if (what === 'double') return head + tail.slice(0, 100) + tail;
      return head + put + tail.slice(what === 'set' ? put.length : 0);
    }, text),
  );
}

/** `corpus`: real links. */
export function hostileLink(corpus: readonly string[]): fc.Arbitrary<string> {
  const real = fc.constantFrom(...corpus);
  return fc.oneof(
    anyText,
    anyText.map((text) => `#${text}`),
    fc.string({ unit: 'binary', maxLength: 3000 }).map((text) => `#${text}`),
    typedNoise,
    typedSettings,
    typedSettings,
    typedPaths,
    changed(typedSettings),
    sealedJson,
    sealedBytes,
    sealedConfig,
    changed(sealedConfig),
    changed(real),
    real,
    fc.tuple(real, anyText).map(([link, text]) => link + text),
    fc.nat({ max: 70_000 }).map((n) => `#env=cartpole&env.gravity=${'9'.repeat(n)}`),
    fc.nat({ max: 400 }).map((n) => `#env=cartpole&${Array.from({ length: n }, (_, i) => `env.k${i}=${i}`).join('&')}`),
    fc
      .nat({ max: 100 })
      .map((n) => linkOfJson(`{"env":{"id":"cartpole","config":{"x":${'['.repeat(n)}${']'.repeat(n)}}},"algo":{"id":"ppo"}}`)),
    fc.uint8Array({ maxLength: 50 }).map((bytes) => sealedLink(utf8(`{${String(bytes)}`))),
  );
}
