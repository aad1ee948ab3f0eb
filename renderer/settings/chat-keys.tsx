/** The chat's API keys: made, shown once, revoked. */
import { useState } from 'react'
import type { ApiKeyView, IssuedKey } from '../../shared/views.ts'
import { trpc } from '../app/index.ts'
import {
  Button,
  DataTable,
  ErrorNotice,
  Panel,
  TextField,
  queryClient,
  useAction,
  useQuery,
  whenText,
} from '../controls/index.ts'
import { words } from '../words/index.ts'
import { Confirm } from './confirm.tsx'
import { ShownOnce } from './shown-once.tsx'

const text = words.chatKeys

export function ChatKeys() {
  const address = useQuery<string>(['desk', 'address'], () => trpc.chatKeys.address.query())
  const keys = useQuery<ApiKeyView[]>(['desk', 'keys'], () => trpc.chatKeys.list.query())
  const [revoking, setRevoking] = useState<ApiKeyView | null>(null)
  return (
    <Panel title={text.title}>
      {address.error && <ErrorNotice error={address.error} onRetry={address.refetch} />}
      {address.data && <ShownOnce label={text.address} text={address.data} />}
      <p className="my-3 text-ink-soft">{text.text}</p>
      {keys.error && <ErrorNotice error={keys.error} onRetry={keys.refetch} />}
      {keys.data && (
        <DataTable
          label={text.title}
          rows={keys.data}
          rowKey={({ id }) => id}
          empty={<p className="mb-3 font-semibold">{text.none}</p>}
          columns={[
            { header: text.label, cell: ({ label }) => <span className="font-semibold">{label}</span> },
            { header: text.scopes, cell: ({ scopes }) => scopes.map((each) => text.scope[each] ?? each).join(', ') },
            { header: text.made, cell: ({ created_at }) => whenText(created_at) },
            {
              header: text.state,
              cell: ({ revoked_at }) => (revoked_at === null ? text.open : text.revoked(whenText(revoked_at))),
            },
            {
              header: text.actions,
              cell: (key) =>
                key.revoked_at === null && (
                  <Button aria-label={text.revokeTitle(key.label)} onClick={() => setRevoking(key)}>
                    {text.revoke}
                  </Button>
                ),
            },
          ]}
        />
      )}
      {/* Not before it is known whether this is the first: until then the field would be empty, and the button do nothing. */}
      {(keys.data ?? keys.error) && <Issue first={keys.data?.length === 0} />}
      {revoking && <Revoke of={revoking} onClose={() => setRevoking(null)} />}
    </Panel>
  )
}

const again = () => void queryClient.invalidateQueries({ queryKey: ['desk'] })

function Issue({ first }: { first: boolean }) {
  const [typed, setLabel] = useState<string | null>(null)
  const [tried, setTried] = useState(false)
  const label = typed ?? (first ? text.first : '')
  const issue = useAction<void, IssuedKey>(
    () => trpc.chatKeys.issue.mutate({ label }),
    () => {
      setLabel('')
      setTried(false)
      again()
    },
  )
  return (
    <>
      {!issue.result && (
        <form
          noValidate
          className="mt-3 flex flex-col items-start gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            setTried(true)
            if (label.trim() !== '' && !issue.busy) void issue.run()
          }}
        >
          <div className="w-full max-w-sm">
            <TextField
              label={text.label}
              hint={text.labelHint}
              problem={tried && label.trim() === '' ? text.labelMissing : null}
              value={label}
              onChange={setLabel}
            />
          </div>
          {issue.error && <ErrorNotice error={issue.error} />}
          <Button type="submit" look={first ? 'primary' : 'plain'} busy={issue.busy}>
            {text.issue}
          </Button>
        </form>
      )}
      <div role="status">{issue.result && <NewKey issued={issue.result} />}</div>
      {issue.result && (
        <Button className="mt-3" onClick={issue.reset}>
          {text.another}
        </Button>
      )}
    </>
  )
}

function NewKey({ issued }: { issued: IssuedKey }) {
  const windows = navigator.userAgent.includes('Windows')
  const shell = <ShownOnce label={text.curl} text={issued.curl} />
  const powershell = <ShownOnce label={text.powershell} text={issued.powershell} />
  return (
    <section aria-label={text.shown} className="mt-4 flex flex-col gap-3 rounded border border-line-strong p-3">
      <h3>{text.shown}</h3>
      <p className="font-semibold">{text.shownText}</p>
      <ShownOnce label={text.key} text={issued.key} />
      {windows ? powershell : shell}
      <p className="text-small text-ink-faint">{text.tryText}</p>
      <details>
        <summary>{windows ? text.curl : text.powershell}</summary>
        <div className="mt-2">{windows ? shell : powershell}</div>
      </details>
      <ShownOnce label={text.chat} text={issued.chat} />
    </section>
  )
}

function Revoke({ of, onClose }: { of: ApiKeyView; onClose: () => void }) {
  const revoke = useAction(
    () => trpc.chatKeys.revoke.mutate({ id: of.id }),
    () => {
      again()
      onClose()
    },
  )
  return (
    <Confirm
      title={text.revokeTitle(of.label)}
      text={text.revokeText}
      action={text.revoke}
      busy={revoke.busy}
      error={revoke.error}
      onConfirm={() => void revoke.run(undefined)}
      onClose={onClose}
    />
  )
}
