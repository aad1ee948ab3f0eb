/** The chat page: the same calls as any chat, on the origin it came from. Key and words are in memory only. */

const begin = document.getElementById('begin')
const user = document.getElementById('user')
const key = document.getElementById('key')
const problem = document.getElementById('problem')
const talk = document.getElementById('talk')
const conversation = document.getElementById('conversation')
const state = document.getElementById('state')
const say = document.getElementById('say')
const words = document.getElementById('words')
const end = document.getElementById('end')

/** How long one try may take, milliseconds. */
const patience = 15_000
/** Delays between tries, seconds; the last one goes on. */
const backoff = [1, 2, 4, 8, 15]
/** The longest time that a `Retry-After` is heeded, seconds. */
const longestWait = 60
/** Tries where nothing depends on it: to begin, and to end. */
const fewTries = 3
/** Seconds for which an answer may come too late: a station waits for it half a minute, and has to keep it, too. */
const latest = 35

const refusals = {
  401: 'The station does not recognize this API key. Start over with one that may write.',
  403: 'This API key may not write, or the station must be called over https. Start over with another key.',
  404: 'The station does not know this session; it may have been restarted. End this session and start over.',
  409: 'The session has ended. Your words were still checked. End it here and start over.',
  413: 'The message is too long. Your words were still checked. Send it in parts.',
}
const noAnswer = 'The station does not answer. Check that it is running.'
const notAccepted = 'The station did not accept it. Check that this is the address of a desk or station.'

/**
 * The session that is open: its id, the key it was begun with, what gives up what is on its way, the last of that, how many
 * messages wait, how many were not delivered, and what the assistant was shown to say.
 * @type {{ id: string, key: string, giveUp: AbortController, sending: Promise<void>, waiting: number, lost: number, shown: Set<string> } | null}
 */
let session = null

/** A call that brought nothing, in words for a person; `reply` is the protocol reply that came with it. */
class CallFailed extends Error {
  constructor(sentence, reply = null) {
    super(sentence)
    this.reply = reply
  }
}

/**
 * Posts until there is an answer; the same message is the same by its client_message_id. Throws CallFailed.
 * @param {{ key: string, tries?: number, signal?: AbortSignal, onWaiting?: (why: string, seconds: number, reply: string | null) => void }} options
 */
async function call(path, body, { key, tries = Infinity, signal, onWaiting }) {
  for (let tried = 1; ; tried++) {
    const answer = await request(path, body, key, signal)
    if (answer?.ok && answer.body !== null) return answer.body
    const reply = answer?.body?.details?.reply ?? null
    const failed = new CallFailed(answer === null ? noAnswer : (refusals[answer.status] ?? notAccepted), reply)
    const tooMany = answer?.status === 429
    if (answer !== null && !tooMany && answer.status < 500) throw failed
    if (tooMany) tried--
    if (tried >= tries || signal?.aborted) throw failed
    const seconds = Math.max(answer?.retryAfter ?? 0, tooMany ? 1 : (backoff[tried - 1] ?? backoff.at(-1)))
    const why = tooMany ? 'Too many requests.' : answer === null ? 'No answer yet.' : 'The station is not ready.'
    onWaiting?.(why, seconds, reply)
    await pause(seconds, signal)
    if (signal?.aborted) throw failed
  }
}

/** One try: a POST of the body, or without one a GET. Null = no answer. */
async function request(path, body, key, signal) {
  try {
    const limits = [AbortSignal.timeout(patience), ...(signal ? [signal] : [])]
    const response = await fetch(path, {
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'manual',
      signal: AbortSignal.any(limits),
    })
    const text = await response.text()
    const retryAfter = Math.min(Number(response.headers.get('retry-after')) || 0, longestWait)
    return { ok: response.ok, status: response.status, retryAfter, body: parse(text) }
  } catch {
    return null
  }
}

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function pause(seconds, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, seconds * 1000)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

const sessionOf = (id) => `sessions/${encodeURIComponent(id)}`
const messagesOf = (id) => `${sessionOf(id)}/messages`
const endOf = (id) => `${sessionOf(id)}/end`

/** Changes the conversation and keeps its end in sight, unless somebody reads further up. */
function atTheEnd(change) {
  const { scrollHeight, scrollTop, clientHeight } = conversation
  const following = scrollHeight - scrollTop - clientHeight < 40
  change()
  if (following) conversation.scrollTop = conversation.scrollHeight
}

/** Adds one message; answers with what says, under it, what became of it. */
function show(kind, who, text) {
  const message = document.createElement('div')
  message.className = `message ${kind}`
  if (kind === 'protocol') message.setAttribute('role', 'alert')
  const name = document.createElement('div')
  name.className = 'who'
  name.textContent = who
  const said = document.createElement('p')
  said.textContent = text
  const outcome = document.createElement('div')
  outcome.className = 'hint'
  // What is to be heard of it is said in the status line.
  outcome.setAttribute('aria-live', 'off')
  message.append(name, said, outcome)
  atTheEnd(() => conversation.append(message))
  return (text) => atTheEnd(() => (outcome.textContent = text))
}

