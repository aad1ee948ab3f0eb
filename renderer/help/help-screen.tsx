/** What can be read in the program: how detection works and where it fails, and the model card. */
import Markdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import type { HelpPage } from '../../shared/views.ts'
import { show, trpc, usePlace } from '../app/index.ts'
import { ErrorNotice, Tabs, useQuery } from '../controls/index.ts'
import { words } from '../words/index.ts'

/** Links leave the program only through the person’s own browser. */
const components: Components = {
  // A heading of a page stands below the screen's own.
  h1: ({ children }) => <h2 className="mb-3 text-large">{children}</h2>,
  h2: ({ children }) => <h3 className="mt-6 mb-2 text-medium font-semibold">{children}</h3>,
  h3: ({ children }) => <h4 className="mt-4 mb-1 font-semibold">{children}</h4>,
  p: ({ children }) => <p className="my-2">{children}</p>,
  ul: ({ children }) => <ul className="my-2 list-disc ps-6">{children}</ul>,
  ol: ({ children }) => <ol className="my-2 list-decimal ps-6">{children}</ol>,
  li: ({ children }) => <li className="my-1">{children}</li>,
  a: ({ children, href }) => (
    <a href={href} rel="noreferrer" target="_blank" className="text-link underline">
      {children}
    </a>
  ),
  code: ({ children }) => <code className="rounded bg-ground px-1 font-mono">{children}</code>,
  table: ({ children }) => (
    <div className="my-3 overflow-x-auto" role="group" tabIndex={0}>
      <table className="w-full border-collapse tabular-nums">{children}</table>
    </div>
  ),
  th: ({ children }) => <th className="border-b px-2 py-1 text-start align-bottom font-semibold">{children}</th>,
  td: ({ children }) => <td className="border-b px-2 py-1 align-top">{children}</td>,
  // Pages bring no pictures from elsewhere.
  img: () => null,
}

export function HelpScreen() {
  const { data: pages, error, refetch } = useQuery<HelpPage[]>(['help'], () => trpc.help.pages.query())
  const { subject } = usePlace()
  if (error) return <ErrorNotice inset error={error} onRetry={refetch} />
  if (!pages || pages.length === 0) return <p className="p-4 text-ink-soft">{words.help.loading}</p>
  const chosen = pages.find(({ name }) => name === subject) ?? (pages[0] as HelpPage)
  return (
    <div className="flex h-full min-h-0 flex-col">
      <h1 className="bg-surface px-4 pt-3 text-large">{words.help.title}</h1>
      <Tabs
        label={words.help.pages}
        tabs={pages.map(({ name, title }) => ({ id: name, label: title }))}
        chosen={chosen.name}
        onChoose={show}
        barClass="bg-surface"
        panelClass="min-h-0 flex-1"
      >
        {/* By keyboard, too, a page is read to its end: not every one has a link to stop at. */}
        <article
          key={chosen.name}
          tabIndex={0}
          aria-label={chosen.title}
          className="ring-inside h-full overflow-y-auto p-4 text-medium"
        >
          <div className="max-w-3xl">
            <Markdown remarkPlugins={[remarkGfm]} components={components}>
              {chosen.markdown}
            </Markdown>
          </div>
        </article>
      </Tabs>
    </div>
  )
}
