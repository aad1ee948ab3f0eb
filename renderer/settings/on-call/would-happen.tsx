/** “What would happen at…”: the ladder run for any time, from the very policy that is on the page. */
import { use, useState } from 'react'
import { ladderRun, type Assigned, type ComingRung } from '../../../shared/escalation/index.ts'
import type { OnCall } from '../../../shared/on-call.ts'
import type { Policy } from '../../../shared/policy.ts'
import { minutes } from '../../../shared/time.ts'
import { calendarDayText, timeOfDayText, useNow } from '../../controls/index.ts'
import { words } from '../../words/index.ts'
import { ChoiceField, WallField } from './fields.tsx'
import { counselorsIn, type Names } from './naming.ts'
import { WaysContext } from './ways.ts'
import { instantIn, wallField } from './week-days.ts'

const text = words.onCall.would
const [anyone, noOne] = ['any', 'none']

export function WouldHappen({ policy, names }: { policy: Policy; names: Names }) {
  const now = useNow(minutes(1))
  const zone = policy.calendar.time_zone
  /** Null = now, as it goes on. */
  const [when, setWhen] = useState<string | null>(null)
  const [tier, setTier] = useState<keyof OnCall['ladders']>('crisis')
  const [chosen, setCounselor] = useState(anyone)
  const counselors = counselorsIn(policy)
  // Where nobody can be a student’s counselor, none is promised.
  const counselor = counselors.length === 0 ? noOne : chosen
  const at = instantIn(when ?? wallField(now, zone), zone)
  return (
    <div className="flex flex-col gap-3">
      <p className="text-ink-soft">{text.text}</p>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(12rem,1fr))] items-start gap-2">
        <WallField
          label={text.when}
          value={when ?? wallField(now, zone)}
          problem={at === null ? text.missing : null}
          onChange={setWhen}
        />
        <ChoiceField
          label={text.tier}
          value={tier}
          choices={(['crisis', 'high'] as const).map((value) => ({ value, label: words.onCall.ladder.tiers[value] }))}
          problem={null}
          onChange={setTier}
        />
        <ChoiceField
          label={text.counselor}
          value={counselor}
          choices={[
            ...(counselors.length > 0 ? [{ value: anyone, label: text.anyCounselor }] : []),
            ...counselors.map(({ id, name }) => ({ value: `person ${id}`, label: name })),
            { value: noOne, label: text.noCounselor },
          ]}
          problem={null}
          onChange={setCounselor}
        />
      </div>
      {at !== null && <Run {...{ policy, names, at, tier }} assigned={assignedBy(counselor)} />}
    </div>
  )
}

function assignedBy(counselor: string): Assigned {
  if (counselor === anyone) return 'various'
  return counselor === noOne ? null : counselor.slice('person '.length)
}

function Run(props: { policy: Policy; names: Names; at: number; tier: keyof OnCall['ladders']; assigned: Assigned }) {
  const { policy, at, tier, assigned } = props
  const run = ladderRun(policy, at, { tier, assigned, ways: use(WaysContext) })
  const tellsLast = run.some(({ passed }) => !passed)
  return (
    <section aria-label={text.result} aria-live="polite" className="rounded border bg-ground p-2">
      {!tellsLast && <p className="font-semibold text-crisis">{text.nobodyAtAll}</p>}
      <ol className="flex flex-col gap-1">
        {run.map((rung) => (
          <li key={rung.index}>
            <RungRun {...props} rung={rung} />
          </li>
        ))}
      </ol>
      {tellsLast && <p className="mt-1 text-ink-soft">{text.again(policy.on_call.ladders[tier].repeat_minutes)}</p>}
    </section>
  )
}

function RungRun({ policy, names, at, rung }: { policy: Policy; names: Names; at: number; rung: ComingRung }) {
  const { people, missing, comes, passed, index } = rung
  const [day = '', clock = ''] = wallField(at + comes, policy.calendar.time_zone).split('T')
  const sameDay = wallField(at, policy.calendar.time_zone).startsWith(day)
  const time = sameDay ? timeOfDayText(clock) : `${calendarDayText(day)}, ${timeOfDayText(clock)}`
  const told = people.map(({ id, channels }) =>
    text.told(names.person(id), words.onCall.list(channels.map((way) => words.onCall.channel[way]))),
  )
  const untold = missing.map(({ target, person, why }) =>
    text.because(person === null ? names.target(target) : names.person(person), text.why[why]),
  )
  return (
    <>
      {passed ? (
        <p>{text.passed(index + 1)}</p>
      ) : (
        <p>
          <span className="font-semibold">{text.at(time, Math.round(comes / minutes(1)))}:</span> {told.join('; ')}
        </p>
      )}
      {untold.length > 0 && <p className="ps-4 text-small text-ink-soft">{untold.join('; ')}</p>}
    </>
  )
}
