/** What somebody can try without an alert. */
import { useState } from 'react'
import type { TestAlertResult } from '../../../shared/test-alert.ts'
import { playSound, trpc, usePreferences } from '../../app/index.ts'
import { Button, ErrorNotice, Panel, clockText, useAction } from '../../controls/index.ts'
import { words } from '../../words/index.ts'

const text = words.onCall.check

/** `reaches`: there is a station that could tell somebody. */
export function Checks({ reaches }: { reaches: boolean }) {
  const preferences = usePreferences()
  const [played, setPlayed] = useState<number | null>(null)
  return (
    <Panel title={text.title}>
      <div className="flex flex-col items-start gap-2">
        <p className="text-ink-soft">{text.text}</p>
        {reaches && <TestAlert />}
        <Button
          onClick={() => {
            // A crisis sounds whatever was chosen.
            playSound(preferences?.sound === 'bell' ? 'bell' : 'chime')
            setPlayed(Date.now())
          }}
        >
          {text.sound}
        </Button>
        <p role="status">{played !== null && text.played(clockText(played, true))}</p>
      </div>
    </Panel>
  )
}

function TestAlert() {
  const [result, setResult] = useState<TestAlertResult | null>(null)
  const send = useAction(() => trpc.onCall.testAlert.mutate(), setResult)
  return (
    <>
      <Button busy={send.busy} onClick={() => void send.run(undefined)}>
        {text.send}
      </Button>
      {send.error && !send.busy && <ErrorNotice error={send.error} />}
      <div role="status" className="empty:hidden">
        {result && !send.error && (
          <>
            <p>{text.sent(clockText(result.sent_at, true))}</p>
            <ul aria-label={text.result} className="list-disc ps-5">
              {result.ways.map((way) => (
                <li key={way.channel}>{wayText(way)}</li>
              ))}
            </ul>
            <p className="text-ink-soft">
              {result.ways.some(({ outcome }) => outcome === 'delivered') ? text.look : text.nothing}
            </p>
          </>
        )}
      </div>
    </>
  )
}

function wayText({ channel, where, outcome, code, took_ms }: TestAlertResult['ways'][number]): string {
  const said = text.outcome
  const what =
    outcome === 'delivered'
      ? said.delivered(took_ms === null ? null : text.seconds(took_ms))
      : outcome === 'failed'
        ? said.failed(code)
        : said[outcome]()
  return text.way(words.onCall.channelChoice[channel], where, what)
}
