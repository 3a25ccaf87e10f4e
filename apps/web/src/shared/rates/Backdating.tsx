import { Button } from '@mantine/core'
import {
  type RateBackdating,
  rateBackdatingEndpoints as endpoints,
  SHORTEST_REASON,
} from '@tallyroom/contract/pay/backdating/backdating'
import type { DatedRate } from '@tallyroom/contract/catalogue/rates'
import { type Day, dayOf } from '@tallyroom/domain/new-york'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/call.ts'
import { askToChange } from '../../ui/dialogs/ask-to-change.ts'
import { ReasonForm } from '../../ui/form/ReasonForm.tsx'
import { Changes, sumsText } from './BackdatingChanges.tsx'
import { BackdatingForm } from './BackdatingForm.tsx'
import type { RateColumn } from './rate-columns.ts'
import { backdatingsQuery, type RatesKey, refreshRates } from './rates.api.ts'
import classes from './RatesDrawer.module.css'

interface BackdatingProps {
  of: RatesKey
  columns: readonly RateColumn[]
  mayChange: boolean
  /** What empty fields leave as it was since a day. */
  ratesOnDay: (day: Day) => DatedRate | undefined
}

/** Puts rates in force from a past day on, after a preview of what that changes, and undoes it. */
export function Backdating({ of, columns, mayChange, ratesOnDay }: BackdatingProps) {
  const client = useQueryClient()
  const [open, setOpen] = useState<'new' | RateBackdating['id']>()
  const { data: backdatings = [] } = useQuery(backdatingsQuery(of))
  const refresh = async () => {
    setOpen(undefined)
    await refreshRates(client)
  }
  if (!mayChange && backdatings.length === 0) return null
  return (
    <section aria-label="From a past day">
      <h2 className={classes.heading}>From a past day</h2>
      {open === 'new' ? (
        <BackdatingForm of={of} columns={columns} ratesOnDay={ratesOnDay} refresh={refresh} />
      ) : (
        mayChange && (
          <Button variant="default" size="xs" onClick={() => setOpen('new')}>
            Backdate rates…
          </Button>
        )
      )}
      <ol className={classes.list}>
        {backdatings.map((one) => (
          <li key={one.id} className={classes.entry}>
            <div className={classes.line}>
              <strong>{one.from}</strong>
              <span className={classes.state}>{one.undone ? 'Undone' : 'Backdated'}</span>
              {!one.undone && mayChange && open !== one.id && (
                <Button size="compact-xs" variant="default" onClick={() => setOpen(one.id)}>
                  Undo…
                </Button>
              )}
            </div>
            <div className={classes.amounts}>
              {!one.enable && 'Own rates off · '}
              {sumsText(one)}
            </div>
            <div className={classes.about}>
              By {one.madeBy} on {dayOf(new Date(one.madeAt))} · <bdi>{one.reason}</bdi>
              {one.undone &&
                ` · Undone by ${one.undone.by} on ${dayOf(new Date(one.undone.at))}: ${one.undone.reason}`}
            </div>
            {open === one.id && (
              <ReasonForm
                label="Why is it undone? Payees read it on their statements"
                minLength={SHORTEST_REASON}
                maxLength={200}
                confirmLabel="Preview"
                onConfirm={(reason) => askUndo(one, reason, refresh)}
                onKeep={() => setOpen(undefined)}
              />
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Shows what undoing changes, then undoes it. */
async function askUndo({ id, from }: RateBackdating, reason: string, refresh: () => Promise<void>) {
  const params = { id: String(id) }
  const preview = await call(endpoints.previewUndo, { params })
  await askToChange(
    { label: 'Undo', question: <Changes of={preview} /> },
    { whose: `rates from ${from}`, refresh },
    () => call(endpoints.undoBackdating, { params, body: { reason, version: preview.version } }),
  )
}
