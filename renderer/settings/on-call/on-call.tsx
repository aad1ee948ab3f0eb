/** Settings → On call: the ladder and the rotas as they stand, and edited in their place. */
import { use } from 'react'
import { gapsInOnCall } from '../../../shared/escalation/index.ts'
import type { KeptPolicy, Policy } from '../../../shared/policy.ts'
import { minutes } from '../../../shared/time.ts'
import type { StripView } from '../../../shared/views.ts'
import { trpc } from '../../app/index.ts'
import { Button, ErrorNotice, Panel, calendarDayText, timeOfDayText, useLatest, useNow } from '../../controls/index.ts'
import { words } from '../../words/index.ts'
import { usePolicy } from '../use-policy.ts'
import { Checks } from './checks.tsx'
import { LadderShown } from './ladder.tsx'
import { namesIn, type Names } from './naming.ts'
import { NumbersLink } from './numbers-link.tsx'
import { OnCallEditor, type EditingOnCall } from './on-call-editor.tsx'
import { draftOf, unusedRotas } from './on-call-draft.ts'
import { WaysContext } from './ways.ts'
import { Week } from './week.tsx'
import { WouldHappen } from './would-happen.tsx'

const text = words.onCall

export function OnCall() {
  const begin = (base: KeptPolicy): EditingOnCall => ({ base, draft: draftOf(base.policy), theirs: null })
  const policy = usePolicy<EditingOnCall>('on call', begin, text.saved)
  const { view, newest, isSaved, manages, edit, editing, setEditing, onSaved, onEnd } = policy
  const strip = useLatest<StripView>((on) => trpc.strip.watch.subscribe(undefined, on), [])
  if (view === null || strip === null) return <p role="status">{words.common.loading}</p>
  if (editing)
    return (
      <WaysContext value={strip.channels}>
        {strip.ladder !== 'station' && <NotEscalated ladder={strip.ladder} />}
        <OnCallEditor {...{ editing, onSaved, onEnd }} onChange={setEditing} />
      </WaysContext>
    )
  return (
    <WaysContext value={strip.channels}>
      {strip.ladder !== 'station' && <NotEscalated ladder={strip.ladder} />}
      <Panel title={text.title}>
        <div className="flex flex-col items-start gap-2">
          <p className="text-ink-soft">{text.text}</p>
          <p role="status" className="empty:hidden">
            {isSaved ? [text.saved, ...unusedIn(newest)].join(' ') : ''}
          </p>
          {newest === null && <p className="font-semibold">{view.sealed ? words.directory.sealed : text.none}</p>}
          {view.station === 'none' && <p>{text.noStation}</p>}
          {newest && <Gaps policy={newest.policy} />}
          {edit.error && !edit.busy && <ErrorNotice error={edit.error} />}
          {manages && view.station !== 'none' && (
            <Button look="primary" busy={edit.busy} onClick={() => void edit.run(undefined)}>
              {text.edit}
            </Button>
          )}
          {!manages && view.station !== 'none' && <p className="text-ink-faint">{text.onlyAdmin}</p>}
        </div>
      </Panel>
      {newest && <Shown policy={newest.policy} />}
      <Checks reaches={view.station !== 'none'} />
    </WaysContext>
  )
}

/** A rota that no step tells is saved like any other; that it tells nobody is said then. */
const unusedIn = (kept: KeptPolicy | null): string[] =>
  kept === null ? [] : unusedRotas(kept.policy.on_call).map(({ name }) => text.rotas.savedUnused(name))

/** Nobody is told, or that is not known: said first, for it changes what everything below means. */
function NotEscalated({ ladder }: { ladder: 'off' | 'unknown' }) {
  return (
    <p role="note" className="rounded border border-line-strong bg-surface p-3 font-semibold">
      {text[ladder]}
    </p>
  )
}

/** Gaps that a policy has as it stands: of one that was saved when somebody was still there, say. */
function Gaps({ policy }: { policy: Policy }) {
  const now = useNow(minutes(1))
  const gaps = gapsInOnCall(policy, now, use(WaysContext))
  if (gaps.length === 0) return null
  return (
    <div className="font-semibold">
      <p>{text.gaps}</p>
      <ul className="list-disc ps-5">
        {gaps.map(({ path, gap }) => (
          <li key={`${path.join('.')} ${gap}`}>{gap}</li>
        ))}
      </ul>
    </div>
  )
}

/** A policy to read. */
function Shown({ policy }: { policy: Policy }) {
  const names = namesIn(policy)
  const { away } = policy.on_call
  const { hours } = policy.calendar
  return (
    <>
      <Ladders policy={policy} names={names} />
      <Panel title={text.week.title}>
        <Week policy={policy} names={names} />
      </Panel>
      <Panel title={text.would.title}>
        <WouldHappen policy={policy} names={names} />
      </Panel>
      <Panel title={text.away.title}>
        {away.length === 0 && <p>{text.away.none}</p>}
        <ul>
          {away.map(({ person, from, to }, index) => (
            <li key={index}>{text.away.line(names.person(person), wallText(from), wallText(to))}</li>
          ))}
        </ul>
      </Panel>
      <Panel title={text.hours.title}>
        {hours.length === 0 && <p>{text.hours.none}</p>}
        <ul>
          {hours.map(({ weekday, from, to }, index) => (
            <li key={index}>
              {text.hours.line(
                words.directory.calendar.weekdays[weekday - 1] ?? '',
                timeOfDayText(from),
                timeOfDayText(to),
              )}
            </li>
          ))}
        </ul>
      </Panel>
    </>
  )
}

/** “Nov 28, 2026, 2:00 AM”. */
function wallText(wall: string): string {
  const [day = '', clock = ''] = wall.split('T')
  return `${calendarDayText(day)}, ${timeOfDayText(clock)}`
}

function Ladders({ policy, names }: { policy: Policy; names: Names }) {
  const { ladders } = policy.on_call
  return (
    <Panel title={text.ladder.title}>
      <div className="flex flex-col gap-3">
        {(['crisis', 'high'] as const).map((tier) => (
          <section key={tier} aria-label={text.ladder.tiers[tier]}>
            <h3 className="mb-1 font-semibold">{text.ladder.tiers[tier]}</h3>
            <LadderShown tier={tier} ladder={ladders[tier]} names={names} />
          </section>
        ))}
        <p className="text-small text-ink-faint">{text.ladder.skipped}</p>
        <NumbersLink />
      </div>
    </Panel>
  )
}
