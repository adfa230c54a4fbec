/**
 * The import table, checked: runs dependency-cruiser with .dependency-cruiser.cjs over every room and prints each violation on a line.
 * A worker may load a registry (all.ts) but not wait for it while it is evaluated: it has no listener yet when its first message comes.
 * Fails as well when nothing was cruised: without a transpiler for TypeScript the tool is silently green.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cruise } from 'dependency-cruiser';

const config = createRequire(import.meta.url)('../.dependency-cruiser.cjs');
const rooms = ['src', 'workers', 'cli', 'bench', 'e2e', 'tools'].filter((room) => existsSync(room));
const answer = await cruise(rooms, { ...config.options, ruleSet: { forbidden: config.forbidden }, validate: true });
const { modules, summary } = answer.output;
const own = modules.filter((module) => !module.source.includes('node_modules') && existsSync(module.source));
const typed = own.filter((module) => /\.tsx?$/.test(module.source) && module.dependencies.length > 0);

for (const violation of summary.violations) {
  const cycle = violation.cycle?.map((step) => step.name).join(' -> ');
  console.log(`${violation.rule.name}: ${violation.from} -> ${cycle ?? violation.to}`);
}
const WAITS = /^src\/core\/(algos|envs)\/all\.ts$/;
const imports = new Map(own.map(({ source, dependencies }) => [source, dependencies.filter(({ dynamic }) => !dynamic)]));
/** The imports, without those that are loaded later, that lead from a module to one that waits; nothing where none does. */
function waysToWait(worker) {
  const cameFrom = new Map([[worker, null]]);
  for (const module of cameFrom.keys()) {
    if (WAITS.test(module)) {
      const way = [];
      for (let step = module; step; step = cameFrom.get(step)) way.unshift(step);
      return [way.join(' -> ')];
    }
    for (const { resolved } of imports.get(module) ?? []) if (!cameFrom.has(resolved)) cameFrom.set(resolved, module);
  }
  return [];
}
const waiting = own.filter(({ source }) => source.endsWith('.worker.ts')).flatMap(({ source }) => waysToWait(source));
for (const way of waiting) console.log(`worker-waits-for-registry: ${way}`);
const least = JSON.parse(readFileSync('package.json', 'utf8')).config?.leastModules ?? 20;
console.log(
  `${own.length} modules, ${typed.length} TypeScript modules with imports, ${summary.violations.length + waiting.length} violations`,
);
if (typed.length < least) {
  console.log(`fewer than ${least} TypeScript modules were read: is @swc/core installed?`);
  process.exit(1);
}
process.exit(summary.violations.length + waiting.length > 0 ? 1 : 0);
