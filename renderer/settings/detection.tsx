/** How the engine reads a sentence. Nothing typed here is stored. */
import { useEffect, useState } from 'react'
import { markerNames } from '../../shared/estimates.ts'
import type { Assessment } from '../../shared/assessment.ts'
import { opensAlert } from '../../shared/risk.ts'
import { decidedText } from '../../shared/risk-words.ts'
import { SignalBars } from '../alerts/index.ts'
import type { PersonalError } from '../../shared/errors.ts'
import type { AdapterInUse, ClinicalInUse, DetectionState, EmbedderInUse } from '../../shared/views.ts'
import { trpc, useMay } from '../app/index.ts'
import {
  Button,
  DataTable,
  ErrorNotice,
  Field,
  Panel,
  TierBadge,
  useAction,
  useQuery,
  whenText,
} from '../controls/index.ts'
import { words } from '../words/index.ts'
import { OperatingPoints } from './operating-points.tsx'

const text = words.settings.detection

export function Detection() {
  const [sentence, setSentence] = useState('')
  const explain = useAction(async (what: string) => ({
    what,
    assessment: (await trpc.detection.explain.query({ text: what })) satisfies Assessment,
  }))
  return (
    <>
      <Panel title={text.title}>
        <p className="mb-2 text-ink-soft">{text.text}</p>
        <form
          className="flex flex-col items-start gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            if (sentence.trim()) void explain.run(sentence)
          }}
        >
          <div className="w-full">
            <Field label={text.sentence}>
              {(bind) => (
                <textarea
                  {...bind}
                  className="field"
                  rows={2}
                  maxLength={4000}
                  value={sentence}
                  onChange={(event) => {
                    setSentence(event.target.value)
                    if (!event.target.value.trim()) explain.reset()
                  }}
                />
              )}
            </Field>
          </div>
          <Button type="submit" look="primary" busy={explain.busy} disabled={!sentence.trim()}>
            {text.explain}
          </Button>
        </form>
        {explain.error && <ErrorNotice error={explain.error} />}
      </Panel>
      <div role="status">{sentence.trim() && explain.result && <Reading {...explain.result} />}</div>
      <OperatingPoints />
      <InForce asked={explain.result} />
    </>
  )
}

function Reading({ what, assessment }: { what: string; assessment: Assessment }) {
  // What decided stands beside the score already.
  const said = assessment.reasons.flatMap(({ signal, text }) => (signal === 'decision' ? [] : [{ signal, text }]))
  return (
    <Panel title={text.result} aside={<TierBadge tier={assessment.tier} strong />}>
      <div className="flex flex-col gap-3">
        <p className="text-ink-soft">
          <q>{what}</q>
        </p>
        <p>
          <span className="font-semibold">{decidedText(assessment.decided_by, assessment.decided_on)}</span>
          {assessment.about_other && <span className="font-semibold"> · {words.alerts.row.aboutOther}</span>}
        </p>
        {assessment.degraded.length > 0 && (
          <p className="text-ink-soft">
            {words.alerts.why.degraded(assessment.degraded.map((name) => words.signal[name].toLowerCase()).join('; '))}
          </p>
        )}
        <DataTable
          label={text.matches}
          rows={assessment.matches}
          rowKey={(match) => `${match.start} ${match.end} ${match.category} ${match.signal}`}
          empty={<p className="text-ink-soft">{text.noMatches}</p>}
          columns={[
            { header: text.phrase, cell: (match) => <q>{what.slice(match.start, match.end)}</q> },
            {
              header: text.category,
              cell: (match) => (match.category === 'other' ? text.other : words.category[match.category]),
            },
            { header: text.meaningLabel, cell: (match) => text.meaning[match.meaning] },
            {
              header: text.signal,
              cell: (match) => text.foundBy[match.signal],
            },
            { header: text.confidence, cell: (match) => match.confidence.toFixed(2), align: 'end' },
          ]}
        />
        {assessment.markers.length > 0 && (
          <DataTable
            label={text.markers}
            rows={assessment.markers}
            rowKey={(marker) => `${marker.marker_type} ${marker.start}`}
            columns={[
              { header: text.markers, cell: (marker) => markerNames[marker.marker_type] },
              { header: text.phrase, cell: (marker) => <q>{what.slice(marker.start, marker.end)}</q> },
              { header: text.confidence, cell: (marker) => marker.confidence.toFixed(2), align: 'end' },
            ]}
          />
        )}
        <details>
          <summary className="cursor-pointer text-ink-soft">
            {words.alerts.why.more(assessment.score.toFixed(2))}
          </summary>
          <div className="mt-2 flex flex-col gap-3">
            <SignalBars signals={assessment.signals} />
            <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5">
              {said.map((reason, index) => (
                <div key={index} className="contents">
                  <dt className="text-ink-faint">
                    {reason.signal === 'adapter' ? text.adapter : words.signal[reason.signal]}
                  </dt>
                  <dd>{reason.text}</dd>
                </div>
              ))}
              {/* Beside words that raise an alert a mild figure would calm whoever reads it. */}
              {!opensAlert(assessment.tier) && (
                <>
                  <dt className="text-ink-faint">{text.sentiment}</dt>
                  <dd>{assessment.sentiment.toFixed(2)}</dd>
                </>
              )}
            </dl>
            {assessment.operating_point && (
              <p className="text-small text-ink-faint">
                {words.alerts.why.readBy(words.operatingPoint[assessment.operating_point])}
              </p>
            )}
          </div>
        </details>
        {assessment.notes.map((note) => (
          <p key={note} className="text-ink-soft">
            {note}
          </p>
        ))}
      </div>
    </Panel>
  )
}

