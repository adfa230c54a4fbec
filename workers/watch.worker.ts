/** Knows the catalogue, plays, replays and inspects; never trains: see host/watch-host.ts. */
import { expose } from 'comlink';
import { carryFailures } from './host/failures.ts';
import { createWatchHost } from './host/watch-host.ts';

carryFailures();
expose(createWatchHost());
