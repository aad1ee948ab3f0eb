import { callAddress, type Guardian, type PhoneNumber } from '../../shared/guardians.ts'
import type { Contacts } from '../../shared/views.ts'

/** Whom to call first: the first guardian in the order who may be contacted and has a number, and emergency services. */
export function firstCall({ guardians, emergency }: Contacts): {
  guardian: { of: Guardian; phone: PhoneNumber } | null
  emergency: { name: string; phone: PhoneNumber } | null
} {
  const callable = guardians
    .filter(({ do_not_contact }) => do_not_contact === null)
    .flatMap((of) => of.phones.filter((phone) => callAddress(phone) !== null).map((phone) => ({ of, phone })))
  const [first] = emergency
  return {
    guardian: callable[0] ?? null,
    emergency: first ? { name: first.name, phone: { written: first.contact, e164: null } } : null,
  }
}
