/** out [C, R] = x [R, C] transposed, row strides in bytes. 4 by 4 shuffles, 16 columns at a time, so that power-of-two widths stay in cache. */

@inline function block(out: usize, so: usize, x: usize, sx: usize): void {
  const a = v128.load(x);
  const b = v128.load(x + sx);
  const c = v128.load(x + sx * 2);
  const d = v128.load(x + sx * 3);
  const ab = v128.shuffle<f32>(a, b, 0, 4, 1, 5);
  const AB = v128.shuffle<f32>(a, b, 2, 6, 3, 7);
  const cd = v128.shuffle<f32>(c, d, 0, 4, 1, 5);
  const CD = v128.shuffle<f32>(c, d, 2, 6, 3, 7);
  v128.store(out, v128.shuffle<f32>(ab, cd, 0, 1, 4, 5));
  v128.store(out + so, v128.shuffle<f32>(ab, cd, 2, 3, 6, 7));
  v128.store(out + so * 2, v128.shuffle<f32>(AB, CD, 0, 1, 4, 5));
  v128.store(out + so * 3, v128.shuffle<f32>(AB, CD, 2, 3, 6, 7));
}

export function transpose(out: usize, so: usize, x: usize, sx: usize, r: i32, c: i32): void {
  const r4 = r & ~3;
  const c4 = c & ~3;
  for (let j0 = 0; j0 < c4; j0 += 16) {
    const j1 = min(j0 + 16, c4);
    for (let i = 0; i < r4; i += 4) {
      for (let j = j0; j < j1; j += 4) block(out + so * j + (i << 2), so, x + sx * i + (j << 2), sx);
    }
  }
  for (let i = 0; i < r; i++) {
    for (let j = i < r4 ? c4 : 0; j < c; j++) store<f32>(out + so * j + (i << 2), load<f32>(x + sx * i + (j << 2)));
  }
}
