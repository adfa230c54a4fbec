/**
 * The import table, checked: runs dependency-cruiser with .dependency-cruiser.cjs over every room and prints each violation on a line.
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
const least = JSON.parse(readFileSync('package.json', 'utf8')).config?.leastModules ?? 20;
console.log(`${own.length} modules, ${typed.length} TypeScript modules with imports, ${summary.violations.length} violations`);
if (typed.length < least) {
  console.log(`fewer than ${least} TypeScript modules were read: is @swc/core installed?`);
  process.exit(1);
}
process.exit(summary.violations.length > 0 ? 1 : 0);
