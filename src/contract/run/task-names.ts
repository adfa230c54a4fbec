/** What environments are called in comparisons: by title, with the settings that differ where one stands there in several forms. */
import { canonicalJson } from '../kit/canonical.ts';
import type { Json } from '../kit/json.ts';
import type { Ref } from './config.ts';

type Env = Pick<Ref, 'id' | 'version' | 'config'>;

const keyOf = ({ id, version, config }: Env): string => canonicalJson({ id, version, config });
const wordOf = (value: Json | undefined): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** Names of these environments, by environment: "CartPole", or "Catch (rows 10)" and "Catch (rows 20)". The order of the list does not matter. */
export function taskNames(envs: readonly Env[], titleOf: (id: string) => string): (env: Env) => string {
  const forms = new Map<string, Map<string, Env>>();
  for (const env of envs) {
    const own = forms.get(env.id) ?? new Map<string, Env>();
    forms.set(env.id, own.set(keyOf(env), env));
  }
  return (env) => {
    const own = [...(forms.get(env.id)?.values() ?? [])];
    const title = titleOf(env.id);
    if (own.length < 2) return title;
    const keys = [...new Set(own.flatMap(({ config }) => Object.keys(config)))].sort();
    const differing = keys.filter((key) => new Set(own.map(({ config }) => canonicalJson(config[key] ?? null))).size > 1);
    const settings = differing.map((key) => `${key} ${wordOf(env.config[key])}`);
    const versions = new Set(own.map(({ version }) => version)).size > 1;
    return `${title} (${[...(versions ? [`version ${env.version}`] : []), ...settings].join(', ')})`;
  };
}
