import { Button } from '@mantine/core'
import { MAX_PREPARED_AT_ONCE, ratesEndpoints } from '@tallyroom/contract/catalogue/rates'
import { formatPesos } from '@tallyroom/domain/money'
import { addDays } from '@tallyroom/domain/new-york'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isApiError } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { useToday } from '../../lib/clock.ts'
import { asSentence } from '../../lib/forms/form-errors.ts'
import { useOneMutation } from '../../lib/forms/use-one-mutation.ts'
import { refreshRates } from '../../shared/rates/rates.api.ts'
import { DayPicker } from '../../ui/dates/DayPicker.tsx'
import type { EntityOption } from '../../ui/EntitySelect.tsx'
import { toast } from '../../ui/toasts.tsx'
import type { WhatIfBody } from './what-if.api.ts'
import classes from './what-if.module.css'

interface TakeOverProps {
  rates: NonNullable<WhatIfBody['rates']>
  /** The chosen offices, whose own rates these become; if none is chosen, the default rates. */
  offices: readonly EntityOption[]
  /** The name of a link type. */
  nameOf: (typeId: number) => string
  /** Whether the form says something else than what was calculated, and would be prepared. */
  isChanged: boolean
}

/** Prepares the rates that were tried out from a future New York midnight on, all or none. */
export function TakeOver({ rates, offices, nameOf, isChanged }: TakeOverProps) {
  const client = useQueryClient()
  const tomorrow = addDays(useToday(), 1)
  const [day, setDay] = useState(tomorrow)
  const whose = offices.length === 0 ? [undefined] : offices
  const all = rates.flatMap((rate) =>
    whose.map((office) => ({ ...rate, companyId: office?.id ?? null })),
  )
  const names = rates.flatMap(({ typeId }) =>
    whose.map((office) =>
      [nameOf(typeId), whose.length > 1 && office?.label].filter(Boolean).join(', '),
    ),
  )
  const prepare = useOneMutation({
    mutationFn: () =>
      call(ratesEndpoints.prepareRates, {
        body: {
          validFrom: day,
          note: 'Taken over from What if',
          rates: all,
        },
      }),
    meta: { ownErrors: true },
    onSuccess: () => {
      void refreshRates(client)
      toast({
        kind: 'success',
        heading: 'Prepared',
        body: `${all.length === 1 ? 'This rate applies' : `These ${all.length} rates apply`} from ${day}, midnight in New York.`,
      })
    },
  })
  const refusals = prepare.error ? refusalsOf(prepare.error, names) : []
  const isReady = !isChanged && day >= tomorrow && all.length <= MAX_PREPARED_AT_ONCE
  return (
    <form
      className={classes.takeOver}
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) prepare.mutate()
      }}
    >
      <DayPicker
        label="From"
        value={day}
        min={tomorrow}
        error={day < tomorrow && 'Choose a day after today'}
        onChange={(chosen) => {
          prepare.reset()
          setDay(chosen)
        }}
      />
      <Button
        type="submit"
        size="xs"
        variant="default"
        loading={prepare.isPending}
        disabled={!isReady || prepare.isSuccess}
      >
        {prepare.isSuccess ? 'Prepared' : 'Prepare these rates'}
      </Button>
      <small>
        {`${rates.map((rate) => rateText(nameOf(rate.typeId), rate)).join('; ')}: `}
        {offices.length === 0
          ? 'as default rates, from New York midnight on. Offices with own rates keep theirs.'
          : `as own rates of ${offices.map(({ label }) => label).join(', ')}, from New York midnight on.`}
        {isChanged && ' You have changed the form since: calculate again first.'}
        {all.length > MAX_PREPARED_AT_ONCE &&
          ` These are ${all.length} rates, and at most ${MAX_PREPARED_AT_ONCE} can be prepared at once: choose fewer offices or sites.`}
      </small>
      {refusals.length > 0 && (
        <div role="alert" className={classes.refusals}>
          Nothing was prepared. {refusals.join(' ')}
        </div>
      )}
    </form>
  )
}

/** `Credits Pack ₱450.00, bonus ₱70.50` */
const rateText = (name: string, { payout, bonusPayout }: TakeOverProps['rates'][number]) =>
  [
    payout === undefined ? name : `${name} ${formatPesos(payout)}`,
    ...(bonusPayout === undefined ? [] : [`bonus ${formatPesos(bonusPayout)}`]),
  ].join(', ')

/**
 * Explains a refusal, by link type if the server names it: `Credits Pack: This has a prepared
 * change already.`
 */
function refusalsOf(error: Error, names: readonly string[]): string[] {
  if (!isApiError(error, 'VALIDATION_ERROR')) return [error.message]
  return Object.entries(error.data).map(([field, [message = '']]) => {
    const name = names[Number(/^rates\.(\d+)$/.exec(field)?.[1])]
    return `${name === undefined ? '' : `${name}: `}${asSentence(message)}.`
  })
}
