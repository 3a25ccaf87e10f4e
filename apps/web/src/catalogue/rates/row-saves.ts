/** The state of a row's changes. */
export interface RowSaves<Change> {
  /** The change in flight, and those queued behind it. */
  waiting: readonly Change[]
  outcome?:
    | { kind: 'saved' }
    /** `change` is everything that was not saved, for a retry. */
    | { kind: 'failed'; reason: string; change: Change }
}

/**
 * Saves changes as they are made. Changes of one row are sent in sequence, so that each builds on the version that
 * the previous one returned. Different rows are saved in parallel. After a failure, the row's queue is not sent.
 */
export function makeRowSaves<Change extends object>(
  save: (row: number, change: Change) => Promise<unknown>,
) {
  let states: ReadonlyMap<number, RowSaves<Change>> = new Map()
  const listeners = new Set<() => void>()

  function set(row: number, state: RowSaves<Change>) {
    states = new Map(states).set(row, state)
    listeners.forEach((listener) => listener())
  }

  const waitingOf = (row: number) => states.get(row)?.waiting ?? []

  async function saveAll(row: number) {
    for (let [next] = waitingOf(row); next; [next] = waitingOf(row)) {
      try {
        await save(row, next)
        set(row, { waiting: waitingOf(row).slice(1), outcome: { kind: 'saved' } })
      } catch (error) {
        const change = Object.assign({}, ...waitingOf(row)) as Change // parts of a Change, later ones over earlier
        const reason = error instanceof Error ? error.message : String(error)
        set(row, { waiting: [], outcome: { kind: 'failed', reason, change } })
      }
    }
  }

  return {
    change(row: number, change: Change) {
      const waiting = waitingOf(row)
      set(row, { waiting: [...waiting, change] })
      if (waiting.length === 0) void saveAll(row)
    },
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    states: () => states,
  }
}
