/** What became of something that a person did, in sentences. Pure. */
import type { Became, Because } from '../../shared/outcome-of-action.ts'
import type { ActionReportView, ActionView } from '../../shared/views.ts'
import { lengthText, studentName, whenText } from '../controls/index.ts'
import { words } from '../words/index.ts'

const text = words.reports

/** “Student 7F3A: K. Osei acknowledged this 2 s before you; they hold it.” */
export function reportText({ kind, became, alert }: ActionReportView, me: string): string {
  const student = studentName(alert.student)
  if (became.kind === 'counts') return text.about(student, text.yours[kind])
  if (became.kind === 'refused') {
    const said = became.here ? text.hereOnly : text.nothing
    return text.about(student, said(text.yours[kind], refusedText(became.why)))
  }
  if (became.kind === 'unvouched') return text.about(student, text.nothing(text.yours[kind], unvouchedText(became.why)))
  const { because } = became
  if (because.why === 'held')
    return text.about(
      student,
      `${heldBefore(because, text)}; ${holderOf(because, alert.owner?.id ?? null, me, alert.owner?.name)}`,
    )
  return text.about(student, text.nothing(text.yours[kind], becauseText(because)))
}

/** What heads several of them: how many arrived late, and how many changed nothing. */
export function headingOf(reports: readonly ActionReportView[]): string {
  const nothing = reports.filter(({ became }) => became.kind !== 'counts').length
  const waited = reports.filter((report) => report.waited).length
  return waited > 0 ? text.offline(waited, nothing) : text.several(nothing)
}

/** What stands below an action of the history that changed nothing, or counts at this console alone; null where it counts. */
export function unappliedText({ applied, became }: Pick<ActionView, 'applied' | 'became'>): string | null {
  if (became.kind === 'unvouched') return text.recordedUnvouched(unvouchedText(became.why))
  if (became.kind === 'refused' && became.here) return text.recordedHere(refusedText(became.why))
  return applied ? null : text.recorded(whyUnapplied(became))
}

function whyUnapplied(became: Exclude<Became, { kind: 'unvouched' }>): string | null {
  if (became.kind === 'counts') return null
  return became.kind === 'refused' ? refusedText(became.why) : becauseText(became.because)
}

function becauseText(because: Because): string {
  switch (because.why) {
    case 'held':
      return heldBefore(because, { before: text.earlier, beforeSent: text.first })
    case 'resolved':
      return text.resolved(because.by_name, whenText(because.at))
    case 'not theirs':
      return because.holder === null ? text.notTheirs : `${text.notTheirs}; ${text.holds(because.holder)}`
    case 'other':
      return text.other
  }
}

function heldBefore(
  { did, by_name, ahead }: Extract<Because, { why: 'held' }>,
  { before, beforeSent }: Pick<typeof text, 'before' | 'beforeSent'>,
): string {
  const said = text.held[did]?.(by_name) ?? text.heldOtherwise(by_name)
  return ahead === null ? beforeSent(said) : before(said, ahead < 1000 ? text.moment : lengthText(ahead))
}

function holderOf(
  { by }: Extract<Because, { why: 'held' }>,
  holder: string | null,
  me: string,
  name: string | undefined,
): string {
  if (holder === null) return text.nobody
  if (holder === by) return text.they
  return holder === me ? text.you : text.holds(name ?? holder)
}

const unvouchedText = (code: string): string => text.unvouched[code] ?? text.unvouchedOtherwise(code)
const refusedText = (code: string): string => text.refused[code] ?? text.refusedOtherwise(code)
