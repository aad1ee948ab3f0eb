/**
 * Runs inside the page's Chromium, before any script of the page. Two functions, each turned into text: one
 * for the page's own world, one for the preload's isolated world. They share the document, not objects, and
 * speak through events whose detail is a string: a string is all that crosses between worlds unchanged.
 */

interface Call {
  key: string
  name: string
  args: { callback?: number; value?: unknown }[]
}
type Listener = (event: unknown, ...args: unknown[]) => void
type Api = Record<string, (...args: unknown[]) => unknown>

/** The page's world: builds what contextBridge exposes. */
export function mainWorld(): void {
  const hear = <Detail>(name: string, listener: (detail: Detail) => void) =>
    document.addEventListener(name, (event) => listener(JSON.parse((event as CustomEvent<string>).detail) as Detail))
  const callbacks: ((...args: unknown[]) => void)[] = []
  const wrap = (value: unknown) =>
    typeof value === 'function' ? { callback: callbacks.push(value as () => void) - 1 } : { value }
  // In an object, as the listener below fills it in the middle of a call.
  const call: { answer: { value?: unknown; error?: string } } = { answer: {} }
  hear<typeof call.answer>('double:answer', (given) => (call.answer = given))
  hear<{ id: number; args: unknown[] }>('double:callback', ({ id, args }) => callbacks[id]?.(...args))
  hear<{ key: string; functions: string[] }>('double:expose', ({ key, functions }) => {
    const api: Api = {}
    for (const name of functions)
      api[name] = (...args) => {
        const detail = JSON.stringify({ key, name, args: args.map(wrap) })
        document.dispatchEvent(new CustomEvent('double:call', { detail }))
        if (call.answer.error) throw new Error(call.answer.error)
        return call.answer.value
      }
    Object.defineProperty(window, key, { value: Object.freeze(api), enumerable: true })
  })
}

/** The isolated world: runs the built preload with a `require` that knows `electron` only. */
export function isolatedWorld(preload: string): void {
  const world = globalThis as unknown as {
    doubleSend(message: string): void
    doubleReceive(channel: string, args: unknown[]): void
  }
  const strict = <Model extends object>(name: string, model: Model): Model =>
    new Proxy(model, {
      get(target, property) {
        if (property in target || typeof property === 'symbol') return Reflect.get(target, property) as unknown
        throw new Error(`The Electron double does not model ${name}.${property}`)
      },
    })
  const say = (event: string, detail: unknown) =>
    document.dispatchEvent(new CustomEvent(event, { detail: JSON.stringify(detail) }))

  const exposed: Record<string, Api> = {}
  const contextBridge = strict('contextBridge', {
    exposeInMainWorld(key: string, api: Api) {
      for (const [name, value] of Object.entries(api))
        if (typeof value !== 'function')
          throw new Error(`The Electron double exposes functions only, not ${key}.${name}`)
      exposed[key] = api
      say('double:expose', { key, functions: Object.keys(api) })
    },
  })
  document.addEventListener('double:call', (event) => {
    const { key, name, args } = JSON.parse((event as CustomEvent<string>).detail) as Call
    const unwrap = ({ callback, value }: Call['args'][number]) =>
      callback === undefined ? value : (...given: unknown[]) => say('double:callback', { id: callback, args: given })
    try {
      say('double:answer', { value: exposed[key]?.[name]?.(...args.map(unwrap)) })
    } catch (error) {
      say('double:answer', { error: String(error) })
    }
  })

  const listeners: Record<string, Listener[]> = {}
  const ipcRenderer = strict('ipcRenderer', {
    send: (channel: string, ...args: unknown[]) => world.doubleSend(JSON.stringify({ channel, args })),
    on: (channel: string, listener: Listener) => void (listeners[channel] ??= []).push(listener),
  })
  world.doubleReceive = (channel, args) => {
    for (const listener of listeners[channel] ?? []) listener(strict('event', {}), ...args)
  }

  const electron = strict('electron', { contextBridge, ipcRenderer })
  const require = (name: string) => {
    if (name === 'electron') return electron
    throw new Error(`A sandboxed preload cannot require ${name}`)
  }
  // A function of its own, with nothing of Node in reach, as in the sandbox.
  new Function('require', 'module', 'exports', `'use strict';${preload}`)(require, { exports: {} }, {})
}
