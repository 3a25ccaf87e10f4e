import { todayNewYork } from '../../packages/domain/src/new-york.ts'

/**
 * The offset of the run's clock from the machine's clock, in milliseconds. Server, browser and tests share the run's
 * clock, which starts at the instant chosen in `playwright.config.ts`.
 */
export const aheadMs = Number(process.env['E2E_AHEAD_MS'] ?? Number.NaN)

/** The start of the run's clock. */
export const start = new Date(Number(process.env['E2E_START_MS']))

/** The current time by the run's clock. */
export const now = (): Date => new Date(Date.now() + aheadMs)

/** The current day in New York, by the run's clock. */
export const today = todayNewYork(now())

/**
 * Shifts the clock of the process or page in which it runs. Does not affect timers. Must be self-contained, because
 * Playwright sends its source to the browser.
 */
export function shiftDate(ms: number): void {
  globalThis.Date = new Proxy(Date, {
    construct: (real, given: [], made) =>
      Reflect.construct(real, given.length === 0 ? [real.now() + ms] : given, made),
    apply: (real) => new real(real.now() + ms).toString(),
    get: (real, name, receiver) =>
      name === 'now' ? () => real.now() + ms : Reflect.get(real, name, receiver),
  })
}
