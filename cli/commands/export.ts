/** `export`: a policy file as an ONNX model or a TensorFlow.js layers model, for programs outside the workbench. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onnxPython, portText } from '#contract/session/onnx.ts';
import { policyToLayers, policyToOnnx } from '#core/run/by-id.ts';
import { writeModelFolder } from '../export/model-folder.ts';
import { GYM_OPTIONS } from '../gym/gyms.ts';
import { type Command, pathFrom } from '../kit/context.ts';
import { UsageError } from '../kit/failure.ts';
import { describeOptions, parseOptions } from '../kit/options.ts';
import { createOutput } from '../kit/output.ts';
import { CODE_OPTIONS, openGiven } from '../own/open.ts';
import { openPolicy } from '../train/policy-input.ts';

const OPTIONS = {
  policy: { kind: 'text', value: 'FILE', help: 'policy file, from train --out or the page' },
  form: { kind: 'text', value: 'FORM', choices: ['onnx', 'tfjs'], help: 'onnx, or tfjs: a layers model of a dense network (onnx)' },
  out: { kind: 'text', value: 'FILE', help: 'the model to write (policy.onnx); of tfjs a folder (policy)' },
  huggingface: {
    kind: 'text',
    value: 'DIR',
    help: 'a folder for model hubs instead: model, policy, config and a card with the scores of all seeds; needs --run',
  },
  run: { kind: 'text', value: 'DIR', help: 'of --huggingface: a folder of train --out that is done' },
  film: { kind: 'text', value: 'FILE', help: 'of --huggingface: a film saved by the page, to lie beside the card' },
  agent: { kind: 'count', value: 'K', min: 0, help: 'whose policy, where there are several agents (0)' },
  ...CODE_OPTIONS,
  ...GYM_OPTIONS,
  json: { kind: 'flag', help: 'one JSON line, with the inputs and outputs' },
} as const;

export const exportPolicy: Command = {
  usage: 'export --policy FILE [--form onnx|tfjs] [--out FILE] | --huggingface DIR --run DIR [--film FILE]',
  summary: 'Writes a policy file as an ONNX model or a TensorFlow.js layers model, or a run as a folder for model hubs.',
  help: describeOptions(OPTIONS),
  async run(args, context) {
    const { options, rest } = parseOptions(args, OPTIONS);
    await openGiven(options, context);
    if (options.huggingface !== undefined) {
      if (options.run === undefined || options.policy !== undefined || rest.length > 0)
        throw new UsageError('Which run? export --huggingface DIR --run DIR, the folder of train --out.');
      const { files, seed, why } = await writeModelFolder({ ...options, huggingface: options.huggingface, run: options.run }, context);
      const output = createOutput(options.json);
      output.record({ type: 'huggingface', folder: options.huggingface, files, seed });
      output.text(`${options.huggingface}: ${files.join(', ')}; the policy of seed ${seed}, whose evaluation is the middle one`);
      if (why !== null) output.text(`  without a model: ${why}`);
      output.text(`Upload it: hf upload USER/NAME ${options.huggingface}`);
      return;
    }
    if (options.policy === undefined || rest.length > 0) throw new UsageError('Which policy? export --policy FILE.');
    const output = createOutput(options.json);
    const snapshot = await openPolicy(context, options.policy);
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