/** What reads the messages: the services, and the files in force. `asked`: the last reading, after which they are looked at again. */
function InForce({ asked }: { asked: unknown }) {
  const state = useQuery<DetectionState>(['detection', 'state'], () => trpc.detection.state.query())
  const { refetch } = state
  useEffect(() => {
    if (asked) refetch()
  }, [asked, refetch])
  if (!state.data) return null
  return (
    <>
      <Services state={state.data} />
      <Versions state={state.data} refetch={refetch} />
    </>
  )
}

/** Where students' words go, and how whoever gets them fares. */
function Services({ state: { clinical, embedder, adapters, reply } }: { state: DetectionState }) {
  return (
    <Panel title={text.services.title}>
      <dl className="grid gap-x-4 gap-y-1 narrow:grid-cols-[12rem_1fr]">
        <dt className="text-ink-faint">{text.services.clinical}</dt>
        <dd className="min-w-0 break-words">
          <Clinical {...clinical} />
        </dd>
        <dt className="text-ink-faint">{text.services.semantic}</dt>
        <dd className="min-w-0 break-words">
          {embedder ? <EmbedderState {...embedder} /> : <p>{text.services.builtIn}</p>}
        </dd>
        {adapters.length > 0 && (
          <>
            <dt className="text-ink-faint">{text.services.adapters}</dt>
            <dd className="min-w-0 break-words">
              {adapters.map((adapter) => (
                <AdapterState key={adapter.name} {...adapter} />
              ))}
            </dd>
          </>
        )}
        {reply && (
          <>
            <dt className="text-ink-faint">{text.services.reply}</dt>
            <dd className="min-w-0 break-words">
              <p>{text.services.replyFrom(reply.where)}</p>
              {reply.resting && <Failure bold>{text.services.replyRests}</Failure>}
            </dd>
          </>
        )}
      </dl>
    </Panel>
  )
}

function AdapterState({ name, problem, resting }: AdapterInUse) {
  return (
    <>
      <p>{name}</p>
      {problem && <Failure bold={resting}>{text.services.adapterProblem[problem]}</Failure>}
    </>
  )
}

function Clinical({ kind, where, failed, answered_at, resting }: ClinicalInUse) {
  if (kind === 'local') return <p>{text.services.local}</p>
  const why = failed && text.services.why[failed.why](failed.status)
  return (
    <>
      <p>{text.services[kind](where)}</p>
      <p className="text-ink-soft">{text.services.raises}</p>
      {!failed && answered_at === null && <p className="text-ink-soft">{text.services.silent}</p>}
      {answered_at !== null && <p className="text-ink-soft">{text.services.answered(whenText(answered_at))}</p>}
      {failed && why && <Failure bold={resting}>{text.services.failed(whenText(failed.at), why)}</Failure>}
      {resting && <Failure bold>{text.services.resting}</Failure>}
    </>
  )
}

function EmbedderState({ name, dimension, ready, problem, failed, resting }: EmbedderInUse) {
  return (
    <>
      <p>{text.services.embedder(name, dimension)}</p>
      {problem && <Failure bold>{text.services.notLoaded(text.services.loadProblem[problem])}</Failure>}
      {!problem && !ready && <p className="text-ink-soft">{text.services.preparing}</p>}
      {failed && <Failure bold={resting}>{text.services.embedderFailed(whenText(failed.at), failed.late)}</Failure>}
      {resting && <Failure bold>{text.services.embedderRests}</Failure>}
    </>
  )
}

function Failure({ bold, children }: { bold: boolean; children: string }) {
  return <p className={bold ? 'font-semibold' : 'text-ink-soft'}>{children}</p>
}

/** The files in force. A broken one changes nothing, and says where it is broken. */
function Versions({ state, refetch }: { state: DetectionState; refetch: () => void }) {
  const mayReload = useMay('detection.manage')
  const reload = useAction(() => trpc.detection.reload.mutate(), refetch)
  const reloadButton = (
    <Button busy={reload.busy} onClick={() => void reload.run(undefined)}>
      {text.reload}
    </Button>
  )
  return (
    <Panel title={text.versions} aside={mayReload && reloadButton}>
      {(reload.error ?? state.problem) && <ErrorNotice error={(reload.error ?? state.problem) as PersonalError} />}
      <DataTable
        label={text.versions}
        rows={state.versions}
        rowKey={(row) => row.file}
        columns={[
          { header: text.file, cell: (row) => row.file },
          { header: text.version, cell: (row) => row.version },
        ]}
      />
    </Panel>
  )
}
