import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@playwright/test'

const CALLS = '**/api/**'

/**
 * Delays a page's calls by up to 0.75 s, each by its path, so that they are answered in another order than they were made.
 *
 * @returns a function that waits until all are answered, and ends the delays
 */
export async function delayAnswers(page: Page): Promise<() => Promise<void>> {
  await page.route(CALLS, async (route) => {
    await sleep(delayOf(new URL(route.request().url()).pathname))
    await route.fallback()
  })
  return async () => {
    await page.waitForLoadState('networkidle')
    await page.unroute(CALLS)
  }
}

const delayOf = (path: string): number =>
  (Buffer.from(path).reduce((sum, byte) => (sum * 31 + byte) % 9973, 7) % 6) * 150
