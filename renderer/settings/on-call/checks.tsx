/** What somebody can try without an alert. */
import { use, useState } from 'react'
import { testNotification } from '../../../shared/notification-words.ts'
import { trpc, tryNotification, trySound, usePreferences, type TriedNotification } from '../../app/index.ts'
import { Button, ErrorNotice, Panel, clockText, useAction } from '../../controls/index.ts'
import { words } from '../../words/index.ts'
import { wayText } from './check-text.ts'
import { WaysContext } from './ways.ts'

const text = words.onCall.check

/** What came of a sound, and when (UTC milliseconds). */
interface Tried {
  played: boolean
  at: number
}

/** A crisis sounds whatever was chosen. */
function useAlarmSound(): () => Promise<Tried> {
  const preferences = usePreferences()
  return async () => ({
    played: await trySound(preferences?.sound === 'bell' ? 'bell' : 'chime'),
    at: Date.now(),
  })
}

/** `reaches`: there is a station that could tell somebody elsewhere, too. */
export function Checks({ reaches }: { reaches: boolean }) {
  const sound = useAction(useAlarmSound())
  return (
    <Panel title={text.title}>
      <div className="flex flex-col items-start gap-2">
        <p className="text-ink-soft">{text.text}</p>
        <TestAlert reaches={reaches} />
        <Button onClick={() => void sound.run(undefined)}>{text.sound}</Button>
        <p role="status">
          {sound.result && (sound.result.played ? text.played(clockText(sound.result.at, true)) : text.heldBack)}
        </p>
      </div>
    </Panel>
  )
}

/** By every way at once, as a crisis would be told: at this desk, and elsewhere where a station can. */
function TestAlert({ reaches }: { reaches: boolean }) {
  const [sentAt, setSentAt] = useState<number | null>(null)
  const setUp = use(WaysContext)
  const playAlarm = useAlarmSound()
  const sound = useAction(playAlarm)
  const desktop = useAction(() => tryNotification(testNotification, () => trpc.onCall.testNotification.mutate()))
  const elsewhere = useAction(() => trpc.onCall.testAlert.mutate())
  const busy = sound.busy || desktop.busy || elsewhere.busy
  const send = () => {
    setSentAt(Date.now())
    void sound.run(undefined)
    void desktop.run(undefined)
    if (reaches) void elsewhere.run(undefined)
  }
  const ways = [
    ...(desktop.result ? [desktopText(desktop.result)] : []),
    ...(sound.result ? [soundText(sound.result)] : []),
    ...(elsewhere.result && !elsewhere.error
      ? elsewhere.result.ways.map((way) => wayText(way, elsewhere.result?.sent_at ?? 0, setUp))
      : []),
  ]
  return (
    <>
      <Button busy={busy} onClick={send}>
        {text.send}
      </Button>
      {elsewhere.error && !busy && <ErrorNotice error={elsewhere.error} />}
      <div role="status" className="empty:hidden">
        {sentAt !== null && !busy && (
          <>
            <p>{text.sent(clockText(sentAt, true))}</p>
            <ul aria-label={text.result} className="list-disc ps-5">
              {ways.map((way) => (
                <li key={way}>{way}</li>
              ))}
            </ul>
            <p className="text-ink-soft">{text.look}</p>
          </>
        )}
      </div>
    </>
  )
}

function desktopText(tried: TriedNotification): string {
  const said = text.desktop
  return text.way(
    said.way,
    null,
    'at' in tried ? said[tried.outcome](clockText(tried.at, true)) : said[tried.outcome](),
  )
}

function soundText({ played, at }: Tried): string {
  const said = text.sounded
  return text.way(said.way, null, played ? said.played(clockText(at, true)) : said.heldBack)
}
