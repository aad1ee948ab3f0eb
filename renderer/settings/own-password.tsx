import { useState } from 'react'
import { shortestPassword } from '../../shared/accounts.ts'
import { trpc } from '../app/index.ts'
import { Button, ErrorNotice, Panel, TextField, useAction } from '../controls/index.ts'
import { words } from '../words/index.ts'

const text = words.accounts.own

/** Changing one's own password. */
export function OwnPassword() {
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [again, setAgain] = useState('')
  const [tried, setTried] = useState(false)
  const change = useAction(
    () => trpc.accounts.changePassword.mutate({ current, next }),
    () => {
      setCurrent('')
      setNext('')
      setAgain('')
      setTried(false)
    },
  )
  const short = [...next.normalize('NFKC')].length < shortestPassword ? text.tooShort : null
  const differs = next === again ? null : text.differs
  return (
    <Panel title={text.title}>
      <form
        noValidate
        className="flex max-w-sm flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          if (current !== '' && !short && !differs && !change.busy) void change.run(undefined)
        }}
      >
        <TextField
          label={text.current}
          type="password"
          autoComplete="current-password"
          value={current}
          onChange={setCurrent}
        />
        <TextField
          label={text.next}
          hint={words.setUp.admin.passwordHint}
          problem={tried ? short : null}
          type="password"
          autoComplete="new-password"
          value={next}
          onChange={setNext}
        />
        <TextField
          label={text.again}
          problem={tried && !short ? differs : null}
          type="password"
          autoComplete="new-password"
          value={again}
          onChange={setAgain}
        />
        {change.error && !change.busy && <ErrorNotice error={change.error} />}
        <div className="flex items-center gap-3">
          <Button type="submit" busy={change.busy}>
            {text.change}
          </Button>
          <p role="status">{change.done && text.changed}</p>
        </div>
      </form>
    </Panel>
  )
}
