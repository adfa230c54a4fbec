/** Eigenvectors of symmetric matrices by cyclic Jacobi rotations (Golub and Van Loan 2013, section 8.5). Float64, plain arithmetic. */

const MAX_SWEEPS = 50;
/** Off-diagonal entries below this share of the matrix's norm count as 0. */
const TINY = 1e-15;

export interface Eigen {
  readonly values: Float64Array; // [n], in no order
  /** [n, n] row-major, the k-th column belongs to values[k]; orthonormal. */
  readonly vectors: Float64Array;
}

/** Of a symmetric matrix [n, n], row-major; only its values on and above the diagonal are read. Throws Error if it does not converge. */
export function symmetricEigen(matrix: Float64Array, n: number): Eigen {
  const a = new Float64Array(n * n);
  const v = new Float64Array(n * n);
  let norm = 0;
  for (let i = 0; i < n; i++) {
    v[i * n + i] = 1;
    for (let j = i; j < n; j++) {
      const value = matrix[i * n + j]!;
      a[i * n + j] = value;
      a[j * n + i] = value;
      norm += (i === j ? 1 : 2) * value * value;
    }
  }
  const limit = TINY * Math.sqrt(norm);
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    let rotated = false;
    for (let p = 0; p < n - 1; p++) {
      for (let q = p + 1; q < n; q++) {
        if (Math.abs(a[p * n + q]!) <= limit) continue;
        rotate(a, v, n, p, q);
        rotated = true;
      }
    }
    if (!rotated) return { values: Float64Array.from({ length: n }, (_, i) => a[i * n + i]!), vectors: v };
  }
  throw new Error(`The eigenvalues of a matrix of ${n} rows did not converge.`);
}

/** Makes a[p, q] zero by a rotation in the plane of p and q, and turns the vectors with it. */
function rotate(a: Float64Array, v: Float64Array, n: number, p: number, q: number): void {
  const theta = (a[q * n + q]! - a[p * n + p]!) / (2 * a[p * n + q]!);
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  for (let k = 0; k < n; k++) {
    const kp = a[k * n + p]!;
    const kq = a[k * n + q]!;
    a[k * n + p] = c * kp - s * kq;
    a[k * n + q] = s * kp + c * kq;
  }
  for (let k = 0; k < n; k++) {
    const pk = a[p * n + k]!;
    const qk = a[q * n + k]!;
    a[p * n + k] = c * pk - s * qk;
    a[q * n + k] = s * pk + c * qk;
    const vp = v[k * n + p]!;
    const vq = v[k * n + q]!;
    v[k * n + p] = c * vp - s * vq;
    v[k * n + q] = s * vp + c * vq;
  }
}
