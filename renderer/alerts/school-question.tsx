/** Asked above the inbox until somebody has said which school this console serves. */
import { useId, useState } from 'react'
import type { SchoolQuestion as Question, SeenSchool } from '../../shared/views.ts'
import { trpc } from '../app/index.ts'
import { Button, ErrorNotice, Field, queryClient, useAction, useLatest } from '../controls/index.ts'
import { words } from '../words/index.ts'

const text = words.alerts.school

export function SchoolQuestion() {
  const question = useLatest<Question>((on) => trpc.school.question.subscribe(undefined, on), [])
  return question && <Asked schools={question.schools} />
}

function Asked({ schools }: { schools: SeenSchool[] }) {
  const title = useId()
  const group = useId()
  const [chosen, setChosen] = useState<string | null>(null)
  const [other, setOther] = useState('')
  const naming = useAction(
    (school_id: string) => trpc.school.name.mutate({ school_id }),
    () => void queryClient.invalidateQueries(),
  )
  const school = (chosen ?? other).trim()
  return (
    <section aria-labelledby={title} className="border-b bg-surface px-3 py-2">
      <h2 id={title} className="font-semibold">
        {text.title}
      </h2>
      <p className="text-ink-soft">{text.text}</p>
      <form
        className="mt-2 flex flex-col gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (school !== '') void naming.run(school)
        }}
      >
        <div role="radiogroup" aria-labelledby={title} className="flex flex-col gap-1">
          {schools.map((seen) => (
            <label key={seen.school_id} className="flex min-h-6 items-center gap-2">
              <input
                type="radio"
                name={group}
                checked={chosen === seen.school_id}
                onChange={() => setChosen(seen.school_id)}
              />
              <span className="min-w-0 break-all">
                {seen.school_id}
                <span className="text-ink-soft"> · {text.seen(seen.students, seen.open_alerts)}</span>
              </span>
            </label>
          ))}
          <label className="flex min-h-6 items-center gap-2">
            <input type="radio" name={group} checked={chosen === null} onChange={() => setChosen(null)} />
            {text.another}
          </label>
        </div>
        {chosen === null && (
          <Field label={text.id} hint={text.idHint}>
            {(bind) => (
              <input
                {...bind}
                className="field"
                autoComplete="off"
                spellCheck={false}
                value={other}
                onChange={(event) => setOther(event.target.value)}
              />
            )}
          </Field>
        )}
        {naming.error && <ErrorNotice error={naming.error} />}
        <div>
          <Button type="submit" busy={naming.busy} disabled={school === ''}>
            {text.serve}
          </Button>
        </div>
      </form>
    </section>
  )
}