/** Sends one message, in its turn. */
async function deliver(at, content) {
  const tell = show('student', 'You', content)
  tell('Sending…')
  at.waiting += 1
  const client_message_id = crypto.randomUUID()
  let shown = null
  const showProtocolReply = (reply) => {
    if (reply === null || reply === shown) return
    shown = reply
    show('protocol', 'Protocol reply, instead of any other answer', reply)
  }
  const options = { key: at.key, signal: at.giveUp.signal }
  const turn = at.sending.then(async () => {
    try {
      const {
        sequence,
        tier,
        reply = null,
        assistant,
      } = await call(
        messagesOf(at.id),
        { sender: 'user', content, client_message_id },
        {
          ...options,
          onWaiting(why, seconds, reply) {
            tell(`${why} Trying again in ${seconds} s.`)
            state.textContent = `${why} Your message is sent again until it arrives; it is taken in once.`
            showProtocolReply(reply)
          },
        },
      )
      tell('Delivered')
      state.textContent = ''
      if (tier !== 'crisis' || reply === null) {
        const text = reply ?? assistant?.text
        if (text) show('assistant', 'Assistant', text)
        if (assistant?.late) void hearLate(at, sequence)
        else at.shown.add(text)
        return
      }
      showProtocolReply(reply)
      at.shown.add(reply)
      // What the chat has shown stands in the session, as the assistant's words.
      const kept = { sender: 'assistant', content: reply, client_message_id: `${client_message_id}-reply` }
      await call(messagesOf(at.id), kept, options).catch(() => undefined)
    } catch (error) {
      const { message, reply } = error instanceof CallFailed ? error : new CallFailed(notAccepted)
      showProtocolReply(reply)
      tell(`Not delivered. ${message}`)
      state.textContent = `Your message was not delivered. ${message}`
      at.lost += 1
    } finally {
      at.waiting -= 1
    }
  })
  at.sending = turn
  await turn
}

/** Shows the assistant's answer that came too late for the message of this sequence number: it stands in the session. */
async function hearLate({ id, key, giveUp: { signal }, shown }, sequence) {
  for (let second = 0; second < latest; second++) {
    await pause(1, signal)
    const { buffer = [] } = (await request(sessionOf(id), undefined, key, signal))?.body ?? {}
    if (signal.aborted) return
    const fresh = buffer.find(
      (each) => each.role === 'assistant' && each.sequence > sequence && !shown.has(each.content),
    )
    if (fresh === undefined) continue
    shown.add(fresh.content)
    show('assistant', 'Assistant', fresh.content)
    return
  }
}

function open(id, withKey) {
  session = {
    id,
    key: withKey,
    giveUp: new AbortController(),
    sending: Promise.resolve(),
    waiting: 0,
    lost: 0,
    shown: new Set(),
  }
  conversation.replaceChildren()
  state.textContent = ''
  begin.hidden = true
  talk.hidden = false
  words.focus()
}

function close(sentence) {
  session = null
  problem.textContent = sentence
  talk.hidden = true
  begin.hidden = false
  user.focus()
}

begin.addEventListener('submit', async (event) => {
  event.preventDefault()
  const given = { user: user.value.trim(), key: key.value.trim() }
  const button = begin.querySelector('button')
  problem.textContent = ''
  button.disabled = true
  try {
    const input = { user_id: given.user, metadata: { channel: 'web' } }
    const { session_id } = await call('sessions', input, { key: given.key, tries: fewTries })
    if (typeof session_id !== 'string') throw new CallFailed(notAccepted)
    key.value = ''
    open(session_id, given.key)
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error
    problem.textContent = error.message
  } finally {
    button.disabled = false
  }
})

say.addEventListener('submit', (event) => {
  event.preventDefault()
  const content = words.value.trim()
  if (content === '' || session === null) return
  words.value = ''
  words.focus()
  void deliver(session, content)
})

words.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
  event.preventDefault()
  say.requestSubmit()
})

end.addEventListener('click', async () => {
  if (session === null) return
  const ending = session
  end.disabled = true
  // What is still on its way gets no more tries: the session is about to end.
  ending.giveUp.abort()
  await ending.sending
  const lost = ending.lost > 0 ? ' Not everything said was delivered.' : ''
  try {
    await call(endOf(ending.id), {}, { key: ending.key, tries: fewTries })
    close(`The session has ended.${lost}`)
  } catch (error) {
    close(`The session could not be ended. ${error.message}${lost}`)
  } finally {
    end.disabled = false
  }
})

window.addEventListener('beforeunload', (event) => {
  if (session !== null && session.waiting > 0) event.preventDefault()
})

// No session is left looking as if a student were still there.
window.addEventListener('pagehide', () => {
  if (session === null) return
  const headers = { authorization: `Bearer ${session.key}`, 'content-type': 'application/json' }
  void fetch(endOf(session.id), { method: 'POST', headers, body: '{}', keepalive: true }).catch(() => undefined)
  session.giveUp.abort()
  close('The session has ended.')
})

begin.hidden = false
user.focus()
