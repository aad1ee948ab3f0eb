/** Roster import: choose a file, look at what it would do, then import it with the school’s salt. */
import { useState } from 'react'
import type { Guardian } from '../../shared/guardians.ts'
import type { CounselorChoice, DirectoryView, RosterEntry, RosterImported, RosterPreview } from '../../shared/views.ts'
import { trpc, useMe } from '../app/index.ts'
import {
  Button,
  Contact,
  DataTable,
  ErrorNotice,
  Field,
  Panel,
  TextField,
  queryClient,
  useAction,
  useLatest,
  useQuery,
  whenText,
  type Column,
} from '../controls/index.ts'
import { words } from '../words/index.ts'
import { CsvFile } from './csv-file.tsx'
import { AssignmentsNote } from './directory.tsx'

const text = words.settings.roster

export function RosterImport() {
  const [csv, setCsv] = useState<string | null>(null)
  const [salt, setSalt] = useState('')
  // The station beside this console has the salt: nobody types it.
  const { desk } = useMe()
  const [choices, setChoices] = useState<readonly CounselorChoice[]>([])
  const preview = useAction<string, RosterPreview>((content) => trpc.roster.preview.mutate({ csv: content }))
  const importing = useAction(
    (content: string) => trpc.roster.import.mutate({ csv: content, choices: [...choices], ...(desk ? {} : { salt }) }),
    () => void queryClient.invalidateQueries(),
  )
  const directory = useLatest<DirectoryView>((on) => trpc.policy.watch.subscribe(undefined, on), [])
  const last = useQuery<RosterImported | null>(['roster', 'last'], () => trpc.roster.last.query())
  const choose = async (file: File | undefined) => {
    importing.reset()
    preview.reset()
    setChoices([])
    const content = file ? await file.text() : null
    setCsv(content)
    if (content !== null) await preview.run(content)
  }
  const asked = preview.result?.ambiguous_counselors ?? []
  const answered = asked.every(({ name }) => choices.some((choice) => choice.name === name))
  const ready = csv !== null && (desk || salt !== '') && (preview.result?.valid ?? 0) > 0 && answered
  return (
    <Panel title={text.title}>
      <p className="mb-3 text-ink-soft">{desk ? words.setUp.rosterText : text.text}</p>
      {last.data !== undefined && (
        <p className="mb-3">
          {last.data === null ? text.never : text.last(whenText(last.data.at), last.data.students)}
        </p>
      )}
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (ready) void importing.run(csv)
        }}
      >
        <CsvFile label={text.file} onChoose={(file) => void choose(file)} />
        <div role="status">{preview.busy && words.common.loading}</div>
        {preview.error && <ErrorNotice error={preview.error} />}
        {preview.result && <Preview preview={preview.result} />}
        {asked.map((counselor) => (
          <WhichCounselor
            key={counselor.name}
            counselor={counselor}
            chosen={choices.find(({ name }) => name === counselor.name)}
            onChoose={(choice) => setChoices([...choices.filter(({ name }) => name !== counselor.name), choice])}
          />
        ))}
        {!desk && <TextField label={text.salt} hint={text.saltHint} type="password" value={salt} onChange={setSalt} />}
        {importing.error && <ErrorNotice error={importing.error} />}
        <div className="flex items-center gap-3">
          <Button type="submit" look="primary" busy={importing.busy} disabled={!ready}>
            {text.import}
          </Button>
          <p role="status">
            {importing.result && text.imported(importing.result.imported, countOf(importing.result.errors))}
          </p>
        </div>
        <div role="status">
          {importing.result && directory?.assignments.waiting === 0 && <p>{words.directory.assignments.sent}</p>}
          {directory && <AssignmentsNote view={directory} />}
        </div>
      </form>
    </Panel>
  )
}

/** A counselor's name that fits several people: only a person knows which of them is meant. */
function WhichCounselor(props: {
  counselor: RosterPreview['ambiguous_counselors'][number]
  chosen: CounselorChoice | undefined
  onChoose: (choice: CounselorChoice) => void
}) {
  const { name, students, candidates } = props.counselor
  return (
    <Field label={text.whichCounselor(name)} hint={text.whichHint(students)}>
      {(bind) => (
        <select
          {...bind}
          className="field"
          value={props.chosen === undefined ? '' : (props.chosen.person_id ?? noneOfThem)}
          onChange={({ target: { value } }) => props.onChoose({ name, person_id: value === noneOfThem ? null : value })}
        >
          <option value="" disabled>
            {text.choose}
          </option>
          {candidates.map((person) => (
            <option key={person.id} value={person.id}>
              {person.name} · {words.role[person.role]} · {person.id}
            </option>
          ))}
          <option value={noneOfThem}>{text.noneOfThem}</option>
        </select>
      )}
    </Field>
  )
}

/** No person has an id with a line break. */
const noneOfThem = '\n'

function countOf(errors: number | readonly unknown[]): number {
  return typeof errors === 'number' ? errors : errors.length
}

const columns: Column<RosterEntry>[] = [
  { header: text.id, cell: (row) => row.student_id },
  { header: text.name, cell: (row) => row.name },
  { header: text.grade, cell: (row) => row.grade },
  { header: text.class, cell: (row) => row.class },
  { header: text.counselor, cell: (row) => row.counselor },
  { header: text.guardian, cell: (row) => <Guardians guardians={row.guardians} /> },
]

function Guardians({ guardians }: { guardians: readonly Guardian[] }) {
  return (
    <ol>
      {guardians.map((guardian, index) => (
        <li key={index}>
          {guardian.do_not_contact === null ? (
            <Contact
              text={[guardian.name, guardian.relation, ...guardian.phones.map(({ written }) => written)]
                .filter((part) => part !== '')
                .join(', ')}
            />
          ) : (
            <strong className="font-semibold">{text.doNotContact(guardian.name)}</strong>
          )}
        </li>
      ))}
    </ol>
  )
}

function Preview({ preview }: { preview: RosterPreview }) {
  return (
    <section aria-label={text.preview} className="flex flex-col gap-3 rounded border p-3">
      <p className="font-semibold">
        {[
          text.rows(preview.rows),
          text.valid(preview.valid),
          text.fresh(preview.new),
          text.changed(preview.changed),
        ].join(' · ')}
      </p>
      {preview.valid === 0 && <p>{text.none}</p>}
      {preview.missing > 0 && <p>{text.missing(preview.missing)}</p>}
      {preview.unknown_counselors.length > 0 && (
        <p>{text.unknownCounselors(preview.unknown_counselors.map(({ name }) => `“${name}”`).join(', '))}</p>
      )}
      {preview.errors.length > 0 && (
        <>
          <p className="font-semibold">{text.errors(preview.errors.length)}</p>
          <DataTable
            label={text.errors(preview.errors.length)}
            rows={preview.errors}
            rowKey={(error) => `${error.line} ${error.column} ${error.problem}`}
            columns={[
              { header: text.line, cell: (error) => error.line, align: 'end' },
              { header: text.column, cell: (error) => error.column },
              { header: text.problem, cell: (error) => error.problem },
            ]}
          />
        </>
      )}
      {preview.sample.length > 0 && (
        <DataTable label={text.sample} rows={preview.sample} rowKey={(row) => row.student_id} columns={columns} />
      )}
    </section>
  )
}
