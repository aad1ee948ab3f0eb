/**
 * Before the console is open: opening, a passphrase to give or to choose, or why it cannot open. Where a console that
 * was open is started anew, this lies over what is on screen, and what was typed there stays.
 */
import { createContext, use, useEffect, useState, type ReactNode } from 'react'
import type { PersonalError } from '../../shared/errors.ts'
import { isTooShort } from '../../shared/passphrase.ts'
import type { StartupState, StartupView } from '../../shared/views.ts'
import { Button, ErrorNotice, TextField, useAction, useLatest } from '../controls/index.ts'
import { SetUpPage } from '../setup/index.ts'
import { words } from '../words/index.ts'
import { LostBanner, TakesMessages } from './connection.tsx'
import { Curtain } from './curtain.tsx'
import { trpc } from './wire.ts'

const StartId = createContext<string | null>(null)

/** Of the program that answers now; another one once it was started anew. */
export function useStartId(): string | null {
  return use(StartId)
}

export function Startup({ children }: { children: ReactNode }) {
  const state = useLatest<StartupView>((on) => trpc.startup.state.subscribe(undefined, on), [])
  const [first, setFirst] = useState<StartupView | null>(null)
  if (first === null && state?.phase === 'ready') setFirst(state)
  const startId = state?.start_id ?? null
  const anew = first !== null && startId !== first.start_id
  // Of a demonstration nothing is left, and what has become another program has nothing of this one's.
  const gone = anew && (first.made_anew || state?.made_anew || state?.phase === 'set-up')
  return (
    <TakesMessages value={state?.takes_messages ?? null}>
      <StartId value={startId}>
        {first !== null && children}
        {first === null ? (
          <Phase state={state} />
        ) : gone ? (
          <Replaced />
        ) : (
          state?.phase !== 'ready' && (
            <Curtain label={words.app.name}>
              <Phase state={state} />
            </Curtain>
          )
        )}
      </StartId>
    </TakesMessages>
  )
}

function Phase({ state }: { state: StartupView | null }) {
  if (state === null || state.phase === 'opening') return <Opening {...(state ?? { told: null })} />
  if (state.phase === 'ready') return null
  if (state.phase === 'replaced') return <Replaced />
  if (state.phase === 'set-up')
    return (
      <>
        <LostBanner />
        <SetUpPage />
      </>
    )
  if (state.phase === 'failed')
    return (
      <Page title={words.startup.failed}>
        <ErrorNotice error={state.error} />
      </Page>
    )
  if (state.phase === 'refused') return <Refused error={state.error} />
  return state.create ? <Create error={state.error} /> : <Unlock error={state.error} desk={state.takes_messages} />
}

/** Another program answers from here on: nothing of the former one's stays in the page. */
function Replaced() {
  useEffect(() => location.reload(), [])
  return <Opening told={null} />
}

function Opening({ told, claiming = false }: { told: number | null; claiming?: boolean | undefined }) {
  if (told === null)
    return (
      <Page>
        <p role="status">{claiming ? words.startup.claiming : words.startup.opening}</p>
      </Page>
    )
  return (
    <Page>
      <p role="status">{words.startup.telling}</p>
      <progress className="mt-3 w-full" value={told} aria-label={words.startup.telling} />
    </Page>
  )
}

/** Another console receives from the queue: it can be stopped, and this start go on. */
function Refused({ error }: { error: PersonalError }) {
  const again = useAction<void, void>(() => trpc.startup.tryAgain.mutate())
  return (
    <Page title={words.startup.failed}>
      <ErrorNotice error={again.error ?? error} onRetry={() => void again.run()} />
    </Page>
  )
}

function Page({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <>
      <LostBanner />
      <main className="flex min-h-full items-center justify-center p-6">
        <div className="w-full max-w-md">
          <p className="mb-4 text-ink-faint">{words.app.name}</p>
          {title && <h1 className="mb-2 text-large">{title}</h1>}
          {children}
        </div>
      </main>
    </>
  )
}

type Problem = Extract<StartupState, { phase: 'locked' }>['error']

function Unlock({ error, desk }: { error: Problem; desk: boolean }) {
  const [passphrase, setPassphrase] = useState('')
  const text = words.startup.locked
  return (
    <PassphrasePage
      title={desk ? text.desk.title : text.title}
      {...(desk ? { text: text.desk.text } : {})}
      action={text.action}
      error={error}
      passphrase={passphrase === '' ? null : passphrase}
    >
      <PassphraseField label={text.passphrase} kind="current" first value={passphrase} onChange={setPassphrase} />
    </PassphrasePage>
  )
}

function Create({ error }: { error: Problem }) {
  const [passphrase, setPassphrase] = useState('')
  const [again, setAgain] = useState('')
  const [tried, setTried] = useState(false)
  const text = words.startup.create
  const short = isTooShort(passphrase) ? text.tooShort : null
  const differs = passphrase === again ? null : text.differs
  return (
    <PassphrasePage
      title={text.title}
      text={text.text}
      action={text.action}
      error={error}
      passphrase={short || differs ? null : passphrase}
      onTried={() => setTried(true)}
    >
      <PassphraseField
        label={text.passphrase}
        hint={text.hint}
        problem={tried ? short : null}
        kind="new"
        first
        value={passphrase}
        onChange={setPassphrase}
      />
      <PassphraseField
        label={text.again}
        problem={tried && !short ? differs : null}
        kind="new"
        value={again}
        onChange={setAgain}
      />
    </PassphrasePage>
  )
}

/** Opens the console with a passphrase; null = what stands in the fields cannot be one. */
function PassphrasePage(props: {
  title: string
  text?: string
  action: string
  error: Problem
  passphrase: string | null
  onTried?: () => void
  children: ReactNode
}) {
  const unlock = useAction((passphrase: string) => trpc.startup.unlock.mutate({ passphrase }))
  const problem = unlock.error ?? props.error
  return (
    <Page title={props.title}>
      {props.text && <p className="mb-4 text-ink-soft">{props.text}</p>}
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          props.onTried?.()
          if (props.passphrase !== null) void unlock.run(props.passphrase)
        }}
      >
        {props.children}
        <Button type="submit" look="primary" busy={unlock.busy} className="self-start">
          {props.action}
        </Button>
      </form>
      {problem && !unlock.busy && <ErrorNotice error={problem} />}
    </Page>
  )
}

function PassphraseField(props: {
  label: string
  hint?: string
  problem?: string | null
  kind: 'current' | 'new'
  /** Has the focus at first. */
  first?: boolean
  value: string
  onChange: (value: string) => void
}) {
  const { kind, ...rest } = props
  return <TextField {...rest} type="password" autoComplete={`${kind}-password`} />
}
