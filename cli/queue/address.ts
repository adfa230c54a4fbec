/**
 * Where the queue is: `redis://[USER[:PASSWORD]@]HOST[:PORT][/DATABASE]`, `rediss://` over TLS. The password may stand in the environment
 * variable REDIS_PASSWORD instead, which no list of processes shows. Nothing here or elsewhere prints it. Throws UsageError.
 */
import { UsageError } from '../kit/failure.ts';

/** Connection settings, as ioredis takes them. */
export interface QueueAddress {
  readonly host: string;
  readonly port: number;
  readonly db: number;
  readonly username?: string;
  readonly password?: string;
  readonly tls?: { readonly servername: string };
  /** The address without user and password: what may be printed. */
  readonly shown: string;
}

const FORM = 'redis://HOST:PORT/DATABASE, or rediss:// over TLS';
const HIGHEST_DATABASE = 9999;

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new UsageError('--queue has a user or password with a broken percent code: write % as %25.');
  }
};

export function queueAddress(text: string, environment: NodeJS.ProcessEnv = process.env): QueueAddress {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new UsageError(`--queue is no address: use ${FORM}.`); // the text is not repeated: it may hold a password
  }
  if (url.protocol !== 'redis:' && url.protocol !== 'rediss:')
    throw new UsageError(`--queue begins with "${url.protocol}//": use ${FORM}.`);
  if (url.hostname === '') throw new UsageError(`--queue names no host: use ${FORM}.`);
  if (url.search !== '' || url.hash !== '') throw new UsageError(`--queue takes nothing behind the database: use ${FORM}.`);
  const [, database = ''] = /^\/?(\d*)$/.exec(url.pathname) ?? [];
  if (!/^\/?\d{0,4}$/.test(url.pathname))
    throw new UsageError(`--queue names a database that is no whole number of 0 to ${HIGHEST_DATABASE}: use ${FORM}.`);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = url.port === '' ? 6379 : Number(url.port);
  const db = Number(database);
  const password = url.password === '' ? environment.REDIS_PASSWORD : decoded(url.password);
  return {
    host,
    port,
    db,
    ...(url.username !== '' && { username: decoded(url.username) }),
    ...(password !== undefined && password !== '' && { password }),
    ...(url.protocol === 'rediss:' && { tls: { servername: host } }),
    shown: `${url.protocol}//${url.hostname}:${port}/${db}`,
  };
}
