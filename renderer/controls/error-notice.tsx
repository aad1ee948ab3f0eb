import type { PersonalError } from '../../shared/errors.ts'
import { words } from '../words/index.ts'
import { Button } from './button.tsx'

/** What happened, what is safe, what to do. */
export function ErrorNotice({ error, onRetry }: { error: PersonalError; onRetry?: (() => void) | undefined }) {
  return (
    <div role="alert" className="m-3 rounded border border-line-strong bg-surface p-3">
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
