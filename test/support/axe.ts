/** What axe finds on a page as it stands, in light and in dark. */
import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** One line for each finding: scheme, rule, element, and what axe says of it. */
export async function axeFindings(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const { violations } = await new AxeBuilder({ page }).withTags(rules).setLegacyMode(true).analyze()
    for (const { id, nodes } of violations)
      for (const node of nodes)
        found.push(`${colorScheme} · ${id} · ${node.target.join(' ')} · ${node.failureSummary?.replace(/\s+/g, ' ')}`)
  }
  return found
}
