/** That something should have been done by now: a filled clock and the words, never color alone. */
export function OverdueMark({ text }: { text: string }) {
  return (
    <span
      data-overdue
      // An outline takes no room: a row that becomes overdue moves nothing.
      className="inline-flex items-center gap-1 rounded px-1 align-baseline font-semibold whitespace-nowrap text-crisis outline -outline-offset-1 outline-crisis"
    >
      <svg viewBox="0 0 12 12" width="11" height="11" className="shrink-0" aria-hidden="true" focusable="false">
        <circle cx="6" cy="6" r="5.6" fill="currentColor" />
        <path d="M6 2.6V6l2.4 1.6" fill="none" stroke="var(--color-surface)" strokeWidth="1.3" strokeLinecap="round" />
      </svg>
      {text}
    </span>
  )
}
