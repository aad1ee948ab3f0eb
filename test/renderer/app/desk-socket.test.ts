import { expect, it } from 'vitest'
import { socketOver, type DeskMessage } from '../../../renderer/app/desk-socket.ts'

/** A port whose other end is this test. */
function desk() {
  const posted: DeskMessage[] = []
  let hear: (message: DeskMessage) => void = () => undefined
  const Socket = socketOver({ post: (message) => void posted.push(message), listen: (listener) => (hear = listener) })
  const open = () => {
    const heard: string[] = []
    const socket = new Socket('desk:')
    socket.addEventListener('open', () => heard.push('open'))
    socket.addEventListener('message', ({ data }) => heard.push(`message ${String(data)}`))
    socket.addEventListener('close', () => heard.push('close'))
    return { socket, heard }
  }
  return { posted, open, hear: (message: DeskMessage) => hear(message) }
}

it('is open only once main has answered, and then carries text both ways', () => {
  const port = desk()
  const { socket, heard } = port.open()
  socket.send('too early')
  expect(port.posted).toEqual([{ kind: 'open', connection: 1 }])

  port.hear({ kind: 'open', connection: 1 })
  socket.send('hello')
  port.hear({ kind: 'text', connection: 1, text: 'there' })
  expect(socket.readyState).toBe(WebSocket.OPEN)
  expect(heard).toEqual(['open', 'message there'])
  expect(port.posted.at(-1)).toEqual({ kind: 'text', connection: 1, text: 'hello' })
})

it('ends once, whichever side ends it', () => {
  const port = desk()
  const ours = port.open()
  ours.socket.close()
  ours.socket.close()
  port.hear({ kind: 'close', connection: 1 })
  expect(ours.heard).toEqual(['close'])
  expect(port.posted.filter(({ kind }) => kind === 'close')).toHaveLength(1)

  const theirs = port.open()
  port.hear({ kind: 'open', connection: 2 })
  port.hear({ kind: 'close', connection: 2 })
  theirs.socket.send('nobody there')
  expect(theirs.heard).toEqual(['open', 'close'])
  expect(theirs.socket.readyState).toBe(WebSocket.CLOSED)
  expect(port.posted.at(-1)).toEqual({ kind: 'open', connection: 2 })
})

it('keeps connections apart', () => {
  const port = desk()
  const [first, second] = [port.open(), port.open()]
  port.hear({ kind: 'open', connection: 2 })
  port.hear({ kind: 'text', connection: 2, text: 'for the second' })
  expect(first.heard).toEqual([])
  expect(second.heard).toEqual(['open', 'message for the second'])
})
