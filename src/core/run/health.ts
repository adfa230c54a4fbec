/**
 * Watches a run's metrics for trouble that a curve shows too late. Every warning is given once, and withdrawn once when it no longer
 * holds. Plain numbers in, so that the same run warns at the same step everywhere.
 */
export interface HealthState {
  /** Entropy at the first row that had one; 0: none yet. */
  readonly firstEntropy: number;
  /** Ids of warnings given; `<id> over` once withdrawn. */
  readonly warned: readonly string[];
  /** Rows with a return so far. */
  readonly rows: number;
  /** Lowest and highest mean return so far; equal: nothing was ever different. */
  readonly low: number | null;
  readonly high: number | null;
}

export const healthy: HealthState = { firstEntropy: 0, warned: [], rows: 0, low: null, high: null };

export interface HealthReport {
  readonly state: HealthState;
  readonly warnings: readonly string[];
  /** Why an earlier warning no longer holds. */
  readonly withdrawn: readonly string[];
}

const COLLAPSED = 0.01; // share of the first entropy
const DEAD_SHARE = 0.2; // of the budget, without any difference between episodes
const DEAD_EPISODES = 50;
const DEAD_ROWS = 10;

export function examine(
  state: HealthState,
  metrics: Readonly<Record<string, number>>,
  at: { readonly share: number; readonly episodes: number },
): HealthReport {
  const { entropy, episodicReturn } = metrics;
  const warnings: string[] = [];
  const warned = [...state.warned];
  const warn = (id: string, text: string): void => {
    if (warned.includes(id)) return;
    warned.push(id);
    warnings.push(text);
  };
  const withdrawn: string[] = [];
  const withdraw = (id: string, text: string): void => {
    if (!warned.includes(id) || warned.includes(`${id} over`)) return;
    warned.push(`${id} over`);
    withdrawn.push(text);
  };
  const measured = episodicReturn !== undefined && Number.isFinite(episodicReturn);
  const rows = state.rows + (measured ? 1 : 0);
  const low = measured ? Math.min(state.low ?? episodicReturn, episodicReturn) : state.low;
  const high = measured ? Math.max(state.high ?? episodicReturn, episodicReturn) : state.high;
  const firstEntropy = state.firstEntropy === 0 && entropy !== undefined && entropy > 0 ? entropy : state.firstEntropy;
  const improved = measured && high !== null && low !== null && episodicReturn > low + 0.5 * (high - low);
  if (entropy !== undefined && firstEntropy > 0 && entropy < COLLAPSED * firstEntropy && !improved) {
    warn('entropy', 'The policy hardly explores any more and its return is low: raise the entropy coefficient or lower the learning rate.');
  }
  if (at.share >= DEAD_SHARE && at.episodes >= DEAD_EPISODES && rows >= DEAD_ROWS && low !== null && low === high) {
    warn('reward', 'Every episode so far gave the same return: the agent has found nothing to learn from.');
  }
  if (low !== high) withdraw('reward', 'Returns differ between episodes now: there is something to learn from.');
  if (improved) withdraw('entropy', 'The return has risen again.');
  return { state: { firstEntropy, warned, rows, low, high }, warnings, withdrawn };
}
