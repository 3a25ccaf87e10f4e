import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type axe from 'axe-core'

const program = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

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
  // Once for each load; there are no frames to be looked into.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(program)
  return await page.evaluate(
    async (options) => {
      // Colours on their way from light to dark are neither.
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

      /** axe sees what does scroll; with other figures, what only may scroll will. */
      function unreachable() {
        const nodes = [...document.body.querySelectorAll<HTMLElement>('*')]
          .filter((element) => {
            const { overflowX, overflowY, visibility } = getComputedStyle(element)
            const mayScroll = [overflowX, overflowY].some(
              (way) => way === 'auto' || way === 'scroll',
            )
            return mayScroll && visibility === 'visible' && element.getClientRects().length > 0
          })
          // Arrow keys in a field move through its list, which scrolls along.
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
          : [{ rule: 'what may scroll can be scrolled by keyboard', nodes }]
      }
    },
    {
      // What is right is not described, element by element; style sheets are not fetched once more.
      resultTypes: ['violations'] satisfies axe.resultGroups[],
      preload: false,
      ...(coloursOnly && { runOnly: rulesOfColours }),
    } satisfies axe.RunOptions,
  )
}
