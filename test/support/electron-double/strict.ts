/** What the double does not model must not be used by accident: it throws. */

/** The same object, but asking it for anything it does not have is an error that names it. */
export function strict<Model extends object>(name: string, model: Model): Model {
  return new Proxy(model, {
    get(target, property) {
      // Promises ask every value for `then`; inspection asks for symbols and `toJSON`.
      if (property in target || typeof property === 'symbol' || property === 'then' || property === 'toJSON') {
        const value = Reflect.get(target, property) as unknown
        // Methods run on the model itself: private fields know no proxies.
        return typeof value === 'function' ? (value.bind(target) as unknown) : value
      }
      throw new Error(`The Electron double does not model ${name}.${property}`)
    },
    set(target, property, value) {
      if (property in target || typeof property === 'symbol') return Reflect.set(target, property, value)
      throw new Error(`The Electron double does not model setting ${name}.${property}`)
    },
  })
}

type Listener = (...args: never[]) => void

/** An emitter of the listed events only. */
export class Events<Name extends string> {
  readonly #owner: string
  readonly #listeners: Record<Name, Listener[]>

  constructor(owner: string, names: readonly Name[]) {
    this.#owner = owner
    this.#listeners = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Listener[]>
  }

  #of(name: Name): Listener[] {
    const listeners = this.#listeners[name] as Listener[] | undefined
    if (!listeners) throw new Error(`The Electron double does not model the event “${name}” of ${this.#owner}`)
    return listeners
  }

  on(name: Name, listener: Listener): this {
    this.#of(name).push(listener)
    return this
  }

  once(name: Name, listener: Listener): this {
    const wrapped = (...args: never[]) => {
      this.off(name, wrapped)
      listener(...args)
    }
    return this.on(name, wrapped)
  }

  off(name: Name, listener: Listener): this {
    this.#listeners[name] = this.#of(name).filter((known) => known !== listener)
    return this
  }

  emit(name: Name, ...args: unknown[]): void {
    for (const listener of [...this.#of(name)]) listener(...(args as never[]))
  }

  /** Emits an event that can be prevented; true when somebody did. */
  emitPreventable(name: Name, details: object = {}): boolean {
    let prevented = false
    this.emit(name, { ...details, preventDefault: () => (prevented = true) })
    return prevented
  }
}
