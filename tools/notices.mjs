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

/** Of the table of rhymes (src/core/envs/language/lib/stories/rhymes.ts), which tools/stories/rhymes.mjs takes from cmu-pronouncing-dictionary 3.0.0. */
const RHYMES = `## CMU Pronouncing Dictionary

BSD 2-clause; by way of cmu-pronouncing-dictionary 3.0.0 (ISC, Zeke Sikelianos). http://www.speech.cs.cmu.edu/cgi-bin/cmudict

\`\`\`text
Copyright (C) 1993-2015 Carnegie Mellon University. All rights reserved.

Redistribution and use in source and binary forms, with or without modification, are permitted provided that the following conditions
are met:

1. Redistributions of source code must retain the above copyright notice, this list of conditions and the following disclaimer.
   The contents of this file are deemed to be source code.
2. Redistributions in binary form must reproduce the above copyright notice, this list of conditions and the following disclaimer in
   the documentation and/or other materials provided with the distribution.

This work was supported in part by funding from the Defense Advanced Research Projects Agency, the Office of Naval Research and the
National Science Foundation of the United States of America, and by member companies of the Carnegie Mellon Sphinx Speech Consortium.
We acknowledge the contributions of many volunteers to the expansion and improvement of this dictionary.

THIS SOFTWARE IS PROVIDED BY CARNEGIE MELLON UNIVERSITY "AS IS" AND ANY EXPRESSED OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO,
THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL CARNEGIE MELLON
UNIVERSITY NOR ITS EMPLOYEES BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING,
BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED
AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT
OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
\`\`\`
`;

/** Of the solver of rigid bodies (src/core/envs/box2d/lib/solver/assembly): written after Box2D 2.3, its sine and cosine after Arm's. */
const BOX2D = `## Box2D 2.3 (altered: written anew in AssemblyScript, the parts that two-dimensional bodies over fixed ground need)

\`\`\`text
Copyright (c) 2006-2013 Erin Catto http://www.box2d.org

This software is provided 'as-is', without any express or implied warranty. In no event will the authors be held liable for any damages
arising from the use of this software.
Permission is granted to anyone to use this software for any purpose, including commercial applications, and to alter it and redistribute it
freely, subject to the following restrictions:
1. The origin of this software must not be misrepresented; you must not claim that you wrote the original software. If you use this software
in a product, an acknowledgment in the product documentation would be appreciated but is not required.
2. Altered source versions must be plainly marked as such, and must not be misrepresented as being the original software.
3. This notice may not be removed or altered from any source distribution.
\`\`\`

## Arm optimized routines: sinf, cosf (altered: written anew in AssemblyScript)

\`\`\`text
MIT License

Copyright (c) 1999-2022, Arm Limited.

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the
"Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the
following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY
CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE
SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
\`\`\`
`;

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

${[...sections, RHYMES, BOX2D].join('\n')}`;
}
