import { Button, Group, Stack, Switch, TextInput } from '@mantine/core'
import type { InputOf } from '@tallyroom/contract/endpoint'
import {
  rateBackdatingEndpoints as endpoints,
  SHORTEST_REASON,
} from '@tallyroom/contract/pay/backdating/backdating'
import type { DatedRate } from '@tallyroom/contract/catalogue/rates'
import { addDays, type Day } from '@tallyroom/domain/new-york'
import { useState } from 'react'
import { call } from '../../lib/call.ts'
import { useToday } from '../../lib/clock.ts'
import { randomUuid } from '../../lib/random-uuid.ts'
import { useOneMutation } from '../../lib/forms/use-one-mutation.ts'
import { askToChange } from '../../ui/dialogs/ask-to-change.ts'
import { DayPicker } from '../../ui/dates/DayPicker.tsx'
import { Changes } from './BackdatingChanges.tsx'
import type { RateColumn } from './rate-columns.ts'
import { givenRatesOf, RateFields, type TypedRates } from './RateFields.tsx'
import type { RatesKey } from './rates.api.ts'
import classes from './RatesDrawer.module.css'

type Rate = InputOf<typeof endpoints.previewBackdating>['body']

interface BackdatingFormProps {
  of: RatesKey
  columns: readonly RateColumn[]
  /** What empty fields leave as it was since a day. */
  ratesOnDay: (day: Day) => DatedRate | undefined
  refresh: () => Promise<void>
}

/** Asks for rates and the past day from which they should have been in force, then shows what that changes. */
export function BackdatingForm({
  of: { typeId, companyId },
  columns,
  ratesOnDay,
  refresh,
}: BackdatingFormProps) {
  const today = useToday()
  const [from, setFrom] = useState(addDays(today, -1))
  const [reason, setReason] = useState('')
  const [replaceLater, setReplaceLater] = useState(false)
  const [typed, setTyped] = useState<TypedRates>({})
  const [enable, setEnable] = useState(true)
  const given = enable ? givenRatesOf(typed) : {}
  const rate: Rate = { typeId, companyId, from, enable, replaceLater, ...given }
  const ask = async () => {
    const preview = await call(endpoints.previewBackdating, { body: rate })
    const { version } = preview
    const body = { ...rate, reason, version, requestId: randomUuid() }
    await askToChange(
      { label: 'Backdate', question: <Changes of={preview} /> },
      { whose: `rates from ${from}`, refresh },
      () => call(endpoints.backdateRate, { body }),
    )
  }
  const asking = useOneMutation({ mutationFn: ask })
  return (
    <Stack gap="sm">
      <p className={classes.about}>
        Past sales are corrected to the new rate, except reversed ones. The next step shows what
        changes.
      </p>
      <div className={classes.dayFields}>
        <DayPicker label="Since" value={from} max={today} onChange={setFrom} />
        <TextInput
          label="Reason"
          description="Payees read it on their statements"
          required
          maxLength={200}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      </div>
      {companyId !== null && (
        <Switch
          label="Own rates"
          description="Off: the link type’s default rates should have applied since that day."
          checked={enable}
          onChange={(event) => setEnable(event.currentTarget.checked)}
        />
      )}
      {enable && (
        <RateFields
          columns={columns}
          typed={typed}
          unchanged={ratesOnDay(from)}
          {...(replaceLater && {
            aboutEmpty: 'Empty fields keep what applies on that day, also after later changes.',
          })}
          propsOf={({ field }) => ({
            value: typed[field] ?? '',
            onChange: (event) => setTyped({ ...typed, [field]: event.currentTarget.value }),
          })}
        />
      )}
      <Switch
        label="Also overwrite changes made after this day"
        description="Off: these rates end with the next change after this day."
        checked={replaceLater}
        onChange={(event) => setReplaceLater(event.currentTarget.checked)}
      />
      <Group justify="flex-end">
        <Button
          disabled={
            reason.trim().length < SHORTEST_REASON || (enable && Object.keys(given).length === 0)
          }
          loading={asking.isPending}
          onClick={() => asking.mutate()}
        >
          Preview
        </Button>
      </Group>
    </Stack>
  )
}
