/** Who races, and from which start. Pure but for the presets of the catalogue. */
import { type JsonObject, objectOf } from '#contract/kit/json.ts';
import { algoCard } from '#stores/catalog.ts';

/** The method whose presets these are. */
export const METHOD = 'group-rl';
const RACERS = [
  { preset: 'grpo', title: 'GRPO' },
  { preset: 'dr-grpo', title: 'Dr. GRPO' },
  { preset: 'raft', title: 'RAFT' },
] as const;
/** What all take over from the run: sizes, and how it begins. */
const SHARED = ['lr', 'prompts', 'group', 'samePrompt', 'cloning', 'pretrained', 'family', 'width', 'layers', 'heads'] as const;
/** Where a run begins from nothing the luck of its first right answers would decide: a short cloned start, the same for all. */
const START = { kind: 'on', steps: 60 } as const;

export const canRace = (algo: { readonly id: string } | undefined): boolean => algo?.id === METHOD;

/** The settings of the three: the same seed and the same settings before the first reward make their starts the same bits. */
export function racers(config: JsonObject): readonly { readonly title: string; readonly config: JsonObject }[] {
  const shared = Object.fromEntries(SHARED.flatMap((name) => (config[name] === undefined ? [] : [[name, config[name]]])));
  const nothing = objectOf(shared.cloning ?? {}).kind !== 'on' && (objectOf(shared.pretrained ?? {}).kind ?? 'not used') === 'not used';
  const presets = algoCard(METHOD)?.presets ?? [];
  return RACERS.map(({ preset, title }) => ({
    title,
    config: { ...shared, ...(nothing && { cloning: START }), ...presets.find(({ id }) => id === preset)?.config },
  }));
}
