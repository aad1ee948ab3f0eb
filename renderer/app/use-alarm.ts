/** What is heard wherever the person is: new alerts, crises that could not be read, and that no alert gets through. */
import { useCallback, useEffect, useRef } from 'react'
import {
  notificationOf,
  outageNotification,
  unreadableNotification,
  type NotificationText,
} from '../../shared/notification-words.ts'
import type { InboxChange, Outage, Preferences } from '../../shared/views.ts'
import { arrivalSentence } from '../alerts/index.ts'
import { whenText } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { announce, hush } from './announcer.tsx'
import { createTeller, isCrisis, newsOf, type Heard } from './arrivals.ts'
import { notify } from './notifications.ts'
import { usePreferences } from './preferences.ts'
import { playSound, soundFor } from './sound.ts'

/**
 * Says, sounds and notifies; the answer takes each change of the inbox. `hidden`: the screen is hidden, so
 * nothing that names anybody is said. `newestUnreadable`: id of the newest crisis in quarantine, null = none,
 * undefined = not known yet. `outage`: since when no alert gets through; likewise.
 */
export function useAlarm({
  hidden,
  newestUnreadable,
  outage,
}: {
  hidden: boolean
  newestUnreadable: number | null | undefined
  outage: Outage | null | undefined
}): (change: InboxChange) => void {
  const sound = usePreferences()?.sound ?? 'chime'
  const now = useRef({ hidden, sound })
  useEffect(() => {
    now.current = { hidden, sound }
    // What was said before it was hidden is not left for others to read.
    if (hidden) hush()
  }, [hidden, sound])

  const heard = useRef<Heard>(new Map())
  const teller = useRef<ReturnType<typeof createTeller> | null>(null)
  useEffect(() => {
    teller.current = createTeller((rows) => {
      const sentence = now.current.hidden
        ? words.lock.arrived(rows.length, rows.filter(isCrisis).length)
        : arrivalSentence(rows, Date.now())
      raise(sentence, notificationOf(rows, Date.now()), now.current.sound)
    })
    return () => teller.current?.stop()
  }, [])

  const before = useRef(0)
  useEffect(() => {
    // By id, not by count: one may be put aside in the moment in which another comes.
    if (newestUnreadable == null || newestUnreadable <= before.current) return
    raise(words.strip.unreadable, unreadableNotification, now.current.sound)
    before.current = newestUnreadable
  }, [newestUnreadable])

  const standing = useRef<{ since: number; takeBack: () => void } | null>(null)
  useEffect(() => {
    if (outage === undefined || (outage !== null) === (standing.current !== null)) return
    if (outage) {
      const sentence = `${words.outage.happened[outage.kind](whenText(outage.since))} ${words.outage.todo[outage.kind]}`
      const takeBack = raise(sentence, outageNotification, now.current.sound, 'outage')
      standing.current = { since: outage.since, takeBack }
    } else if (standing.current) {
      standing.current.takeBack()
      announce(words.outage.over(whenText(standing.current.since)))
      standing.current = null
    }
  }, [outage])

  return useCallback((change) => {
    const news = newsOf(heard.current, change)
    if (news.length > 0) teller.current?.tell(news)
  }, [])
}

/** The answer takes the notification back. */
function raise(
  sentence: string,
  notification: NotificationText,
  chosen: Preferences['sound'],
  tag: 'alert' | 'outage' = 'alert',
): () => void {
  announce(sentence, notification.urgent ? 'assertive' : 'polite')
  const sound = soundFor(notification.urgent ? 'crisis' : 'high', chosen)
  if (sound) playSound(sound)
  return notify(notification, tag)
}
