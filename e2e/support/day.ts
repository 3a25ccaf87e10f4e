import { todayNewYork } from '../../packages/domain/src/new-york.ts'

/**
 * Milliseconds from the machine's clock to that of the run, which server, browser and tests share. It runs on
 * from the chosen instant: see `playwright.config.ts`.
 */
export const aheadMs = Number(process.env['E2E_AHEAD_MS'] ?? Number.NaN)

/** When the run's clock began. */
export const start = new Date(Number(process.env['E2E_START_MS']))

/** The instant now, by the clock of the run. */
export const now = (): Date => new Date(Date.now() + aheadMs)

/** The run's day in New York. */
export const today = todayNewYork(now())

/**
 * Sets the clock of the process or page it runs in ahead. Timers are left alone. Playwright sends its source to
 * the browser, so it refers to nothing outside itself.
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
