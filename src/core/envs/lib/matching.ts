/**
 * The cheapest one-to-one assignment of n workers to n jobs (Kuhn 1955), by shortest augmenting paths with potentials
 * (Jonker and Volgenant 1987), O(n^3), no allocation after the first call of a size.
 */
export interface Matching {
  /** cost [n, n] row-major, worker by worker; writes the job of each worker to `job`. */
  solve(cost: Float64Array, job: Int32Array): void;
}

export function createMatching(n: number): Matching {
  const u = new Float64Array(n + 1); // potentials of workers, of jobs
  const v = new Float64Array(n + 1);
  const owner = new Int32Array(n + 1); // worker of a job, 1-based, 0: none
  const way = new Int32Array(n + 1); // job before on the path
  const slack = new Float64Array(n + 1);
  const done = new Uint8Array(n + 1);
  return {
    solve(cost, job) {
      u.fill(0);
      v.fill(0);
      owner.fill(0);
      for (let worker = 1; worker <= n; worker++) {
        owner[0] = worker;
        let at = 0;
        slack.fill(Number.POSITIVE_INFINITY);
        done.fill(0);
        do {
          done[at] = 1;
          const row = (owner[at]! - 1) * n;
          let step = Number.POSITIVE_INFINITY;
          let next = 0;
          for (let j = 1; j <= n; j++) {
            if (done[j] === 1) continue;
            const reduced = cost[row + j - 1]! - u[owner[at]!]! - v[j]!;
            if (reduced < slack[j]!) {
              slack[j] = reduced;
              way[j] = at;
            }
            if (slack[j]! < step) {
              step = slack[j]!;
              next = j;
            }
          }
          for (let j = 0; j <= n; j++) {
            if (done[j] === 1) {
              u[owner[j]!] = u[owner[j]!]! + step;
              v[j] = v[j]! - step;
            } else slack[j] = slack[j]! - step;
          }
          at = next;
        } while (owner[at] !== 0);
        while (at !== 0) {
          const before = way[at]!;
          owner[at] = owner[before]!;
          at = before;
        }
      }
      for (let j = 1; j <= n; j++) job[owner[j]! - 1] = j - 1;
    },
  };
}
