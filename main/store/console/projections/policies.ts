import type { Database } from '../../open.ts'
import type { Projection } from './projection.ts'

/** The newest policy of each school. It stays sealed: a key that comes later opens it then. */
export function policyProjection(db: Database): Projection {
  const save = db.prepare(
    `INSERT INTO policies (school_id, version, identity, changed_at, changed_by, sealed)
     VALUES (@school_id, @version, @identity, @changed_at, @changed_by, @sealed)
     ON CONFLICT (school_id) DO UPDATE SET version = excluded.version, identity = excluded.identity,
       changed_at = excluded.changed_at, changed_by = excluded.changed_by, sealed = excluded.sealed
     WHERE excluded.version > version OR (excluded.version = version AND excluded.identity > identity)`,
  )
  return {
    tables: ['policies'],
    apply({ event, identity, school_id }) {
      if (event.event_type !== 'POLICY_CHANGED') return
      const { version, changed_by, timestamp: changed_at, sealed } = event
      const row = { school_id, version, identity, changed_at, changed_by, sealed: JSON.stringify(sealed) }
      save.run(row)
    },
    // A policy names its school.
    forget: () => undefined,
  }
}
