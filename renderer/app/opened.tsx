/** The opened console: who it is and how it should look, then the shell. */
import { useEffect } from 'react'
import type { Me } from '../../shared/views.ts'
import { ErrorNotice, setSingleKeys, showTimesIn, useQuery } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { MeProvider } from './me.tsx'
import { usePreferences } from './preferences.ts'
import { Shell } from './shell.tsx'
import { trpc } from './wire.ts'

export function Opened() {
  const me = useQuery<Me>(['me'], () => trpc.me.get.query())
  usePreferencesApplied()
  if (me.error) return <ErrorNotice error={me.error} onRetry={me.refetch} />
  if (!me.data) return <p className="p-6">{words.app.loading}</p>
  showTimesIn(me.data.time_zone)
  return (
    <MeProvider me={me.data}>
      {/* Another person sees another console: nothing of the former's stays on screen. */}
      <Shell key={me.data.person.id} />
    </MeProvider>
  )
}

/** Theme and density are attributes of the document; styles.css reads them. */
function usePreferencesApplied(): void {
  const data = usePreferences()
  useEffect(() => {
    const root = document.documentElement
    if (!data || data.theme === 'system') delete root.dataset['theme']
    else root.dataset['theme'] = data.theme
    setSingleKeys(data?.single_keys ?? true)
    root.dataset['density'] = data?.density ?? 'comfortable'
  }, [data])
}
