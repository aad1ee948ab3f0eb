/** The school, its first admin, and how its data are locked: then the desk is made, in the place of what runs here. */
import { useState } from 'react'
import { personNameSchema, shortestPassword, userNameSchema } from '../../shared/accounts.ts'
import { isTooShort } from '../../shared/passphrase.ts'
import type { SetUpInput } from '../../shared/set-up.ts'
import type { SetUpDefaults } from '../../shared/views.ts'
import { goTo, trpc } from '../app/index.ts'
import { ErrorNotice, Field, TextField, useAction, useKept, useQuery } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { Frame, StepForm } from './frame.tsx'

const text = words.setUp

interface Draft {
  school: string
  timeZone: string | null
  name: string
  userName: string
  password: string
  passwordAgain: string
  lock: 'passphrase' | 'system'
  passphrase: string
  passphraseAgain: string
}

const empty: Draft = {
  school: '',
  timeZone: null,
  name: '',
  userName: '',
  password: '',
  passwordAgain: '',
  lock: 'passphrase',
  passphrase: '',
  passphraseAgain: '',
}

export function FirstSteps() {
  const defaults = useQuery<SetUpDefaults>(['set-up', 'defaults'], () => trpc.setUp.defaults.query())
  // What was typed stays while one looks at another screen; a reload forgets it.
  const [draft, setDraft] = useKept<Draft>('set-up', empty)
  const [step, setStep] = useKept<'school' | 'admin' | 'lock'>('set-up step', 'school')
  if (defaults.error) return <ErrorNotice error={defaults.error} onRetry={defaults.refetch} />
  if (!defaults.data) return <p role="status">{words.common.loading}</p>
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part })
  const props = { draft, change, defaults: defaults.data }
  return (
    <Frame step={step}>
      {step === 'school' && <SchoolStep {...props} onNext={() => setStep('admin')} />}
      {step === 'admin' && <AdminStep {...props} onNext={() => setStep('lock')} onBack={() => setStep('school')} />}
      {step === 'lock' && <LockStep {...props} onBack={() => setStep('admin')} />}
    </Frame>
  )
}

interface StepProps {
  draft: Draft
  change: (part: Partial<Draft>) => void
  defaults: SetUpDefaults
}

