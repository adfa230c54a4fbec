/** Whether draws fall as they should: Pearson's chi-square of counts against shares, for the tests of environments. */

/** The value that chi-square with `degrees` degrees of freedom exceeds once in a thousand (Wilson and Hilferty 1931). */
function limit(degrees: number): number {
  const spread = 2 / (9 * degrees);
  return degrees * (1 - spread + 3.0902 * Math.sqrt(spread)) ** 3;
}

/** Chi-square as a part of what a fair draw stays below 999 times of 1000; without `shares` all counts are meant to be alike. */
export function misfit(counts: readonly number[], shares?: readonly number[]): number {
  const total = counts.reduce((a, b) => a + b, 0);
  const whole = shares?.reduce((a, b) => a + b, 0) ?? counts.length;
  const chi = counts.reduce((sum, n, i) => {
    const expected = (total * (shares === undefined ? 1 : shares[i]!)) / whole;
    return sum + (n - expected) ** 2 / expected;
  }, 0);
  return chi / limit(counts.length - 1);
}
