/**
 * From runs to groups: those alike in the fields of colour and dash form one, in every panel apart. A run of the same config and seed that
 * was done twice counts once: it is the same run, not another piece of evidence.
 */

import type { Catalog } from '#contract/catalog/catalog.ts';
import { canonicalJson } from '#contract/kit/canonical.ts';
import { groupBy } from '#contract/kit/group-by.ts';
import type { Json } from '#contract/kit/json.ts';
import { FIRST_REPORTED_SEED } from '#contract/papers/papers.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { differingFields, type FieldName, fieldsOf, isAside } from '#contract/run/config-diff.ts';
import { editsKey } from '#stores/alike.ts';
import type { RunGroup, SeedRun } from '#stores/types.ts';
import { finder } from '#ui/kit/format/search.ts';
import { seedEdits } from '#ui/runs/edit-words.ts';
import { fieldText, runNames, wordsOf } from '#ui/runs/names.ts';
import { type By, NONE, SETUP, type Seeds, type View } from './view.ts';

/** One run of one seed. */
export interface Member {
  readonly group: RunGroup;
  readonly run: SeedRun;
}

export interface RunSet {
  readonly key: string;
  readonly name: string;
  /** What it is called where no name was given. */
  readonly plain: string;
  /** Places among the values of colour and of dash, the same in every panel. */
  readonly colour: number;
  readonly dash: number;
  readonly members: readonly Member[];
  /** Different set-ups among them. */
  readonly setups: number;
}

export interface Facet {
  readonly key: string;
  readonly title: string;
  readonly sets: readonly RunSet[];
}

export interface Choices {
  /** Fields to group by, with their titles. */
  readonly fields: readonly { readonly by: By; readonly title: string }[];
  readonly colour: By;
  readonly dash: By;
  readonly facet: By;
  /** Fields that differ within some line: it is drawn over all of their values. */
  readonly pooled: readonly string[];
  /** Whether both tuning and reporting seeds are there. */
  readonly bothSeeds: boolean;
}

export interface Grouped {
  readonly choices: Choices;
  readonly facets: readonly Facet[];
  /** Names of all groups by key, in the order of their colours. */
  readonly names: ReadonlyMap<string, string>;
  /** Runs left out because the same config and seed is there already. */
  readonly copies: number;
}

const setups = new WeakMap<RunConfig, string>();

/** What tells one set-up from another: its fields without those of seeds and executor. */
export function setupKey(config: RunConfig): string {
  let key = setups.get(config);
  if (key === undefined) {
    key = canonicalJson(Object.fromEntries([...fieldsOf(config)].filter(([field]) => !isAside(field))));
    setups.set(config, key);
  }
  return key;
}

/** Values that a colour can tell apart at a glance. */
const FEW = 8;

const isReporting = ({ run }: Member): boolean => run.seed >= FIRST_REPORTED_SEED;

