/** The licences of every package that the built page carries, from node_modules: the build puts them beside the page. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const CHUNKS = ['node_modules/.cache/rl-workbench/chunks.json', 'node_modules/.cache/rl-workbench/workers.json'];
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

/** "/…/node_modules/@scope/name/file.js" -> "@scope/name"; null for our own modules. */
function packageOf(id) {
  const at = id.lastIndexOf('/node_modules/');
  if (at < 0) return null;
  const parts = id.slice(at + '/node_modules/'.length).split('/');
  return parts[0].startsWith('@') ? `${parts[0]}/${parts[1]}` : parts[0];
}

const textOf = (folder) => {
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying|notice)/i.test(entry));
  return file ? readFileSync(`${folder}/${file}`, 'utf8').trim() : null;
};
/** Some packages under Apache-2.0 carry no copy of it; its text is the same for all, and comlink brings one. */
const APACHE = textOf('node_modules/comlink');

/** The text of THIRD_PARTY_NOTICES.md; null before a build has listed the modules of its chunks (vite.config.ts). */
export function notices() {
  if (!CHUNKS.every((file) => existsSync(file))) return null;
  const modules = CHUNKS.flatMap((file) => JSON.parse(readFileSync(file, 'utf8')).flatMap(({ moduleIds }) => moduleIds));
  const names = new Set([...ALSO, ...modules.map(packageOf)]);
  const sections = [...names]
    .filter((name) => name !== null && existsSync(`node_modules/${name}/package.json`))
    .sort()
    .map((name) => {
      const folder = `node_modules/${name}`;
      const { version, license, homepage, repository } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
      const where = homepage ?? (typeof repository === 'string' ? repository : repository?.url) ?? '';
      const text = textOf(folder) ?? (license === 'Apache-2.0' ? APACHE : `(the package names the licence ${license} and carries no text)`);
      return `## ${name} ${version}\n\n${license}. ${where.replace(/^git\+/, '').replace(/\.git$/, '')}\n\n\`\`\`text\n${text}\n\`\`\`\n`;
    });
  return `# Third-party notices

The built page contains code of these packages, under their own licences. Written by the build; do not edit.

${sections.join('\n')}`;
}
