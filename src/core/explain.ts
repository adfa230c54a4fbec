/** The package's door to explanations, rl-workbench/explain: the registry of explainers, and what explainers of one's own are made with. */
export type { AgentAttribution, AgentQuestion, FeatureAttribution, FeatureQuestion } from '#contract/explain/explain.ts';
export { AGENTS, defaultQuestion, FEATURES } from '#contract/explain/explain.ts';
export type { Answer, AnswerData, ExplainerRef, ExplainRequest, Interval, ReplayFrame, Team } from '#contract/explain/explain-api.ts';
export { requestOf, seriesOf } from '#contract/explain/explain-api.ts';
export { type AgentsOptions, explainAgents } from './explain/agents.ts';
export { defineExplainer, type ExplainerDef, type ExplainerEntry } from './explain/api/define.ts';
export type { Scene, SceneOptions } from './explain/api/scene.ts';
export { explainFeatures, type FeaturesOptions } from './explain/features.ts';
export { explainers, getExplainer } from './explain/index.ts';
