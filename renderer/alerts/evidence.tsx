/** The student’s words: hidden until asked for with a reason, then shown with what came around them, and hidden again on leaving. */
import { useEffect, useRef, useState } from 'react'
import { isPatternCategory } from '../../shared/risk.ts'
import type { FlaggedSpan } from '../../shared/events.ts'
import type { AlertDetail, RevealedEvidence } from '../../shared/views.ts'
import { ActionForm, trpc, useMe } from '../app/index.ts'
import { Button, Field, forget, Panel, useAction, useDraft } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { caseDraftOf } from './case/index.ts'
import { SaidAround } from './said-around.tsx'
import { useAlertKeys } from './use-standing.ts'

const text = words.alerts.evidence

export function Evidence({ alert }: { alert: AlertDetail }) {
  const { person } = useMe()
  const [asking, setAsking] = useState(false)
  const [shown, setShown] = useState<RevealedEvidence[] | null>(null)
  const has = alert.triggers.some(({ has_evidence }) => has_evidence)
  const can = alert.may_reveal && has
  const said = useRef<HTMLDivElement>(null)
  const toggle = () => {
    if (!shown) return setAsking(true)
    // What has the focus goes: it stays with the alert.
    if (said.current?.contains(document.activeElement))
      document.getElementById('alert-heading')?.focus({ preventScroll: true })
    setShown(null)
  }
  const isShown = shown !== null
  useEffect(() => {
    if (!isShown) return
    // After the dialog has given the focus back: the words are what was asked for, and scroll by keyboard from there.
    const frame = requestAnimationFrame(() => {
      said.current?.scrollIntoView({ block: 'start' })
      said.current?.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [isShown])
  useAlertKeys({ reveal: can ? toggle : undefined })
  return (
    <Panel
      title={text.title}
      aside={
        can && (
          <Button onClick={toggle} shortcut="reveal" aria-expanded={shown !== null} inert={asking} aria-hidden={asking}>
            {shown ? text.hide : text.reveal}
          </Button>
        )
      }
    >
      {!alert.may_reveal ? (
        <p className="text-ink-soft">{text.notFor[person.role]}</p>
      ) : !has ? (
        <p className="text-ink-soft">{text.none}</p>
      ) : shown ? (
        <div ref={said} tabIndex={-1} className="scroll-mt-14">
          <SaidAround alertKey={alert.key} pieces={shown} draw={(piece) => <Piece piece={piece} />} />
        </div>
      ) : (
        <p className="text-ink-soft">{text.hidden}</p>
      )}
      {asking && (
        <ReasonDialog
          alert={alert}
          onClose={() => setAsking(false)}
          onShown={(evidence) => {
            setShown(evidence)
            setAsking(false)
          }}
        />
      )}
    </Panel>
  )
}

function ReasonDialog(props: {
  alert: AlertDetail
  onClose: () => void
  onShown: (evidence: RevealedEvidence[]) => void
}) {
  const { person } = useMe()
  const [draft] = useState(() => caseDraftOf(props.alert, 'reveal'))
  const [reason, setReason] = useDraft<string>(`${draft} reason`, text.reasonFor[person.role])
  const reveal = useAction(
    (why: string) => trpc.alerts.reveal.mutate({ key: props.alert.key, reason: why }),
    (evidence) => {
      forget(`${draft} `)
      props.onShown(evidence)
    },
  )
  return (
    <ActionForm
      student={props.alert.student}
      draft={draft}
      title={text.reveal}
      action={text.reveal}
      busy={reveal.busy}
      disabled={!reason.trim()}
      error={reveal.error}
      onClose={props.onClose}
      onSubmit={() => {
        if (reason.trim()) void reveal.run(reason.trim())
      }}
    >
      <Field label={text.reason} hint={text.reasonHint}>
        {(bind) => (
          <input
            {...bind}
            data-first
            className="field"
            required
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        )}
      </Field>
    </ActionForm>
  )
}

function Piece({ piece }: { piece: RevealedEvidence }) {
  return (
    <>
      {piece.text === null ? (
        <p className="text-ink-soft">{piece.unopened ? words.common.unopened[piece.unopened] : text.gone}</p>
      ) : (
        <blockquote className="border-s-2 border-line-strong ps-3 text-medium break-words whitespace-pre-wrap">
          <Flagged text={piece.text} spans={piece.spans} />
        </blockquote>
      )}
      {piece.spans.length > 0 && (
        <p className="mt-1 text-ink-soft">{[...new Set(piece.spans.map((span) => spanName(span)))].join(' · ')}</p>
      )}
      {piece.patterns.length > 0 && (
        <p className="mt-1 text-ink-soft">
          <span className="text-ink-faint">{text.patterns}: </span>
          {piece.patterns.join(', ')}
        </p>
      )}
      {piece.reasoning && (
        <p className="mt-1 break-words whitespace-pre-wrap text-ink-soft">
          <span className="text-ink-faint">{text.reasoning}: </span>
          {piece.reasoning}
        </p>
      )}
    </>
  )
}

function spanName(span: FlaggedSpan): string {
  const category = isPatternCategory(span.category) ? words.category[span.category] : span.category
  return counts(span) ? category : `${category} (${span.meaning})`
}

function counts(span: FlaggedSpan): boolean {
  return span.meaning === undefined || span.meaning === 'affirmed'
}

/** Text with its flagged phrases marked; overlapping spans are drawn once, the earlier first. */
function Flagged({ text: whole, spans }: { text: string; spans: FlaggedSpan[] }) {
  const pieces = []
  let at = 0
  for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const start = Math.max(at, span.start)
    const end = Math.min(whole.length, span.end)
    if (start >= end) continue
    pieces.push(whole.slice(at, start))
    pieces.push(
      <mark key={start} className="flagged" data-counts={counts(span)} title={spanName(span)}>
        {whole.slice(start, end)}
      </mark>,
    )
    at = end
  }
  pieces.push(whole.slice(at))
  return <>{pieces}</>
}
