import { Button, TextInput } from '@mantine/core'
import type { WhatIfBody } from './what-if.api.ts'
import { ratesEndpoints } from '@tallyroom/contract/rates'
import { addDays, isDay } from '@tallyroom/domain/new-york'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/call.ts'
import { useToday } from '../../lib/clock.ts'
import { toast } from '../../ui/toasts.tsx'
import classes from './what-if.module.css'

interface TakeOverProps {
  rates: NonNullable<WhatIfBody['rates']>
  /** The chosen office, whose own rates they become; otherwise the default rates. */
  companyId: number | undefined
}

/** Prepares the rates that were tried out, from a coming New York midnight on. */
export function TakeOver({ rates, companyId }: TakeOverProps) {
  const tomorrow = addDays(useToday(), 1)
  const [day, setDay] = useState(tomorrow)
  const prepare = useMutation({
    mutationFn: async () => {
      // One by one: if one is refused, the message is about that one, and those before it are in force from that day.
      for (const rate of rates) {
        await call(ratesEndpoints.prepareRate, {
          body: {
            ...rate,
            companyId: companyId ?? null,
            validFrom: day,
            note: 'Taken over from What if',
          },
        })
      }
    },
    onSuccess: () =>
      toast({
        kind: 'success',
        heading: 'Prepared',
        body: `${rates.length === 1 ? 'This rate applies' : `These ${rates.length} rates apply`} from ${day}, midnight in New York.`,
      }),
  })
  const isReady = isDay(day) && day >= tomorrow
  return (
    <form
      className={classes.takeOver}
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) prepare.mutate()
      }}
    >
      <TextInput
        type="date"
        label="From"
        size="xs"
        min={tomorrow}
        value={day}
        error={!isReady && 'Choose a day after today'}
        onChange={({ currentTarget: { value } }) => {
          prepare.reset()
          setDay(value)
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
        {companyId === undefined
          ? 'As default rates, from New York midnight on. Offices with own rates keep theirs.'
          : 'As own rates of the chosen office, from New York midnight on.'}
      </small>
    </form>
  )
}
