import type { ReactNode } from 'react'
import { words } from '../words/index.ts'

/** A page of its own, before there is a console around it. */
export function Page({ title, children, wide = false }: { title: string; children: ReactNode; wide?: boolean }) {
  return (
    <main className="flex min-h-full items-center justify-center p-6">
      <div className={`w-full ${wide ? 'max-w-xl' : 'max-w-md'}`}>
        <p className="mb-4 text-ink-faint">{words.app.name}</p>
        <h1 className="mb-2 text-large">{title}</h1>
        {children}
      </div>
    </main>
  )
}
