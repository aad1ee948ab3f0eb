/** The rotas as a week calendar: days across, rotas down, with names; now and the next gap marked. */
import { use, useState, type ReactNode } from 'react'
import { coverageNow } from '../../../shared/escalation/index.ts'
import type { Policy } from '../../../shared/policy.ts'
import { days, minutes } from '../../../shared/time.ts'
import { Button, calendarDayText, timeOfDayText, useNow } from '../../controls/index.ts'
import { words } from '../../words/index.ts'
import { assignedIn, type Names } from './naming.ts'
import { WaysContext } from './ways.ts'
import { firstUnfilled, rowsOf, wallField, weekOf, type Day, type Stretch } from './week-days.ts'

const text = words.onCall.week

/** `policy`: as it is being edited, too; its form is right. `unfinished`: names of rotas in the draft that have nobody yet. */
export function Week({
  policy,
  names,
  unfinished = [],
  children,
}: {
  policy: Policy
  names: Names
  unfinished?: readonly string[]
  children?: ReactNode
}) {
  const now = useNow(minutes(1))
  const [shift, setShift] = useState(0)
  const zone = policy.calendar.time_zone
  const week = weekOf(now, zone, shift)
  const rows = rowsOf(policy, week, now)
  const unfilled = firstUnfilled(policy, now, now + looksAhead)
  const { next_gap: gap } = coverageNow(policy, now, {
    version: 0,
    assigned: assignedIn(policy),
    ways: use(WaysContext),
  })
  const [first, last] = [week[0], week.at(-1)]
  const label = text.label(calendarDayText(first?.date ?? ''), calendarDayText(last?.date ?? ''))
  return (
    <div className="flex flex-col gap-2">
      {unfinished.length > 0 && (
        <p className="flex items-center gap-1.5 font-semibold">
          <GapShape />
          {text.unfinished(unfinished.length, words.onCall.list(unfinished.map((name) => `“${name}”`)))}
        </p>
      )}
      {(unfinished.length === 0 || gap !== undefined || unfilled !== null) && (
        <NextGap {...{ gap, unfilled, now, zone }} />
      )}
      {rows.length === 0 ? (
        unfinished.length === 0 && <p>{text.none}</p>
      ) : (
        <>
          <div className="flex flex-wrap items-center gap-2">
            <Button onClick={() => setShift(shift - 1)}>{text.previous}</Button>
            <Button onClick={() => setShift(shift + 1)}>{text.next}</Button>
            {shift !== 0 && <Button onClick={() => setShift(0)}>{text.now}</Button>}
            <p role="status" className="text-ink-soft">
              {label}
            </p>
          </div>
          <div tabIndex={0} role="region" aria-label={label} className="ring-inside overflow-x-auto">
            <table className="w-full min-w-[44rem] table-fixed border-collapse">
              <thead>
                <tr>
                  <th scope="col" className="w-24 border-b p-1 text-start align-bottom font-medium text-ink-soft">
                    {text.rota}
                  </th>
                  {week.map((day, index) => (
                    <DayHeading key={day.date} {...{ day, index, now, gap, zone }} />
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map(({ rota, days }) => (
                  <tr key={rota.id}>
                    <th scope="row" className="border-b p-1 text-start align-top font-semibold wrap-anywhere">
                      {rota.name}
                      <span className="block text-small font-normal text-ink-faint">
                        {words.onCall.rotas.hoursOf[rota.hours]}
                      </span>
                    </th>
                    {days.map((stretches, index) => (
                      <td key={index} className="border-b border-s p-1 align-top">
                        {stretches.length === 0 && <span className="text-small text-ink-faint">{text.resting}</span>}
                        {stretches.map((stretch) => (
                          <StretchShown
                            key={stretch.from}
                            {...{ stretch, names }}
                            isNow={stretch.from <= now && now < stretch.to}
                          />
                        ))}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
      {children}
    </div>
  )
}

/** As far ahead as a gap is looked for. */
const looksAhead = days(14)

/** The next gap of the ladder; where it has none, that a rota has one which other people of its step make up for. */
function NextGap(props: {
  gap: number | undefined
  unfilled: ReturnType<typeof firstUnfilled>
  now: number
  zone: string
}) {
  const { gap, unfilled, now, zone } = props
  const when = (at: number): [string, string] => {
    const [day = '', time = ''] = wallField(at, zone).split('T')
    return [weekdayText(day), timeOfDayText(time)]
  }
  if (gap === undefined && unfilled === null) return <p>{text.noGap}</p>
  return (
    <p className="flex items-center gap-1.5 font-semibold">
      <GapShape />
      {gap !== undefined
        ? gap <= now
          ? text.gapNow
          : text.nextGap(...when(gap))
        : unfilled && text.unfilled(unfilled.rota.name, unfilled.at <= now ? null : when(unfilled.at).join(', '))}
    </p>
  )
}

/** A hollow diamond with a bar: nobody. */
function GapShape() {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 14 14"
      className="size-3.5 flex-none"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
    >
      <path d="M7 1 13 7 7 13 1 7Z M4 7h6" />
    </svg>
  )
}

/** “Sat, Nov 28, 2026”. */
const weekdayText = (date: string): string =>
  `${words.directory.calendar.shortWeekdays[(new Date(date).getUTCDay() + 6) % 7] ?? ''}, ${calendarDayText(date)}`

function DayHeading(props: { day: Day; index: number; now: number; gap: number | undefined; zone: string }) {
  const { day, now, gap } = props
  const isToday = day.from <= now && now < day.to
  const hasGap = gap !== undefined && day.from <= gap && gap < day.to
  return (
    <th
      scope="col"
      aria-current={isToday ? 'date' : undefined}
      className={`border-b border-s p-1 text-start align-bottom font-medium ${isToday ? 'bg-selected' : ''}`}
    >
      {words.directory.calendar.shortWeekdays[props.index]}{' '}
      <span className="text-ink-soft">{Number(day.date.slice(8))}</span>
      {isToday && <span className="block text-small font-normal">{text.today}</span>}
      {hasGap && (
        <span className="flex items-center gap-1 text-small">
          <GapShape />
          {text.gap(timeOfDayText(wallField(gap, props.zone).slice(11)))}
        </span>
      )}
    </th>
  )
}

function StretchShown({ stretch, names, isNow }: { stretch: Stretch; names: Names; isNow: boolean }) {
  const { person, absent, begins, ends, override, early } = stretch
  const time =
    begins === null
      ? ends === null
        ? null
        : text.until(timeOfDayText(ends))
      : ends === null
        ? text.since(timeOfDayText(begins))
        : text.between(timeOfDayText(begins), timeOfDayText(ends))
  return (
    <div
      className={`mb-1 rounded border px-1.5 py-0.5 last:mb-0 wrap-anywhere ${person === null ? 'border-dashed border-line-strong' : 'bg-ground'} ${isNow ? 'border-2 border-ink' : ''}`}
    >
      {person === null ? (
        <span className="flex items-center gap-1 font-semibold">
          <GapShape />
          {text.nobody}
        </span>
      ) : (
        <span className="font-medium">{names.person(person)}</span>
      )}
      <span className="block text-small text-ink-soft">
        {[
          ...(isNow ? [text.onNow] : []),
          ...(time === null ? [] : [time]),
          ...(override ? [text.standsIn] : []),
          ...(early ? [text.early] : []),
          ...(absent === null
            ? []
            : [names.isListed(absent) ? text.absent(names.person(absent)) : names.person(absent)]),
        ].join(' · ')}
      </span>
    </div>
  )
}
