/** What every step of the set-up has: where one is, the form, and the way back. */
import { useEffect, useRef, type ReactNode } from 'react'
import { Check } from 'lucide-react'
import { Button } from '../controls/index.ts'
import { words } from '../words/index.ts'

const steps = ['school', 'admin', 'lock', 'roster', 'chat', 'resources'] as const
export type Step = (typeof steps)[number]

const text = words.setUp

/** `skipped`: steps that were passed by without being done. */
export function Frame(props: { step: Step; skipped?: readonly Step[]; children: ReactNode }) {
  const { step, skipped = [], children } = props
  const heading = useRef<HTMLHeadingElement>(null)
  const at = steps.indexOf(step)
  // Whoever came by the keyboard or listens begins at the top of each step.
  useEffect(() => heading.current?.focus(), [step])
  return (
    <>
      <ol className="mb-5 flex flex-wrap gap-x-4 gap-y-1 text-small">
        {steps.map((each, index) => (
          <li
            key={each}
            aria-current={each === step ? 'step' : undefined}
            className={`flex items-center gap-1 ${each === step ? 'font-semibold text-ink' : 'text-ink-faint'}`}
          >
            {index < at && !skipped.includes(each) ? (
              <Check size={12} role="img" aria-label={text.done} />
            ) : (
              <span>{index + 1}.</span>
            )}
            {text.steps[each]}
          </li>
        ))}
      </ol>
      <h2 ref={heading} tabIndex={-1} className="mb-2 text-medium outline-none">
        <span className="sr-only">{text.stepOf(at + 1, steps.length)}: </span>
        {text.steps[step]}
      </h2>
      {children}
    </>
  )
}

/** The form of one step: Enter goes on. */
export function StepForm(props: {
  onNext: () => void
  onBack?: (() => void) | undefined
  next?: string
  busy?: boolean
  children: ReactNode
}) {
  return (
    <form
      noValidate
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (!props.busy) props.onNext()
      }}
    >
      {props.children}
      <div className="mt-1 flex gap-2">
        {props.onBack && <Button onClick={props.onBack}>{text.back}</Button>}
        <Button type="submit" look="primary" busy={props.busy ?? false}>
          {props.next ?? text.next}
        </Button>
      </div>
    </form>
  )
}
