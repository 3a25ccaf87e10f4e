import type { BrowserContext } from '@playwright/test'
import { shiftDate } from './day.ts'

/** Gives the pages of a context what would differ from run to run: the clock, and what the browser takes the line for. */
export async function steady(context: BrowserContext, ms: number): Promise<void> {
  await context.addInitScript(shiftDate, ms)
  await context.addInitScript(fastLine)
}

/** On a busy machine, the browser takes the line to be slow, and first pages go without their font. A test may say otherwise. */
function fastLine(): void {
  Object.defineProperty(navigator, 'connection', {
    value: { downlink: 10, rtt: 50, saveData: false },
    configurable: true,
  })
}
