/**
 * A sentence-embedding model as small as can be: every word of its vocabulary is a row of a table, and the graph
 * looks the rows up. Written by hand as protobuf (onnx.proto3: field numbers and wire types).
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Bytes = number[]

function varint(value: number): Bytes {
  const low = value % 128
  return value < 128 ? [low] : [low + 128, ...varint((value - low) / 128)]
}
const number = (field: number, value: number): Bytes => [...varint(field * 8), ...varint(value)]
const bytes = (field: number, content: Iterable<number>): Bytes => {
  const whole = [...content]
  return [...varint(field * 8 + 2), ...varint(whole.length), ...whole]
}
const text = (field: number, content: string): Bytes => bytes(field, Buffer.from(content))

const types = { float: 1, int64: 7 }
/** ValueInfoProto: name, tensor type, dimensions by name or size. */
function value(name: string, type: number, dimensions: (string | number)[]): Bytes {
  const shape = dimensions.flatMap((size) => bytes(1, typeof size === 'string' ? text(2, size) : number(1, size)))
  return [...text(1, name), ...bytes(2, bytes(1, [...number(1, type), ...bytes(2, shape)]))]
}

/** ModelProto: token ids and their mask in, rows of the table out. */
function lookUpModel(rows: readonly (readonly number[])[]): Uint8Array {
  const dimension = rows[0]!.length
  const table = new Float32Array(rows.flat())
  const initializer = [
    ...number(1, rows.length),
    ...number(1, dimension),
    ...number(2, types.float),
    ...text(8, 'table'),
    ...bytes(9, new Uint8Array(table.buffer)),
  ]
  const node = [...text(1, 'table'), ...text(1, 'input_ids'), ...text(2, 'last_hidden_state'), ...text(4, 'Gather')]
  const graph = [
    ...bytes(1, node),
    ...text(2, 'tiny'),
    ...bytes(5, initializer),
    ...['input_ids', 'attention_mask'].flatMap((name) => bytes(11, value(name, types.int64, ['texts', 'tokens']))),
    ...bytes(12, value('last_hidden_state', types.float, ['texts', 'tokens', dimension])),
  ]
  return Uint8Array.from([...number(1, 8), ...bytes(7, graph), ...bytes(8, number(2, 13))])
}

/** The folder of a model in which each word has the vector given; `[UNK]` and the marks of `[CLS]` and `[SEP]` too. */
export function writeTinyModel(folder: string, words: Readonly<Record<string, readonly number[]>>): void {
  const vocabulary = Object.fromEntries(Object.keys(words).map((word, id) => [word, id]))
  const special = (content: string) => ({ id: vocabulary[content]!, content, single_word: false, lstrip: false, rstrip: false, normalized: false, special: true }) // prettier-ignore
  const mark = (content: string) => ({ id: content, ids: [vocabulary[content]!], tokens: [content] })
  const token = (id: string, type_id: number) => ({ SpecialToken: { id, type_id } })
  const tokenizer = {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: ['[UNK]', '[CLS]', '[SEP]'].map(special),
    normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase: true }, // prettier-ignore
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [token('[CLS]', 0), { Sequence: { id: 'A', type_id: 0 } }, token('[SEP]', 0)],
      pair: [token('[CLS]', 0), { Sequence: { id: 'A', type_id: 0 } }, token('[SEP]', 0)],
      special_tokens: { '[CLS]': mark('[CLS]'), '[SEP]': mark('[SEP]') },
    },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: { type: 'WordPiece', unk_token: '[UNK]', continuing_subword_prefix: '##', max_input_chars_per_word: 100, vocab: vocabulary }, // prettier-ignore
  }
  mkdirSync(join(folder, 'onnx'), { recursive: true })
  writeFileSync(join(folder, 'onnx', 'model.onnx'), lookUpModel(Object.values(words)))
  writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer))
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ _name_or_path: 'schools/tiny-model' }))
}
