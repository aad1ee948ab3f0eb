import type { Person } from '../../shared/people.ts'
import { trpc } from '../app/index.ts'
import { DataTable, ErrorNotice, Panel, useQuery } from '../controls/index.ts'
import { words } from '../words/index.ts'

const text = words.settings.people

/** Who may use this console; read-only. */
export function People() {
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
