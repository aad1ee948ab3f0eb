/** The record itself: what is on paper. */
import type { ReactNode } from 'react'
import type { IncidentMoment, IncidentRecord, IncidentWords } from '../../shared/incident-record.ts'
import type { PatternCategory } from '../../shared/risk.ts'
import { safetyPlanHeadings } from '../../shared/student-records.ts'
import type { SafetyPlanVersion } from '../../shared/views.ts'
import { clockText, dayText, lengthText, studentName, TierBadge } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { Timeline } from './timeline.tsx'

const text = words.incident

/** Day with its year, and clock: paper has no today. */
const moment = (at: number, seconds = false): string => `${dayText(at, 0)} ${clockText(at, seconds)}`
const categoriesText = (categories: readonly PatternCategory[]): string =>
  categories.length === 0 ? text.noCategory : categories.map((name) => words.category[name]).join(', ')

/** `said`, `plan`: null = not included. */
export function Record({
  record,
  said,
  plan,
}: {
  record: IncidentRecord
  said: IncidentWords[] | null
  plan: { version: SafetyPlanVersion | null } | null
}) {
  const { made } = record
  return (
    <article aria-label={text.title} data-print-page className="incident">
      <header>
        <p>{text.confidential}</p>
        <h1>{text.title}</h1>
        {record.school_name !== null && <p>{record.school_name}</p>}
        {record.demo && <p>{text.demonstration}</p>}
      </header>
      <Facts record={record} />
      <Clocks record={record} />
      <Moments moments={record.moments} />
      <Outcome record={record} />
      <Timeline entries={record.timeline} notified={record.notified} />
      <Steps record={record} />
      <Commitments record={record} />
      <Plan record={record} plan={plan} />
      <Said record={record} said={said} />
      <footer>
        <p>{text.made(moment(made.at), made.by_name, words.role[made.role])}</p>
        <p>{text.zone(record.time_zone)}</p>
        <p>{text.limits}</p>
        <p className="incident-signature">{text.signature}</p>
      </footer>
    </article>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Facts({ record }: { record: IncidentRecord }) {
  const { student, student_id, counselor, tier, categories, state, owner_name, resolved } = record
  const held = owner_name === null ? text.heldByNobody : text.heldBy(owner_name)
  return (
    <Section title={text.facts}>
      <dl>
        <Fact name={text.student}>
          <strong>{studentName(student)}</strong>
        </Fact>
        <Fact name={text.pseudonym}>{student.pseudonym}</Fact>
        {student_id !== null && <Fact name={text.studentId}>{student_id}</Fact>}
        {student.grade !== null && <Fact name={text.grade}>{student.grade}</Fact>}
        {counselor !== null && <Fact name={text.counselor}>{counselor}</Fact>}
        <Fact name={text.severity}>
          <TierBadge tier={tier} />
        </Fact>
        <Fact name={text.categories}>{categoriesText(categories)}</Fact>
        <Fact name={text.status}>{resolved ? text.state[state] : `${text.state[state]}, ${held}`}</Fact>
      </dl>
      {record.about_other && <p>{text.aboutOther}</p>}
    </Section>
  )
}

function Clocks({ record: { clocks } }: { record: IncidentRecord }) {
  const { said, received, first_seen, acknowledged } = clocks
  const since = (at: number) => text.clocks.after(lengthText(at - received))
  return (
    <Section title={text.clocks.title}>
      <dl>
        <Fact name={text.clocks.said}>{said === null ? text.clocks.unknown : moment(said, true)}</Fact>
        <Fact name={text.clocks.received}>{moment(received, true)}</Fact>
        <Fact name={text.clocks.seen}>
          {first_seen === null ? text.clocks.notYet : `${moment(first_seen, true)}, ${since(first_seen)}`}
        </Fact>
        <Fact name={text.clocks.acknowledged}>
          {acknowledged === null
            ? text.clocks.notYet
            : `${moment(acknowledged.at, true)} ${text.clocks.by(acknowledged.by_name)}, ${since(acknowledged.at)}`}
        </Fact>
      </dl>
    </Section>
  )
}

function Moments({ moments }: { moments: readonly IncidentMoment[] }) {
  const name = text.moments
  return (
    <Section title={name.title}>
      <table>
        <thead>
          <tr>
            <th scope="col">{name.number}</th>
            <th scope="col">{name.said}</th>
            <th scope="col">{name.detected}</th>
            <th scope="col">{name.received}</th>
            <th scope="col">{name.severity}</th>
            <th scope="col">{name.categories}</th>
          </tr>
        </thead>
        <tbody>
          {moments.map(({ number, said_at, detected_at, received_at, tier, categories }) => (
            <tr key={number}>
              <td>{number}</td>
              <td>{said_at === null ? words.common.unknown : moment(said_at, true)}</td>
              <td>{moment(detected_at, true)}</td>
              <td>{moment(received_at, true)}</td>
              <td>
                <TierBadge tier={tier} />
              </td>
              <td>{categoriesText(categories)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}

function Outcome({ record: { resolved } }: { record: IncidentRecord }) {
  return (
    <Section title={text.outcome.title}>
      {resolved === null ? (
        <p>{text.outcome.open}</p>
      ) : (
        <>
          <p>
            <strong>
              {text.outcome.resolved(
                words.alerts.disposition[resolved.disposition],
                moment(resolved.at),
                resolved.by_name,
              )}
            </strong>
          </p>
          {resolved.note !== null && <blockquote>{resolved.note}</blockquote>}
          {resolved.reason !== null && <p>{text.outcome.left(resolved.reason)}</p>}
        </>
      )}
    </Section>
  )
}

function Steps({ record: { steps } }: { record: IncidentRecord }) {
  return (
    <Section title={text.steps.title}>
      {steps.length === 0 ? (
        <p>{text.steps.none}</p>
      ) : (
        <ul>
          {steps.map(({ id, title, required, done }) => (
            <li key={id}>
              {title}
              {required && ` (${text.steps.required})`}
              {': '}
              {done ? text.steps.done(moment(done.at), done.by_name) : <strong>{text.steps.notDone}</strong>}
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

function Commitments({ record: { commitments, follow_ups, made } }: { record: IncidentRecord }) {
  const name = text.commitments
  const due = (at: number | null) => (at === null ? name.noDue : name.due(moment(at)))
  const left = (at: number | null) => (at !== null && at < made.at ? `${name.open}, ${name.overdue}` : name.open)
  return (
    <Section title={name.title}>
      {commitments.length + follow_ups.length === 0 && <p>{name.none}</p>}
      <ul>
        {commitments.map(({ id, what, owner, due_at, met }) => (
          <li key={id}>
            {what || text.timeline.sealed}. {name.owner(owner.name)}, {due(due_at)}:{' '}
            <strong>
              {met === null
                ? left(due_at)
                : met.closed
                  ? name.closed(moment(met.at))
                  : name.met(moment(met.at), met.by_name)}
            </strong>
          </li>
        ))}
        {follow_ups.map(({ id, what, owner_name, due_at, ended }) => (
          <li key={id}>
            {name.followUp}: {what ?? text.timeline.sealed}. {name.owner(owner_name)}, {due(due_at)}:{' '}
            <strong>
              {ended
                ? `${text.timeline.ended[ended.outcome].toLowerCase()}, ${moment(ended.at)}, ${ended.by_name}`
                : left(due_at)}
            </strong>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Plan(props: { record: IncidentRecord; plan: { version: SafetyPlanVersion | null } | null }) {
  const kept = props.record.safety_plan
  if (kept === 'hidden' || kept === 'none') {
    return (
      <Section title={text.plan.title}>
        <p>{text.plan[kept]}</p>
      </Section>
    )
  }
  const sections = props.plan?.version?.sections
  return (
    <Section title={text.plan.title}>
      <p>
        {text.plan.kept(moment(kept.saved_at), kept.by_name, kept.versions)}{' '}
        {props.plan === null && text.plan.notIncluded}
        {props.plan !== null && !sections && text.plan.gone}
      </p>
      {sections && (
        <dl className="incident-plan">
          {safetyPlanHeadings.map((heading) => (
            <Fact key={heading} name={text.plan.headings[heading]}>
              {sections[heading] || text.plan.empty}
            </Fact>
          ))}
        </dl>
      )}
    </Section>
  )
}

function Said({ record, said }: { record: IncidentRecord; said: IncidentWords[] | null }) {
  const name = text.words
  return (
    <Section title={name.title}>
      {said === null ? (
        <p>{record.has_evidence ? name.notIncluded : name.none}</p>
      ) : (
        <>
          <p>{name.included}</p>
          {said.map(({ at, text: written, unopened }, index) => (
            <div key={index}>
              <p>{moment(at, true)}</p>
              {written === null ? (
                <p>{unopened === null ? name.gone : words.common.unopened[unopened]}</p>
              ) : (
                <blockquote>{written}</blockquote>
              )}
            </div>
          ))}
        </>
      )}
    </Section>
  )
}
