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
