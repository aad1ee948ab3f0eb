/** Who would be told if a crisis arrived now, as long as the window is wide enough for it, else behind a button. */
import type { CoverageView, StripView } from '../../shared/views.ts'
import { soonText } from '../controls/index.ts'
import { words } from '../words/index.ts'

type Told = CoverageView['rungs'][number]['told'][number]

/** What the strip says of whom an alert would reach: `full` and `short` say the same. `onlyHere`: at first, or at all, nobody is told but at a console. */
export function coverageText(
  { coverage, ladder }: Pick<StripView, 'coverage' | 'ladder'>,
  now: number,
): { full: string; short: string; isGap: boolean; onlyHere: boolean } {
  const only = (text: string, isGap = false) => ({ full: text, short: text, isGap, onlyHere: false })
  if (ladder === 'unknown') return only(words.strip.ladder.unknown)
  if (typeof coverage === 'string') return only(words.strip.coverage[coverage])
  if (coverage === null) return only(words.strip.ladder[ladder])
  if (coverage.rungs.length === 0) return only(words.strip.coverage.nobody, true)
  const steps = coverage.rungs.map(({ after_s, told }) => ({
    who: words.strip.coverage.and(told.map(nameOf)),
    after: Math.round(after_s / 60),
  }))
  const isGap = coverage.next_gap !== null && coverage.next_gap <= now
  const gap =
    coverage.next_gap === null
      ? ''
      : isGap
        ? words.strip.coverage.gapNow
        : words.strip.coverage.gap(soonText(coverage.next_gap, now))
  // Whoever sits at no console at night hears of none of these steps.
  const away = coverage.rungs.findIndex(({ only_at_console }) => !only_at_console)
  const onlyHere = away !== 0
  const reach = onlyHere ? words.strip.coverage.onlyAtConsole(steps[away]?.after ?? null) : ''
  const end = [reach, gap].filter((text) => text !== '').join(' · ')
  return {
    full: words.strip.coverage.full(steps, end),
    short: words.strip.coverage.short(steps, end),
    isGap,
    onlyHere,
  }
}

function nameOf(told: Told): string {
  switch (told.kind) {
    case 'person':
      return told.name
    case 'assigned':
      return words.strip.coverage.assigned
    case 'role':
      return words.strip.coverage.role[told.role]
    case 'people':
      return words.strip.coverage.people(told.count)
  }
}

/** `open`: a narrow window shows it in a line of its own, below. */
export function Coverage({
  view,
  now,
  open,
  onToggle,
}: {
  view: StripView
  now: number
  open: boolean
  onToggle: () => void
}) {
  const { full, short, isGap, onlyHere } = coverageText(view, now)
  const look = isGap ? 'font-semibold text-ink' : onlyHere ? 'font-semibold text-caution' : ''
  return (
    <>
      <span className={`hidden wide:inline ${look}`}>{full}</span>
      <span className={`hidden narrow:inline wide:hidden ${look}`}>{short}</span>
      <button
        type="button"
        aria-expanded={open}
        className={`min-h-6 rounded text-link underline underline-offset-2 narrow:hidden ${look}`}
        onClick={onToggle}
      >
        {words.strip.coverage.show}
      </button>
    </>
  )
}
