import { useLayoutEffect, useRef, type RefObject } from 'react'

/**
 * A dialog that lies over everything while it is there, one that is open already too, so that nothing beneath can be
 * reached. Focus returns where it was.
 */
export function useCurtain(): RefObject<HTMLDialogElement | null> {
  const ref = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const curtain = ref.current
    const before = document.activeElement
    curtain?.showModal()
    return () => {
      curtain?.close()
      requestAnimationFrame(() => {
        if (before instanceof HTMLElement && before.isConnected) before.focus()
      })
    }
  }, [])
  return ref
}
