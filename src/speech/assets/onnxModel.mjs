/** ONNX models as protocol buffers, and edits of their graphs. */
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

export const UINT8 = 2;
const FLOAT = 1;
const INT64 = 7;

export const decodeModel = (bytes) => Model.decode(bytes);
export const encodeModel = (model) => Buffer.from(Model.encode(model).finish());

function* graphsIn(graph) {
  yield graph;
  for (const { attribute } of graph.node) for (const { g } of attribute) if (g) yield* graphsIn(g);
}

export const weightsIn = (graph) => [...graphsIn(graph)].flatMap(({ initializer }) => initializer);

/** @param {readonly number[]} values */
export const integers = (name, values) => ({ name, dims: [values.length], data_type: INT64, int64_data: values });
/** @param {readonly number[]} values */
export const floats = (name, dims, values) => ({ name, dims, data_type: FLOAT, float_data: values });
/** The values of a float tensor. */
export const valuesOf = ({ raw_data: raw, float_data: data }) =>
  raw?.length ? new Float32Array(Uint8Array.from(raw).buffer) : Float32Array.from(data);

function attribute(name, value) {
  if (Array.isArray(value)) return { name, type: 7, ints: value };
  return Number.isInteger(value) ? { name, type: 2, i: value } : { name, type: 1, f: value };
}

/** A node of a graph, named after its first output. Attributes are integers, fractions or lists of integers. */
export const node = (op_type, input, output, attributes = {}, domain = '') => ({
  op_type,
  domain,
  input,
  output,
  name: output[0],
  attribute: Object.entries(attributes).map(([name, value]) => attribute(name, value)),
});

/** A graph being rewritten: nodes are found and replaced by the value that they produce. */
export class GraphEdit {
  #nodes;
  #weights;

  constructor(nodes, weights) {
    this.#nodes = new Map(nodes.flatMap((each) => each.output.map((name) => [name, each])));
    this.#weights = new Map(weights.map((tensor) => [tensor.name, tensor]));
  }

  get nodes() {
    return [...new Set(this.#nodes.values())];
  }

  /** The node that produces this value. */
  from(name) {
    const found = this.#nodes.get(name);
    if (!found) throw new Error(`the model has no value ${name}`);
    return found;
  }

  /** The one input of a node that is a weight. */
  weightOf({ input }) {
    return this.#weights.get(input.find((name) => this.#weights.has(name)));
  }

  /** Adds nodes; each takes the place of the one that produced its outputs before. */
  put(...nodes) {
    for (const each of nodes) for (const name of each.output) this.#nodes.set(name, each);
  }

  addWeights(...tensors) {
    for (const tensor of tensors) this.#weights.set(tensor.name, tensor);
  }

  /**
   * The graph that produces these outputs, without what they don't need.
   * @param inputs what the graph may be fed with
   */
  graph(name, inputs, outputs) {
    const order = new Set();
    const used = new Set();
    const visit = (value) => {
      used.add(value);
      const producer = this.#nodes.get(value);
      if (!producer || order.has(producer)) return;
      producer.input.forEach(visit);
      order.add(producer);
    };
    outputs.forEach((output) => visit(output.name));
    return {
      name,
      node: [...order],
      initializer: [...this.#weights.values()].filter((tensor) => used.has(tensor.name)),
      input: inputs.filter((input) => used.has(input.name)),
      output: outputs,
    };
  }
}
