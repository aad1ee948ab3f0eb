/** The revealed words in order, what came before and since, and first of all what they say of place and company. */
import { useState, type ReactNode } from 'react'
import type { PersonalError } from '../../shared/errors.ts'
import type { RevealedEvidence, SaidAround as Around, SaidMessage } from '../../shared/views.ts'
import { trpc } from '../app/index.ts'
import { Clock, clockText, ErrorNotice, useSubscription } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { saidLines, saidOf, wordless, type SaidLine } from './said-timeline.ts'

const text = words.alerts.evidence

interface SaidAroundProps {
  alertKey: string
  pieces: readonly RevealedEvidence[]
  /** How a revealed piece is drawn. */
  draw: (piece: RevealedEvidence) => ReactNode
}

export function SaidAround({ alertKey, pieces, draw }: SaidAroundProps) {
  const [around, setAround] = useState<Around | null>(null)
  const problem: PersonalError | null = useSubscription<Around>(
    (on) => trpc.alertSession.said.subscribe({ key: alertKey }, on),
    setAround,
    [alertKey],
  )
  const lines = saidLines(pieces, around)
  const silent = around ? wordless(around) : []
  return (
    <div className="flex flex-col gap-3">
      <Whereabouts lines={lines} />
      <ol aria-label={text.said} className="flex flex-col gap-3">
        {lines.map((line) => (
          <li key={'piece' in line ? line.piece.trigger_id : line.message.message_id}>
            <p className="text-small text-ink-faint">
              <Clock at={line.at} seconds /> · {text.when[line.when]}
            </p>
            {'piece' in line ? draw(line.piece) : <Message message={line.message} />}
          </li>
        ))}
      </ol>
      {problem && <ErrorNotice inset error={problem} />}
      {silent.length > 0 && (
        <p className="text-ink-soft">{text.wordless(silent.length, clockText(silent.at(-1) ?? 0))}</p>
      )}
      {around && silent.length === 0 && !lines.some(({ when }) => when === 'since') && (
        <p className="text-ink-soft">{text.nothingSince}</p>
      )}
      {around?.more && <p className="text-ink-soft">{text.more}</p>}
    </div>
  )
}

function Whereabouts({ lines }: { lines: readonly SaidLine[] }) {
  const found = (['place', 'company'] as const).map((kind) => ({ kind, said: saidOf(lines, kind) }))
  return (
    <div role="status" className="rounded border p-2">
      {found.every(({ said }) => said.length === 0) && <p className="text-ink-soft">{text.noWhereabouts}</p>}
      {found.map(
        ({ kind, said }) =>
          said.length > 0 && (
            <p key={kind} className="break-words">
              <span className="text-ink-soft">{text.saidOf[kind]}: </span>
              {said.map(({ at, quote }, index) => (
                <span key={`${at} ${quote}`}>
                  {index > 0 && ' · '}
                  <q className="font-semibold">{quote}</q> <Clock at={at} />
                </span>
              ))}
            </p>
          ),
      )}
    </div>
  )
}

function Message({ message }: { message: SaidMessage }) {
  if (message.text === null)
    return <p className="text-ink-soft">{message.unopened ? words.common.unopened[message.unopened] : text.gone}</p>
  return (
    <blockquote className="border-s-2 border-line-strong ps-3 text-medium break-words whitespace-pre-wrap">
      {message.text}
    </blockquote>
  )
}
