/** What the page may ask of the worker that explains. Numbers that grow come on a port, better and better; the last is the answer. */
import type { Coordination, CoordinationQuestion } from './coordination.ts';
import type { Counterfactual, CounterfactualQuestion } from './counterfactual.ts';
import type { PolicySnapshot, Replay } from './events.ts';
import type { AgentAttribution, AgentQuestion, FeatureAttribution, FeatureQuestion, TrustedGame } from './explain.ts';
import type { JsonObject } from './json.ts';

/** Who plays in an explanation: a learned policy, or a scripted one of the environment by its name. */
export type Team = { readonly snapshot: PolicySnapshot } | { readonly scripted: string };

/** The sending end of a MessagePort. */
export interface ExplainPort<T> {
  postMessage(message: T): void;
}

/** An environment and the policies that may have to act in it. */
export interface TeamRequest {
  readonly env: { readonly id: string; readonly config: JsonObject };
  readonly team: Team;
  readonly question: AgentQuestion;
  /** Acts for absent agents where the question says so. */
  readonly other: Team | null;
}

/** One frame of a replay. */
export interface ReplayFrame {
  readonly replay: Replay;
  readonly t: number;
}

/** An answer about one frame of a replay. */
export interface AtFrame<T> {
  readonly t: number;
  readonly answer: T;
}

export interface FeatureRequest {
  readonly snapshot: PolicySnapshot;
  readonly replay: Replay;
  /** Other episodes of the same environment: more moments to compare with. */
  readonly others: readonly Replay[];
  readonly question: FeatureQuestion;
}

/** One explanation of each kind at a time; a new one ends the old. The page gives it a worker of its own. All throw LabError naming the field. */
export interface ExplainApi {
  /** Values of the agents of a team; with `from`, of the rest of that replay. null: cancelled before there was an estimate. */
  explainAgents(
    request: TeamRequest & { readonly from: ReplayFrame | null },
    port: ExplainPort<AgentAttribution>,
  ): Promise<AgentAttribution | null>;
  /** Values of the rest of an episode at each of these frames, in this order. Ends early when cancelled. */
  explainAlong(
    request: TeamRequest & { readonly replay: Replay; readonly frames: readonly number[] },
    port: ExplainPort<AtFrame<AgentAttribution>>,
  ): Promise<void>;
  /** What in the observation at frame t an output of this policy rests on. null: cancelled. */
  explainFeatures(request: FeatureRequest & { readonly t: number }): Promise<FeatureAttribution | null>;
  /** The same at many frames: what matters on the whole. Ends early when cancelled. */
  explainFeaturesAlong(
    request: FeatureRequest & { readonly frames: readonly number[] },
    port: ExplainPort<AtFrame<FeatureAttribution>>,
  ): Promise<void>;
  /** Two futures of one moment, as it was and with one thing changed. */
  compareFutures(
    request: TeamRequest & { readonly from: ReplayFrame; readonly change: CounterfactualQuestion },
  ): Promise<Counterfactual | null>;
  /** How agents hang together: influence at a frame, actions and messages over the episode. */
  coordinate(request: TeamRequest & { readonly from: ReplayFrame; readonly about: CoordinationQuestion }): Promise<Coordination | null>;
  /** Estimates games with known values by this many arrival orders: to see that the intervals can be trusted. */
  testExplainer(draws: number, seed: number): Promise<readonly TrustedGame[]>;
  pauseExplanation(paused: boolean): Promise<void>;
  cancelExplanation(): Promise<void>;
  /** Share of the time it may work, 0.02 to 1: less than 1 while all cores train. */
  paceExplanation(share: number): Promise<void>;
}
