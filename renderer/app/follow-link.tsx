/** Opens what the address of this window names, once somebody is signed in. */
import { useEffect, useState } from 'react'
import type { PersonalError } from '../../shared/errors.ts'
import { Dialog, ErrorNotice, personalErrorOf } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { goTo, linkWasFollowed, useWantedLink } from './navigation.ts'
import { trpc } from './wire.ts'

export function FollowLink() {
  const link = useWantedLink()
  const [problem, setProblem] = useState<PersonalError | null>(null)
  useEffect(() => {
    if (link === null) return
    let over = false
    trpc.find.follow.query(link).then(
      ({ subject }) => {
        if (over) return
        linkWasFollowed()
        goTo(link.kind, subject)
      },
      (error: unknown) => {
        if (over) return
        linkWasFollowed()
        setProblem(personalErrorOf(error))
      },
    )
    return () => {
      over = true
    }
  }, [link])
  if (problem === null) return null
  return (
    <Dialog title={words.links.title} onClose={() => setProblem(null)}>
      <ErrorNotice error={problem} />
    </Dialog>
  )
}
