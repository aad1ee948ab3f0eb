import { QueryClientProvider } from '@tanstack/react-query'
import { queryClient } from '../controls/index.ts'
import { Startup } from './startup.tsx'
import { Opened } from './opened.tsx'
import { WireProvider } from './connection.tsx'

/** What comes before the console is open; then the console. */
export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <WireProvider>
        <Startup>
          <Opened />
        </Startup>
      </WireProvider>
    </QueryClientProvider>
  )
}
