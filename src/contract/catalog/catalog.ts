/**
 * What can be run, as data: the page builds its forms, galleries and help from this and never imports the core.
 * A config schema is JSON Schema made from zod; what zod cannot say stands in `x`-less plain keywords below, set through `.meta()`.
 */
import type { AttackQuestion } from '../explain/attack.ts';
import type { AgentQuestion } from '../explain/explain.ts';
import type { AnswerKind } from '../explain/explain-api.ts';
import type { FrameLayout, Lattice } from '../game/frames.ts';
import type { MapFormat } from '../game/maps.ts';
import type { GameCard, PayoffFormat } from '../game/payoffs.ts';
import type { ActionSpace, ObsSpace } from '../game/spaces.ts';
import type { Json, JsonObject } from '../kit/json.ts';
import type { Expectation } from '../run/expectation.ts';
import type { VersionChange } from '../run/versions.ts';

/** What can be measured of a policy by playing whole episodes. */
export type Strength =
  | 'return' // mean of greedy test episodes
  | 'return against random' // the same where another side has interests of its own: that side acts at random
  | 'share of wins against random'; // board games: a draw is half a win, half of the games from each seat

/** How the recommended method of a world is judged. */
export type Judged = Strength | 'exploitability'; // small games: what both players could gain by answering best, 0 at an equilibrium

/** Extra JSON-Schema keywords our `.meta()` may set on a field. */
export interface FieldMeta {
  /** Field label in the literature's words: "learning rate". */
  readonly title?: string;
  /** One plain sentence below the label. */
  readonly description?: string;
  readonly unit?: string;
  /** What null means where the field may be empty: "off", "never", "no limit"; shown in its place. Without it null follows from other settings: "auto". */
  readonly empty?: string;
  /** Where the default comes from: "CleanRL ppo.py". */
  readonly source?: string;
  /** Draw as a logarithmic slider. */
  readonly log?: boolean;
  /** Slider ends, when tighter than minimum and maximum. */
  readonly slider?: readonly [number, number];
  /** May be changed while a run goes on. */
  readonly live?: boolean;
  /**
   * Shown from this depth on; default 'lab' (all settings). 'teach' for the few that say what a method is about. 'stored': forms do not offer it
   * and show it only where a link or a stored run sets it; for a setting of our own choice that nothing here sets (tools/settings-depth.test.ts).
   */
  readonly depth?: 'teach' | 'lab' | 'research' | 'stored';
  /** Shown at the simple depth too, where it has an effect: what a person sets a method by. Worlds have their sliders there. */
  readonly simple?: true;
  /** Fields of one group stand together. */
  readonly group?: string;
  /** Forms show it only where the world has this, or where it is set: observations that are made of things (ObsSpace.entities). */
  readonly needs?: 'entities';
  /** A number of agents or things that may change under a trained team whose network takes any (contract/run/any-team.ts): offered on the stage. */
  readonly crowd?: true;
  /** The chance that one player sees another, who may be watched: the stage hides and shows that one by it. */
  readonly watching?: true;
  /** A special editor: 'grid-map' draws the map editor, 'payoffs' the table of a game, 'seats' who plays which, 'contexts' what is drawn for each episode, 'dataset' the recorded datasets, 'answers' those with answers, 'potential' a map that is painted with numbers, 'robot' a model of MuJoCo that a person brings, 'site' one of its sites, 'rules' the goal, the rules or the things of a rule grid, 'variant' the kind and the fields of the kind that is chosen, 'hidden' shows nothing. */
  readonly editor?:
    | 'grid-map'
    | 'payoffs'
    | 'seats'
    | 'contexts'
    | 'dataset'
    | 'answers'
    | 'potential'
    | 'robot'
    | 'site'
    | 'rules'
    | 'variant'
    | 'hidden';
  /** With 'grid-map': what a map is made of. */
  readonly map?: MapFormat;
  /** With 'site': those of the model that is there before a person brings one. */
  readonly examples?: readonly string[];
  /** With 'payoffs': the named games, and where a table of one's own is kept. */
  readonly payoffs?: PayoffFormat;
}

export type FieldSchema = FieldMeta & {
  readonly type?: 'number' | 'integer' | 'boolean' | 'string' | 'array' | 'object';
  readonly enum?: readonly Json[];
  readonly const?: Json;
  readonly default?: Json;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly items?: FieldSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: { readonly [key: string]: FieldSchema };
  readonly additionalProperties?: FieldSchema | boolean;
  readonly anyOf?: readonly FieldSchema[];
  /** With the editor 'variant': the kinds, each an object with its name as the constant `kind`. */
  readonly oneOf?: readonly FieldSchema[];
};

export interface Preset {
  readonly id: string;
  readonly title: string;
  readonly config: JsonObject;
}

export interface Source {
  readonly title: string;
  readonly authors: string;
  readonly year: number;
  readonly url?: string;
}

/**
 * How a person steers one number of a continuous action: keys that push it down or up from `rest`, and a gamepad's stick.
 * An axis without keys and stick stays at `rest`. Touch gets a stick for every pair of axes and a slider for a single one.
 */
