/** What somebody can try without an alert. */
import { useState } from 'react'
import { playSound, usePreferences } from '../../app/index.ts'
import { Button, Panel, clockText } from '../../controls/index.ts'
import { words } from '../../words/index.ts'

const text = words.onCall.check

export function Checks() {
  const preferences = usePreferences()
  const [played, setPlayed] = useState<number | null>(null)
  return (
    <Panel title={text.title}>
      <div className="flex flex-col items-start gap-2">
        <p className="text-ink-soft">{text.text}</p>
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
