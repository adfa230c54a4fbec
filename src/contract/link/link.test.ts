import fc from 'fast-check';
import { deflateSync } from 'fflate';
import { expect, test } from 'vitest';
import { crc32, toBase64Url } from '../kit/bytes.ts';
import { canonicalJson, utf8 } from '../kit/canonical.ts';
import { LabError } from '../kit/errors.ts';
import { inflate } from '../kit/inflate.ts';
import type { Json, JsonObject } from '../kit/json.ts';
import { type RunConfig, runConfigSchema } from '../run/config.ts';
import { configHash } from '../run/config-hash.ts';
import { decodeLink, encodeLink, type LinkView, LONGEST_LINK } from './link.ts';

const defaults = {
  env: { maxSteps: 500, map: ['SFFF', 'FHFH', 'FFFH', 'HFFG'], end: { rule: 'goal' } },
  algo: { lr: 0.00025, gamma: 0.99, hidden: [64, 64], anneal: true },
} as const satisfies { env: JsonObject; algo: JsonObject };

/** What `complete` does with a partial config, for these two defaults. */
function complete(partial: JsonObject): RunConfig {
  const { env, algo, run } = partial as {
    env: { id: string; config?: JsonObject };
    algo: { id: string; config?: JsonObject };
    run?: JsonObject;
  };
  return runConfigSchema.parse({
    env: { ...env, config: { ...defaults.env, ...env.config } },
    algo: { ...algo, config: { ...defaults.algo, ...algo.config } },
    run: run ?? {},
  });
}

const base = complete({ env: { id: 'cartpole' }, algo: { id: 'ppo' } });
const thrown = (action: () => unknown): string => {
  try {
    action();
  } catch (error) {
    if (error instanceof LabError) return error.failure.id;
    throw error;
  }
  return 'nothing';
};

const keys = fc.constantFrom('lr', 'gamma', 'hidden', 'anneal', 'other', 'map', 'maxSteps', 'end');
/** "__proto__" is no name in a link (json.ts). */
const values = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('__proto__')) as fc.Arbitrary<Json>;
const configs = fc
  .record({
    env: fc.dictionary(keys, values),
    algo: fc.dictionary(keys, values),
    seedStart: fc.nat(),
    steps: fc.integer({ min: 1, max: 1e10 }),
    version: fc.integer({ min: 1, max: 3 }),
  })
  .map(({ env, algo, seedStart, steps, version }) =>
    complete(
      JSON.parse(JSON.stringify({ env: { id: 'a', config: env, version }, algo: { id: 'b', config: algo }, run: { seedStart, steps } })),
    ),
  );
const views: fc.Arbitrary<LinkView> = fc.constantFrom<LinkView>(
  {},
  { depth: 'teach', lock: ['algo.lr'] },
  { camera: 'top', overlays: ['values', 'policy'], tab: 'curves', filter: 'ppo', projector: true },
);

test('any config and view come back from their link, with the same hash', () => {
  fc.assert(
    fc.property(configs, views, (config, view) => {
      const opened = decodeLink(encodeLink(config, defaults, view, 1e9));
      expect(opened).not.toBeNull();
      if (opened === null) return;
      const back = complete(opened.config);
      expect(configHash(back)).toBe(configHash(config));
      expect(opened.view).toEqual(view);
    }),
  );
});

test('every cut and every changed character is refused, and says so', () => {
  const link = encodeLink({ ...base, run: { ...base.run, seedStart: 7 } }, defaults, { depth: 'teach' });
  for (let length = 2; length < link.length; length++) expect(thrown(() => decodeLink(link.slice(0, length)))).toBe('link-damaged');
  for (let i = 1; i < link.length; i++) {
    for (const character of 'A0z-_.=%9') {
      if (link[i] === character) continue;
      expect(thrown(() => decodeLink(link.slice(0, i) + character + link.slice(i + 1)))).toMatch(/^link-(damaged|foreign|future)$/);
    }
  }
  expect(thrown(() => decodeLink(`${link}A`))).toBe('link-damaged');
});

test('only the seed differs: a short link', () => {
  expect(encodeLink({ ...base, run: { ...base.run, seedStart: 7 } }, defaults).length).toBeLessThanOrEqual(30);
});

test('a link beyond the room is not made', () => {
  // 32 lines of noise that no compression helps.
  const map = Array.from({ length: 64 }, (_, i) =>
    Array.from({ length: 40 }, (_, k) => String.fromCharCode(33 + ((i * 7919 + k * k * 104729) % 90))).join(''),
  );
  const config = { ...base, env: { ...base.env, config: { ...base.env.config, map } } };
  expect(thrown(() => encodeLink(config, defaults))).toBe('link-too-long');
  expect(encodeLink(config, defaults, {}, 1e6).length).toBeGreaterThan(LONGEST_LINK);
});

function sealed(version: string, payload: unknown, dictionary?: Uint8Array): string {
  const packed = deflateSync(utf8(canonicalJson(payload)), dictionary === undefined ? {} : { dictionary });
  const body = `${version}.${toBase64Url(packed)}`;
  const crc = crc32(utf8(body));
  return `#${body}.${toBase64Url(Uint8Array.of(crc >>> 24, crc >>> 16, crc >>> 8, crc))}`;
}

