/** `export`: a policy file as an ONNX model or a TensorFlow.js layers model, for programs outside the workbench. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onnxPython, portText } from '#contract/onnx.ts';
import { policyToLayers, policyToOnnx } from '#core/run/loaded.ts';
import { type Command, pathFrom } from '../context.ts';
import { UsageError } from '../failure.ts';
import { describeOptions, parseOptions } from '../options.ts';
import { createOutput } from '../output.ts';
import { readPolicy } from '../policy-input.ts';

const OPTIONS = {
  policy: { kind: 'text', value: 'FILE', help: 'policy file, from train --out or the page' },
  form: { kind: 'text', value: 'FORM', choices: ['onnx', 'tfjs'], help: 'onnx, or tfjs: a layers model of a dense network (onnx)' },
  out: { kind: 'text', value: 'FILE', help: 'the model to write (policy.onnx); of tfjs a folder (policy)' },
  agent: { kind: 'count', value: 'K', min: 0, help: 'whose policy, where there are several agents (0)' },
  json: { kind: 'flag', help: 'one JSON line, with the inputs and outputs' },
} as const;

export const exportPolicy: Command = {
  usage: 'export --policy FILE [--form onnx|tfjs] [--out FILE]',
  summary: 'Writes a policy file as an ONNX model or a TensorFlow.js layers model.',
  help: describeOptions(OPTIONS),
  async run(args, context) {
    const { options, rest } = parseOptions(args, OPTIONS);
    if (options.policy === undefined || rest.length > 0) throw new UsageError('Which policy? export --policy FILE.');
    const output = createOutput(options.json);
    const snapshot = readPolicy(context, options.policy);
    const agent = options.agent ?? 0;
    if (options.form === 'tfjs') {
      const { model, weights } = await policyToLayers(snapshot, agent);
      const folder = options.out ?? 'policy';
      const at = pathFrom(context, folder);
      mkdirSync(at, { recursive: true });
      writeFileSync(join(at, 'model.json'), model);
      writeFileSync(join(at, 'weights.bin'), weights);
      output.record({ type: 'layers-model', folder, bytes: weights.length });
      output.text(`${folder}: model.json and weights.bin, ${weights.length} bytes of weights`);
      return;
    }
    const model = await policyToOnnx(snapshot, agent);
    const { bytes, inputs, outputs, agents } = model;
    const file = options.out ?? 'policy.onnx';
    writeFileSync(pathFrom(context, file), bytes);
    output.record({ type: 'onnx', file, bytes: bytes.length, agent: agents[agent], inputs, outputs });
    output.text(`${file}: ${bytes.length} bytes, agent "${agents[agent]}"`);
    output.text(`  inputs   ${inputs.map(portText).join(', ')}`);
    output.text(`  outputs  ${outputs.map(portText).join(', ')}`);
    output.text(`\n${onnxPython(model, file)}`);
  },
};
