import { conflict } from './errors.ts'

/**
 * Keeps somebody who saves a form from undoing what another has saved since the form was filled.
 *
 * @param known the version that the form was filled with; undefined replaces whatever is there.
 * @throws CONFLICT when the row has changed since.
 */
export function refuseStale(what: string, present: number, known: number | undefined): void {
  if (known === undefined || known === present) return
  throw conflict(
    `Somebody else has changed this ${what} since you opened it. ` +
      'Nothing was saved. Open it again to see the changes, then make yours.',
  )
}
