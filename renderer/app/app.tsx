import { QueryClientProvider } from '@tanstack/react-query'
import { queryClient } from '../controls/index.ts'
import { Gate } from './gate.tsx'
import { Opened } from './opened.tsx'
import { WireProvider } from './connection.tsx'

/** Gate first; behind it the console. */
export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <WireProvider>
        <Gate>
          <Opened />
        </Gate>
      </WireProvider>
    </QueryClientProvider>
  )
}
