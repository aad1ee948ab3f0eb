import { useEffect, useRef, useState } from 'react'
import { safetyPlanHeadings } from '../../shared/student-records.ts'
import type { SafetyPlanVersion } from '../../shared/views.ts'
import { announce, trpc } from '../app/index.ts'
import { Button, ErrorNotice, Field, useAction, whenText } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { differing, emptyPlan, joined, savedMeanwhile, saysSomething, trimmed, type PlanDraft } from './plan-draft.ts'

const text = words.safetyPlan
/** As much as one heading keeps. */
const mostCharacters = 4000
/** So long a colleague’s version must have been on screen before it is replaced (milliseconds). */
const readAfter = 1000

/** Writes the next version. A colleague’s, saved meanwhile, stands beside what is typed; nothing replaces it unread. */
export function PlanEditor(props: {
  student_hash: string
  versions: readonly SafetyPlanVersion[]
  draft: PlanDraft
  onDraft: (draft: PlanDraft) => void
  onSaved: () => void
  onClose: () => void
  onDiscard: () => void
}) {
  const { student_hash, versions, draft, onDraft } = props
  const [tried, setTried] = useState(false)
  const [discarding, setDiscarding] = useState(false)
  const other = savedMeanwhile(draft, versions)
  const cameUp = useRef(-Infinity)
  useEffect(() => {
    cameUp.current = performance.now()
  }, [other?.id])
  const differs = other ? differing(draft.sections, other.sections ?? emptyPlan) : []
  const save = useAction(
    (based_on: string | null) =>
      trpc.studentRecords.saveSafetyPlan.mutate({ student_hash, sections: trimmed(draft.sections), based_on }),
    () => {
      announce(text.savedNow)
      props.onSaved()
    },
  )
  const nothing = !saysSomething(draft.sections)
  const set = (heading: keyof PlanDraft['sections'], value: string) =>
    onDraft({ ...draft, sections: { ...draft.sections, [heading]: value } })
  return (
    <form
      aria-label={text.title}
      className="flex flex-col gap-3"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        // What came up a moment ago was not read: then it is refused, and said once more.
        const isRead = other !== null && performance.now() - cameUp.current >= readAfter
        if (!nothing && !save.busy) void save.run(isRead ? other.id : draft.based_on)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit()
      }}
    >
      <p className="text-ink-soft">{text.own}</p>
      {other && (
        <div role="alert" className="rounded border border-line-strong p-3">
          <p className="font-semibold">{text.changed(other.by_name, whenText(other.at))}</p>
          <p className="text-ink-soft">{text.changedHint}</p>
        </div>
      )}
      {safetyPlanHeadings.map((heading, index) => (
        <div key={heading} className="flex flex-col gap-1">
          <Field label={text.heading[heading]} hint={text.hint[heading]}>
            {(bind) => (
              <textarea
                {...bind}
                className="field"
                rows={3}
                maxLength={mostCharacters}
                autoFocus={index === 0}
                value={draft.sections[heading]}
                onChange={(event) => set(heading, event.target.value)}
              />
            )}
          </Field>
          {other?.sections && differs.includes(heading) && (
            <div className="rounded border bg-ground p-2">
              <p className="text-small text-ink-faint">{text.savedWords(other.by_name)}</p>
              <p className="break-words whitespace-pre-wrap">{other.sections[heading] || text.empty}</p>
              {other.sections[heading] !== '' && (
                <Button
                  className="mt-1"
                  aria-label={text.addToMineOf(text.heading[heading])}
                  onClick={() => set(heading, joined(draft.sections[heading], other.sections?.[heading] ?? ''))}
                >
                  {text.addToMine}
                </Button>
              )}
            </div>
          )}
        </div>
      ))}
      {tried && nothing && <p role="alert">{text.nothing}</p>}
      {save.error && <ErrorNotice error={save.error} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" busy={save.busy}>
          {other ? text.saveAs(versions.length + 1) : text.save}
        </Button>
        <Button onClick={props.onClose}>{text.close}</Button>
        {discarding ? (
          <span className="flex flex-wrap items-center gap-2">
            {text.discardSure}
            <Button onClick={props.onDiscard}>{text.discardYes}</Button>
            <Button onClick={() => setDiscarding(false)}>{text.discardNo}</Button>
          </span>
        ) : (
          <Button look="quiet" onClick={() => setDiscarding(true)}>
            {text.discard}
          </Button>
        )}
      </div>
    </form>
  )
}
