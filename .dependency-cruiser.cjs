/**
 * Who may import whom (docs/adr/0001): the table of tools/rooms.json as rules, and what a table of rooms cannot say.
 * dependency-cruiser reads TypeScript through @swc/core here, which does not tell `import type` from `import`: no rule may depend on that.
 * tools/check-imports.mjs runs this and asserts that modules were really cruised.
 */
const npm = (...names) => `^node_modules/(${names.join('|')})(/|$)`;
const TEST = '\\.test\\.tsx?$';

const { rooms, levels } = require('./tools/rooms.json');

const NODE =
  '^(node:)?(fs|path|os|url|util|worker_threads|child_process|process|http|net|zlib|crypto|stream|perf_hooks|readline|events|module|assert|fs/promises|timers/promises|v8|vm)$';
const ADDRESS = { 'virtual:': '^virtual:', '*.css': '\\.css$', node: NODE, '@mujoco': '^(node_modules/)?@mujoco/' };

/** A room reaches itself, the rooms that `may` lists and its packages, nothing else. Tests beside the code may use more: see tests-stay-near. */
const tableRules = Object.entries(rooms).map(([path, { may, packages, why, except = [] }]) => ({
  name: `room-${path.replace('src/', '').replaceAll('/', '-')}`,
  comment: why,
  severity: 'error',
  from: { path: `^${path}/${except.length > 0 ? `(?!${except.join('|')})` : ''}`, pathNot: TEST },
  to: {
    pathNot: [
      `^${path}/`,
      ...may.map((other) => (/[$)]$/.test(other) ? `^${other}` : `^${other}/`)),
      ...packages.map((name) => ADDRESS[name] ?? npm(name)),
    ],
  },
}));

/** Rooms inside src/contract, src/client, src/ui and cli: each reaches only rooms of lower levels. A file beside them counts to the room that holds them all. */
const order = levels.flat();
const rankRules = ['src/contract', 'src/client', 'src/ui', 'cli'].flatMap((whole) => {
  const inside = order.filter((room) => room === whole || room.startsWith(`${whole}/`));
  const pathOf = (room) => (room === whole ? `^${whole}/[^/]+$` : `^${room}/`);
  return inside.slice(0, -1).map((room, rank) => ({
    name: `rank-${room.replace('src/', '').replaceAll('/', '-')}`,
    comment: 'Only lower rooms: tools/rooms.json.',
    severity: 'error',
    from: { path: pathOf(room), pathNot: TEST },
    to: { path: inside.slice(rank + 1).map(pathOf) },
  }));
});

const contract = '^src/contract/';
const core = '^src/core/';
const testing = '^src/core/testing/';
const storage = '^src/storage/';
const workers = '^workers/';
const client = '^src/client/';
const stores = '^src/stores/';
const scenes = '^src/scenes/';
const ui = '^src/ui/';
const cli = '^cli/';
const bench = '^bench/';
const e2e = '^e2e/';