test('future, foreign and hollow links are distinguished', () => {
  expect(thrown(() => decodeLink(sealed('2', {})))).toBe('link-future');
  expect(thrown(() => decodeLink(sealed('0', {})))).toBe('link-foreign');
  expect(thrown(() => decodeLink(sealed('01', {})))).toBe('link-foreign');
  expect(thrown(() => decodeLink(sealed('1', { env: 1 })))).toBe('link-damaged');
  for (const hash of ['#json=abc,key', '#/route', '#section', '#=', '#1x.abc.defghi', '#algo=ppo', '#env=a&algo=b&nope=1']) {
    expect(thrown(() => decodeLink(hash))).toBe('link-foreign');
  }
  expect(thrown(() => decodeLink('#env=%zz&algo=b'))).toBe('link-damaged');
  expect(decodeLink('')).toBeNull();
  expect(decodeLink('#')).toBeNull();
});

test('an environment alone is a link: its algorithm is left open', () => {
  expect(decodeLink('#env=cartpole&env.gravity=5')?.config).toEqual({
    env: { id: 'cartpole', config: { gravity: 5 } },
    algo: { config: {} },
    run: {},
  });
});

test('the readable form says the same in words', () => {
  expect(
    decodeLink(
      '#env=cartpole&algo=ppo&algo.lr=0.001&algo.net.width=64&seed=7&steps=1e5&env.map=["SF","FG"]&depth=teach&lock=algo.lr,run.seeds',
    ),
  ).toEqual({
    config: {
      env: { id: 'cartpole', config: { map: ['SF', 'FG'] } },
      algo: { id: 'ppo', config: { lr: 0.001, net: { width: 64 } } },
      run: { seedStart: 7, steps: 100_000 },
    },
    view: { depth: 'teach', lock: ['algo.lr', 'run.seeds'] },
    experiment: null,
  });
  expect(decodeLink('#experiment=ppo-cartpole&seed=3')).toMatchObject({ experiment: 'ppo-cartpole', config: { run: { seedStart: 3 } } });
});

test('the versions of environment and algorithm are said, the first by saying nothing', () => {
  const second = { ...base, algo: { ...base.algo, version: 2 } };
  expect(decodeLink(encodeLink(second, defaults))?.config).toMatchObject({ env: { version: 1 }, algo: { version: 2 } });
  expect(decodeLink('#env=cartpole&algo=ppo')?.config).toEqual({
    env: { id: 'cartpole', config: {} },
    algo: { id: 'ppo', config: {} },
    run: {},
  });
});

test('a link is bounded before it is decoded', () => {
  expect(thrown(() => decodeLink(`#env=cartpole&algo=ppo&env.${'a.'.repeat(100_000)}b=1`))).toBe('link-too-long');
  expect(thrown(() => decodeLink(`#env=cartpole&algo=ppo&env.${'a.'.repeat(20_000)}b=1`))).toBe('link-foreign');
  const many = Array.from({ length: 5000 }, (_, i) => `env.k${i}=1`).join('&');
  expect(thrown(() => decodeLink(`#env=cartpole&algo=ppo&${many}`))).toBe('link-foreign');
  // an experiment and spaces: nothing but its length speaks against it
  const bomb = deflateSync(utf8(`{"env":{"id":"a"},"algo":{"id":"b"}}${' '.repeat(30_000_000)}`), { level: 9 });
  const body = `1.${toBase64Url(bomb)}`;
  const crc = crc32(utf8(body));
  const link = `#${body}.${toBase64Url(Uint8Array.of(crc >>> 24, crc >>> 16, crc >>> 8, crc))}`;
  expect(link.length).toBeLessThan(65_536);
  expect(thrown(() => decodeLink(link))).toBe('link-damaged');
  // refused while it is inflated: that its end is missing has not been seen yet
  expect(() => inflate(bomb.subarray(0, bomb.length >> 1), 1000)).toThrow('too large');
  expect(thrown(() => decodeLink(`#env=cartpole&algo=ppo&env.gravity=${'['.repeat(60_000)}`))).toBe('nothing'); // text, which completeRun refuses
});

test('a refusal does not repeat a name of any length', () => {
  expect(() => decodeLink(`#${'a'.repeat(5000)}=1`)).toThrow(/^This is not a link.{500,1100}…/);
});

test('a refused value of the view says which there are', () => {
  expect(() => decodeLink('#env=cartpole&projector=2')).toThrow('"projector" must be true or false');
  expect(() => decodeLink('#env=cartpole&camera=left')).toThrow('"camera" must be one of home, top, side, follow');
});

test('the projector is switched by true and false, and by 1 and 0', () => {
  const projector = (value: string): unknown => decodeLink(`#env=cartpole&projector=${value}`)?.view?.projector;
  expect(['true', '1', 'false', '0'].map(projector)).toEqual([true, true, false, false]);
});

test('names that objects inherit are no settings', () => {
  for (const name of ['__proto__', 'toString', 'constructor', 'env.__proto__.x', 'algo.a.__proto__'])
    expect(
      thrown(() => decodeLink(`#env=cartpole&algo=ppo&${name}=1`)),
      name,
    ).toBe('link-foreign');
  const sealed = (json: string): string => {
    const body = `1.${toBase64Url(deflateSync(utf8(json)))}`;
    const crc = crc32(utf8(body));
    return `#${body}.${toBase64Url(Uint8Array.of(crc >>> 24, crc >>> 16, crc >>> 8, crc))}`;
  };
  const json = (config: string): string => `{"env":{"id":"a","config":${config}},"algo":{"id":"b"}}`;
  expect(thrown(() => decodeLink(sealed(json('{"x":1}'))))).toBe('nothing');
  expect(thrown(() => decodeLink(sealed(json('{"__proto__":{"x":1}}'))))).toBe('link-damaged');
  expect(thrown(() => decodeLink(sealed(json(`{"x":${'['.repeat(100)}${']'.repeat(100)}}`))))).toBe('link-damaged');
});
