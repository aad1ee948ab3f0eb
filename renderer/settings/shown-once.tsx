import { useId, useState } from 'react'
import { announce } from '../app/index.ts'
import { Button } from '../controls/index.ts'
import { words } from '../words/index.ts'

/** Something to be copied now: a key, a password, a line for a terminal. */
export function ShownOnce({ label, text }: { label: string; text: string }) {
  const id = useId()
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    announce(words.chatKeys.copied)
  }
  return (
    <div className="flex flex-col gap-1">
      <p id={id} className="text-ink-soft">
        {label}
      </p>
      <div className="flex items-start gap-2">
        <code
          aria-labelledby={id}
          className="min-w-0 flex-1 rounded border bg-ground p-2 font-mono break-all whitespace-pre-wrap select-all"
        >
          {text}
        </code>
        <Button
          aria-label={`${words.chatKeys.copy}: ${label}`}
          onClick={() => void copy().catch(() => setCopied(false))}
        >
          {copied ? words.chatKeys.copied : words.chatKeys.copy}
        </Button>
      </div>
    </div>
  )
}
