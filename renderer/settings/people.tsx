import type { Person } from '../../shared/people.ts'
import { trpc, useMay, useMe } from '../app/index.ts'
import { DataTable, ErrorNotice, Panel, useQuery } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { Accounts } from './accounts.tsx'
import { OwnPassword } from './own-password.tsx'

const text = words.settings.people

/** Who may use this console: on a desk to be changed by its admins, elsewhere to be read. */
export function People() {
  const { desk, has_account } = useMe()
  const manages = useMay('accounts.manage')
  return (
    <>
      {desk && manages ? <Accounts /> : <KnownPeople />}
      {has_account && <OwnPassword />}
    </>
  )
}

function KnownPeople() {
  const people = useQuery<Person[]>(['people'], () => trpc.me.people.query())
  return (
    <Panel title={text.title}>
      <p className="mb-2 text-ink-soft">{text.text}</p>
      {people.error && <ErrorNotice error={people.error} onRetry={people.refetch} />}
      {people.data && (
        <DataTable
          label={text.title}
          rows={people.data}
          rowKey={(person) => person.id}
          columns={[
            { header: text.name, cell: (person) => <span className="font-semibold">{person.name}</span> },
            { header: text.role, cell: (person) => words.role[person.role] },
            { header: text.school, cell: (person) => person.school_id },
            { header: text.id, cell: (person) => <span className="text-ink-faint">{person.id}</span> },
          ]}
        />
      )}
    </Panel>
  )
}
