import type { StripView } from '../../shared/views.ts'
import { words } from '../words/index.ts'
import { goTo } from './navigation.ts'

const text = words.queues

/** Alerts go elsewhere, or lie aside: what is wrong with the queue though it answers. In the strip. */
export function QueueTrouble({ view: { sharing, dead_letters_stuck: stuck } }: { view: StripView }) {
  return (
    <>
      {sharing && (
        <p role="alert" className="font-semibold text-crisis">
          {sharing.kind === 'console' ? text.shared(sharing.computer) : text.suspected} <ToQueues />
        </p>
      )}
      {stuck > 0 && (
        <p role="alert" className="font-semibold text-crisis">
          {text.stuck(stuck)} <ToQueues />
        </p>
      )}
    </>
  )
}

function ToQueues() {
  return (
    <button
      type="button"
      className="min-h-6 rounded text-link underline underline-offset-2"
      onClick={() => goTo('settings', 'queues')}
    >
      {text.open}
    </button>
  )
}
