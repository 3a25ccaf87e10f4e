import type { Page } from '@playwright/test'
import { PATIENCE_MS } from '../../apps/web/src/lib/in-time.ts'

declare global {
  interface Window {
    shifts: { value: number; what: string[] }[]
  }
}

/** A `layout-shift` entry, which TypeScript's DOM types lack. */
interface LayoutShift extends PerformanceEntry {
  value: number
  sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[]
}

/** Smaller shifts are not noticeable: a tenth of what Web Vitals rates as good (0.1). */
const NOTICEABLE = 0.01

/**
 * Makes a page wait for what decides its height until it is there: on a busy machine, an answer takes longer than people are
 * made to wait.
 */
export const waitForHeights = (page: Page) =>
  page.addInitScript((patienceMs) => {
    const real = window.setTimeout.bind(window)
    const patient = (handler: TimerHandler, ms?: number, ...given: unknown[]) =>
      ms === patienceMs ? 0 : real(handler, ms, ...given)
    window.setTimeout = patient as typeof window.setTimeout // without Node's overloads
  }, PATIENCE_MS)

/** Records the layout shifts of a page, including those after input. */
export async function watchShifts(page: Page) {
  await page.addInitScript(() => {
    window.shifts = []
    const rect = ({ x, y, width, height }: DOMRect) =>
      [x, y, width, height].map(Math.round).join(' ')
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as LayoutShift[])
        // by the type that is observed
        window.shifts.push({
          value: entry.value,
          what: entry.sources.map(({ node, previousRect, currentRect }) => {
            const element = node instanceof Element ? node : node?.parentElement
            const name = `${element?.tagName}.${element?.className} ${element?.textContent?.slice(0, 30)}`
            return `${name}: ${rect(previousRect)} → ${rect(currentRect)}`
          }),
        })
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return {
    forget: () => page.evaluate(() => void (window.shifts = [])),
    /** All shifts, if their sum is noticeable. */
    async sinceLoad(noticeable = NOTICEABLE) {
      // Entries are delivered after the frame.
      await page.evaluate(
        () =>
          new Promise((resolve) => {
            requestAnimationFrame(() => setTimeout(resolve, 50))
          }),
      )
      const shifts = await page.evaluate(() => window.shifts)
      return shifts.reduce((sum, { value }) => sum + value, 0) < noticeable ? [] : shifts
    },
  }
}
