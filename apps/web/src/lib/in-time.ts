export const PATIENCE_MS = 2_500

/**
 * Waits briefly for data that a page should be rendered with, and ignores failures. The page's own query then takes
 * over.
 */
export const inTime = (ready: Promise<unknown>): Promise<unknown> =>
  Promise.race([
    ready.catch(() => undefined),
    new Promise((resolve) => setTimeout(resolve, PATIENCE_MS)),
  ])
