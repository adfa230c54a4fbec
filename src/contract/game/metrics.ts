/** Names of metric columns that are made by rule, so that readers of a run know what they are. */
const PREFIX = 'agentReturn.';

/** The column with the return of one agent: its number from 0, then its name. */
export function agentMetric(agent: number, name: string): string {
  return `${PREFIX}${agent}.${name}`;
}

/** Which agent a column is about; null: it is another metric. */
export function agentOfMetric(id: string): { readonly agent: number; readonly name: string } | null {
  if (!id.startsWith(PREFIX)) return null;
  const [agent = '', ...name] = id.slice(PREFIX.length).split('.');
  return { agent: Number(agent), name: name.join('.') };
}

const TASK = 'task.';

/** The column with the return in one task of a sequence, from 0. */
export const taskMetric = (task: number): string => `${TASK}${task}`;

/** Which task a column is about; null: it is another metric. */
export function taskOfMetric(id: string): number | null {
  return id.startsWith(TASK) ? Number(id.slice(TASK.length)) : null;
}

/** The column with the return in tasks that are held out. */
export const HELD_OUT = 'heldOut';
