import type { PersonalError } from '../../shared/errors.ts'
import { words } from '../words/index.ts'
import { Button } from './button.tsx'

/** What happened, what is safe, what to do. In line with the fields around it; `inset` where nothing else has a margin. */
export function ErrorNotice(props: { error: PersonalError; onRetry?: (() => void) | undefined; inset?: boolean }) {
  const { error, onRetry, inset = false } = props
  return (
    <div role="alert" className={`${inset ? 'm-3' : 'my-3'} rounded border border-line-strong bg-surface p-3`}>
      <p className="font-semibold">{error.happened}</p>
      <p className="text-ink-soft">{error.safe}</p>
      <p className="text-ink-soft">{error.todo}</p>
      {onRetry && (
        <Button className="mt-2" onClick={onRetry}>
          {words.common.tryAgain}
        </Button>
      )}
    </div>
  )
}
