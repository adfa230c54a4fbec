/**
 * Writes THIRD_PARTY_NOTICES.md: every package that the built page carries, with its licence text, from node_modules.
 *   node tools/notices.mjs            after `npm run build`, which lists the modules in each chunk
 *   node tools/notices.mjs --check    exit code 1 if the committed file is out of date
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

const CHUNKS = ['node_modules/.cache/rl-workbench/chunks.json', 'node_modules/.cache/rl-workbench/workers.json'];
const FILE = 'THIRD_PARTY_NOTICES.md';
/** Shipped, but not as modules of a chunk: binaries copied as files, and the service worker's own code. */
const ALSO = [
  '@mujoco/mujoco',
  '@tensorflow/tfjs-backend-wasm',
  'workbox-core',
  'workbox-precaching',
  'workbox-routing',
  'workbox-strategies',
  'workbox-window',
];

if (!CHUNKS.every((file) => existsSync(file))) {
  console.error('Run "npm run build" first: it lists what is shipped.');
  process.exit(2);
}

/** "/…/node_modules/@scope/name/file.js" -> "@scope/name"; null for our own modules. */
function packageOf(id) {
  const at = id.lastIndexOf('/node_modules/');
  if (at < 0) return null;
  const parts = id.slice(at + '/node_modules/'.length).split('/');
  return parts[0].startsWith('@') ? `${parts[0]}/${parts[1]}` : parts[0];
}

const names = new Set(ALSO);
for (const file of CHUNKS) {
  for (const chunk of JSON.parse(readFileSync(file, 'utf8'))) for (const id of chunk.moduleIds) names.add(packageOf(id));
}
names.delete(null);

const textOf = (folder) => {
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying|notice)/i.test(entry));
  return file ? readFileSync(`${folder}/${file}`, 'utf8').trim() : null;
};
/** Some packages under Apache-2.0 carry no copy of it; its text is the same for all, and comlink brings one. */
const APACHE = textOf('node_modules/comlink');

const sections = [...names]
  .filter((name) => existsSync(`node_modules/${name}/package.json`))
  .sort()
  .map((name) => {
    const folder = `node_modules/${name}`;
    const { version, license, homepage, repository } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
    const where = homepage ?? (typeof repository === 'string' ? repository : repository?.url) ?? '';
    const text = textOf(folder) ?? (license === 'Apache-2.0' ? APACHE : `(the package names the licence ${license} and carries no text)`);
    return `## ${name} ${version}\n\n${license}. ${where.replace(/^git\+/, '').replace(/\.git$/, '')}\n\n\`\`\`text\n${text}\n\`\`\`\n`;
  });

const intro = `# Third-party notices

The built page contains code of these packages, under their own licences. Written by \`node tools/notices.mjs\`; do not edit.
`;
const wanted = `${intro}\n${sections.join('\n')}`;
if (process.argv.includes('--check')) {
  const same = existsSync(FILE) && readFileSync(FILE, 'utf8') === wanted;
  console.log(same ? `${FILE} is up to date (${sections.length} packages)` : `${FILE} is out of date: run "node tools/notices.mjs"`);
  process.exit(same ? 0 : 1);
}
writeFileSync(FILE, wanted);
console.log(`${FILE}: ${sections.length} packages`);
