/** Many copies of one shape in one draw call: begin, put as many as needed, end. Grows when it has to. */
import { type BufferGeometry, Color, DynamicDrawUsage, Group, InstancedMesh, type Material, Matrix4, Quaternion, Vector3 } from 'three';

const UP = new Vector3(0, 1, 0);
const WHITE = new Color(1, 1, 1);

interface PoolOptions {
  readonly cast?: boolean;
  readonly receive?: boolean;
  readonly order?: number;
}

export class Pool {
  readonly root = new Group();
  private readonly geometry: BufferGeometry;
  private readonly material: Material;
  private readonly options: PoolOptions;
  private mesh: InstancedMesh;
  private count = 0;
  private readonly matrix = new Matrix4();
  private readonly position = new Vector3();
  private readonly rotation = new Quaternion();
  private readonly size = new Vector3();

  constructor(geometry: BufferGeometry, material: Material, options: PoolOptions = {}, capacity = 16) {
    this.geometry = geometry;
    this.material = material;
    this.options = options;
    this.mesh = this.make(capacity);
  }

  begin(): void {
    this.count = 0;
  }

  /** `turn` is clockwise seen from above (like a grid heading). */
  put(x: number, y: number, z: number, colour: Color, turn = 0, sx = 1, sy = sx, sz = sx): void {
    this.position.set(x, y, z);
    this.rotation.setFromAxisAngle(UP, -turn);
    this.size.set(sx, sy, sz);
    this.putMatrix(this.matrix.compose(this.position, this.rotation, this.size), colour);
  }

  putMatrix(matrix: Matrix4, colour: Color): void {
    if (this.count === this.mesh.instanceMatrix.count) this.grow();
    this.mesh.setMatrixAt(this.count, matrix);
    this.mesh.setColorAt(this.count, colour);
    this.count++;
  }

  end(): void {
    const { mesh } = this;
    mesh.count = this.count;
    mesh.visible = this.count > 0;
    mesh.instanceMatrix.needsUpdate = true;
    if (mesh.instanceColor !== null) mesh.instanceColor.needsUpdate = true;
  }

  private grow(): void {
    const old = this.mesh;
    const next = this.make(old.instanceMatrix.count * 2);
    next.instanceMatrix.array.set(old.instanceMatrix.array);
    if (old.instanceColor !== null && next.instanceColor !== null) next.instanceColor.array.set(old.instanceColor.array);
    this.root.remove(old);
    old.dispose();
    this.mesh = next;
  }

  private make(capacity: number): InstancedMesh {
    const mesh = new InstancedMesh(this.geometry, this.material, capacity);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.setColorAt(0, WHITE);
    mesh.count = 0;
    mesh.frustumCulled = false;
    mesh.castShadow = this.options.cast ?? false;
    mesh.receiveShadow = this.options.receive ?? false;
    mesh.renderOrder = this.options.order ?? 0;
    this.root.add(mesh);
    return mesh;
  }
}
