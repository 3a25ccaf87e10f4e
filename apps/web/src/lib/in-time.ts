const PATIENCE_MS = 1500

/**
 * Waits for what a page should be drawn with, but not for long, and not for what fails: the page asks again by
 * itself, and shows what it has.
 */
export const inTime = (ready: Promise<unknown>): Promise<unknown> =>
  Promise.race([
    ready.catch(() => undefined),
    new Promise((resolve) => setTimeout(resolve, PATIENCE_MS)),
  ])
