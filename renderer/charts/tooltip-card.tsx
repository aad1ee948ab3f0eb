import type { ReactNode } from 'react'

/** What a chart says at the pointer. */
export function TooltipCard({ children }: { children: ReactNode }) {
  return (
    <div className="max-w-72 rounded border bg-raised px-2.5 py-1.5 text-base text-ink shadow-float">{children}</div>
  )
}
