import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/** The rules that colours decide. All others see the same in light and dark. */
const rulesOfColours = ['color-contrast', 'link-in-text-block']

/**
 * What breaks a rule of accessibility on the page as it is on screen, as texts for whoever mends it.
 * `coloursOnly` is for a page that was looked at whole in other colours.
 */
export async function violationsOf(
  page: Page,
  { coloursOnly = false }: { coloursOnly?: boolean } = {},
): Promise<{ rule: string; nodes: string[] }[]> {
  const axe = new AxeBuilder({ page })
    // Otherwise each look opens a page of its own, to put together what frames say; there are none.
    .setLegacyMode()
    // What is right is not described, element by element.
    .options({ resultTypes: ['violations'] })
  const { violations } = await (coloursOnly ? axe.withRules(rulesOfColours) : axe).analyze()
  return violations.map(({ id, help, nodes }) => ({
    rule: `${id}: ${help}`,
    nodes: nodes.map(({ target, failureSummary }) => `${target.join(' ')} ${failureSummary}`),
  }))
}
