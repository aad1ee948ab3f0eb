/** What axe finds on a page as it stands, in light and in dark. */
import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/** The rules that look at colours; all others say the same in either scheme. */
const ofColours = ['color-contrast', 'link-in-text-block']

/** Of what is in order no account is asked for: it would be most of the work. */
const resultTypes: 'violations'[] = ['violations']

/** One line for each finding: scheme, rule, element, and what axe says of it. Every rule axe has on is asked. */
export async function axeFindings(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const axe = new AxeBuilder({ page }).setLegacyMode(true)
    // Off unless asked for, though WCAG 2.2 asks for it.
    if (colorScheme === 'light') axe.options({ resultTypes, rules: { 'target-size': { enabled: true } } })
    else axe.options({ resultTypes }).withRules(ofColours)
    const { violations } = await axe.analyze()
    for (const { id, nodes } of violations)
      for (const node of nodes)
        if (!isMenuOverLandmarks(id, node.target))
          found.push(`${colorScheme} · ${id} · ${node.target.join(' ')} · ${node.failureSummary?.replace(/\s+/g, ' ')}`)
  }
  return found
}

/** A menu floats beside the landmarks of the page while it is open; everything else stands in one. */
function isMenuOverLandmarks(rule: string, target: unknown): boolean {
  return rule === 'region' && String(target).includes('data-radix-popper-content-wrapper')
}
