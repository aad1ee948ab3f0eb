/** Whom to call about this student: guardians in their order, emergency services, the school's own numbers. */
import { Ban, Copy, Phone } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { ContactKind } from '../../shared/actions.ts'
import { callAddress, type CallNumber, type Guardian, type PhoneNumber } from '../../shared/guardians.ts'
import type { AlertDetail } from '../../shared/views.ts'
import { announce } from '../app/index.ts'
import { Button, Panel } from '../controls/index.ts'
import { words } from '../words/index.ts'

const text = words.alerts.contacts

/** Who can be called, for what is known of the calls to them and for logging another. */
interface Callable {
  contact: ContactKind
  who: string
}

interface ContactPanelProps {
  alert: AlertDetail
  /** What stands below somebody's numbers: earlier attempts, and how to log one. */
  attempts?: (called: Callable) => ReactNode
}

export function ContactPanel({ alert, attempts }: ContactPanelProps) {
  const { guardians, emergency, school } = alert.contacts
  return (
    <Panel title={text.title}>
      <h3 className="mt-1 text-small text-ink-faint">{text.guardians}</h3>
      {guardians.length === 0 ? (
        <p className="text-ink-soft">{text.noGuardians}</p>
      ) : (
        <ol aria-label={text.guardians} className="flex flex-col divide-y">
          {guardians.map((guardian, index) => (
            <li key={index} className="py-2">
              <GuardianEntry
                guardian={guardian}
                below={attempts?.({ contact: 'guardian', who: guardian.name || guardian.relation })}
              />
            </li>
          ))}
        </ol>
      )}
      <Numbers
        title={text.emergency}
        contact="emergency services"
        numbers={emergency}
        none={text.noEmergency}
        attempts={attempts}
      />
      {school.length > 0 && (
        <Numbers title={text.school} contact="other" numbers={school} none="" attempts={attempts} />
      )}
    </Panel>
  )
}

function GuardianEntry({ guardian, below }: { guardian: Guardian; below: ReactNode }) {
  const { relation, language, email, phones, do_not_contact } = guardian
  const [shown, setShown] = useState(false)
  const name = nameOf(guardian)
  const forbidden = do_not_contact !== null
  return (
    <>
      <p className="break-words">
        <span className="font-semibold">{name}</span>{' '}
        <span className="text-ink-soft">({relation === '' ? text.relationUnknown : relation})</span>
      </p>
      {language !== '' && <p className="text-ink-soft">{text.speaks(language)}</p>}
      {forbidden && (
        <div className="my-1 rounded border-2 border-ink p-2">
          <p className="flex items-center gap-1.5 font-semibold">
            <Ban size={16} aria-hidden="true" className="shrink-0" /> {text.doNotContact}
          </p>
          <p className="break-words">{do_not_contact === '' ? text.noReason : text.reason(do_not_contact)}</p>
          {phones.length > 0 && !shown && (
            <Button className="mt-1 max-narrow:min-h-11" onClick={() => setShown(true)}>
              {text.showNumber}
            </Button>
          )}
          {/* To be dialed by hand, by somebody who knows why: nothing here calls. */}
          {shown && phones.map(({ written }) => <p key={written}>{written}</p>)}
        </div>
      )}
      {!forbidden && phones.map((phone) => <NumberLine key={phone.written} whom={name} phone={phone} />)}
      {phones.length === 0 && <p className="text-ink-soft">{text.noNumber}</p>}
      {!forbidden && email !== '' && <p className="break-all text-ink-soft">{email}</p>}
      {!forbidden && phones.length > 0 && below}
    </>
  )
}

function Numbers(props: {
  title: string
  contact: ContactKind
  numbers: readonly CallNumber[]
  none: string
  attempts: ContactPanelProps['attempts']
}) {
  return (
    <>
      <h3 className="mt-2 border-t pt-2 text-small text-ink-faint">{props.title}</h3>
      {props.numbers.length === 0 && <p className="text-ink-soft">{props.none}</p>}
      <ul aria-label={props.title} className="flex flex-col">
        {props.numbers.map(({ name, contact }) => (
          <li key={`${name} ${contact}`} className="py-1">
            <p>{name}</p>
            <NumberLine whom={name} phone={{ written: contact, e164: null }} />
            {props.attempts?.({ contact: props.contact, who: name })}
          </li>
        ))}
      </ul>
    </>
  )
}

/** A number with what can be done with it in one touch. */
function NumberLine({ whom, phone }: { whom: string; phone: PhoneNumber }) {
  const copy = () =>
    navigator.clipboard.writeText(phone.written).then(
      () => announce(text.copied),
      () => announce(text.notCopied),
    )
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1 py-0.5">
      <span className="min-w-0 break-words tabular-nums select-all">{phone.written}</span>
      <CallLink whom={whom} phone={phone} />
      <Button
        className="max-narrow:min-h-11"
        aria-label={text.copyWhom(whom, phone.written)}
        onClick={() => void copy()}
      >
        <Copy size={14} aria-hidden="true" /> {text.copy}
      </Button>
    </div>
  )
}

/** Calls in one touch; nothing where what is written is more than a number. */
export function CallLink({ whom, phone, children }: { whom: string; phone: PhoneNumber; children?: ReactNode }) {
  const address = callAddress(phone)
  if (address === null) return null
  return (
    <a
      href={address}
      aria-label={text.callWhom(whom, phone.written)}
      className="inline-flex min-h-7 min-w-0 items-center gap-1.5 rounded border bg-surface px-2.5 py-0.5 font-medium no-underline hover:border-line-strong hover:bg-hover max-narrow:min-h-11"
    >
      <Phone size={14} aria-hidden="true" className="shrink-0" />
      {children ?? text.call}
    </a>
  )
}

/** What a guardian is called where the roster has a number alone. */
export function nameOf({ name }: Guardian): string {
  return name === '' ? text.guardian : name
}
