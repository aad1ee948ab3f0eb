/** The address of an alert or a student, to be kept or sent to a colleague: it names nobody. */
import { useState } from 'react'
import { Link as LinkIcon } from 'lucide-react'
import { fragmentOf, type LinkKind } from '../../shared/links.ts'
import { Button, ErrorNotice, useAction } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { announce } from './announcer.tsx'
import { trpc } from './wire.ts'

/** Puts the address on the clipboard. Rejects where main does not know the subject, or the browser refuses. */
export async function copyLink(kind: LinkKind, subject: string): Promise<void> {
  const { id } = await trpc.find.link.query({ kind, subject })
  await navigator.clipboard.writeText(`${location.origin}/${fragmentOf({ kind, id })}`)
  announce(words.links.copied)
}

export function CopyLink({ kind, subject }: { kind: LinkKind; subject: string }) {
  const [copied, setCopied] = useState<string | null>(null)
  const copy = useAction(
    () => copyLink(kind, subject),
    () => setCopied(subject),
  )
  return (
    <>
      <Button look="quiet" busy={copy.busy} onClick={() => void copy.run(undefined)}>
        <LinkIcon size={14} aria-hidden="true" /> {copied === subject ? words.links.copied : words.links.copy[kind]}
      </Button>
      {copy.error && <ErrorNotice error={copy.error} />}
    </>
  )
}
