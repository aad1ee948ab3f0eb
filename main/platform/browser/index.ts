export { openBrowserHost, type BrowserHost } from './host.ts'
export { browserShell, openInBrowser } from './shell.ts'
