import { createContext, use, useEffect, useMemo, useRef, type RefObject } from 'react'
import type { AlertDetail } from '../../shared/views.ts'
import { tell } from '../app/index.ts'
import { useKeys, watchDialogs, type KeyName } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { createNotice, createStanding, type Refusal, type Standing } from './standing.ts'

const text = words.attention

interface Standings extends Standing {
  /** The person just acted on it: what changes next is their own doing, and takes clicks at once. */
  acted(): void
}

const never: Standings = {
  shows: () => undefined,
  covered: () => undefined,
  cameBack: () => undefined,
  refusesKey: () => 'not chosen',
  refusesClick: () => false,
  acted: () => undefined,
}

/** How the alert on screen stands before the person. */
export const StandingContext = createContext<Standings>(never)

/** What follows an action of one’s own within this time is its answer (milliseconds). */
const answerWithin = 5000

/** Follows what `region` shows. `alert` undefined = no alert is there. */
export function useStanding(
  alert: AlertDetail | undefined,
  { selected, chosen, region }: { selected: string | null; chosen: boolean; region: RefObject<HTMLElement | null> },
): Standings {
  const own = useRef({ actedAt: -Infinity, selected: null as string | null })
  const standing = useMemo((): Standings => {
    const made = createStanding(() => performance.now())
    return {
      ...made,
      acted() {
        own.current.actedAt = performance.now()
        refusals.takeBack()
      },
    }
  }, [])
  // A row that was chosen counts from when its alert is there to be read.
  const what = alert && selected !== null ? `${selected} ${alert.triggers.map(({ id }) => id).join(' ')}` : null
  const buttons = alert ? `${what} ${alert.state} ${alert.owner?.id} ${alert.hand_off?.to}` : null
  const before = useRef(buttons)
  useEffect(() => {
    const foreign =
      buttons !== before.current &&
      before.current !== null &&
      !(chosen && own.current.selected !== selected) &&
      performance.now() - own.current.actedAt > answerWithin
    before.current = buttons
    own.current.selected = selected
    const underPointer = foreign && region.current?.querySelector('[data-actions]:hover') != null
    standing.shows(what, { chosen, underPointer })
  }, [standing, what, buttons, chosen, selected, region])
  useEffect(() => {
    if (chosen) refusals.takeBack()
  }, [selected, chosen])
  useEffect(() => () => refusals.takeBack(), [])
  useEffect(() => {
    // The hints on the buttons show whether the keys act; drawing the alert anew for that would be too much.
    const mark = () => {
      if (region.current) region.current.dataset['keys'] = standing.refusesKey() === null ? 'act' : 'rest'
    }
    mark()
    const timer = setInterval(mark, 100)
    return () => clearInterval(timer)
  }, [standing, region])
  useEffect(() => {
    const back = () => {
      if (document.visibilityState === 'visible') standing.cameBack()
    }
    window.addEventListener('focus', back)
    document.addEventListener('visibilitychange', back)
    const stop = watchDialogs((open, vanished) => standing.covered(open, vanished))
    return () => {
      window.removeEventListener('focus', back)
      document.removeEventListener('visibilitychange', back)
      stop()
    }
  }, [standing])
  return standing
}

const refusals = createNotice(tell)

/** Says why a key did nothing, until something is done. */
export function sayRefusal(refusal: Refusal): void {
  refusals.say(refusal === 'not chosen' ? text.chooseFirst : text.justChanged)
}

/**
 * Single keys that act on the alert on screen; absent = cannot be done just now. A key that is refused says
 * why; one that is held down acts once.
 */
export function useAlertKeys(actions: Partial<Record<KeyName, (() => void) | undefined>>): void {
  const standing = use(StandingContext)
  useKeys(
    Object.fromEntries(
      Object.entries(actions).flatMap(([name, act]) => {
        if (!act) return []
        const onKey = (event?: KeyboardEvent): boolean => {
          if (event?.repeat) return true
          const refusal = standing.refusesKey()
          if (refusal) sayRefusal(refusal)
          else {
            refusals.takeBack()
            act()
          }
          return true
        }
        return [[name, onKey]]
      }),
    ),
  )
}