export function groupRuns(all: readonly RunGroup[], view: View, catalog: Catalog | null): Grouped {
  const named = runNames(all, catalog, 'all');
  const sought = finder(view.filter);
  const kept = all.filter((group) =>
    sought(`${group.name} ${named.get(group.id) ?? ''} ${group.config.env.id} ${group.config.algo.id} ${group.note} ${group.hash}`),
  );
  const everyone = kept.flatMap((group) => group.seeds.map((run): Member => ({ group, run })));
  const bothSeeds = everyone.some(isReporting) && everyone.some((member) => !isReporting(member));
  const counted = bothSeeds ? everyone.filter((member) => counts(member, view.seeds)) : everyone;
  const once = new Map<string, Member>();
  for (const member of counted) {
    const key = `${setupKey(member.group.config)} ${editsKey(member.group, member.run)} ${member.run.seed}`;
    const before = once.get(key);
    // Of copies the one that is over, else the first.
    if (before === undefined || (before.run.result === null && member.run.result !== null)) once.set(key, member);
  }
  const members = [...once.values()];
  const configs = [...new Map(members.map(({ group }) => [setupKey(group.config), group.config])).values()];
  const differing = differingFields(configs).filter((field) => !isAside(field));
  const choices = choose(view, differing, configs, catalog);
  const { colour, dash, facet } = choices;

  const setupNames = runNames([...new Map(members.map(({ group }) => [setupKey(group.config), group])).values()], catalog, 'all');
  const nameOfSetup = new Map(members.map(({ group }) => [setupKey(group.config), setupNames.get(group.id)]));
  const valueIn = (by: By, { group }: Member): string => {
    if (by === NONE) return '';
    if (by === SETUP) return nameOfSetup.get(setupKey(group.config)) ?? group.name;
    const value = fieldsOf(group.config).get(by);
    return value === undefined ? '' : fieldText({ field: by, value }, group.config, catalog);
  };
  /** What was edited while it trained is no field of the config; such a run is a line of its own. */
  const lineOf = (by: By, member: Member): string =>
    [valueIn(by, member), seedEdits(member.group, member.run, catalog)].filter(Boolean).join(', ');
  const colours = order(colour, members, lineOf);
  const dashes = order(dash, members, valueIn);
  const facets = order(facet, members, valueIn);
  const title = (by: By): string => choices.fields.find((one) => one.by === by)?.title ?? by;
  const label = (by: By, value: string): string =>
    value === '' || by === NONE || by === SETUP || by === 'env' || by === 'algo' ? value : `${title(by)}: ${value}`;

  const placed = groupBy(
    members.map((member) => ({ member, place: valueIn(facet, member), key: `${lineOf(colour, member)}\n${valueIn(dash, member)}` })),
    ({ place, key }) => `${place}\n${key}`,
  );
  const names = new Map<string, string>();
  const found = facets.map((place): Facet => {
    const sets = colours.flatMap((c, ci) =>
      dashes.flatMap((d, di): RunSet[] => {
        const key = `${c}\n${d}`;
        const own = placed.get(`${place}\n${key}`)?.map(({ member }) => member) ?? [];
        if (own.length === 0) return [];
        const plain = [label(colour, c), dash === colour ? '' : label(dash, d)].filter(Boolean).join(', ') || 'all runs';
        const name = view.names[plain] ?? plain;
        names.set(key, name);
        return [
          { key, name, plain, colour: ci, dash: di, members: own, setups: new Set(own.map(({ group }) => setupKey(group.config))).size },
        ];
      }),
    );
    return { key: place, title: label(facet, place), sets };
  });
  const ordered = new Map(
    colours.flatMap((c) =>
      dashes.flatMap((d) => {
        const name = names.get(`${c}\n${d}`);
        return name === undefined ? [] : [[`${c}\n${d}`, name] as const];
      }),
    ),
  );
  return {
    choices: { ...choices, bothSeeds, pooled: pooledFields(found, differing, catalog) },
    facets: found,
    names: ordered,
    copies: counted.length - members.length,
  };
}

const counts = (member: Member, seeds: Seeds): boolean => seeds === 'all' || isReporting(member) === (seeds === 'reporting');

/** Values of a field in a sensible order: numbers by size, others as they came first. */
function order(by: By, members: readonly Member[], valueIn: (by: By, member: Member) => string): readonly string[] {
  const sizes = new Map<string, Json | undefined>();
  for (const member of members) {
    const text = valueIn(by, member);
    if (!sizes.has(text)) sizes.set(text, fieldsOf(member.group.config).get(by));
  }
  const values = [...sizes];
  if (values.every(([, value]) => typeof value === 'number')) values.sort(([, a], [, b]) => Number(a) - Number(b));
  else values.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return values.map(([text]) => text);
}

function choose(view: View, differing: readonly FieldName[], configs: readonly RunConfig[], catalog: Catalog | null): Choices {
  const title = (field: FieldName): string => {
    const owner = configs.find((config) => fieldsOf(config).has(field));
    return owner === undefined ? field : wordsOf(field, owner, catalog).title;
  };
  const fields = [
    ...differing.map((field) => ({ by: field, title: title(field) })),
    { by: SETUP, title: 'every configuration by itself' },
    { by: NONE, title: 'nothing' },
  ];
  const known = (by: By | null): By | null => (by !== null && fields.some((field) => field.by === by) ? by : null);
  const sizeOf = (field: FieldName): number => new Set(configs.map((config) => JSON.stringify(fieldsOf(config).get(field)))).size;
  const facet = known(view.facet) ?? (differing.includes('env') ? 'env' : NONE);
  const first = differing.find((field) => field !== facet && field !== 'env' && sizeOf(field) <= FEW);
  const colour = known(view.colour) ?? first ?? (configs.length > 1 && differing.some((field) => field !== facet) ? SETUP : NONE);
  return { fields, colour, dash: known(view.dash) ?? NONE, facet, pooled: [], bothSeeds: false };
}

/** Titles of the fields that have several values within one line. */
function pooledFields(facets: readonly Facet[], differing: readonly FieldName[], catalog: Catalog | null): readonly string[] {
  const found = new Set<string>();
  for (const { sets } of facets) {
    for (const { members, setups: count } of sets) {
      if (count < 2) continue;
      const configs = [...groupBy(members, ({ group }) => setupKey(group.config)).values()].flatMap(([one]) =>
        one === undefined ? [] : [one.group.config],
      );
      for (const field of differingFields(configs)) {
        const [owner] = configs;
        if (differing.includes(field) && owner !== undefined) found.add(wordsOf(field, owner, catalog).title);
      }
    }
  }
  return [...found];
}
