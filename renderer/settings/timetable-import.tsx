/** Timetable import: choose a file, look at what it would do, then put it in the place of the one before. */
import { useState } from 'react'
import type { TimetableImported, TimetableLine, TimetablePreview } from '../../shared/views.ts'
import { trpc } from '../app/index.ts'
import {
  Button,
  DataTable,
  ErrorNotice,
  Panel,
  queryClient,
  useAction,
  useQuery,
  whenText,
  type Column,
} from '../controls/index.ts'
import { words } from '../words/index.ts'
import { CsvFile } from './csv-file.tsx'

const text = words.settings.timetable
const roster = words.settings.roster

export function TimetableImport() {
  const [csv, setCsv] = useState<string | null>(null)
  const preview = useAction<string, TimetablePreview>((content) => trpc.timetable.preview.mutate({ csv: content }))
  const importing = useAction(
    (content: string) => trpc.timetable.import.mutate({ csv: content }),
    () => void queryClient.invalidateQueries(),
  )
  const last = useQuery<TimetableImported | null>(['timetable', 'last'], () => trpc.timetable.last.query())
  const choose = async (file: File | undefined) => {
    importing.reset()
    preview.reset()
    const content = file ? await file.text() : null
    setCsv(content)
    if (content !== null) await preview.run(content)
  }
  const ready = csv !== null && (preview.result?.valid ?? 0) > 0 && !importing.done
  return (
    <Panel title={text.title}>
      <p className="mb-3 text-ink-soft">{text.text}</p>
      {last.data !== undefined && (
        <p className="mb-3">{last.data === null ? text.never : text.last(whenText(last.data.at), last.data.lessons)}</p>
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
        {importing.error && <ErrorNotice error={importing.error} />}
        <div className="flex items-center gap-3">
          <Button type="submit" look="primary" busy={importing.busy} disabled={!ready}>
            {text.import}
          </Button>
          <p role="status">{importing.result && text.imported(importing.result.imported, importing.result.left_out)}</p>
        </div>
      </form>
    </Panel>
  )
}

const columns: Column<TimetableLine>[] = [
  { header: text.whose, cell: (line) => line.student_id || line.class },
  { header: text.weekday, cell: (line) => text.days[line.weekday - 1] },
  {
    header: text.when,
    cell: (line) => [line.period, line.from && `${line.from}–${line.to}`].filter(Boolean).join(', '),
  },
  { header: text.subject, cell: (line) => line.subject },
  { header: text.room, cell: (line) => line.room },
]

function Preview({ preview }: { preview: TimetablePreview }) {
  return (
    <section aria-label={text.preview} className="flex flex-col gap-3 rounded border p-3">
      <p className="font-semibold">
        {[text.rows(preview.rows), text.valid(preview.valid), text.of(preview.students, preview.classes)].join(' · ')}
      </p>
      {preview.valid === 0 && <p>{text.none}</p>}
      {preview.replaces > 0 && <p>{text.replaces(preview.replaces)}</p>}
      {preview.unknown_students > 0 && <p>{text.unknownStudents(preview.unknown_students)}</p>}
      {preview.unknown_classes.length > 0 && (
        <p>{text.unknownClasses(words.common.list(preview.unknown_classes.slice(0, 20)))}</p>
      )}
      {preview.errors.length > 0 && (
        <>
          <p className="font-semibold">{text.errors(preview.errors.length)}</p>
          <DataTable
            label={text.errors(preview.errors.length)}
            rows={preview.errors}
            rowKey={(error) => `${error.line} ${error.column} ${error.problem}`}
            columns={[
              { header: roster.line, cell: (error) => error.line, align: 'end' },
              { header: roster.column, cell: (error) => error.column },
              { header: roster.problem, cell: (error) => error.problem },
            ]}
          />
        </>
      )}
      {preview.sample.length > 0 && (
        <DataTable
          label={text.sample}
          rows={preview.sample}
          rowKey={(line) => JSON.stringify(line)}
          columns={columns}
        />
      )}
    </section>
  )
}
