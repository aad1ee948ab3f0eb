import { Field } from '../controls/index.ts'

/** Asks for a CSV file; `undefined` = the choice was taken back. */
export function CsvFile({ label, onChoose }: { label: string; onChoose: (file: File | undefined) => void }) {
  return (
    <Field label={label}>
      {(bind) => (
        <input
          {...bind}
          className="field file:me-3 file:rounded file:border file:border-line-strong file:px-2"
          type="file"
          accept=".csv,text/csv"
          onChange={(event) => onChoose(event.target.files?.[0])}
        />
      )}
    </Field>
  )
}
