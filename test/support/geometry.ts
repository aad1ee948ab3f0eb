/** What a page's geometry gets wrong: sideways scrolling, text over text, text cut off without a way to read it. */
import type { Page } from '@playwright/test'

/** One line for each finding, none when all is well. */
export function geometryFindings(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    interface Box {
      left: number
      top: number
      right: number
      bottom: number
    }
    interface Piece {
      node: Text
      of: Element
      box: Box
    }
    const tolerance = 2
    const found = new Set<string>()
    const root = document.documentElement
    if (root.scrollWidth > root.clientWidth) found.add(`the page is ${root.scrollWidth} wide in ${root.clientWidth}`)
    const screen = document.getElementById('screen')
    if (screen && screen.scrollWidth > screen.clientWidth)
      found.add(`the screen is ${screen.scrollWidth} wide in ${screen.clientWidth}`)

    // Hit tests must see what lets the pointer through, such as the labels of charts.
    const style = document.head.appendChild(document.createElement('style'))
    style.textContent = '*, *::before, *::after { pointer-events: auto !important }'

    const says = (text: string | null) => `“${(text ?? '').trim().replace(/\s+/g, ' ').slice(0, 40)}”`
    const meet = (a: Box, b: Box): Box => ({
      left: Math.max(a.left, b.left),
      top: Math.max(a.top, b.top),
      right: Math.min(a.right, b.right),
      bottom: Math.min(a.bottom, b.bottom),
    })
    const isBig = (box: Box) => box.right - box.left > tolerance && box.bottom - box.top > tolerance
    const window_: Box = { left: 0, top: 0, right: innerWidth, bottom: innerHeight }

    /** The part of a box that scrolling and clipping ancestors leave; notes text that nothing lets a person reach. */
    function leftOf(box: Box, of: Element, text: string | null): Box {
      let left = box
      let readable = false
      for (let at: Element | null = of; at && at !== root; at = at.parentElement) {
        const { overflowX, overflowY, position, textOverflow, webkitLineClamp, clipPath } = getComputedStyle(at)
        const frame = at.getBoundingClientRect()
        // For assistive technology only.
        if (clipPath !== 'none' || (frame.width <= 1 && frame.height <= 1)) return { ...box, right: box.left }
        readable ||= at.hasAttribute('title') || textOverflow === 'ellipsis' || webkitLineClamp !== 'none'
        const cutsX = overflowX !== 'visible'
        const cutsY = overflowY !== 'visible'
        const hides = (overflow: string) => overflow === 'hidden' || overflow === 'clip'
        if (
          hides(overflowX) &&
          !readable &&
          (left.right > frame.right + tolerance || left.left < frame.left - tolerance)
        )
          if (left.left < frame.right && left.right > frame.left) found.add(`cut off sideways: ${says(text)}`)
        if (
          hides(overflowY) &&
          !readable &&
          (left.bottom > frame.bottom + tolerance || left.top < frame.top - tolerance)
        )
          if (left.top < frame.bottom && left.bottom > frame.top) found.add(`cut off below: ${says(text)}`)
        if (cutsX) left = meet(left, { ...left, left: frame.left, right: frame.right })
        if (cutsY) left = meet(left, { ...left, top: frame.top, bottom: frame.bottom })
        // What scrolls can be reached.
        if (/auto|scroll/.test(overflowX)) readable = true
        if (position === 'fixed') break
      }
      if (left.right > innerWidth + tolerance && left.left < innerWidth)
        found.add(`beyond the window’s edge: ${says(text)}`)
      return meet(left, window_)
    }

    /** Whether some of it shows, not behind a dialog or a heading that stays: only a ground of its own hides. */
    function isSeen({ of, box }: Piece): boolean {
      const width = box.right - box.left
      return [0.05, 0.5, 0.95].some((part) => {
        for (const hit of document.elementsFromPoint(box.left + width * part, (box.top + box.bottom) / 2)) {
          if (hit.contains(of)) return true
          if (!/^(transparent|rgba\(0, 0, 0, 0\))$/.test(getComputedStyle(hit).backgroundColor)) return false
        }
        return false
      })
    }

    const modal = document.querySelector('dialog[open]')
    const pieces: Piece[] = []
    const walker = document.createTreeWalker(modal ?? document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const node = walker.currentNode as Text
      const of = node.parentElement
      if (!of || node.data.trim() === '' || of.closest('script, style, option, title, desc')) continue
      if (!of.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      for (const rect of range.getClientRects()) {
        const box = leftOf(rect, of, node.data)
        const piece = { node, of, box }
        if (isBig(box) && isSeen(piece)) pieces.push(piece)
      }
    }
    pieces.forEach((one, index) => {
      for (const other of pieces.slice(index + 1)) {
        if (other.node === one.node || !isBig(meet(one.box, other.box))) continue
        found.add(`one over the other: ${says(one.node.data)} and ${says(other.node.data)}`)
      }
    })
    // Fields and buttons hold text that has no node of its own.
    for (const field of (modal ?? document.body).querySelectorAll<HTMLElement>(
      'select, button, input, textarea, nav a',
    )) {
      if (!field.checkVisibility() || field.clientWidth <= 1) continue
      if (!/INPUT|TEXTAREA/.test(field.tagName) && field.scrollWidth > field.clientWidth)
        found.add(`too narrow for its words: ${says(field.innerText)}`)
      const frame = field.closest('section, figure, dialog')?.getBoundingClientRect()
      if (frame && !field.closest('[role="list"]') && field.getBoundingClientRect().right > frame.right)
        found.add(`out of its frame: ${field.tagName} ${says(field.innerText)}`)
    }
    // Tables may be wider than their frame; nothing else is to be read by scrolling sideways.
    for (const scroller of (modal ?? document.body).querySelectorAll('*')) {
      if (scroller.scrollWidth <= scroller.clientWidth + tolerance || scroller.clientWidth <= 1) continue
      if (!/auto|scroll/.test(getComputedStyle(scroller).overflowX) || scroller.matches('input, textarea')) continue
      if (!scroller.querySelector('table')) found.add(`scrolls sideways: ${says(scroller.textContent)}`)
    }
    style.remove()
    return [...found]
  })
}
