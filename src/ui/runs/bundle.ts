/** What repeats runs: a zip with results, figure, commands and citation; and the citation alone. */
import { files } from '#client/files/service.ts';
import { linkHashOf } from '#client/links/writing.ts';
import { type BundledRun, bundleReadme, citations } from '#report/bundle-texts.ts';
import { citedSources } from '#report/cite.ts';
import { algoCard, envCard } from '#stores/catalog.ts';
import type { RunGroup } from '#stores/types.ts';

function bundled({ id, config, hash, seeds }: RunGroup, name: string): BundledRun {
  const link = linkHashOf(config);
  const page = location.href.replace(/#.*$/, '');
  return {
    name,
    config,
    hash,
    folder: id,
    results: seeds.flatMap(({ result }) => result ?? []),
    link: link === null ? null : `${page}#${link.replace(/^#/, '')}`,
  };
}

/** The workbench, the runs, and where their environments and methods come from. */
function cited(runs: readonly BundledRun[], year: number): string {
  const sources = runs.flatMap(({ config }) => [envCard(config.env.id), algoCard(config.algo.id)].flatMap((card) => card?.source ?? []));
  return [citations(runs, BUILD, year), citedSources(sources)].filter((text) => text !== '').join('\n');
}

export const citation = (group: RunGroup, name: string): string => cited([bundled(group, name)], new Date().getFullYear());

/** `file`: its name; `figure`: SVG, and its numbers as CSV. */
export async function bundle(
  groups: readonly RunGroup[],
  names: ReadonlyMap<string, string>,
  figure: { readonly svg: string; readonly csv: string },
  file: string,
): Promise<Blob> {
  const runs = groups.map((group) => bundled(group, names.get(group.id) ?? group.name));
  const year = new Date().getFullYear();
  return files.bundle(
    groups.map(({ id }) => id),
    {
      'README.md': bundleReadme(runs, file, BUILD),
      'CITATION.bib': cited(runs, year),
      'figure.svg': figure.svg,
      'figure.csv': figure.csv,
    },
  );
}
