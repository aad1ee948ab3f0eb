/** The sentences of the timeline. Pure. */
import type { IncidentEntry } from '../../shared/incident-record.ts'
import { lengthText, whenText } from '../controls/index.ts'
import { words } from '../words/index.ts'

const text = words.incident.timeline

export interface EntryText {
  who: string
  what: string
  /** What was written, word for word. */
  note: string | null
  /** What became of it. */
  marks: string[]
  /** It stands here and counts no more. */
  undone: boolean
}

/** What a line of the timeline says; times are told in relation to its own day. */
export function entryText(entry: IncidentEntry): EntryText {
  const plain = (who: string, what: string, note: string | null = null): EntryText => ({
    ...{ who, what, note },
    ...{ marks: [], undone: false },
  })
  switch (entry.kind) {
    case 'moment': {
      const { number, tier, categories } = entry.moment
      const named = categories.map((name) => words.category[name]).join(', ')
      return plain(text.student, text.moment(number, words.tier[tier].toLowerCase(), named))
    }
    case 'arrived':
      return plain(text.system, text.arrived(entry.moment.number, lengthText(entry.late_by)))
    case 'seen':
      return plain(entry.by_name, text.seen)
    case 'notified':
      return plain(text.system, notifiedText(entry))
    case 'plan saved':
      return plain(entry.by_name, text.planSaved)
    case 'follow-up':
      return plain(entry.by_name, followUpText(entry), entry.note)
    case 'action':
      return actionText(entry)
  }
}

function followUpText({ at, what, next_action, due_at, owner_name }: Of<'follow-up'>): string {
  if (what !== 'set' && what !== 'moved') return text.ended[what]
  const said = (what === 'set' ? text.followUp : text.followUpMoved)(next_action ?? text.sealed, owner_name ?? '')
  return due_at === null ? said : `${said}. ${text.due(whenText(due_at, at))}`
}

/** A rung, or a person told by one way: how, what came of it and when, and why not. */
function notifiedText({ told, at }: Of<'notified'>): string {
  const { escalated, rung, layer, channel, to_name, outcome, outcome_at, reason, late_by_ms } = told
  const said = words.alerts.ladder
  const why = reason === null ? null : said.why(reason, { channel })
  const late = late_by_ms === null ? '' : `; ${said.wasLate(late_by_ms === 0 ? null : lengthText(late_by_ms))}`
  if (escalated) return `${text.escalated(rung === null ? layer : rung + 1, why)}${late}`
  const when = outcome === 'attempted' ? null : whenText(outcome_at, at, true)
  return `${text.notified(to_name ?? text.somebody, said.channel[channel] ?? channel, text.outcome(outcome, when, why))}${late}`
}

type Of<Kind extends IncidentEntry['kind']> = Extract<IncidentEntry, { kind: Kind }>

function actionText(entry: Of<'action'>): EntryText {
  const { action, corrected_at, told, at } = entry
  const when = (time: number) => whenText(time, at)
  const undone = action.withdrawn_at !== null
  const marks = [
    action.withdrawn_at === null ? null : text.marks.undone(when(action.withdrawn_at)),
    corrected_at === null ? null : text.marks.corrected(when(corrected_at)),
    action.refused ? text.marks.refused : null,
    !action.applied && !action.refused && !undone ? text.marks.notApplied : null,
    told ? text.marks.told : null,
    action.sealed ? text.sealed : null,
  ].filter((mark) => mark !== null)
  return {
    who: action.by === 'system' ? text.system : action.by_name,
    what: `${whatOf(entry)}${planOf(entry, when)}`,
    note: action.note,
    marks,
    undone,
  }
}

function whatOf({ action, about, at }: Of<'action'>): string {
  const { kind } = action
  switch (kind) {
    case 'handed_off':
      return text.handedTo(action.to_name ?? '')
    case 'reopened':
      if (action.reason === 'due time passed') return text.reopenedBy[action.reason]
      return action.reason === null ? text.did.reopened : text.reopenedFor(action.reason)
    case 'corrected':
      if (action.corrects === null) return text.did.corrected
      return text.correctionOf(about === null ? '' : whenText(about.at, at))
    case 'resolved': {
      const outcome = action.disposition && text.resolvedAs(words.alerts.disposition[action.disposition].toLowerCase())
      const without = action.reason === null ? '' : `. ${text.without(action.reason)}`
      return `${outcome ?? text.did.resolved}${without}`
    }
    case 'step_done':
      return action.title === null ? text.did.step_done : text.step(action.title)
    case 'contact_attempted': {
      const whom = action.who ?? words.alerts.contacted[action.contact ?? 'other']
      const outcome = action.outcome ?? 'no answer'
      return outcome === 'reached' ? text.reached(whom) : text.contact(whom, words.alerts.contactOutcome[outcome])
    }
    case 'commitment_made':
      return text.committed(action.next_action ?? text.sealed)
    case 'commitment_met':
      return about?.what ? text.met(about.what) : text.did.commitment_met
    case 'commitment_moved':
      return about?.what ? text.moved(about.what) : text.did.commitment_moved
    case 'withdrawn':
      return about === null ? text.did.withdrawn : text.undid(text.did[about.kind], whenText(about.at, at))
    default:
      return text.did[kind]
  }
}

/** What is to be done next, and until when. */
function planOf({ action, about }: Of<'action'>, when: (time: number) => string): string {
  const { kind, next_action, due_at, corrects } = action
  const due = due_at === null ? null : when(due_at)
  if (kind === 'resolved' || kind === 'reopened' || corrects !== null) return ''
  const said = kind === 'commitment_made' || (kind === 'commitment_moved' && next_action === about?.what)
  if (next_action !== null && !said) return `. ${text.next(next_action, due)}`
  return due === null ? '' : `. ${text.due(due)}`
}
