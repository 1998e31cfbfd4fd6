/**
 * What the build does to Moonshine's files after it has taken them out of their package: fewer tokens, so that
 * each step of the decoder is faster. The steps are deterministic; media/speech/manifest.json has
 * the hashes of their results.
 */
import protobuf from 'protobufjs';

/** The part of ONNX's schema (onnx.proto, IR version 10) that these models use. */
const schema = `
syntax = "proto2";
package onnx;
message AttributeProto {
  optional string name = 1; optional string ref_attr_name = 21; optional string doc_string = 13;
  optional int32 type = 20; optional float f = 2; optional int64 i = 3; optional bytes s = 4;
  optional TensorProto t = 5; optional GraphProto g = 6; repeated float floats = 7; repeated int64 ints = 8;
  repeated bytes strings = 9; repeated TensorProto tensors = 10; repeated GraphProto graphs = 11;
}
message ValueInfoProto { optional string name = 1; optional TypeProto type = 2; optional string doc_string = 3; }
message TypeProto { optional TensorType tensor_type = 1; }
message TensorType { optional int32 elem_type = 1; optional TensorShape shape = 2; }
message TensorShape { repeated Dimension dim = 1; }
message Dimension { optional int64 dim_value = 1; optional string dim_param = 2; }
message NodeProto {
  repeated string input = 1; repeated string output = 2; optional string name = 3; optional string op_type = 4;
  optional string domain = 7; repeated AttributeProto attribute = 5; optional string doc_string = 6;
}
message StringStringEntryProto { optional string key = 1; optional string value = 2; }
message OperatorSetIdProto { optional string domain = 1; optional int64 version = 2; }
message ModelProto {
  optional int64 ir_version = 1; repeated OperatorSetIdProto opset_import = 8; optional string producer_name = 2;
  optional string producer_version = 3; optional string domain = 4; optional int64 model_version = 5;
  optional string doc_string = 6; optional GraphProto graph = 7;
  repeated StringStringEntryProto metadata_props = 14;
}
message GraphProto {
  repeated NodeProto node = 1; optional string name = 2; repeated TensorProto initializer = 5;
  optional string doc_string = 10; repeated ValueInfoProto input = 11; repeated ValueInfoProto output = 12;
  repeated ValueInfoProto value_info = 13;
}
message TensorProto {
  repeated int64 dims = 1; optional int32 data_type = 2; repeated float float_data = 4 [packed = true];
  repeated int32 int32_data = 5 [packed = true]; repeated bytes string_data = 6;
  repeated int64 int64_data = 7 [packed = true]; optional string name = 8; optional string doc_string = 12;
  optional bytes raw_data = 9;
}`;
const Model = protobuf.parse(schema, { keepCase: true }).root.lookupType('onnx.ModelProto');

/** Special tokens: unknown, start and end. */
const specialTokens = 3;
const latinToken = /^[▁\p{Script=Latin}0-9'.,!?;:"$%&#*()/@+=¿¡-]+$/u;

/** The tokens of LLaMA's vocabulary by id, read as data from the package's script. */
function vocabularyOf(script) {
  const encoded = /llama_vocab_base64\s*=\s*["'`]([A-Za-z0-9+/=]+)["'`]/.exec(script.toString('utf8'))?.[1];
  if (!encoded) throw new Error('the tokenizer holds no vocabulary');
  return Buffer.from(encoded, 'base64').toString('utf8').split('\n');
}

function* graphsIn(graph) {
  yield graph;
  for (const { attribute } of graph.node) for (const { g } of attribute) if (g) yield* graphsIn(g);
}

/** Keeps the embeddings of these tokens only; the model then counts tokens by their place in `ids`. */
function cutVocabulary(graph, ids) {
  let tokens = 0;
  for (const part of graphsIn(graph)) {
    for (const tensor of part.initializer) {
      if (!/embed_tokens.*_quantized$/.test(tensor.name)) continue;
      const [rows, width] = tensor.dims.map(Number);
      const kept = Buffer.alloc(ids.length * width);
      ids.forEach((id, row) => kept.set(tensor.raw_data.subarray(id * width, (id + 1) * width), row * width));
      tokens = rows;
      tensor.raw_data = kept;
      tensor.dims = [ids.length, width];
    }
  }
  if (tokens === 0) throw new Error('the decoder has no table of tokens');
  for (const part of graphsIn(graph)) {
    // Shapes that the exporter noted for inner values; the runtime infers them again.
    part.value_info = [];
    for (const { type } of part.output) {
      for (const dimension of type?.tensor_type?.shape?.dim ?? [])
        if (Number(dimension.dim_value) === tokens) dimension.dim_value = ids.length;
    }
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
  /** The decoder with these tokens only, which makes its steps faster. */
  decoder(file, tokens) {
    const model = Model.decode(file);
    cutVocabulary(
      model.graph,
      tokens
        .toString('utf8')
        .trimEnd()
        .split('\n')
        .map((line) => parseInt(line, 10)),
    );
    return Buffer.from(Model.encode(model).finish());
  },
};
