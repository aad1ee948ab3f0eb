import type { ReactNode } from 'react'
import { useCurtain } from './use-curtain.ts'

/**
 * Lies over everything, an open dialog too, and lets nothing beneath be seen or reached, while what is beneath stays
 * as it was left. Focus returns where it was.
 */
export function Curtain({ label, children }: { label: string; children: ReactNode }) {
  const ref = useCurtain()
  return (
    <dialog
      ref={ref}
      aria-label={label}
      className="m-0 h-full max-h-none w-full max-w-none border-0 bg-ground p-0 text-ink"
      // It goes when there is no more reason for it, not by Escape.
      onCancel={(event) => event.preventDefault()}
      onClose={() => {
        if (ref.current?.isConnected) ref.current.showModal()
      }}
    >
      {children}
    </dialog>
  )
}
