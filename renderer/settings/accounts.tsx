/** Who signs in at this desk: adding people, roles, one-time passwords, ends. */
import { useState } from 'react'
import { personNameSchema, userNameSchema } from '../../shared/accounts.ts'
import { roles, type Role } from '../../shared/people.ts'
import type { AccountView } from '../../shared/views.ts'
import { trpc, useMe } from '../app/index.ts'
import {
  Button,
  DataTable,
  Dialog,
  ErrorNotice,
  Panel,
  Select,
  TextField,
  queryClient,
  useAction,
  useQuery,
  whenText,
} from '../controls/index.ts'
import { words } from '../words/index.ts'
import { Confirm } from './confirm.tsx'
import { ShownOnce } from './shown-once.tsx'

const text = words.accounts
const roleChoices = roles.map((value) => ({ value, label: words.role[value] }))
const again = () => void queryClient.invalidateQueries()

/** The dialog that is open. */
type Open = { what: 'add' } | { what: 'reset' | 'end'; of: AccountView } | { what: 'role'; of: AccountView; role: Role }

export function Accounts() {
  const accounts = useQuery<AccountView[]>(['desk', 'accounts'], () => trpc.accounts.list.query())
  const [open, setOpen] = useState<Open | null>(null)
  const me = useMe().person.id
  const close = () => setOpen(null)
  return (
    <Panel title={text.title} aside={<Button onClick={() => setOpen({ what: 'add' })}>{text.add}</Button>}>
      <p className="mb-2 text-ink-soft">{text.text}</p>
      {accounts.error && <ErrorNotice error={accounts.error} onRetry={accounts.refetch} />}
      {accounts.data && (
        <DataTable
          label={text.title}
          rows={accounts.data}
          rowKey={({ person_id }) => person_id}
          columns={[
            {
              header: text.name,
              cell: ({ name, person_id, user_name }) => (
                <>
                  <span className="font-semibold">{name}</span>
                  {person_id === me && <span className="text-ink-faint"> · {text.you}</span>}
                  <span className="block text-small text-ink-faint">{user_name}</span>
                </>
              ),
            },
            {
              header: text.role,
              cell: (of) =>
                of.ended_at === null ? (
                  <Select
                    label={text.roleOf(of.name)}
                    labelHidden
                    value={of.role}
                    choices={roleChoices}
                    onChange={(role) => setOpen({ what: 'role', of, role })}
                  />
                ) : (
                  words.role[of.role]
                ),
            },
            { header: text.state, cell: stateOf },
            {
              header: text.actions,
              cell: (of) => (
                <div className="flex flex-wrap gap-2">
                  <Button aria-label={text.resetTitle(of.name)} onClick={() => setOpen({ what: 'reset', of })}>
                    {text.reset}
                  </Button>
                  {of.ended_at === null && (
                    <Button aria-label={text.endTitle(of.name)} onClick={() => setOpen({ what: 'end', of })}>
                      {text.end}
                    </Button>
                  )}
                </div>
              ),
            },
          ]}
        />
      )}
      {open?.what === 'add' && <Add onClose={close} />}
      {open?.what === 'reset' && <Reset of={open.of} onClose={close} />}
      {open?.what === 'end' && <End of={open.of} onClose={close} />}
      {open?.what === 'role' && <ChangeRole of={open.of} role={open.role} onClose={close} />}
    </Panel>
  )
}

function stateOf({ ended_at, must_change, last_sign_in_at }: AccountView): string {
  if (ended_at !== null) return text.ended
  if (must_change) return text.oneTime
  return last_sign_in_at === null ? text.never : text.last(whenText(last_sign_in_at))
}

function Add({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const [userName, setUserName] = useState('')
  const [role, setRole] = useState<Role>('COUNSELOR')
  const [tried, setTried] = useState(false)
  const add = useAction(() => trpc.accounts.add.mutate({ name, role, user_name: userName }), again)
  const unnamed = personNameSchema.safeParse(name).success ? null : text.nameMissing
  const wrong = userNameSchema.safeParse(userName).success ? null : text.userNameProblem
  if (add.result) return <Given title={text.added(name)} password={add.result.password} onClose={onClose} />
  return (
    <Dialog title={text.addTitle} onClose={onClose}>
      <form
        noValidate
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          if (!unnamed && !wrong && !add.busy) void add.run(undefined)
        }}
      >
        <TextField
          label={text.name}
          hint={text.nameHint}
          problem={tried ? unnamed : null}
          first
          value={name}
          onChange={setName}
        />
        <Select label={text.role} value={role} choices={roleChoices} onChange={setRole} />
        <TextField label={text.userName} problem={tried ? wrong : null} value={userName} onChange={setUserName} />
        {add.error && !add.busy && <ErrorNotice error={add.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{words.common.cancel}</Button>
          <Button type="submit" look="primary" busy={add.busy}>
            {text.add}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** A one-time password, at the one moment when it can be read. */
function Given({ title, password, onClose }: { title: string; password: string; onClose: () => void }) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="flex flex-col gap-3" role="status">
        <ShownOnce label={text.password} text={password} />
        <p>{text.passwordText}</p>
      </div>
      <div className="mt-4 flex justify-end">
        <Button look="primary" onClick={onClose}>
          {words.common.close}
        </Button>
      </div>
    </Dialog>
  )
}

function Reset({ of, onClose }: { of: AccountView; onClose: () => void }) {
  const reset = useAction(() => trpc.accounts.resetPassword.mutate({ person_id: of.person_id }), again)
  if (reset.result) return <Given title={text.resetTitle(of.name)} password={reset.result.password} onClose={onClose} />
  return (
    <Confirm
      title={text.resetTitle(of.name)}
      text={text.resetText}
      action={text.reset}
      busy={reset.busy}
      error={reset.error}
      onConfirm={() => void reset.run(undefined)}
      onClose={onClose}
    />
  )
}

/** Asked first: one arrow key on the choice would else take somebody's students from them. */
function ChangeRole({ of, role, onClose }: { of: AccountView; role: Role; onClose: () => void }) {
  const change = useAction(
    () => trpc.accounts.setRole.mutate({ person_id: of.person_id, role }),
    () => {
      again()
      onClose()
    },
  )
  return (
    <Confirm
      title={text.roleTitle(of.name)}
      text={text.roleText(words.role[of.role], words.role[role])}
      action={text.changeRole}
      busy={change.busy}
      error={change.error}
      onConfirm={() => void change.run(undefined)}
      onClose={onClose}
    />
  )
}

function End({ of, onClose }: { of: AccountView; onClose: () => void }) {
  const end = useAction(
    () => trpc.accounts.end.mutate({ person_id: of.person_id }),
    () => {
      again()
      onClose()
    },
  )
  return (
    <Confirm
      title={text.endTitle(of.name)}
      text={text.endText}
      action={text.end}
      busy={end.busy}
      error={end.error}
      onConfirm={() => void end.run(undefined)}
      onClose={onClose}
    />
  )
}
