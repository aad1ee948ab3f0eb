/** Who did what, when, in one table; the heading stands on every page of paper. */
import { Fragment } from 'react'
import type { IncidentEntry } from '../../shared/incident-record.ts'
import { clockText, dayText, fullText } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { entryText } from './entry-text.ts'

const text = words.incident.timeline

export function Timeline({ entries, notified }: { entries: readonly IncidentEntry[]; notified: boolean }) {
  return (
    <section>
      <h2>{text.title}</h2>
      {!notified && <p>{text.notNotified}</p>}
      <table aria-label={text.title}>
        <thead>
          <tr>
            <th scope="col">{text.when}</th>
            <th scope="col">{text.who}</th>
            <th scope="col">{text.what}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry, index) => {
            const day = dayText(entry.at, 0)
            const before = entries[index - 1]
            return (
              <Fragment key={entry.id}>
                {(before === undefined || dayText(before.at, 0) !== day) && (
                  <tr>
                    <th colSpan={3} scope="colgroup">
                      {day}
                    </th>
                  </tr>
                )}
                <Line entry={entry} />
              </Fragment>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

function Line({ entry }: { entry: IncidentEntry }) {
  const { who, what, note, marks, undone } = entryText(entry)
  return (
    <tr>
      <td>
        <time dateTime={new Date(entry.at).toISOString()} title={fullText(entry.at)}>
          {clockText(entry.at, true)}
        </time>
      </td>
      <td>{who}</td>
      <td>
        {undone ? <s>{what}</s> : what}
        {note !== null && <blockquote>{undone ? <s>{note}</s> : note}</blockquote>}
        {marks.map((mark) => (
          <em key={mark}>{mark}</em>
        ))}
      </td>
    </tr>
  )
}
