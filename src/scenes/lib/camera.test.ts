import { Box3, Vector3 } from 'three';
import { expect, test } from 'vitest';
import { OrbitCamera } from './camera.ts';

const framing = { bounds: new Box3(new Vector3(-4, 0, -2), new Vector3(4, 3, 2)), azimuth: 0.3, elevation: 0.4 };

function looking(camera: OrbitCamera): Vector3 {
  for (let i = 0; i < 200; i++) camera.update(0.05);
  const ahead = camera.camera.getWorldDirection(new Vector3());
  // Where the line of sight crosses the plane through the middle of the court.
  const { position } = camera.camera;
  return position.clone().addScaledVector(ahead, -position.z / ahead.z);
}

test('all corners of what is framed are in the picture, from every preset and for every aspect', () => {
  for (const aspect of [0.5, 1, 2.2]) {
    for (const preset of ['home', 'top', 'side'] as const) {
      const camera = new OrbitCamera();
      camera.frame(framing);
      camera.setPreset(preset);
      camera.setAspect(aspect);
      for (let i = 0; i < 8; i++) {
        const { min, max } = framing.bounds;
        const corner = new Vector3(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z).project(camera.camera);
        expect(Math.abs(corner.x)).toBeLessThanOrEqual(1.001);
        expect(Math.abs(corner.y)).toBeLessThanOrEqual(1.001);
      }
    }
  }
});

test('leaves room for what covers the upper edge', () => {
  for (const aspect of [0.8, 1.3]) {
    const camera = new OrbitCamera();
    camera.frame(framing);
    camera.setPreset('home');
    camera.setAspect(aspect, 0.2);
    let [low, high] = [1, -1];
    for (let i = 0; i < 8; i++) {
      const { min, max } = framing.bounds;
      const corner = new Vector3(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z).project(camera.camera);
      low = Math.min(low, corner.y);
      high = Math.max(high, corner.y);
    }
    expect(low).toBeGreaterThan(-1);
    expect(high).toBeLessThan(1 - 2 * 0.2);
  }
});

test('from the side it pans after a ball, but not for people who want no motion', () => {
  const camera = new OrbitCamera();
  camera.frame(framing);
  camera.setPreset('side');
  const still = looking(camera).x;
  camera.pan(new Vector3(4, 1, 0));
  expect(looking(camera).x - still).toBeGreaterThan(1);
  const calm = new OrbitCamera();
  calm.reducedMotion = true;
  calm.frame(framing);
  calm.setPreset('side');
  const before = looking(calm).x;
  calm.pan(new Vector3(4, 1, 0));
  expect(looking(calm).x).toBeCloseTo(before);
});

test('follow keeps the point in the middle, the other presets do not move', () => {
  const camera = new OrbitCamera();
  camera.frame(framing);
  camera.setPreset('follow');
  camera.follow(new Vector3(3, 1, 0));
  const at = new Vector3(3, 1, 0).project(camera.camera);
  looking(camera);
  const later = new Vector3(3, 1, 0).project(camera.camera);
  expect(Math.hypot(later.x, later.y)).toBeLessThan(0.01);
  expect(Math.hypot(at.x, at.y)).toBeGreaterThan(0.01);
  camera.setPreset('home');
  const home = looking(camera);
  camera.follow(new Vector3(-3, 1, 0));
  expect(looking(camera).distanceTo(home)).toBeCloseTo(0);
});
