/** A WebSocket as far as the tRPC client uses one, over the message port the preload hands to the page. */

/** What travels over the port: several connections one after another, told apart by number. */
export type DeskMessage =
  | { kind: 'open'; connection: number }
  | { kind: 'text'; connection: number; text: string }
  | { kind: 'close'; connection: number }

export interface Desk {
  post(message: DeskMessage): void
  listen(hear: (message: DeskMessage) => void): void
}

declare global {
  interface Window {
    /** Present in the Electron shell only. */
    readonly desk?: Desk
  }
}

/** The class of sockets over one port. */
export function socketOver(desk: Desk): typeof WebSocket {
  const sockets = new Map<number, DeskSocket>()
  let last = 0
  desk.listen((message) => sockets.get(message.connection)?.hear(message))

  class DeskSocket extends EventTarget {
    static readonly CONNECTING = 0
    static readonly OPEN = 1
    static readonly CLOSING = 2
    static readonly CLOSED = 3
    readyState: number = DeskSocket.CONNECTING
    binaryType = 'arraybuffer'
    readonly #connection = ++last

    constructor() {
      super()
      sockets.set(this.#connection, this)
      desk.post({ kind: 'open', connection: this.#connection })
    }

    send(text: string): void {
      if (this.readyState === DeskSocket.OPEN) desk.post({ kind: 'text', connection: this.#connection, text })
    }

    close(): void {
      if (this.readyState === DeskSocket.CLOSED) return
      desk.post({ kind: 'close', connection: this.#connection })
      this.#end()
    }

    hear(message: DeskMessage): void {
      if (message.kind === 'open') {
        this.readyState = DeskSocket.OPEN
        this.dispatchEvent(new Event('open'))
      } else if (message.kind === 'text') this.dispatchEvent(new MessageEvent('message', { data: message.text }))
      else this.#end()
    }

    #end(): void {
      sockets.delete(this.#connection)
      this.readyState = DeskSocket.CLOSED
      this.dispatchEvent(new Event('close'))
    }
  }
  // The client uses no more of a WebSocket than is here.
  return DeskSocket as unknown as typeof WebSocket
}
