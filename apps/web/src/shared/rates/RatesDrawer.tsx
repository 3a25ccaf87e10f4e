import { Button, Drawer, Group, Stack, Switch, TextInput } from '@mantine/core'
import type { FeeRates } from '@tallyroom/contract/catalogue/office-fees'
import { type DatedRate, ratesEndpoints } from '@tallyroom/contract/catalogue/rates'
import type { BodyOf } from '@tallyroom/contract/endpoint'
import { can } from '@tallyroom/domain/abilities'
import { addDays, type Day } from '@tallyroom/domain/new-york'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useToday } from '../../lib/clock.ts'
import { FORM_ERROR } from '../../lib/forms/form-errors.ts'
import { useMe } from '../../lib/session.ts'
import { useCurrentDialog } from '../../ui/dialogs/dialogs.tsx'
import { DayPicker } from '../../ui/dates/DayPicker.tsx'
import { FormError } from '../../ui/form/FormError.tsx'
import { useRecordForm } from '../../ui/form/use-record-form.ts'
import { toastSaved } from '../../ui/toasts.tsx'
import { useOpened } from '../../ui/use-opened.ts'
import { Backdating } from './Backdating.tsx'
import type { RateColumn } from './rate-columns.ts'
import { givenRatesOf, RateFields } from './RateFields.tsx'
import { RateHistory } from './RateHistory.tsx'
import { type RatesKey, ratesQuery, refreshRates } from './rates.api.ts'
import { ratesOn } from './rates-on.ts'
import classes from './RatesDrawer.module.css'

interface RatesDrawerProps {
  of: RatesKey
  /** Whose rates: `Manila’s rates for Premium Pass`. */
  name: string
  columns: readonly RateColumn[]
  onClosed: () => void
}

/** Shows rates with their dates, prepares rates for a future day and withdraws prepared ones. */
export function RatesDrawer({ of, name, columns, onClosed }: RatesDrawerProps) {
  const [opened, close] = useOpened()
  const isAsking = useCurrentDialog() !== undefined
  const { data: rates } = useQuery(ratesQuery(of))
  // An office begins with the default rates of the day.
  const { data: defaults } = useQuery(ratesQuery({ ...of, companyId: null }))
  const mayChange = can(useMe(), 'fees.manage')
  return (
    <Drawer
      opened={opened}
      onClose={close}
      onExitTransitionEnd={onClosed}
      // Escape closes only the topmost dialog.
      closeOnEscape={!isAsking}
      position="right"
      size={640}
      title={<strong>{name}</strong>}
    >
      {rates && (
        <Stack gap="xl">
          {mayChange && (
            <Preparation
              of={of}
              columns={columns}
              ratesOnDay={(day) => ratesOn(rates, day) ?? ratesOn(defaults, day)}
            />
          )}
          <Backdating
            of={of}
            columns={columns}
            mayChange={mayChange}
            ratesOnDay={(day) => {
              const own = ratesOn(rates, day)
              return own?.enable ? own : ratesOn(defaults, day)
            }}
          />
          <RateHistory columns={columns} rates={rates} mayChange={mayChange} />
        </Stack>
      )}
    </Drawer>
  )
}

/** Amounts as typed. Empty ones keep the value they would have on that day. */
type Values = Record<keyof FeeRates, string> & { validFrom: string; note: string; enable: boolean }

interface PreparationProps extends Pick<RatesDrawerProps, 'of' | 'columns'> {
  /** What empty fields leave as it is from a day on. */
  ratesOnDay: (day: Day) => DatedRate | undefined
}

function Preparation({ of, columns, ratesOnDay }: PreparationProps) {
  const client = useQueryClient()
  const tomorrow = addDays(useToday(), 1)
  const { form, frame } = useRecordForm({
    endpoint: ratesEndpoints.prepareRate,
    values: startValues(tomorrow),
    bodyOf: (values) => bodyOf(of, values),
    onSaved: () => {
      form.setValues(startValues(tomorrow))
      toastSaved()
      void refreshRates(client)
    },
  })
  const { enable, validFrom, note: _, ...typed } = form.getValues()
  return (
    <section aria-label="From a day on">
      <h2 className={classes.heading}>From a day on</h2>
      <p className={classes.about}>
        New rates begin at midnight in New York. Until then they can be withdrawn. Changes that
        apply from now on do not affect them.
      </p>
      <form noValidate onSubmit={form.onSubmit(frame.onSubmit)}>
        <Stack gap="sm">
          <FormError>{form.errors[FORM_ERROR]}</FormError>
          <div className={classes.dayFields}>
            <DayPicker
              label="From"
              value={validFrom}
              min={tomorrow}
              onChange={(day) => form.setFieldValue('validFrom', day)}
              error={form.errors.validFrom}
            />
            <TextInput label="Note" maxLength={200} {...form.getInputProps('note')} />
          </div>
          {of.companyId !== null && (
            <Switch
              label="Own rates"
              description="Off: the link type’s default rates apply from that day on."
              {...form.getInputProps('enable', { type: 'checkbox' })}
            />
          )}
          {enable && (
            <RateFields
              columns={columns}
              typed={typed}
              unchanged={ratesOnDay(validFrom)}
              propsOf={({ field }) => form.getInputProps(field)}
            />
          )}
          <Group justify="flex-end" gap="xs">
            <Button type="submit" loading={frame.busy}>
              Prepare
            </Button>
          </Group>
        </Stack>
      </form>
    </section>
  )
}

const startValues = (validFrom: string): Values => ({
  validFrom,
  note: '',
  enable: true,
  earning: '',
  payout: '',
  lpp: '',
  bonusEarning: '',
  bonusPayout: '',
  bonusLpp: '',
})

const bodyOf = (
  { typeId, companyId }: RatesKey,
  { validFrom, note, enable, ...typed }: Values,
): BodyOf<typeof ratesEndpoints.prepareRate> => ({
  typeId,
  companyId,
  validFrom,
  note,
  enable,
  ...(enable && givenRatesOf(typed)),
})
