/** A sentence-embedding model in a local folder, run in this thread. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { meanPooled } from './pooling.ts'

/** Tokens of a text that are read, its marks of beginning and end included. */
const mostTokens = 256
/** Characters that can matter for that many tokens; more would only cost time. */
const mostCharacters = 4000

/** Why a folder gives no model. */
export type ModelProblem = 'no runtime' | 'missing file' | 'unreadable'

export class ModelFailure extends Error {
  readonly why: ModelProblem

  constructor(why: ModelProblem) {
    super(why)
    this.name = 'ModelFailure'
    this.why = why
  }
}

export interface Model {
  dimension: number
  embed(texts: readonly string[]): Promise<Float32Array[]>
}

/**
 * Loads `model.onnx` (or `onnx/model.onnx`) and `tokenizer.json`. Rejects with ModelFailure where a file or the
 * runtime is missing, or the model is not of the kind of MiniLM: token ids in, token vectors out.
 */
export async function loadModel(folder: string): Promise<Model> {
  const file = ['model.onnx', join('onnx', 'model.onnx')].map((name) => join(folder, name)).find(existsSync)
  const tokenizerFile = join(folder, 'tokenizer.json')
  if (file === undefined || !existsSync(tokenizerFile)) throw new ModelFailure('missing file')
  const { onnx, tokens } = await runtime()
  try {
    const tokenizer = new tokens.Tokenizer(json(tokenizerFile), json(join(folder, 'tokenizer_config.json')))
    const session = await onnx.InferenceSession.create(readFileSync(file), { executionProviders: ['wasm'] })
    const output = session.outputNames.find((name) => name === 'last_hidden_state') ?? session.outputNames[0] ?? ''

    const embed = async (texts: readonly string[]): Promise<Float32Array[]> => {
      const ids = texts.map((text) => cut(tokenizer.encode(text.slice(0, mostCharacters)).ids))
      const length = Math.max(1, ...ids.map((each) => each.length))
      const shape = [ids.length, length]
      const input = new BigInt64Array(ids.length * length)
      const mask = new BigInt64Array(ids.length * length)
      for (const [text, each] of ids.entries())
        for (const [token, id] of each.entries()) {
          input[text * length + token] = BigInt(id)
          mask[text * length + token] = 1n
        }
      const given: Record<string, BigInt64Array> = {
        input_ids: input,
        attention_mask: mask,
        token_type_ids: new BigInt64Array(input.length),
      }
      const feeds = session.inputNames.map((name) => [name, new onnx.Tensor('int64', given[name]!, shape)] as const)
      const { dims, data } = (await session.run(Object.fromEntries(feeds)))[output]!
      const [count, tokensEach, dimension, ...more] = dims
      if (!count || !tokensEach || !dimension || more.length > 0 || !(data instanceof Float32Array))
        throw new ModelFailure('unreadable')
      return meanPooled(data, mask, [count, tokensEach, dimension])
    }
    const [first] = await embed(['a first sentence, to see whether it can be read'])
    return { dimension: first!.length, embed }
  } catch {
    // What the libraries say of a broken file is for their makers.
    throw new ModelFailure('unreadable')
  }
}

/** Optional packages: who has no model has no use for them. */
async function runtime() {
  try {
    const [onnx, tokens] = await Promise.all([import('onnxruntime-web'), import('@huggingface/tokenizers')])
    // Threads of its own would take the cores from the console.
    onnx.env.wasm.numThreads = 1
    onnx.env.logLevel = 'fatal'
    return { onnx, tokens }
  } catch {
    throw new ModelFailure('no runtime')
  }
}

/** The first tokens and the mark of the end. */
function cut(ids: readonly number[]): readonly number[] {
  return ids.length > mostTokens ? [...ids.slice(0, mostTokens - 1), ids.at(-1)!] : ids
}

function json(file: string): object {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as object) : {}
}