export interface HumanAxis {
  readonly name: string; // "left and right"
  readonly component: number; // index in the action
  readonly less: readonly string[]; // KeyboardEvent.key values
  readonly more: readonly string[];
  readonly low: number;
  readonly high: number;
  readonly rest: number;
  readonly stick?: 'leftX' | 'leftY' | 'rightX' | 'rightY'; // Y: pushed away from oneself is `high`
}

export interface EnvCard {
  readonly id: string;
  /** Title of the family it stands in. */
  readonly family: string;
  readonly version: number;
  /** What each version after the first changed. */
  readonly changes: readonly VersionChange[];
  readonly title: string;
  readonly summary: string;
  readonly source: Source;
  readonly schema: FieldSchema;
  readonly defaults: JsonObject;
  readonly presets: readonly Preset[];
  readonly agents: number;
  /** Names of all agents, those whose seats are given to scripted players included. */
  readonly roster: readonly string[];
  /** Agents alike stand together, in the order of their numbers. */
  readonly groups: readonly AgentCard[];
  /** Of the first agent. */
  readonly obs: ObsSpace;
  readonly action: ActionSpace;
  /** Names of what the reward is made of; one name unless it is a vector. */
  readonly rewards: readonly string[];
  /** Parts of which the reward is the sum, with the settings that weigh them. */
  readonly terms?: readonly RewardTerm[];
  readonly costs: readonly string[];
  /** How a team's return becomes one number, in words. */
  readonly score: string;
  readonly gamma: number;
  /** Some actions may be forbidden. */
  readonly masked: boolean;
  readonly state: readonly StateCard[];
  /** What a run there tells beside its returns and what the algorithm reports. */
  readonly measures: readonly MetricCard[];
  /** Of a matrix game: its table with this config. */
  readonly game?: GameCard;
  /** It is written in tokens, which the actions name: those a row starts with and ends with; `words`: texts are words, with spaces between them. */
  readonly tokens?: { readonly begin: number; readonly end: number; readonly words?: true };
  /** Points over the picture at which the shortest way and what a policy thinks it is worth can be mapped; left out: it knows no shortest ways. */
  readonly lattice?: Lattice;
  /** Policies that act without learning, by name; the best known comes first. */
  readonly policies: readonly string[];
  readonly frame: FrameLayout;
  readonly maxSteps: number; // 0: no limit of its own
  readonly evalMaxSteps: number;
  readonly references: readonly ReferenceReturn[];
  /** Keys a human plays with, by action: KeyboardEvent.key values; 'ArrowUp+ArrowRight' means both at once. Empty: not playable, unless there are axes. */
  readonly keys: readonly (readonly string[])[];
  /** Continuous actions of the first agent, for human play. */
  readonly axes?: readonly HumanAxis[];
  /** What to do when no key is held: an action, or null to wait for a key (turn-based play). */
  readonly idleAction: number | null;
  /** Steps per second a person should see. */
  readonly fps: number;
  readonly recommended: Recommendation;
  /** Why what is recommended reaches little there, or what reward alone reaches where it learns from an expert. */
  readonly learnNote?: string;
  /** What tells how good a policy is there, where it is not the return of its greedy episodes: other players have interests of their own. */
  readonly judged?: Exclude<Strength, 'return'>;
  /** Every reward is 0: there is no task, so nothing can be learned. */
  readonly unrewarded?: true;
  /** The policy of `policies` that the stage shows before anything is learned; else random actions. */
  readonly before?: string;
}

/** A part of the reward, which is the sum of all of them. */
export interface RewardTerm {
  readonly id: string;
  readonly title: string;
  /** Fields of the environment's config that weigh it. One field may weigh several: a ratio between two. */
  readonly weights: readonly string[];
}

export interface AgentCard {
  readonly names: readonly string[];
  readonly obs: ObsSpace;
  readonly action: ActionSpace;
}

/** A field of the complete state. */
export interface StateCard {
  readonly name: string;
  readonly shape: readonly number[];
  readonly unit?: string;
  readonly doc: string;
}

/** What the workbench offers first for an environment. */
export interface Recommendation {
  readonly algo: string;
  /** Settings that differ from the algorithm's defaults. */
  readonly config: JsonObject;
  readonly steps: number;
  /** Settings of the world that it trains with, where these are not its defaults. */
  readonly env?: JsonObject;
  /** Steps between two evaluations; left out: there are none but the last. */
  readonly evalEvery?: number;
}

export interface ReferenceReturn {
  readonly name: string; // "random", "optimal", "published PPO"
  readonly value: number;
  readonly source: string;
  /** In the picture of a curve however far from it: below it nothing was learned of the task. */
  readonly stays?: true;
}

/** A short run of a method: environment id, settings over the defaults of both, budget in environment steps. */
export interface Trial {
  readonly env: string;
  readonly envConfig?: JsonObject;
  readonly config?: JsonObject;
  readonly steps: number;
}