function SchoolStep({ draft, change, defaults, onNext }: StepProps & { onNext: () => void }) {
  const [tried, setTried] = useState(false)
  const named = personNameSchema.safeParse(draft.school).success
  const zone = draft.timeZone ?? defaults.time_zone
  return (
    <StepForm
      onNext={() => {
        setTried(true)
        if (named) onNext()
      }}
    >
      <p className="text-ink-soft">
        {text.school.text} {defaults.demonstration && text.school.demonstrationEnds}
      </p>
      <TextField
        label={text.school.name}
        problem={tried && !named ? text.school.nameMissing : null}
        autoComplete="organization"
        value={draft.school}
        onChange={(school) => change({ school })}
      />
      <Field label={text.school.timeZone}>
        {(bind) => (
          <select
            {...bind}
            className="field"
            value={zone}
            onChange={(event) => change({ timeZone: event.target.value })}
          >
            {timeZones(defaults.time_zone).map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        )}
      </Field>
    </StepForm>
  )
}

/** Every zone there is; this machine's is among them whatever its name. */
function timeZones(own: string): string[] {
  const known = Intl.supportedValuesOf('timeZone')
  return known.includes(own) ? known : [own, ...known]
}

function AdminStep({ draft, change, onNext, onBack }: StepProps & { onNext: () => void; onBack: () => void }) {
  const [tried, setTried] = useState(false)
  const { name, userName, password, passwordAgain } = draft
  const check = useAction(() => trpc.setUp.checkPassword.mutate({ password, about: [name, userName, draft.school] }))
  const unnamed = personNameSchema.safeParse(name).success ? null : text.admin.nameMissing
  const wrongUserName = userNameSchema.safeParse(userName).success ? null : text.admin.userNameMissing
  const short = [...password.normalize('NFKC')].length < shortestPassword ? text.admin.tooShort : null
  const differs = password === passwordAgain ? null : text.admin.differs
  const next = async () => {
    setTried(true)
    if (unnamed ?? wrongUserName ?? short ?? differs) return
    if ((await check.run(undefined)) !== undefined) onNext()
  }
  return (
    <StepForm onNext={() => void next()} onBack={onBack} busy={check.busy}>
      <p className="text-ink-soft">{text.admin.text}</p>
      <TextField
        label={text.admin.name}
        problem={tried ? unnamed : null}
        autoComplete="name"
        value={name}
        onChange={(value) => change({ name: value })}
      />
      <TextField
        label={text.admin.userName}
        hint={text.admin.userNameHint}
        problem={tried ? wrongUserName : null}
        autoComplete="username"
        value={userName}
        onChange={(value) => change({ userName: value })}
      />
      <TextField
        label={text.admin.password}
        hint={text.admin.passwordHint}
        problem={tried ? short : null}
        type="password"
        autoComplete="new-password"
        value={password}
        onChange={(value) => change({ password: value })}
      />
      <TextField
        label={text.admin.again}
        problem={tried && !short ? differs : null}
        type="password"
        autoComplete="new-password"
        value={passwordAgain}
        onChange={(value) => change({ passwordAgain: value })}
      />
      {check.error && !check.busy && <ErrorNotice error={check.error} />}
    </StepForm>
  )
}

function LockStep({ draft, change, defaults, onBack }: StepProps & { onBack: () => void }) {
  const [tried, setTried] = useState(false)
  const make = useAction((input: SetUpInput) => {
    // The page is loaded anew when the desk runs, and goes on here.
    goTo('set-up')
    return trpc.setUp.make.mutate(input)
  })
  const { passphrase, passphraseAgain } = draft
  const typed = !defaults.passphrase_given && draft.lock === 'passphrase'
  const short = typed && isTooShort(passphrase) ? text.lock.tooShort : null
  const differs = typed && passphrase !== passphraseAgain ? text.lock.differs : null
  const lock = (): SetUpInput['lock'] => {
    if (defaults.passphrase_given) return { kind: 'environment' }
    return draft.lock === 'system' ? { kind: 'system' } : { kind: 'passphrase', passphrase }
  }
  const made = make.busy || make.done
  return (
    <StepForm
      onNext={() => {
        setTried(true)
        if (short ?? differs) return
        void make.run({
          school: { name: draft.school, time_zone: draft.timeZone ?? defaults.time_zone },
          admin: { name: draft.name, user_name: draft.userName, password: draft.password },
          lock: lock(),
        })
      }}
      onBack={made ? undefined : onBack}
      busy={made}
      next={made ? text.lock.making : text.lock.make}
    >
      <p className="text-ink-soft">{defaults.passphrase_given ? text.lock.environment : text.lock.text}</p>
      {!defaults.passphrase_given && defaults.system_key_store && <LockChoice draft={draft} change={change} />}
      {typed && (
        <>
          <TextField
            label={text.lock.field}
            hint={text.lock.hint}
            problem={tried ? short : null}
            type="password"
            autoComplete="new-password"
            value={passphrase}
            onChange={(value) => change({ passphrase: value })}
          />
          <TextField
            label={text.lock.again}
            problem={tried && !short ? differs : null}
            type="password"
            autoComplete="new-password"
            value={passphraseAgain}
            onChange={(value) => change({ passphraseAgain: value })}
          />
        </>
      )}
      <p className="rounded border border-line-strong bg-surface p-3">
        {draft.lock === 'system' && !defaults.passphrase_given ? text.lock.systemLost : text.lock.lost}
      </p>
      {make.error && !make.busy && <ErrorNotice error={make.error} />}
    </StepForm>
  )
}

function LockChoice({ draft, change }: Pick<StepProps, 'draft' | 'change'>) {
  const choices = [
    { value: 'passphrase', label: text.lock.passphrase, explained: text.lock.passphraseText },
    { value: 'system', label: text.lock.system, explained: text.lock.systemText },
  ] as const
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="sr-only">{text.steps.lock}</legend>
      {choices.map(({ value, label, explained }) => (
        <label key={value} className="flex items-start gap-2">
          <input
            type="radio"
            name="lock"
            className="mt-0.5 size-4 accent-ink"
            checked={draft.lock === value}
            onChange={() => change({ lock: value })}
          />
          <span>
            {label}
            <span className="block text-small text-ink-faint">{explained}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
