/** The package's door to explanations, rl-workbench/explain: who contributed what in a team, and which inputs a policy acts on. */
export type { AgentAttribution, AgentQuestion, FeatureAttribution, FeatureQuestion } from '#contract/explain.ts';
export { defaultQuestion } from '#contract/explain.ts';
export type { FeatureRequest, ReplayFrame, Team, TeamRequest } from '#contract/explain-api.ts';
export { type AgentsOptions, explainAgents } from './explain/agents.ts';
export { explainFeatures, type FeaturesOptions } from './explain/features.ts';
export { type Explained, openMoments as openFrames } from './explain/lib/frames.ts';
export { explainTeam, explainTeamAlong } from './explain/lib/team.ts';
