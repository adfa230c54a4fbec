/**
 * A slime that learned here: a network of 12 inputs, 16 hidden units (tanh) and 3 buttons (on above 0), 259 numbers, found by an
 * evolution strategy (24 mirrored pairs of perturbations a generation, ranks as fitness, points plus survival as score) in a league of the
 * scripted player, a copy of it, the scripted player with random presses, and its own former selves. Never played the published player
 * in training; against it, it wins a little more often than it loses.
 */
import { tanh } from '#math/functions.ts';

const INPUTS = 12;
const HIDDEN = 16;
const BUTTONS = 3;

/** Rows of the hidden layer, its biases, rows of the buttons, their biases. */
const WEIGHTS = Float64Array.from(
  `
-0.22 -0.819 -1.345 1.385 0.228 -0.547 -1.17 -1.104 -1.301 -0.166 -1.52 -0.663 0.01 2.224 0.891 -0.096 0.232 -1.642 -2.607 0.934 -1.145
0.504 0.036 -0.187 0.649 -0.794 -0.99 -0.234 0.127 -0.913 1.459 -0.996 0.337 1.57 -0.621 -0.747 -0.99 -1.096 -0.838 1.478 -0.131 -1.305
0.706 0.812 -0.429 -0.336 0.126 1.183 1.277 0.034 0.794 -1.404 -0.707 1.08 -0.605 1.914 0.092 0.953 0.113 -0.997 0.165 0.396 -0.453
0.381 0.043 1.598 0.515 2.367 -0.967 -1.715 0.595 -0.434 4.325 1.077 -0.203 0.164 -4.354 -1.135 0.206 -0.413 0.121 -0.238 -0.323 0.092
-0.382 0.592 0.369 2.59 1.606 -0.106 0.094 -1.787 -0.914 1.018 0.726 -0.739 0.648 -0.503 0.562 0.723 -0.294 -0.35 -1.961 -0.089 -0.353
0.015 0.313 -1.068 -0.239 -0.176 -0.587 0.128 0.517 -0.809 0.803 0.162 -0.6 -0.913 0.687 -0.905 1.003 -0.094 -0.032 1.117 -0.562 -2.128
-2.087 -1.934 0.31 -0.412 -0.785 -0.322 -3.044 0.22 0.263 0.345 2.39 -0.55 -0.121 -0.29 0.433 0.725 -0.788 0.349 0.313 -0.894 0.128
0.041 0.058 0.898 -0.402 -0.646 0.356 0.564 -1.227 -0.771 -1.555 -0.567 -0.544 0.311 1.565 1.673 0.53 0.353 -0.154 -0.986 -1.654 -0.462
-1.271 0.194 0.209 -1.011 1.574 0.535 -0.738 -0.816 -0.276 0.014 0.697 1.308 0.376 -0.029 -0.743 1.081 -0.363 0.418 0.992 -0.4 0.36
-1.294 -1.65 -0.598 -0.062 -0.116 1.041 1.814 -1.045 -0.712 -0.8 -1.051 0.131 0.681 -0.727 -0.19 -0.655 0.011 -1.736 -0.53 0.436 1.065
-0.085 0.621 1.028 -0.404 3.515 -0.33 -0.083 -1.442 -0.065 -1.883 0.654 -1.393 -0.649 0.099 0.158 -0.517 0.206 0.362 0.981 0.266 -0.945
1.061 -1.42 -0.107 -1.027 1.765 -0.775 1.051 0.692 0.15 0.676 -1.348 0.201 0.078 -2.437 -1.483 0.118 0.633 0.275 -0.553 -0.061 -0.261
1.213 -0.515 0.187 -1.172 1.144 0.42 -0.995
`
    .trim()
    .split(/\s+/),
  Number,
);
const OUT = INPUTS * HIDDEN + HIDDEN; // where the rows of the buttons begin
const hidden = new Float64Array(HIDDEN);

/** Buttons as bits, from the twelve observed numbers at `at`. */
export function trainedButtons(o: Float32Array | Float64Array, at: number): number {
  for (let h = 0; h < HIDDEN; h++) {
    let sum = WEIGHTS[INPUTS * HIDDEN + h]!;
    for (let k = 0; k < INPUTS; k++) sum += WEIGHTS[INPUTS * h + k]! * o[at + k]!;
    hidden[h] = tanh(sum);
  }
  let bits = 0;
  for (let j = 0; j < BUTTONS; j++) {
    let sum = WEIGHTS[OUT + BUTTONS * HIDDEN + j]!;
    for (let h = 0; h < HIDDEN; h++) sum += WEIGHTS[OUT + HIDDEN * j + h]! * hidden[h]!;
    if (sum > 0) bits |= 1 << j;
  }
  return bits;
}
