/** `environments`: writes docs/environments.md. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildCatalog } from '#core/catalog.ts';
import type { Command } from '../context.ts';
import { environmentsPage } from '../environments-page.ts';
import { UsageError } from '../failure.ts';
import { writeWhole } from '../seed-folder.ts';

export const environments: Command = {
  usage: 'environments      also: npm run docs:environments',
  summary: 'Writes docs/environments.md: sources, golden cases, speed, reference returns.',
  help: 'It has no options.',
  async run(args, { project }) {
    if (args.length > 0) throw new UsageError('environments takes no arguments.');
    const { envs } = buildCatalog();
    mkdirSync(join(project, 'docs'), { recursive: true });
    writeWhole(join(project, 'docs/environments.md'), environmentsPage(envs, project));
    process.stdout.write(`docs/environments.md: ${envs.length} environments\n`);
  },
};
