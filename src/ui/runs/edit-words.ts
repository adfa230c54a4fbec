/** Which seeds of a run had which live edits, and from where, in words. */
import type { Catalog } from '#contract/catalog/catalog.ts';
import { groupBy } from '#contract/kit/group-by.ts';
import type { EditOf } from '#contract/run/events.ts';
import { partsOf } from '#stores/alike.ts';
import type { RunGroup, SeedRun } from '#stores/types.ts';
import { t } from '#text/text.ts';
import { compact } from '#ui/kit/format/numbers.ts';
import { valueText, wordsOf } from './names.ts';

/** "learning rate = 1e-4 from step 12 k on". */
export function editText(
  { path = '', value, step }: Partial<EditOf> & { readonly step: number },
  { config }: RunGroup,
  catalog: Catalog | null,
): string {
  const words = wordsOf(path, config, catalog);
  return t('{setting} = {value} from step {step} on', { setting: words.title, value: valueText(value, words), step: compact(step) });
}

/** Of each field the last edit; that there were others before it is said. */
function editsText(edits: readonly EditOf[], group: RunGroup, catalog: Catalog | null): string {
  const texts = [...groupBy(edits, ({ path }) => path).values()].flatMap((own) => {
    const last = own.at(-1);
    if (last === undefined) return [];
    const text = editText(last, group, catalog);
    return [own.length === 1 ? text : t('{edit}, other values before', { edit: text })];
  });
  return texts.join(', ');
}

/** The live edits of a run as one or two sentences; '': there were none. */
export function editsNote(group: RunGroup, catalog: Catalog | null): string {
  const { edits = [] } = group;
  const parts = partsOf(group);
  const [first] = parts;
  if (first === undefined) return '';
  const all = (own: readonly EditOf[]): string =>
    editsText(
      [...edits, ...own].sort((a, b) => a.step - b.step),
      group,
      catalog,
    );
  if (parts.length === 1) {
    const said = all(first.edits);
    if (said === '') return '';
    const n = group.seeds.length;
    const edited =
      n === 1
        ? t('Changed while it trained: {edits}.', { edits: said })
        : t('Changed while it trained, for all {n} seeds: {edits}.', { n, edits: said });
    return group.parent?.same === true
      ? `${edited} ${t('The run before it goes on unchanged: some of its seeds were past that step.')}`
      : edited;
  }
  const named = parts.map(({ seeds, edits: own }) =>
    t('seeds {seeds}: {edits}', { seeds: seeds.map(({ seed }) => seed).join(', '), edits: all(own) || t('without a change') }),
  );
  return t('A change while it trained did not reach all seeds: {parts}. The mean is that of seeds {seeds}.', {
    parts: named.join('; '),
    seeds: first.seeds.map(({ seed }) => seed).join(', '),
  });
}

/** Those of one seed; '': it had none. */
export const seedEdits = (group: RunGroup, run: SeedRun, catalog: Catalog | null): string =>
  editsText(
    [...(group.edits ?? []), ...(partsOf(group).find(({ seeds }) => seeds.includes(run))?.edits ?? [])].sort((a, b) => a.step - b.step),
    group,
    catalog,
  );
