/** What the chat shows a student in a crisis: the school's own text and numbers. */
import { useState } from 'react'
import { crisisReply, crisisResourcesSchema, type CrisisResources } from '../../shared/set-up.ts'
import { trpc, useMe } from '../app/index.ts'
import {
  Button,
  ErrorNotice,
  Field,
  Panel,
  TextField,
  forget,
  queryClient,
  useAction,
  useKept,
  useQuery,
} from '../controls/index.ts'
import { words } from '../words/index.ts'

const text = words.resources

export function CrisisResourcesPanel() {
  const kept = useQuery<CrisisResources>(['desk', 'resources'], () => trpc.desk.resources.query())
  return (
    <Panel title={text.title}>
      {kept.error && <ErrorNotice error={kept.error} onRetry={kept.refetch} />}
      {kept.data && <Form kept={kept.data} />}
    </Panel>
  )
}

function Form({ kept }: { kept: CrisisResources }) {
  // What is being typed stays while one looks at another screen.
  const name = `crisis resources ${useMe().person.id}`
  const [draft, setDraft] = useKept(name, kept)
  const [tried, setTried] = useState(false)
  const save = useAction(
    (next: CrisisResources) => trpc.desk.setResources.mutate(next),
    () => {
      forget(name)
      void queryClient.invalidateQueries({ queryKey: ['desk'] })
    },
  )
  const lines = draft.numbers.filter(({ name, contact }) => name.trim() !== '' || contact.trim() !== '')
  const read = crisisResourcesSchema.safeParse({ ...draft, numbers: lines })
  const shown = crisisReply({ ...draft, numbers: lines })
  const unsaved = !save.done && shown !== crisisReply(kept)
  const wrong = (part: string, line?: number) =>
    tried && read.error?.issues.some(({ path }) => path[0] === part && (line === undefined || path[1] === line))
  const change = (part: Partial<CrisisResources>) => {
    save.reset()
    setDraft({ ...draft, ...part })
  }
  const changeLine = (line: number, part: Partial<CrisisResources['numbers'][number]>) =>
    change({ numbers: draft.numbers.map((each, index) => (index === line ? { ...each, ...part } : each)) })
  return (
    <form
      noValidate
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (read.success && !save.busy) void save.run(read.data)
      }}
    >
      <Field label={text.text} hint={text.textHint} problem={wrong('text') ? text.textProblem : null}>
        {(bind) => (
          <textarea
            {...bind}
            rows={6}
            className="field"
            value={draft.text}
            onChange={(event) => change({ text: event.target.value })}
          />
        )}
      </Field>
      <fieldset className="flex flex-col gap-2">
        <legend className="font-semibold">{text.numbers}</legend>
        <p className="text-small text-ink-faint">{text.numbersText}</p>
        {draft.numbers.map((number, line) => (
          <div key={line} className="flex flex-wrap items-end gap-2">
            <div className="min-w-40 flex-1">
              <TextField
                label={text.nth(text.name, line + 1)}
                value={number.name}
                onChange={(name) => changeLine(line, { name })}
              />
            </div>
            <div className="min-w-40 flex-1">
              <TextField
                label={text.nth(text.contact, line + 1)}
                value={number.contact}
                onChange={(contact) => changeLine(line, { contact })}
              />
            </div>
            <Button
              aria-label={text.remove(line + 1)}
              onClick={() => change({ numbers: draft.numbers.filter((_, index) => index !== line) })}
            >
              ×
            </Button>
          </div>
        ))}
        {wrong('numbers') && <p className="font-medium text-crisis">{text.contactProblem}</p>}
        {draft.numbers.length < 8 && (
          <Button
            className="self-start"
            onClick={() => change({ numbers: [...draft.numbers, { name: '', contact: '' }] })}
          >
            {text.add}
          </Button>
        )}
      </fieldset>
      <section aria-label={text.preview} className="rounded border p-3">
        <h3 className="mb-1 text-small font-medium text-ink-faint">{text.preview}</h3>
        <p className="whitespace-pre-line">{shown}</p>
      </section>
      {save.error && !save.busy && <ErrorNotice error={save.error} />}
      <div className="flex items-center gap-3">
        <Button type="submit" look="primary" busy={save.busy}>
          {text.save}
        </Button>
        {/* Nothing is answered where it succeeds: that it is no longer busy and did not fail says so. */}
        <p role="status">{save.done ? text.saved : unsaved && text.unsaved}</p>
      </div>
    </form>
  )
}
