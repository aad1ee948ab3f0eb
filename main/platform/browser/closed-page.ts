import { createHash } from 'node:crypto'

const style = `:root{color-scheme:light dark}body{font:13px/1.5 system-ui,sans-serif;margin:0;min-height:100vh;display:grid;place-items:center}
main{max-width:32rem;padding:1.5rem}h1{font-size:20px;font-weight:600;margin:0 0 .75rem}p{margin:0 0 .75rem}code{font-family:ui-monospace,monospace}`

/** A page of this size needs no file; its style is named by digest, so the policy still allows nothing else. */
export const closedPagePolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** What someone sees who comes without a valid address: what happened, what is safe, what to do. */
export const closedPage = page(
  'This address does not open the console',
  `<p>An address from the terminal opens the console once, in one browser. This one was used before, was followed by a newer one, is not complete, or belongs to a console that has been stopped.</p>
<p>Nothing is lost: the console keeps receiving alerts while it runs.</p>
<p>Go back to the window it opened, or run <code>npm start</code> again, as you did before: the running console is opened again, nothing is stopped.</p>`,
)

/** Sent once where a link on another page led here: a strict cookie is only sent on from a page of our own. */
export const enterPage = page(
  'Opening the console',
  '<p>One moment.</p>',
  '<meta http-equiv="refresh" content="0;url=/">',
)

function page(title: string, body: string, head = ''): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${head}<title>${title} · PsyFlo Console</title><style>${style}</style></head><body><main><h1>${title}</h1>${body}</main></body></html>`
}
