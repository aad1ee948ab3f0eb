/** Signing in at a desk, and choosing a password in the place of one that was given. */
import { useEffect, useRef, useState } from 'react'
import { shortestPassword } from '../../shared/accounts.ts'
import { notificationWords, type NotificationText } from '../../shared/notification-words.ts'
import type { SignInState } from '../../shared/views.ts'
import { announce, notify, playSound, trpc } from '../app/index.ts'
import { Button, ErrorNotice, TextField, useAction } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { Page } from './page.tsx'

const text = words.signIn

export function SignIn({ waiting, school }: Pick<Extract<SignInState, { state: 'out' }>, 'waiting' | 'school'>) {
  const [userName, setUserName] = useState('')
  const [password, setPassword] = useState('')
  const signIn = useAction(
    () => trpc.signIn.signIn.mutate({ user_name: userName, password }),
    () => setPassword(''),
  )
  useWaiting(waiting)
  return (
    <Page title={text.title(school)}>
      <p className={`mb-4 ${waiting > 0 ? 'text-medium font-semibold' : 'text-ink-soft'}`}>
        {waiting > 0 ? text.waiting(waiting) : text.none}
      </p>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (userName !== '' && password !== '' && !signIn.busy) void signIn.run(undefined)
        }}
      >
        <TextField label={text.userName} autoComplete="username" first value={userName} onChange={setUserName} />
        <TextField
          label={text.password}
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
        />
        <Button type="submit" look="primary" busy={signIn.busy} className="self-start">
          {text.action}
        </Button>
      </form>
      {signIn.error && !signIn.busy && <ErrorNotice error={signIn.error} />}
      <p className="mt-4 text-small text-ink-faint">{text.help}</p>
      {!window.desk && <p className="mt-2 text-small text-ink-faint">{text.stays}</p>}
    </Page>
  )
}

/** Nobody is signed in who may know more; it may be a crisis. */
const moreWait: NotificationText = { title: notificationWords.high.title, body: notificationWords.body, urgent: true }

/** Who looks at this page is told that more alerts wait, and nothing else. */
function useWaiting(waiting: number): void {
  const before = useRef(waiting)
  useEffect(() => {
    document.title = words.app.title(waiting)
    if (waiting > before.current) {
      announce(text.waiting(waiting), 'assertive')
      playSound('chime')
      notify(moreWait)
    }
    before.current = waiting
  }, [waiting])
}

export function Choose({ name }: { name: string }) {
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const [tried, setTried] = useState(false)
  const choose = useAction(() => trpc.signIn.choosePassword.mutate({ password }))
  const leave = useAction(() => trpc.signIn.signOut.mutate())
  const short = [...password].length < shortestPassword ? words.setUp.admin.tooShort : null
  const differs = password === again ? null : words.setUp.admin.differs
  return (
    <Page title={text.choose.title(name)}>
      <p className="mb-4 text-ink-soft">{text.choose.text}</p>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          if (!short && !differs && !choose.busy) void choose.run(undefined)
        }}
      >
        <TextField
          label={text.choose.password}
          hint={words.setUp.admin.passwordHint}
          problem={tried ? short : null}
          type="password"
          autoComplete="new-password"
          first
          value={password}
          onChange={setPassword}
        />
        <TextField
          label={text.choose.again}
          problem={tried && !short ? differs : null}
          type="password"
          autoComplete="new-password"
          value={again}
          onChange={setAgain}
        />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" look="primary" busy={choose.busy}>
            {text.choose.action}
          </Button>
          <Button look="quiet" onClick={() => void leave.run(undefined)}>
            {text.choose.other}
          </Button>
        </div>
      </form>
      {choose.error && !choose.busy && <ErrorNotice error={choose.error} />}
    </Page>
  )
}
