/** What becomes of the changes of a row. */
export interface RowSaves<Change> {
  /** Sent, or waiting for those before them. */
  waiting: readonly Change[]
  outcome?:
    | { kind: 'saved' }
    /** `change` is everything that was not saved, to be tried again. */
    | { kind: 'failed'; reason: string; change: Change }
}

/**
 * Saves changes of rows as they are made: those of one row one after the other, so that each is made over
 * what the one before has left; those of different rows side by side. After a failure nothing that waited
 * behind it is sent.
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
