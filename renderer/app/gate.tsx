/** Before the console is open: opening, a passphrase to give or to choose, or why it cannot open. */
import { useState, type ReactNode } from 'react'
import type { StartupState } from '../../shared/views.ts'
import { Button, ErrorNotice, Field, useAction, useLatest } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { LostBanner } from './connection.tsx'
import { trpc } from './wire.ts'

export const shortestPassphrase = 12

export function Gate({ children }: { children: ReactNode }) {
  const state = useLatest<StartupState>((on) => trpc.startup.state.subscribe(undefined, on), [])
  if (state === null || state.phase === 'opening') return <Opening told={state?.told ?? null} />
  if (state.phase === 'ready') return children
  if (state.phase === 'failed')
    return (
      <Page title={words.gate.failed}>
        <ErrorNotice error={state.error} />
      </Page>
    )
  return state.create ? <Create error={state.error} /> : <Unlock error={state.error} />
}

function Opening({ told }: { told: number | null }) {
  if (told === null)
    return (
      <Page>
        <p role="status">{words.gate.opening}</p>
      </Page>
    )
  return (
    <Page>
      <p role="status">{words.gate.telling}</p>
      <progress className="mt-3 w-full" value={told} aria-label={words.gate.telling} />
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

type GateError = Extract<StartupState, { phase: 'locked' }>['error']

function Unlock({ error }: { error: GateError }) {
  const [passphrase, setPassphrase] = useState('')
  const unlock = useAction((value: string) => trpc.startup.unlock.mutate({ passphrase: value }))
  const problem = unlock.error ?? error
  return (
    <Page title={words.gate.locked.title}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (passphrase) void unlock.run(passphrase)
        }}
      >
        <Field label={words.gate.locked.passphrase}>
          {(bind) => (
            <input
              {...bind}
              className="field"
              type="password"
              autoComplete="current-password"
              autoFocus
              value={passphrase}
              onChange={(event) => setPassphrase(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" look="primary" busy={unlock.busy} className="self-start">
          {words.gate.locked.action}
        </Button>
      </form>
      {problem && !unlock.busy && <ErrorNotice error={problem} />}
    </Page>
  )
}

function Create({ error }: { error: GateError }) {
  const [passphrase, setPassphrase] = useState('')
  const [again, setAgain] = useState('')
  const [tried, setTried] = useState(false)
  const unlock = useAction((value: string) => trpc.startup.unlock.mutate({ passphrase: value }))
  const text = words.gate.create
  const short = passphrase.length < shortestPassphrase ? text.tooShort : null
  const differs = passphrase === again ? null : text.differs
  const problem = unlock.error ?? error
  return (
    <Page title={text.title}>
      <p className="mb-4 text-ink-soft">{text.text}</p>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          if (!short && !differs) void unlock.run(passphrase)
        }}
      >
        <Field label={text.passphrase} hint={text.hint} problem={tried ? short : null}>
          {(bind) => (
            <input
              {...bind}
              className="field"
              type="password"
              autoComplete="new-password"
              autoFocus
              value={passphrase}
              onChange={(event) => setPassphrase(event.target.value)}
            />
          )}
        </Field>
        <Field label={text.again} problem={tried && !short ? differs : null}>
          {(bind) => (
            <input
              {...bind}
              className="field"
              type="password"
              autoComplete="new-password"
              value={again}
              onChange={(event) => setAgain(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" look="primary" busy={unlock.busy} className="self-start">
          {text.action}
        </Button>
      </form>
      {problem && !unlock.busy && <ErrorNotice error={problem} />}
    </Page>
  )
}
