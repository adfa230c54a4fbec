/**
 * `npm test -- unused`: what nothing uses, by knip. First files, exports and dependencies over all of the project; then files and exports that
 * only tests use, over what is shipped (knip --production). Those of the second kind stand in planned.json, with the block that will call them
 * or the reason why they are still there: one that is missing there fails, and so does one that is there and used or gone.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const KNIP = ['node_modules/knip/bin/knip.js', '--no-progress', '--no-config-hints'];

/** "file name" of every export listed, "file" where a whole file is (no names); throws Error for one that is listed twice. */
export function listed({ planned, testsOnly }) {
  const all = [...planned, ...testsOnly].flatMap(({ files }) =>
    Object.entries(files).flatMap(([file, names]) => (names.length === 0 ? [file] : names.map((name) => `${file} ${name}`))),
  );
  const twice = all.find((one, i) => all.indexOf(one) !== i);
  if (twice !== undefined) throw new Error(`tools/planned.json names ${twice} twice.`);
  return all;
}

/** What knip's report of what is shipped finds: "file name" for an export, "file" for a whole file. */
export const found = ({ issues }) =>
  issues.flatMap(({ file, files, exports }) => [
    ...(files?.length > 0 ? [file] : []),
    ...(exports ?? []).map(({ name }) => `${file} ${name}`),
  ]);

/** Sentences on every difference between the report and the list; none: they are the same. */
export function differences(report, list) {
  const [now, before] = [new Set(found(report)), new Set(listed(list))];
  return [
    ...[...now].filter((one) => !before.has(one)).map((one) => `${one}: nothing that is shipped uses it. Remove it, or call it.`),
    ...[...before].filter((one) => !now.has(one)).map((one) => `${one}: it is used or gone. Remove it from tools/planned.json.`),
  ].sort();
}

function main() {
  const whole = spawnSync(process.execPath, KNIP, { stdio: 'inherit' });
  const shipped = spawnSync(process.execPath, [...KNIP, '--production', '--include', 'files,exports', '--reporter', 'json'], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  // with findings knip ends with 1: what is read is its report
  if (!shipped.stdout.startsWith('{')) {
    process.stderr.write(`${shipped.stdout}${shipped.stderr}`);
    return 1;
  }
  const lines = differences(JSON.parse(shipped.stdout), JSON.parse(readFileSync('tools/planned.json', 'utf8')));
  for (const line of lines) process.stderr.write(`${line}\n`);
  return whole.status === 0 && lines.length === 0 ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) process.exitCode = main();
