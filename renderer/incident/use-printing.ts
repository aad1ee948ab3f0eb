import { useCallback, useEffect, useRef } from 'react'
import { words } from '../words/index.ts'

/**
 * Tells of every printing of the page, by whatever key or menu, and gives it a title that names nobody: browsers make
 * the name of the file from it. Answers what to call when the printing was told already; it prints.
 */
export function usePrinting(tell: () => Promise<unknown>): () => void {
  const latest = useRef(tell)
  const told = useRef(false)
  useEffect(() => {
    latest.current = tell
  })
  useEffect(() => {
    let title = document.title
    const before = () => {
      title = document.title
      document.title = words.incident.fileName
      // Where it cannot be told, the error stands on screen as that of any other call; paper cannot be stopped.
      if (!told.current) void latest.current().catch(() => undefined)
      told.current = false
    }
    const after = () => {
      document.title = title
    }
    window.addEventListener('beforeprint', before)
    window.addEventListener('afterprint', after)
    return () => {
      window.removeEventListener('beforeprint', before)
      window.removeEventListener('afterprint', after)
    }
  }, [])
  return useCallback(() => {
    told.current = true
    window.print()
  }, [])
}
