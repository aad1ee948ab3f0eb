/** The ladder drawn: its rungs as steps on an axis of time, one below the other. */
import { use, type ReactNode } from 'react'
import type { Ways } from '../../../shared/escalation/index.ts'
import type { Channel, Ladder, OnCall } from '../../../shared/on-call.ts'
import { minutes as inMilliseconds } from '../../../shared/time.ts'
import { lengthText } from '../../controls/index.ts'
import { words } from '../../words/index.ts'
import type { Names } from './naming.ts'
import { isSetUp, WaysContext } from './ways.ts'

const text = words.onCall

/** “Right away”, “After 5 minutes”. */
const whenOf = (minutes: number): string => (minutes === 0 ? text.ladder.rightAway : text.ladder.after(minutes))

/** The same where there is little room; nothing while no number stands in its field. */
function axisText(minutes: number): string {
  if (Number.isNaN(minutes)) return ''
  return minutes === 0 ? text.ladder.rightAway : lengthText(inMilliseconds(minutes))
}

/** Steps from the alert on; `children` stands at each of them. */
export function Steps({
  ladder,
  label,
  children,
}: {
  ladder: Ladder
  label: string
  children: (index: number) => ReactNode
}) {
  return (
    <ol aria-label={label} className="flex flex-col">
      {ladder.rungs.map((rung, index) => (
        <li key={index} className="relative grid grid-cols-[5rem_1.25rem_minmax(0,1fr)] pb-4 last:pb-1">
          <span aria-hidden="true" className="pt-0.5 text-end font-semibold tabular-nums">
            {axisText(rung.after_minutes)}
          </span>
          <span aria-hidden="true" className="relative flex justify-center">
            {/* The axis goes on to the next step. */}
            {index < ladder.rungs.length - 1 && (
              <span className="absolute top-3 bottom-[-1.5rem] w-px bg-line-strong" />
            )}
            <span className="relative mt-1.5 size-2.5 rounded-full border-2 border-ink bg-surface" />
          </span>
          <div className="min-w-0 ps-1">{children(index)}</div>
        </li>
      ))}
    </ol>
  )
}

/** A way of a step, and whether the school’s station lacks it. */
const channelBy = (way: Channel, ways: Ways): string =>
  isSetUp(way, ways) ? text.channel[way] : text.ladder.notSetUp(text.channel[way])

/** A ladder to read. */
export function LadderShown({ tier, ladder, names }: { tier: keyof OnCall['ladders']; ladder: Ladder; names: Names }) {
  const ways = use(WaysContext)
  if (ladder.rungs.length === 0) return <p className="font-medium text-crisis">{text.ladder.none}</p>
  return (
    <>
      <Steps ladder={ladder} label={text.ladder.of(tier)}>
        {(index) => {
          const rung = ladder.rungs[index]
          if (!rung) return null
          const who = rung.to.length === 0 ? text.ladder.nobody : text.list(rung.to.map(names.target))
          const how =
            rung.channels.length === 0 ? text.ladder.noWay : text.list(rung.channels.map((way) => channelBy(way, ways)))
          return (
            <p className="pt-0.5">
              <span className="sr-only">{whenOf(rung.after_minutes)}: </span>
              {text.ladder.line(who, how)}
            </p>
          )
        }}
      </Steps>
      <p className="text-ink-soft">{text.ladder.repeat(ladder.repeat_minutes)}</p>
    </>
  )
}
