import type { ReactNode } from 'react'

/** Says what will appear here and how to see it now. */
export function EmptyState({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="flex h-full min-h-32 flex-col items-center justify-center gap-1 p-6 text-center">
      <p className="font-medium text-ink-soft">{title}</p>
      {children && <div className="max-w-prose text-ink-faint">{children}</div>}
      {action && <div className="mt-2">{action}</div>}
    </div>
  )
}
