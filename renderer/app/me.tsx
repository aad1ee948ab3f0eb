import { createContext, use, type ReactNode } from 'react'
import { may, type Permission } from '../../shared/permissions.ts'
import type { Me } from '../../shared/views.ts'

const MeContext = createContext<Me | null>(null)

export function MeProvider({ me, children }: { me: Me; children: ReactNode }) {
  return <MeContext value={me}>{children}</MeContext>
}

/** The person at the console. Only inside the opened app. */
export function useMe(): Me {
  const me = use(MeContext)
  if (!me) throw new Error('useMe is used inside the opened app only')
  return me
}

/** Whether the person's role allows something; main decides again at every call. */
export function useMay(permission: Permission): boolean {
  return may(useMe().person.role, permission)
}
