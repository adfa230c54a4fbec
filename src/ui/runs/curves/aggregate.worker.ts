/** The chart's own worker: one message in, one aggregate out. Bootstraps never run on the page's thread. */
import { type Aggregate, aggregate, type XY } from './aggregate.ts';

export interface AggregateRequest {
  readonly id: number;
  readonly series: readonly XY[];
  readonly limit: number;
}
export interface AggregateResponse {
  readonly id: number;
  readonly result: Aggregate | null;
}

addEventListener('message', (event: MessageEvent<AggregateRequest>) => {
  const { id, series, limit } = event.data;
  const result = aggregate(series, limit);
  const transfer = result === null ? [] : [result.x.buffer, result.line.buffer, result.low.buffer, result.high.buffer];
  const response: AggregateResponse = { id, result };
  postMessage(response, { transfer });
});