module.exports = {
  forbidden: [
    ...tableRules,
    ...rankRules,
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      comment: 'A module that nothing imports and that imports nothing is dead.',
      severity: 'error',
      from: { orphan: true, pathNot: ['\\.d\\.(m?ts)$', TEST, '\\.config\\.ts$', '(^|/)assembly/', '^tools/', '^e2e/'] },
      to: {},
    },
    {
      name: 'not-resolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: ['^virtual:', '\\?(url|worker)', '^asc$'] },
    },
    {
      name: 'contract-link-only-fflate',
      severity: 'error',
      from: { path: contract, pathNot: ['^src/contract/(link/|kit/inflate\\.ts$)', TEST] },
      to: { path: npm('fflate') },
    },
    {
      name: 'contract-hash-only-noble',
      comment: 'The package asks for zod alone: what the core loads must not load the digest.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/contract/run/config-hash\\.ts$', TEST] },
      to: { path: npm('@noble') },
    },
    {
      name: 'tfjs-lazy',
      comment: 'Nothing outside core/engine/tfjs may import it statically: it must stay in a lazy chunk. hosted.ts holds only addresses.',
      severity: 'error',
      from: { path: ['^src/', workers], pathNot: [`${core}engine/tfjs/`, TEST, testing] },
      to: { path: `${core}engine/tfjs/(?!(hosted|files)\\.ts$)`, dynamic: false },
    },
    {
      name: 'queue-optional',
      comment: 'bullmq and ioredis are optional: one file loads them, when a command was given a queue.',
      severity: 'error',
      from: { pathNot: '^cli/queue/connect\\.ts$' },
      to: { path: npm('bullmq', 'ioredis') },
    },
    {
      name: 'queue-lazy',
      severity: 'error',
      from: { path: cli },
      to: { path: npm('bullmq', 'ioredis'), dynamic: false },
    },
    {
      name: 'bench-not-ui',
      severity: 'error',
      from: { path: bench },
      to: { path: [ui, stores, client, storage, scenes] },
    },
    {
      name: 'testing-is-not-product',
      comment: 'Probes, golden replay, conformance and fuzzers are for tests and the command line; the page never loads them.',
      severity: 'error',
      from: { path: ['^src/', workers], pathNot: [testing, TEST] },
      to: { path: testing },
    },
    {
      name: 'foundations-stay-below',
      comment: 'What environments, algorithms and explanations stand on reaches no method, no world and no run.',
      severity: 'error',
      from: { path: `${core}(engine|nets|state|envs/api|envs/lib|algos/api|algos/lib)/`, pathNot: TEST },
      to: { path: `${core}(run|explain|algos/(?!api/|lib/)|envs/(?!api/|lib/))` },
    },
    {
      name: 'run-above-algos',
      comment: 'A run knows algorithms and environments; they know nothing of runs.',
      severity: 'error',
      from: { path: `${core}(algos|envs)/`, pathNot: TEST },
      to: { path: `${core}(run|explain)/` },
    },
    {
      name: 'explainers-stay-on-top',
      comment: 'What explainers stand on and share reaches no explainer.',
      severity: 'error',
      from: { path: `${core}explain/(api|lib)/`, pathNot: TEST },
      to: { path: `${core}explain/(?!api/|lib/)` },
    },
    {
      name: 'explain-api-below-lib',
      severity: 'error',
      from: { path: `${core}explain/api/`, pathNot: TEST },
      to: { path: `${core}explain/lib/` },
    },
    {
      name: 'package-loads-no-registry',
      comment: 'Runs and explanations take environments and algorithms as values; only by-id.ts and loaded.ts know them all (docs/api.md).',
      severity: 'error',
      from: { path: `${core}(run/(?!by-id|loaded)|explain/|explain\\.ts|index\\.ts)`, pathNot: TEST },
      to: { path: `${core}((algos|envs)/(index|all)|run/(by-id|loaded))\\.ts$` },
    },
    { name: 'nothing-imports-bench', severity: 'error', from: { pathNot: [bench, '^tools/'] }, to: { path: bench } },
    {
      name: 'e2e-is-a-person',
      comment: 'e2e uses the page as a person does; parity/ is a page of its own that compares executors inside the browser.',
      severity: 'error',
      from: { path: e2e, pathNot: '^e2e/parity/' },
      to: { path: ['^src/(?!contract/)', workers, cli, bench] },
    },
    {
      name: 'tests-stay-near',
      comment: 'Tests may use their own room, rooms that it may import, and the test tools.',
      severity: 'error',
      from: { path: `^src/(math|contract|report|core|claims|lessons)/.*${TEST}` },
      to: { path: [ui, stores, client, scenes, workers, storage] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: {
      path: ['^dist/', '^node_modules/.cache/', '^src/core/engine/kernels/assembly/', '^src/core/envs/box2d/lib/solver/assembly/'],
    },
    tsPreCompilationDeps: false,
    detectProcessBuiltinModuleCalls: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'browser', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mts', '.mjs', '.js', '.cjs', '.json', '.css'],
      mainFields: ['module', 'main', 'types', 'typings'],
    },
  },
};