export interface AlgoCard {
  readonly id: string;
  /** Title of the family it stands in. */
  readonly family: string;
  readonly version: number;
  /** What each version after the first changed. */
  readonly changes: readonly VersionChange[];
  readonly title: string;
  readonly summary: string;
  readonly source: Source;
  readonly schema: FieldSchema;
  readonly defaults: JsonObject;
  readonly presets: readonly Preset[];
  /** Id of the preset that a run starts from where actions are continuous (contract/catalog/starts.ts). */
  readonly continuous?: string;
  readonly action: 'discrete' | 'box' | 'any';
  /** 'table': needs a small discrete state; 'linear': weights on what is seen; 'network': runs on the engine; 'none': learns nothing. */
  readonly learner: 'table' | 'linear' | 'network' | 'none';
  readonly agents: 'one' | 'many';
  /** Its actions are sampled from the policy in evaluation too: the mixed strategy is what it learned. Or: the id of the setting that asks for it. */
  readonly mixed?: true | string;
  /** It learns from the play of an expert or another player, recorded or asked for, and not by trying. */
  readonly shown?: true;
  /** Metrics it emits, for labels and help. */
  readonly metrics: readonly MetricCard[];
  /** The run in which tests try the method; its environment suits the method. */
  readonly trial: Trial;
}

export interface MetricCard {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly unit?: string;
  /** Other metrics of the same method whose first values are drawn as lines. */
  readonly startOf?: readonly string[];
  /** Other metrics whose newest values are drawn as lines: bounds that this one is held to. */
  readonly bounds?: readonly string[];
}

/**
 * What an explanation of the trained team must show, as one number per seed:
 *   nothing  1 where the interval of agents[0] holds 0
 *   alike    1 where the interval of the difference of agents[0] and agents[1] holds 0
 *   below    1 where agents[0] has the lowest value of all and the interval of its difference from each of the others named lies below 0
 *   above    the same upwards
 *   ranks    of the pairs whose difference has an interval without 0, the share that the question with `sampled` ranks alike; nothing
 *            where no pair differs
 */
export interface ExplainMeasure {
  readonly judge: 'nothing' | 'alike' | 'below' | 'above' | 'ranks';
  readonly agents: readonly number[];
  readonly question: Partial<AgentQuestion>;
  readonly sampled?: Partial<AgentQuestion>;
  /** Planted: these agents do nothing for a share of their steps, whatever they have learned. */
  readonly idle?: readonly { readonly agent: number; readonly share: number }[];
}

/** What an attack on the observations of the trained policy costs: the mean return of greedy episodes without it less that with it. */
export interface AttackMeasure {
  readonly judge: 'attack';
  readonly question: Partial<AttackQuestion>;
}

export interface ExperimentCard {
  readonly id: string;
  readonly title: string;
  /** One sentence that a run can refute, or what a lesson shows. */
  readonly claim: string;
  readonly kind: 'start' | 'lesson' | 'benchmark' | 'claim';
  readonly source?: Source;
  readonly config: JsonObject; // RunConfig as JSON
  /** What `npm run claims` holds it to; experiments of one suite run together, and one may stand in several. */
  readonly suites?: readonly string[];
  readonly expect?: Expectation;
  /** The claim names ten seeds: it is judged on ten at once. */
  readonly tenSeeds?: true;
  /** Ten seeds cost more than the suite may: where five leave it open, `npm run claims -- ID --full` goes on. */
  readonly secondLook?: 'full';
  /** The first reported seed, where a judged form has used those from 1,001 on. */
  readonly firstSeed?: number;
  /** Config of the same environment, other opponents, say, in which the greedy policy is measured for `againstReturn`. */
  readonly against?: JsonObject;
  /**
   * An experiment of the same environment that is trained first, one seed, and frozen: its policy plays the seats that this one's agents
   * leave, and their greedy return against it is reported beside the verdict (`rivalReturn`). `name` says who that is.
   */
  readonly rival?: { readonly experiment: string; readonly name: string };
  /** Asked about the trained team; what it measures is judged as `explained`. */
  readonly explain?: ExplainMeasure | AttackMeasure;
  /** Files from outside the project that it cannot run without: where they are missing, `claims` leaves it out and says so. */
  readonly data?: readonly string[];
  /** What the source published, in its words. */
  readonly published?: { readonly value: number; readonly text: string };
  /** The form that CI can afford: these run options instead, and what they must reach. Exact all the same. */
  readonly quick?: { readonly run: JsonObject; readonly expect: Expectation };
}

/** An explainer in the catalogue. */
export interface ExplainerCard {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly source: Source;
  readonly schema: FieldSchema;
  readonly defaults: JsonObject;
  readonly answers: AnswerKind;
  /** Whose actions it looks at: those of a learned policy, of a scripted one too, or of none. */
  readonly team: 'learned' | 'any' | 'none';
  /** Whether it explains a frame of an episode. */
  readonly frame: 'required' | 'optional' | 'none';
  /** Smallest number of agents. */
  readonly agents: number;
}

export interface Catalog {
  readonly version: 1;
  readonly envs: readonly EnvCard[];
  readonly algos: readonly AlgoCard[];
  readonly experiments: readonly ExperimentCard[];
  readonly explainers: readonly ExplainerCard[];
}
