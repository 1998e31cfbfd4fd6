/**
 * What the build does to Moonshine's files after it has taken them out of their package, so that the recogniser fits
 * into the extension and keeps up with calls. The steps are deterministic; media/speech/manifest.json has the hashes of
 * their results.
 */
import {
  GraphEdit,
  UINT8,
  decodeModel,
  encodeModel,
  floats,
  integers,
  node,
  valuesOf,
  weightsIn,
} from './onnxModel.mjs';

/** Special tokens: unknown, start and end. */
const specialTokens = 3;
const latinToken = /^[▁\p{Script=Latin}0-9'.,!?;:"$%&#*()/@+=¿¡-]+$/u;
/** No text of an utterance has more tokens. */
const maxTokens = 194;

/** The tokens of LLaMA's vocabulary by id, read as data from the package's script. */
function vocabularyOf(script) {
  const encoded = /llama_vocab_base64\s*=\s*["'`]([A-Za-z0-9+/=]+)["'`]/.exec(script.toString('utf8'))?.[1];
  if (!encoded) throw new Error('the tokenizer holds no vocabulary');
  return Buffer.from(encoded, 'base64').toString('utf8').split('\n');
}

/** Keeps the embeddings of these tokens only; the model then counts tokens by their place in `ids`. */
function cutVocabulary(weights, ids) {
  const table = weights.find(({ name }) => /embed_tokens.*_quantized$/.test(name));
  if (!table) throw new Error('the decoder has no table of tokens');
  const width = Number(table.dims[1]);
  const kept = Buffer.alloc(ids.length * width);
  ids.forEach((id, row) => kept.set(table.raw_data.subarray(id * width, (id + 1) * width), row * width));
  table.raw_data = kept;
  table.dims = [ids.length, width];
}

const roundHalfToEven = (value) => {
  const rounded = Math.round(value);
  return Math.abs(value - Math.trunc(value)) === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded;
};

/**
 * Rounds 8-bit weights to even distances from their zero point, which are 7 bits to a compressor. Halves round to even:
 * a rounding that leans to one side shifts every sum, and the words go wrong.
 */
function roundToSevenBits(weights) {
  const byName = new Map(weights.map((tensor) => [tensor.name, tensor]));
  for (const tensor of weights) {
    if (tensor.data_type !== UINT8 || !tensor.name.endsWith('_quantized')) continue;
    const zero = byName.get(tensor.name.replace(/_quantized$/, '_zero_point'));
    const zeroPoint = zero.raw_data?.length ? zero.raw_data[0] : zero.int32_data[0];
    const rounded = Uint8Array.from({ length: 256 }, (_, weight) => {
      const even = zeroPoint + 2 * roundHalfToEven((weight - zeroPoint) / 2);
      return even < 0 ? even + 2 : even > 255 ? even - 2 : even;
    });
    tensor.raw_data = tensor.raw_data.map((weight) => rounded[weight]);
  }
}

/** The package's decoder has two graphs in one `If`: one for the first token, and one that continues from a cache. */
const branchOf = ({ graph }, name) => graph.node[0].attribute.find((attribute) => attribute.name === name).g;

const isEncoderKey = ({ name }) => name.endsWith('.encoder.key');

/** Sizes, read from the decoder's inputs. */
function sizesOf({ graph }) {
  const caches = graph.input.filter(isEncoderKey);
  const [, heads, , width] = caches[0].type.tensor_type.shape.dim.map(({ dim_value: size }) => Number(size));
  return { layers: caches.map((_, layer) => layer), heads, width };
}

/** The memory holds its keys as columns, ready to be multiplied. */
function swapShape({ type }) {
  const { dim } = type.tensor_type.shape;
  [dim[2], dim[3]] = [dim[3], dim[2]];
}

/** Replaces the eight nodes of each layer normalization by the one that the runtime has for it. */
function joinNorms(edit) {
  for (const { op_type: type, name, output } of edit.nodes) {
    if (type !== 'Mul' || !name.endsWith('norm/Mul')) continue;
    const norm = name.slice(0, -'/Mul'.length);
    const [input] = edit.from(`${norm}/Sub_output_0`).input;
    const epsilon = valuesOf(edit.weightOf(edit.from(`${norm}/Add_output_0`)))[0];
    const scale = edit.weightOf(edit.from(output[0])).name;
    edit.put(node('LayerNormalization', [input, scale], output, { axis: -1, epsilon }));
  }
}

/** Multiplies with the table of tokens as it is stored: the package turns 11 million weights into floats each time. */
function joinHead(edit) {
  const [input, floatTable] = edit.from('logits').input;
  const [table, scale, zeroPoint] = edit.from(floatTable).input;
  edit.put(
    node('DynamicQuantizeLinear', [input], ['head', 'head_scale', 'head_zero_point']),
    node('MatMulInteger', ['head', table, 'head_zero_point', zeroPoint], ['head_sums']),
    node('Cast', ['head_sums'], ['head_product'], { to: 1 }),
    node('Mul', ['head_scale', scale], ['head_scales']),
    node('Mul', ['head_product', 'head_scales'], ['logits']),
  );
}

/** Attention for one new token a text, which needs no mask and doesn't recompute shapes each time. */
function joinAttention(edit, { layers, heads, width }) {
  const frequencies = valuesOf(edit.weightOf(edit.from('/model/decoder/rotary_emb/MatMul_output_0')));
  const angles = Array.from({ length: maxTokens }, (_, at) =>
    [...frequencies].map((frequency) => at * frequency),
  ).flat();
  edit.addWeights(
    floats('rotary_cos', [maxTokens, frequencies.length], angles.map(Math.cos)),
    floats('rotary_sin', [maxTokens, frequencies.length], angles.map(Math.sin)),
    integers('split', [0, heads, 1, width]),
    integers('join', [0, 1, heads * width]),
    integers('length', [2]),
    floats('attention_scale', [1], [1 / Math.sqrt(width)]),
  );
  edit.put(
    node('Shape', ['past_key_values.0.decoder.key'], ['past_shape']),
    node('Gather', ['past_shape', 'length'], ['position'], { axis: 0 }),
  );
  const rotary = { interleaved: 1, num_heads: heads, rotary_embedding_dim: 2 * frequencies.length };
  for (const layer of layers) {
    const own = `/model/decoder/layers.${layer}/self_attn`;
    const cross = `/model/decoder/layers.${layer}/encoder_attn`;
    const past = `past_key_values.${layer}`;
    const present = `present.${layer}.decoder`;
    const [query, key, value] = ['q', 'k', 'v'].map((name) => `${layer}.${name}`);
    const rotated = (name) => `${name}.rotated`;
    edit.put(
      node('Reshape', [`${own}/q_proj/MatMul_output_0`, 'split'], [query]),
      node('Reshape', [`${own}/k_proj/MatMul_output_0`, 'split'], [key]),
      node('Reshape', [`${own}/v_proj/MatMul_output_0`, 'split'], [value]),
      ...[query, key].map((name) =>
        node(
          'RotaryEmbedding',
          [name, 'position', 'rotary_cos', 'rotary_sin'],
          [rotated(name)],
          rotary,
          'com.microsoft',
        ),
      ),
      node('Concat', [`${past}.decoder.key`, rotated(key)], [`${present}.key`], { axis: -2 }),
      node('Concat', [`${past}.decoder.value`, value], [`${present}.value`], { axis: -2 }),
      node('Mul', [rotated(query), 'attention_scale'], [`${layer}.scaled`]),
      node('MatMul', [`${layer}.scaled`, `${own}/Transpose_3_output_0`], [`${layer}.weights`]),
      node('Softmax', [`${layer}.weights`], [`${own}/Softmax_output_0`], { axis: -1 }),
      node('Reshape', [`${own}/MatMul_1_output_0`, 'join'], [`${own}/Reshape_5_output_0`]),
      node('Reshape', [`${cross}/q_proj/MatMul_output_0`, 'split'], [`${layer}.cross.q`]),
      node('MatMul', [`${layer}.cross.q`, `${past}.encoder.key`], [`${layer}.cross.weights`]),
      node('Softmax', [`${layer}.cross.weights`], [`${cross}/Softmax_output_0`], { axis: -1 }),
      node('Reshape', [`${cross}/MatMul_1_output_0`, 'join'], [`${cross}/Reshape_1_output_0`]),
    );
  }
}

/**
 * By the manifest's `step`: what is done with a file before it is stored. `tokens` is the result of the step `tokens`.
 * @type {Readonly<Record<string, (file: Buffer, tokens: Buffer | undefined) => Buffer>>}
 */
export const moonshineSteps = {
  /** The tokens to keep, one a line in the order of their new ids: the old id, a space, the text. */
  tokens(script) {
    const kept = vocabularyOf(script).flatMap((token, id) =>
      id < specialTokens || latinToken.test(token) ? [`${id} ${token}`] : [],
    );
    return Buffer.from(`${kept.join('\n')}\n`);
  },

  /**
   * What the decoder attends to, made once per utterance from the encoder's output: keys, scaled and as columns
   * (1 × heads × width × time), and values (1 × heads × time × width).
   */
  memory(file) {
    const model = decodeModel(file);
    const { heads, width } = sizesOf(model);
    const branch = branchOf(model, 'else_branch');
    const outputs = branch.output.filter(({ name }) => name.includes('.encoder.'));
    const edit = new GraphEdit(branch.node, model.graph.initializer);
    edit.addWeights(integers('split', [0, -1, heads, width]), floats('attention_scale', [1], [1 / Math.sqrt(width)]));
    for (const output of outputs) {
      const [split] = edit.from(output.name).input;
      edit.put(node('Reshape', [edit.from(split).input[0], 'split'], [split]));
      if (!isEncoderKey(output)) continue;
      const column = `${output.name}.unscaled`;
      edit.put(
        node('Transpose', [split], [column], { perm: [0, 2, 3, 1] }),
        node('Mul', [column, 'attention_scale'], [output.name]),
      );
      swapShape(output);
    }
    model.graph = edit.graph('memory', model.graph.input, outputs);
    roundToSevenBits(model.graph.initializer);
    return encodeModel(model);
  },

  /**
   * One step of the decoder over texts that share a memory, with these tokens and 7-bit weights (the encoder keeps 8
   * bits: with 7, high voices lose words). The graph does what the package's does, in 563 nodes instead of 1,454 and
   * without work that is the same in each step.
   */
  decoder(file, tokens) {
    const model = decodeModel(file);
    const { graph } = model;
    const sizes = sizesOf(model);
    cutVocabulary(
      weightsIn(graph),
      tokens
        .toString('utf8')
        .trimEnd()
        .split('\n')
        .map((line) => parseInt(line, 10)),
    );
    roundToSevenBits(weightsIn(graph));
    const branch = branchOf(model, 'then_branch');
    const edit = new GraphEdit(branch.node, graph.initializer);
    joinHead(edit);
    joinNorms(edit);
    joinAttention(edit, sizes);
    graph.input.filter(isEncoderKey).forEach(swapShape);
    const outputs = branch.output.filter(({ name }) => name.endsWith('logits') || name.includes('.decoder.'));
    for (const { type } of outputs)
      if (type?.tensor_type?.shape) type.tensor_type.shape.dim = type.tensor_type.shape.dim.map(() => ({}));
    model.graph = edit.graph('decoder', graph.input, outputs);
    model.opset_import.push({ domain: 'com.microsoft', version: 1 });
    return encodeModel(model);
  },
};
