import type { Database } from '../../open.ts'
import type { Projection } from './projection.ts'

/**
 * The newest policy of each school. It stays sealed: a key that comes later opens it then. Of a version that was told
 * again the last envelope is kept, and the time of the first; in whatever order they come.
 */
export function policyProjection(db: Database): Projection {
  const save = db.prepare(
    `INSERT INTO policies (school_id, version, changed_at, changed_by, sealed, sealed_at, identity)
     VALUES (@school_id, @version, @at, @changed_by, @sealed, @at, @identity)
     ON CONFLICT (school_id) DO UPDATE SET version = excluded.version,
       changed_at = iif(excluded.version > version, excluded.changed_at, min(changed_at, excluded.changed_at)),
       changed_by = iif(${isLater}, excluded.changed_by, changed_by),
       sealed = iif(${isLater}, excluded.sealed, sealed),
       identity = iif(${isLater}, excluded.identity, identity),
       sealed_at = iif(${isLater}, excluded.sealed_at, sealed_at)
     WHERE excluded.version >= version`,
  )
  return {
    tables: ['policies'],
    apply({ event, identity, school_id }) {
      if (event.event_type !== 'POLICY_CHANGED') return
      const { version, changed_by, timestamp: at, sealed } = event
      save.run({ school_id, version, at, changed_by, sealed: JSON.stringify(sealed), identity })
    },
    // A policy names its school.
    forget: () => undefined,
  }
}

const isLater =
  '(excluded.version, excluded.sealed_at, excluded.identity) > (policies.version, policies.sealed_at, policies.identity)'
