/** Tells whoever waits how far long work has come. */
export type Progress = {
  /**
   * Shows that `run` is going on, and afterwards how long it took. A failed step disappears: whoever catches the error tells
   * it.
   */
  step<T>(title: string, run: (reach: Reach) => Promise<T>): Promise<T>
}

/** Tells what is done so far, of all if that is known. The unit is a plural, such as `rows`; none for a mere share. */
export type Reach = (done: number, all?: number, unit?: string) => void

/** Waits between two parts of long work that is in no hurry. May throw, which ends it. */
export type Pace = () => Promise<void>

export const noPause: Pace = async () => {}

/** For work that nobody watches. */
export const noProgress: Progress = { step: (_title, run) => run(() => {}) }
