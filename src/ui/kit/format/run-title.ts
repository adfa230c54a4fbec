/** What learns on what, in the language of the page. */
import { t } from '#text/text.ts';

export const runTitle = (algo: string, env: string): string => t('{algo} on {env}', { algo: t(algo), env: t(env) });
