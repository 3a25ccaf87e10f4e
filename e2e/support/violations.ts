import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type axe from 'axe-core'

const program = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The rules that depend on colours. All others give the same result in light and dark. */
const rulesOfColours = ['color-contrast', 'link-in-text-block']

/**
 * Returns the accessibility violations of the current page. `coloursOnly` is for a page that was already tested in
 * another colour scheme.
 */
export async function violationsOf(
  page: Page,
  { coloursOnly = false }: { coloursOnly?: boolean } = {},
): Promise<{ rule: string; nodes: string[] }[]> {
  // Inject axe once per load. There are no frames to test.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(program)
  return await page.evaluate(
    async (options) => {
      // Wait for colour transitions between light and dark.
      const changes = document.getAnimations().filter((change) => change instanceof CSSTransition)
      await Promise.allSettled(changes.map(({ finished }) => finished))
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(
        document,
        options,
      )
      return [
        ...violations.map(({ id, help, nodes }) => ({
          rule: `${id}: ${help}`,
          nodes: nodes.map(({ target, failureSummary }) => `${target.join(' ')} ${failureSummary}`),
        })),
        ...unreachable(),
      ]

      function isListOfField(list: Element | null) {
        const field = list?.id
          ? document.querySelector<HTMLElement>(`[aria-controls~="${CSS.escape(list.id)}"]`)
          : null
        return (
          field !== null &&
          field.tabIndex >= 0 &&
          (field.role === 'combobox' || field.ariaHasPopup === 'listbox')
        )
      }

      /** axe only checks elements that scroll at the moment. With other data, any scrollable element may scroll. */
      function unreachable() {
        const nodes = [...document.body.querySelectorAll<HTMLElement>('*')]
          .filter((element) => {
            const { overflowX, overflowY, visibility } = getComputedStyle(element)
            const mayScroll = [overflowX, overflowY].some(
              (way) => way === 'auto' || way === 'scroll',
            )
            return mayScroll && visibility === 'visible' && element.getClientRects().length > 0
          })
          // Arrow keys in a field move through its list, which then scrolls.
          .filter((element) => !isListOfField(element.closest('[role=listbox]')))
          .filter((element) =>
            [element, ...element.querySelectorAll<HTMLElement>('*')].every(
              ({ tabIndex, ariaHidden }) => tabIndex < 0 || ariaHidden === 'true',
            ),
          )
          .map(
            (element) =>
              `${element.tagName} ${element.className}: ${element.textContent.slice(0, 80)}`,
          )
        return nodes.length === 0
          ? []
          : [{ rule: 'scrollable elements can be scrolled by keyboard', nodes }]
      }
    },
    {
      // Faster: do not report passing elements, and do not fetch style sheets again.
      resultTypes: ['violations'] satisfies axe.resultGroups[],
      preload: false,
      ...(coloursOnly && { runOnly: rulesOfColours }),
    } satisfies axe.RunOptions,
  )
}
